"""Extractors: pure functions from an event and a small window to drafts of facts."""
