"""Settings files as text: our entries go in and out by span, so that every other byte stays as it is."""
