"""The words of the commands over what is remembered: getting, comparing, amending, reviewing."""

from __future__ import annotations

import argparse
from collections.abc import Callable

FORMATS = ("rules", "memory-json")
TOLD = "rules (CLAUDE.md, AGENTS.md and their kin: into proposals) or memory-json (the store of a memory.sh skill)"
_BUDGET = 4096
_FIELDS = ("tags", "topic", "confidence", "expiry", "context")

Words = argparse.ArgumentParser


def of_add(p: Words) -> None:
    """What `add` takes beside its places."""
    told = "words of a session that say it: they are the receipt, and CONTENT stands among them"
    p.add_argument("--quote", metavar="Q", help=told)
    p.add_argument("--session", metavar="S", help="with --quote: the session (default: where the words were said last)")
    told = "a fact that it derives from: doubt about that one reaches this one; may be repeated"
    p.add_argument("--derives", action="append", default=[], metavar="ID", help=told)
    told = "write nothing where it stands against what holds: show the pairs and the choices, exit 5"
    p.add_argument("--if-clear", action="store_true", help=told)


def retract(p: Words) -> None:
    """One fact, or a whole source."""
    p.add_argument("id", nargs="?", metavar="ID")
    p.add_argument("--source", metavar="S", help="all that came from a session, a URL, or an origin (web, agent, ...)")
    p.add_argument("--session", metavar="S", help="all that was said or done in a session")
    p.add_argument("--origin", metavar="O", help="all of an origin")
    p.add_argument("--dry-run", action="store_true", help="with these: show what it would change, write nothing")
    p.add_argument("--reason", default="", metavar="R")


def _get(p: Words) -> None:
    p.add_argument("words", nargs="+", metavar="WORDS", help="two to four meaningful nouns")
    told = f"bytes of UTF-8, never one more (default {_BUDGET})"
    p.add_argument("--budget", type=int, default=_BUDGET, metavar="N", help=told)
    p.add_argument("--limit", type=int, default=10, metavar="N", help="at most so many (default 10)")


def _conflicts(p: Words) -> None:
    p.add_argument("text", metavar="TEXT", help="what is to be stated")


def _similar(p: Words) -> None:
    p.add_argument("text", metavar="TEXT")
    told = "the share of words in common from which on it is alike (default 0.10)"
    p.add_argument("threshold", nargs="?", type=float, default=0.10, metavar="THRESHOLD", help=told)
    p.add_argument("--type", metavar="T", help="only of this type")


def _update(p: Words) -> None:
    p.add_argument("id", metavar="ID")
    told = "tags, topic, context, expiry (a time, or never), confidence (sure or uncertain); never the words"
    p.add_argument("field", metavar="FIELD", help=told)
    p.add_argument("value", metavar="VALUE")
    p.add_argument("--reason", default="", metavar="R")


def _of_id(p: Words) -> None:
    p.add_argument("id", metavar="ID")
    p.add_argument("--reason", default="", metavar="R")


def _expire(p: Words) -> None:
    _of_id(p)
    p.add_argument("--at", metavar="T", help="from then on (default: now)")


def _noted(p: Words) -> None:
    p.add_argument("id", metavar="ID")
    p.add_argument("reason", nargs="?", default="", metavar="NOTE", help="what it was used for")
    p.add_argument("--session", metavar="S", help="the session in which it was used")


def _touch(p: Words) -> None:
    p.add_argument("id", metavar="ID")
    p.set_defaults(reason="", session=None)


def _review(p: Words) -> None:
    told = "accept, decline or undo proposals; confirm, retract or supersede (OLD NEW) facts; without, what is to be decided"
    verbs = ("accept", "decline", "undo", "confirm", "retract", "supersede")
    p.add_argument("verb", nargs="?", choices=verbs, metavar="VERB", help=told)
    p.add_argument("ids", nargs="*", metavar="ID", help="of proposals, or of facts")
    told = "facts that lean on what changed or is gone, by the last `check`: who did it, and what stands there now"
    p.add_argument("--stale", action="store_true", help=told)
    p.add_argument("--all", action="store_true", help="all that is open, however many the day has had")
    p.add_argument("--state", default="open", metavar="S", help="open (default), accepted or declined")
    p.add_argument("--reason", default="", metavar="R")


def _suggest(p: Words) -> None:
    p.add_argument("--session", metavar="S", help="only the turns of this session (default: all)")


COMMANDS: dict[str, tuple[str, str, Callable[[Words], None]]] = {
    "get": ("remembering:get", "Statements that a few words lead to, best first; their use is noted.", _get),
    "conflicts": ("remembering:conflicts", "What holds against a text, before it is stated.", _conflicts),
    "similar": ("remembering:similar", "What is alike, by words in common.", _similar),
    "update": ("remembering:update", "Change what stands beside the words of a fact; never the words.", _update),
    "touch": ("remembering:noted", "Note that a fact was used; that makes it no newer.", _touch),
    "success": ("remembering:noted", "Note that a fact led to success.", _noted),
    "failure": ("remembering:noted", "Note that a fact led to failure.", _noted),
    "expire": ("remembering:expire", "A fact is not to be relied on any more.", _expire),
    "pin": ("remembering:pinned", "Show a fact first in every wake view (a person only).", _of_id),
    "unpin": ("remembering:pinned", "Show it by its rank again (a person only).", _of_id),
    "suggest": ("reviewing:suggest", "Let the model that you named point at statements, for review.", _suggest),
    "review": ("reviewing:review", "What waits for a person's decision; accept, decline, undo.", _review),
}
"""Name: (module and function, help, words)."""
