"""The words of `forget`."""

from __future__ import annotations

from argparse import ArgumentParser


def forget(p: ArgumentParser) -> None:
    """What is meant, and how far it goes."""
    told = "a fact (its id) or an event (its receipt, session:seq)"
    p.add_argument("id", nargs="?", metavar="ID|RECEIPT", help=told)
    group = p.add_argument_group("or one of these")
    told = "whatever holds these words, in any case and across line ends"
    group.add_argument("--match", metavar="WORDS", help=told)
    group.add_argument("--session", metavar="S", help="a session, with those that it started")
    told = "an origin (web, import, ...), a session, a URL, or the file of a transcript"
    group.add_argument("--source", metavar="S", help=told)
    told = "what is stated of it, and where it is named as object: me, kind:key, or a name"
    group.add_argument("--subject", metavar="S", help=told)
    told = "what is older than [retention] in config.toml says: it expires (with --erase it goes)"
    group.add_argument("--expired", action="store_const", const="", help=told)
    p.add_argument("--reason", default="", metavar="R")
    p.add_argument("--dry-run", action="store_true", help="only show what it would do")
    group = p.add_argument_group("for good (without it, what is forgotten is hidden, and `restore ID` brings it back)")
    told = "remove the words themselves and all that was drawn from them, from every file; nothing brings them back"
    group.add_argument("--erase", action="store_true", help=told)
    group.add_argument(
        "--everywhere", action="store_true", help="in every other store of this home that holds the same"
    )
    group.add_argument("--yes", action="store_true", help="do not ask")
