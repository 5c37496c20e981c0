"""The handle of a question: enough to go on with it in another process, and nothing stored."""

from __future__ import annotations

from typing import NamedTuple

from muniment.errors import UsageError
from muniment.model.time import canonical

_PREFIX, _HELD = "m1.", "m2."
_POSITION = len("0:") + 32
_TO_SHELL = str.maketrans("+/", "-_")
_FROM_SHELL = str.maketrans("-_", "+/")


class Position(NamedTuple):
    """The last row shown of one band: its score at the question's clock, and its id."""

    score: int
    id: bytes


class Handle(NamedTuple):
    """A question and how far its answer was read. `now` stays the clock of the first answer."""

    selector: str
    now: str
    as_of: str | None
    known: str | None
    firm: Position | None
    suspect: Position | None
    outside: tuple[tuple[str, Position | None], ...] = ()
    """How far each source that had to wait was shown: it may stand before or behind the others."""

    @property
    def least(self) -> int:
        """The least characters that the handle of this question has once a row was shown."""
        raw = len(self.selector) + len(self.now) + len(self.as_of or "") + len(self.known or "") + _POSITION + 5
        return len(_PREFIX) + (raw * 4 + 2) // 3

    def encode(self) -> str:
        """As text that survives a shell."""
        from binascii import b2a_base64  # here, because most answers fit and need no handle

        fields: tuple[str, ...] = (
            self.selector,
            self.now,
            self.as_of or "",
            self.known or "",
            _encoded(self.firm),
            _encoded(self.suspect),
        )
        prefix = _PREFIX
        if self.outside:
            prefix, fields = _HELD, (*fields, ",".join(f"{source}={_encoded(at)}" for source, at in self.outside))
        raw = b2a_base64("\0".join(fields).encode("utf-8", "surrogatepass"), newline=False)
        return prefix + raw.decode().rstrip("=").translate(_TO_SHELL)


def decode(text: str) -> Handle:
    """Read a handle; UsageError if it is none."""
    from binascii import a2b_base64

    try:
        is_held = text.startswith(_HELD)
        body = text.removeprefix(_HELD if is_held else _PREFIX).translate(_FROM_SHELL)
        raw = a2b_base64(body + "=" * (-len(body) % 4), strict_mode=True)
        fields = raw.decode("utf-8", "surrogatepass").split("\0")
        outside = _sources(fields.pop()) if is_held else ()
        *selector, now, as_of, known, firm, suspect = fields
        if not text.startswith((_PREFIX, _HELD)) or not selector or canonical(now) != now:
            raise ValueError
        return Handle(
            "\0".join(selector), now, as_of or None, known or None, _decoded(firm), _decoded(suspect), outside
        )
    except ValueError as error:
        raise UsageError(
            "not a cursor", hint="use the one that an answer's last line gives", about=text[:80]
        ) from error


def _sources(text: str) -> tuple[tuple[str, Position | None], ...]:
    pairs = (each.partition("=") for each in text.split(","))
    return tuple((source, _decoded(at)) for source, _, at in pairs)


def _encoded(position: Position | None) -> str:
    return "" if position is None else f"{position.score}:{position.id.hex()}"


def _decoded(value: str) -> Position | None:
    if not value:
        return None
    score, _, id_ = value.partition(":")
    return Position(int(score), bytes.fromhex(id_))
