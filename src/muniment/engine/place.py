"""The handle of a search: the question with its clock, and how far its answer was read. Nothing is stored for it."""

from __future__ import annotations

import json
import re
from binascii import a2b_base64, b2a_base64
from dataclasses import dataclass, fields, replace
from typing import Any

from muniment.errors import UsageError
from muniment.model.ids import hash128
from muniment.model.time import from_ms, to_ms
from muniment.recall.fusion import Method

_PREFIX = "s1."
_MARK, _CHECK = 8, 4
_HEAD = re.compile("[0-9a-f]{1,12} [0-9a-f]{1,8} (?:[0-9a-f]{8})?")
_HELD = re.compile("[a-z]{1,12}:[0-9]{1,9}")
_TO_SHELL = str.maketrans("+/", "-_")
_FROM_SHELL = str.maketrans("-_", "+/")


@dataclass(frozen=True, slots=True)
class Place:
    """A question, and how many hits of its answer were shown, the last of them with that `mark`. `now` stays the first clock."""

    words: str
    now: str
    as_of: str | None = None
    known: str | None = None
    include: tuple[str, ...] = ()
    floor: bool = True
    unseen: str | None = None
    without: tuple[str, ...] = ()
    fusion: Method = "weighted"
    held: tuple[str, ...] = ()
    """How many of the hits shown came from which outside source (`web:2`), once some of it had to wait."""
    shown: int = 0
    last: str = ""

    def after(self, count: int, last: str, held: tuple[str, ...] = ()) -> Place:
        """The place behind `count` more hits, of which the last one has this name."""
        if not count:
            return self
        return replace(self, shown=self.shown + count, last=mark(last), held=held or self.held)

    def encode(self, memory: str = "") -> str:
        """As text that survives a shell, and as short as can be: it is part of every answer that is cut.

        It can be read for the same `memory` alone: places in one say nothing of another.
        """
        rare = {f.name: value for f in _RARE if (value := getattr(self, f.name)) != f.default}
        more = json.dumps(rare, separators=(",", ":")) if rare else ""
        head = f"{to_ms(self.now):x} {self.shown:x} {self.last} {more}"
        body = f"{head}\0{self.words}"
        raw = (mark(memory + body)[:_CHECK] + body).encode("utf-8", "surrogatepass")
        return _PREFIX + b2a_base64(raw, newline=False).decode("ascii").rstrip("=").translate(_TO_SHELL)


_LISTS = ("include", "without", "held")
_TEXTS = ("as_of", "known", "unseen", "fusion")
_RARE = tuple(f for f in fields(Place) if f.name in (*_LISTS, *_TEXTS, "floor"))


def mark(name: str) -> str:
    """A hit's name in eight characters: enough to find it again among the candidates of one question."""
    return hash128(name.encode("utf-8", "surrogatepass")).hex()[:_MARK]


def decode(text: str, memory: str = "") -> Place:
    """Read a handle; UsageError if it is none, or none of this memory."""
    try:
        body = text.removeprefix(_PREFIX).translate(_FROM_SHELL)
        raw = a2b_base64(body + "=" * (-len(body) % 4), strict_mode=True).decode("utf-8", "surrogatepass")
        head, _, words = raw[_CHECK:].partition("\0")
        now, shown, last, more = head.split(" ", 3)
        rare = json.loads(more) if more else {}
        is_whole = text.startswith(_PREFIX) and mark(memory + raw[_CHECK:])[:_CHECK] == raw[:_CHECK]
        if not is_whole or not _is_sound(rare) or not _HEAD.fullmatch(f"{now} {shown} {last}"):
            raise ValueError
        rare |= {name: tuple(rare[name]) for name in _LISTS if name in rare}
        return Place(words, from_ms(int(now, 16)), **rare, shown=int(shown, 16), last=last)
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        hint = "use the one that an answer's last lines give"
        raise UsageError("not a cursor of a search of this memory", hint=hint, about=text[:80]) from error


def _is_sound(rare: Any) -> bool:
    """Are these the fields that a handle may have, each of its type?"""
    if isinstance(rare, dict) and not all(_HELD.fullmatch(each) for each in rare.get("held", ())):
        return False
    return isinstance(rare, dict) and all(
        (name in _LISTS and isinstance(value, list) and all(isinstance(each, str) for each in value))
        or (name == "floor" and isinstance(value, bool))
        or (name in _TEXTS and isinstance(value, str))
        for name, value in rare.items()
    )
