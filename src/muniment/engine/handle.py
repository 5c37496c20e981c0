"""The handle of a question: enough to go on with it in another process, and nothing stored."""

from __future__ import annotations

import base64
import binascii
import json
from typing import NamedTuple

from muniment.errors import UsageError

_PREFIX = "m1."


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

    def encode(self) -> str:
        """As text that survives a shell."""
        fields = [self.selector, self.now, self.as_of, self.known, _encoded(self.firm), _encoded(self.suspect)]
        raw = json.dumps(fields, separators=(",", ":")).encode()
        return _PREFIX + base64.urlsafe_b64encode(raw).decode().rstrip("=")


def decode(text: str) -> Handle:
    """Read a handle; UsageError if it is none."""
    try:
        body = text.removeprefix(_PREFIX)
        raw = base64.urlsafe_b64decode(body + "=" * (-len(body) % 4))
        selector, now, as_of, known, firm, suspect = json.loads(raw)
        if not text.startswith(_PREFIX) or not isinstance(selector, str) or not isinstance(now, str):
            raise ValueError
        return Handle(selector, now, as_of, known, _decoded(firm), _decoded(suspect))
    except (ValueError, TypeError, binascii.Error) as error:
        raise UsageError("not a cursor", hint="use the one that an answer's last line gives", about=text[:80]) from error


def _encoded(position: Position | None) -> list[object] | None:
    return None if position is None else [position.score, position.id.hex()]


def _decoded(value: list[object] | None) -> Position | None:
    return None if value is None else Position(int(str(value[0])), bytes.fromhex(str(value[1])))
