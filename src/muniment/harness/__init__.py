"""Harnesses: how each is found, set up, and proved."""
