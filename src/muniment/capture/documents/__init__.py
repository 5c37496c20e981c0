"""Documents that people write: pages, and the front matter at their head."""
