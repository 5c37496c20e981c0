"""The words of the commands that ask whether facts still have what they lean on."""

from __future__ import annotations

from argparse import ArgumentParser


def check(p: ArgumentParser) -> None:
    """`check`: all evidence, or what changed since a commit."""
    told = "only files that are not as this commit has them (a commit, a branch, a tag)"
    p.add_argument("--since", metavar="REV", help=told)
    told = "exit 4 where a fact that holds leans on what changed or is gone, and nobody confirmed it since"
    p.add_argument("--fail-stale", action="store_true", help=told)
    p.add_argument("--quiet", action="store_true", help="the counts alone, no report")
