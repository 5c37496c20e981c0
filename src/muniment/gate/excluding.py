"""Files whose content is never kept: what a call says of one, and what came back for it, is covered whole.

The name of the file stays, so that it can be said that it was read. A result tells only which call it answers; the calls
that named such a file are remembered for as long as the program runs, and the engine asks the store for earlier ones.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from muniment.gate import own_rules
from muniment.gate.masks import MARK, apply
from muniment.model.event import Call, Event, Kind, Origin, Role, Span
from muniment.model.stored import Prepared

FLAG = "excluded"
"""Marks a call that named an excluded file, so that a later program knows its result."""
_NAMES = frozenset(("path", "to", "cwd", "url", "file_path", "filePath", "notebook_path"))
_SPOKEN = frozenset(("command", "patch", "pattern", "prompt"))
_LEAST = 3

Known = Callable[[str, str], bool]
"""Was this call, in this session, one that named such a file?"""


class _Calls:
    """The ids of calls that named an excluded file."""

    def __init__(self) -> None:
        self.ids: set[tuple[str, str]] = set()
        self.known: dict[int, Known] = {}


_calls = _Calls()


def ask(owner: object, known: Known | None) -> None:
    """Who tells of calls that were archived by earlier runs of the program; None once it is closed."""
    if known is not None:
        _calls.known[id(owner)] = known
    else:
        _calls.known.pop(id(owner), None)


def without_content(event: Event) -> Event:
    """The event without what an excluded file holds."""
    named = [call for call in event.calls if _names_one(call, event.text)]
    _calls.ids.update((event.session, call.call_id) for call in named)
    spans = [span for call in named for span in _contents(call)]
    answers = [r for r in event.results if _is_answer(event.session, r.call_id)]
    spans += [r.span for r in answers]
    if not named and not answers:
        return event
    pieces = {event.text[start:end] for start, end in spans if end - start >= _LEAST}
    text = apply(event.text, _joined(spans))
    results = tuple(r._replace(sha256=None) if r in answers else r for r in event.results)
    return replace(
        event, text=text, raw=_raw(event.raw, pieces, bool(answers)), results=results, flags=(*event.flags, FLAG)
    )


def readmitted(event: Prepared, session: str) -> Prepared:
    """The same for an event that was archived before a file was excluded."""
    bare = Event(
        session, 0, Role(event.role), Origin(event.origin), Kind(event.kind), event.text, event.raw, calls=event.calls,
        results=event.results, flags=tuple(event.flags.split()),
    )  # fmt: skip
    done = without_content(bare)
    if done is bare or (done.text == bare.text and FLAG in bare.flags):
        return event
    flags = " ".join(dict.fromkeys(done.flags))
    return event._replace(text=done.text, raw=done.raw, results=done.results, flags=flags, masks=event.masks + 1)


def _is_answer(session: str, call_id: str) -> bool:
    return (session, call_id) in _calls.ids or any(known(session, call_id) for known in _calls.known.values())


def _names_one(call: Call, text: str) -> bool:
    for name, value in call.args.items():
        if isinstance(value, Span):
            said = text[value.start : value.end]
            if (name in _NAMES and own_rules.excludes(said)) or (name in _SPOKEN and own_rules.mentions(said)):
                return True
    return False


def _contents(call: Call) -> Iterable[Span]:
    """What a call holds beside names: the text that is written, found or replaced."""
    spoken = _SPOKEN - {"patch"}
    return (v for name, v in call.args.items() if isinstance(v, Span) and name not in _NAMES | spoken)


def _joined(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    out: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        elif start < end:
            out.append((start, end))
    return out


_KEPT = frozenset(
    ("type", "id", "uuid", "parentUuid", "sessionId", "session_id", "timestamp", "role", "cwd", "version", "tool_use_id",
     "call_id", "callID", "name", "tool", "path", "file_path", "filePath", "command", "status", "gitBranch", "model")
)  # fmt: skip


def _raw(raw: bytes, pieces: set[str], is_answer: bool) -> bytes:
    """The raw record without it. Of an answer every text but names is covered: a record may hold the file in many forms."""
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        return b""
    lines = {line.strip() for piece in pieces for line in piece.splitlines() if len(line.strip()) >= _LEAST}
    covered = _covered(value, "", lines | pieces, is_answer)
    return (
        raw
        if covered == value
        else json.dumps(covered, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    )


def _covered(value: Any, name: str, pieces: set[str], is_answer: bool) -> Any:
    match value:
        case dict():
            return {key: _covered(item, key, pieces, is_answer) for key, item in value.items()}
        case list():
            return [_covered(item, name, pieces, is_answer) for item in value]
        case str() if value and name not in _KEPT:
            is_held = is_answer or any(piece in value for piece in pieces)
            return MARK * len(value) if is_held else value
    return value
