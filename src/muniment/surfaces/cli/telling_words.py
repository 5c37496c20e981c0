"""The words of `extract`."""

from __future__ import annotations

from argparse import ArgumentParser


def extract(p: ArgumentParser) -> None:
    """A turn, whose it is, and what it may correct."""
    p.add_argument("text", metavar="TEXT", help="the turn; - reads it from stdin")
    p.add_argument("--role", default="user", metavar="R", help="whose turn it is: user (default) or assistant")
    p.add_argument(
        "--previous", default="", metavar="TEXT", help="the assistant's turn before it, which it may correct"
    )
