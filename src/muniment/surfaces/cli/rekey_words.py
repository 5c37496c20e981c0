"""The words of `rekey`: where the new key is."""

from __future__ import annotations

from argparse import ArgumentParser


def rekey(p: ArgumentParser) -> None:
    """The words of `rekey`."""
    group = p.add_mutually_exclusive_group(required=True)
    told = "the key in this file; one that is not there is made, with a random key for its owner alone"
    group.add_argument("--to-file", metavar="FILE", help=told)
    group.add_argument("--to-variable", metavar="NAME", help="the key in this variable of the environment")
    group.add_argument("--to-keyring", action="store_true", help="a random key, kept in your key ring")
    group.add_argument("--to-plain", action="store_true", help="no encryption any more")
