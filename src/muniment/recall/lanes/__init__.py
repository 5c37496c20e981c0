"""Lanes: independent rankings of candidates. One file each, one contract, see `contract`."""
