"""From what was said and done to events and drafts of facts."""
