"""The doors: each is thin, and all go through the same verbs."""
