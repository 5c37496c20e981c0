"""The words of the commands that follow consequences."""

from __future__ import annotations

from argparse import ArgumentParser


def blast(p: ArgumentParser) -> None:
    """`blast`: a fact, or all that came from somewhere."""
    p.add_argument("id", nargs="?", metavar="ID")
    p.add_argument("--session", metavar="S", help="all that was said or done in a session")
    p.add_argument("--source", metavar="S", help="all that came from a session, a URL, or an origin")
    p.add_argument("--origin", metavar="O", help="all of an origin (web, agent, import, ...)")


def diff(p: ArgumentParser) -> None:
    """`diff`: two moments, and what is compared."""
    p.add_argument("selector", nargs="*", metavar="SELECTOR", help="what is compared (default: everything that holds)")
    p.add_argument("--from", dest="start", required=True, metavar="T1", help="the earlier moment")
    p.add_argument("--to", dest="end", default="now", metavar="T2", help="the later one (default: now)")
