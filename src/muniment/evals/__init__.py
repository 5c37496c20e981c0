"""Benchmarks and their reports: black boxes over the public names."""
