"""The words of the commands that write and read files."""

from __future__ import annotations

from argparse import ArgumentParser

from muniment.surfaces.cli import memory_words, page_words

EXPORTS = ("jsonl", "atif", "plugin", *page_words.FORMATS)
LOADS = ("jsonl", "conversation", "atif", *memory_words.FORMATS, *page_words.FORMATS)
TRUSTS = ("conversation", "import")


def export(p: ArgumentParser) -> None:
    """`export`: one format, one place."""
    told = (
        "jsonl (lossless, all of it), atif (sessions as trajectories, each with its sub-agents) or plugin (folders that"
        f" harnesses install: the skill, the tools and the hooks); {page_words.TOLD}"
    )
    p.add_argument("format", choices=EXPORTS, metavar="FORMAT", help=told)
    told = "a file, or - for stdout; of atif without --session: a folder, which gets a file for each session; of"
    told += " plugin: a folder"
    p.add_argument("path", metavar="PATH", help=told)
    page_words.folder(p)
    group = p.add_argument_group("atif")
    group.add_argument("--session", metavar="S", help="this session alone (default: all that no other started)")
    group.add_argument("--version", metavar="V", help="1.7 (default) or 1.8")


def load(p: ArgumentParser) -> None:
    """`load`: one format, one place."""
    told = (
        "jsonl (what `export` wrote), conversation (JSON Lines of turns: session, seq, at, speaker, role, text), atif"
        f" (trajectories of agents), {memory_words.TOLD}, {page_words.TOLD}"
    )
    p.add_argument("format", choices=LOADS, metavar="FORMAT", help=told)
    told = "a file, or - for stdin; atif: also a folder of *.json; rules: files or folders (default: here)"
    p.add_argument("path", metavar="PATH", nargs="*", help=told)
    page_words.folder(p)
    told = "conversation: you vouch for the roles in it (default for a person); import: nobody does"
    p.add_argument("--trust", choices=TRUSTS, metavar="T", help=told)
