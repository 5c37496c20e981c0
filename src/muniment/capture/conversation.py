"""Turns of a conversation that no harness wrote down: what a chat product hands over, one object a turn.

    {"session": "c-17", "seq": 3, "at": "2026-03-05T10:00:00Z", "speaker": "Ana", "role": "user", "text": "..."}

Each turn is read by itself. What cannot be read is refused by a short name, so that it can be counted, with a detail.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import Any, NamedTuple

from muniment.capture.transcripts.contract import OWN_MARK
from muniment.capture.transcripts.words import NOTE, Who, without_injected
from muniment.model.event import Event, Kind, Origin, Role

HARNESS = "conversation"
_OWN_END = f"</{OWN_MARK[1:]}"
FIELDS = ("session", "seq", "at", "speaker", "role", "text", "updated_at")
_LONGEST_NAME = 300
_MOST = 10**15
_ODD = re.compile("[\\s\x00-\x1f\x7f-\x9f/%@,*?\"'\ud800-\udfff]")
_ROLES = {
    "user": (Role.USER, Origin.PERSON, Kind.PROMPT),
    "assistant": (Role.ASSISTANT, Origin.MODEL, Kind.REPLY),
    "system": (Role.HARNESS, Origin.HARNESS, Kind.NOTE),
    "tool": (Role.TOOL, Origin.IMPORT, Kind.RESULT),
}
"""Whose words a turn holds, if the owner of the conversation vouches for the roles. A tool's are not vouched for."""

Time = Callable[[Any], str | None]
"""A time as written, in the stored form; None if it is no time."""


class Refused(NamedTuple):
    """A turn that cannot be read: a reason to count by, and what stood there."""

    reason: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn as it was given, checked. `seq` is None where the turns are numbered by their order."""

    session: str
    seq: int | None
    at: str | None
    updated_at: str | None
    speaker: str | None
    role: str
    text: str
    raw: bytes


def read(given: Any, time: Time) -> Turn | Refused:
    """One turn: a mapping, or any object with attributes of those names."""
    fields = {name: _field(given, name) for name in FIELDS}
    session, text = fields["session"], fields["text"]
    session = str(session) if isinstance(session, int) and not isinstance(session, bool) else session
    if not isinstance(session, str) or not session.strip() or len(session) > _LONGEST_NAME:
        return Refused("no session", f"session is {_short(session)}")
    if not isinstance(text, str):
        return Refused("no text", f"text is {_short(text)}")
    if not text.strip():
        return Refused("blank")
    rest = _rest(fields, time)
    return rest if isinstance(rest, Refused) else Turn(session, *rest, text, _raw(given, fields))


def session_of(given: Any) -> str | None:
    """The session that a turn names, if it names one: a refused turn has its place in it all the same."""
    session = _field(given, "session")
    return str(session) if isinstance(session, str | int) else None


def event(turn: Turn, seq: int, *, vouched: bool) -> Event:
    """The turn as an event. Unless its roles are vouched for, everything said in it is an import."""
    who, text, flags = _said(turn)
    role, origin, kind = who
    if not vouched and origin != Origin.HARNESS:
        origin = Origin.IMPORT
    session = stored_session(turn.session, vouched=vouched)
    return Event(
        session, seq, role, origin, kind, text, turn.raw, turn.at, f"{session}:{seq}", None, turn.updated_at,
        flags=flags, speaker=turn.speaker,
    )  # fmt: skip


def _said(turn: Turn) -> tuple[Who, str, tuple[str, ...]]:
    """Whose words they are, and the words without what we put before a model: that is nobody's, wherever it comes back.

    A mark that nothing closes is somebody's who writes about it, unless the turn begins with it: then it was cut off.
    """
    begins = turn.text.lstrip().startswith(OWN_MARK)
    if OWN_MARK not in turn.text or (_OWN_END not in turn.text and not begins):
        return _ROLES[turn.role], turn.text, ()
    left = "\n".join(without_injected(turn.text))
    return (_ROLES[turn.role], left, ()) if left.strip() else (NOTE, turn.text, ("injected",))


def stored_session(session: str, *, vouched: bool) -> str:
    """The name under which a session is kept: no harness's is like it, and it says whether its roles were vouched for.

    What would hurt in a receipt or a selector (blanks, slashes, ...) is written with percent signs.
    """
    return f"{HARNESS if vouched else 'import'}.{_ODD.sub(_percent, session)}"


def _percent(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match.group().encode("utf-8", "surrogatepass"))


def _field(given: Any, name: str) -> Any:
    return given.get(name) if isinstance(given, Mapping) else getattr(given, name, None)


def _rest(
    fields: Mapping[str, Any], time: Time
) -> tuple[int | None, str | None, str | None, str | None, str] | Refused:
    seq, times = fields["seq"], [fields["at"], fields["updated_at"]]
    if seq is not None and (not isinstance(seq, int) or isinstance(seq, bool) or not 0 <= seq < _MOST):
        return Refused("bad seq", f"seq is {_short(seq)}; it is a whole number from 0")
    read_times = [None if value in (None, "") else time(_plain_time(value)) for value in times]
    for written, known in zip(times, read_times, strict=True):
        if written not in (None, "") and known is None:
            return Refused("bad time", f"{_short(written)} is no time")
    named = _speaker(fields)
    return named if isinstance(named, Refused) else (seq, read_times[0], read_times[1], *named)


def _speaker(fields: Mapping[str, Any]) -> tuple[str | None, str] | Refused:
    """Who speaks, and in which role: a named speaker without one is a person, unless the name is that of a role."""
    speaker, role = fields["speaker"], fields["role"]
    if not isinstance(speaker, str | None) or len(speaker or "") > _LONGEST_NAME:
        return Refused("bad speaker", f"speaker is {_short(speaker)}")
    name = " ".join((speaker or "").split()) or None
    if role is None and name is None:
        return Refused("no speaker", "neither role nor speaker is given")
    if role is None:
        role = name if name in _ROLES else "user"
    if not isinstance(role, str) or role not in _ROLES:
        return Refused("unknown role", f"role is {_short(role)}; roles: {', '.join(_ROLES)}")
    return (None if name == role else name), str(role)


def _plain_time(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else value


def _raw(given: Any, fields: Mapping[str, Any]) -> bytes:
    """The record: everything that was given, as JSON of one form, so that one turn is one record however it came."""
    known = {name: value for name, value in fields.items() if value is not None}
    try:
        return _json(dict(given) if isinstance(given, Mapping) else known)
    except (TypeError, ValueError, RecursionError):  # what else the mapping holds has no form in JSON
        return _json(known)


def _json(value: Mapping[str, Any]) -> bytes:
    told = {name: each for name, each in value.items() if each is not None}
    text = json.dumps(told, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=_plain)
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:  # half a character: only an escape can hold it
        return json.dumps(told, sort_keys=True, separators=(",", ":"), default=_plain).encode("ascii")


def _plain(value: Any) -> Any:
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Enum):
        return value.value
    raise TypeError(type(value).__name__)


def _short(value: Any) -> str:
    return "missing" if value is None else repr(value)[:80]
