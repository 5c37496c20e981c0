"""The words of `rules`."""

from __future__ import annotations

from argparse import ArgumentParser


def rules(p: ArgumentParser) -> None:
    """A file, and what a person says to it."""
    p.add_argument(
        "file", nargs="?", default="AGENTS.md", metavar="FILE", help="an instruction file (default: AGENTS.md)"
    )
    p.add_argument("--dry-run", action="store_true", help="only show the difference")
    p.add_argument("--yes", action="store_true", help="do not ask")
    told = "not this one, now and later (an id; may be repeated)"
    p.add_argument("--leave", action="append", default=[], metavar="ID", help=told)
    p.add_argument("--off", action="store_true", help="take the section out, and render the file no more")
