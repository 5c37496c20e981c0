"""The handle of a search: the question with its clock, and how far its answer was read. Nothing is stored for it."""

from __future__ import annotations

from binascii import Error, a2b_base64, b2a_base64
from dataclasses import asdict, dataclass, replace
from typing import Any

from muniment.errors import UsageError
from muniment.model.time import canonical

_PREFIX = "s1."
_TO_SHELL = str.maketrans("+/", "-_")
_FROM_SHELL = str.maketrans("-_", "+/")


@dataclass(frozen=True, slots=True)
class Place:
    """A question and the last hit that was shown of its answer. `now` stays the clock of the first answer."""

    words: str
    now: str
    as_of: str | None = None
    known: str | None = None
    include: tuple[str, ...] = ()
    floor: bool = True
    unseen: str | None = None
    shown: int = 0
    last: str = ""

    def after(self, count: int, last: str) -> Place:
        """The place behind `count` more hits, of which the last one has this id."""
        return replace(self, shown=self.shown + count, last=last) if count else self

    def encode(self) -> str:
        """As text that survives a shell."""
        import json

        raw = json.dumps(list(asdict(self).values()), separators=(",", ":")).encode("ascii")
        return _PREFIX + b2a_base64(raw, newline=False).decode("ascii").rstrip("=").translate(_TO_SHELL)


def decode(text: str) -> Place:
    """Read a handle; UsageError if it is none."""
    import json

    try:
        body = text.removeprefix(_PREFIX).translate(_FROM_SHELL)
        if not text.startswith(_PREFIX) or not _is_sound(values := json.loads(_bytes(body))):
            raise ValueError
    except (ValueError, TypeError, Error, RecursionError) as error:
        hint = "use the one that an answer's last lines give"
        raise UsageError("not a cursor of a search", hint=hint, about=text[:80]) from error
    words, now, as_of, known, include, floor, unseen, shown, last = values
    return Place(words, now, as_of, known, tuple(include), floor, unseen, shown, last)


def _bytes(body: str) -> bytes:
    return a2b_base64(body + "=" * (-len(body) % 4), strict_mode=True)


def _is_sound(values: Any) -> bool:
    words, now, as_of, known, include, floor, unseen, shown, last = values
    return (
        all(isinstance(t, str) for t in (words, now, last, *include))
        and all(t is None or isinstance(t, str) for t in (as_of, known, unseen))
        and isinstance(floor, bool)
        and type(shown) is int
        and shown >= 0
        and canonical(now) == now
    )
