"""The words of `sql`: one query, under a profile."""

from __future__ import annotations

from argparse import ArgumentParser


def sql(p: ArgumentParser) -> None:
    """The words of `sql`."""
    told = "one SELECT over the relations of the profile; `SELECT * FROM relations` lists them"
    p.add_argument("query", metavar="QUERY", help=told)
    told = "what may be seen: profiles/P.toml in the home; `project` sees all of this project"
    p.add_argument("--profile", required=True, metavar="P", help=told)
