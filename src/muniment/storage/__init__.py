"""Stores: one folder per database, each behind the same ports."""
