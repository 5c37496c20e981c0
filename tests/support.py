"""What engine tests share: a clock set by hand, names that count, and hand-made sessions put into the archive."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from typing import Any

from muniment.archive import parts
from muniment.engine.archiving import Archiving, Archivist
from muniment.engine.core import Caller, Engine
from muniment.engine.stating import Admission, Statement, add
from muniment.gate.intake import prepare
from muniment.model.event import Action, Call, Event, Kind, Origin, Result, Role, SessionInfo, Span, TextBuilder
from muniment.model.ids import show
from muniment.model.time import canonical, from_ms, to_ms

HARNESS = "handmade"
START = "2026-03-05T12:00:00.000Z"


def stamp(text: str) -> str:
    """The stored form of a time as written (UTC where no zone is)."""
    found = canonical(text)
    assert found is not None, text
    return found


class Clock:
    """Stands still until it is told otherwise."""

    def __init__(self, at: str = START) -> None:
        self.at = stamp(at)

    def __call__(self) -> str:
        return self.at

    def set(self, at: str) -> None:
        """Now is this moment: `2026-03-05`, `2026-03-05 14:00`, or the stored form."""
        self.at = stamp(at)

    def forward(self, *, days: float = 0, hours: float = 0, minutes: float = 0, seconds: float = 0) -> None:
        """Time passes (or, with a negative amount, is set back)."""
        ms = ((days * 24 + hours) * 60 + minutes) * 60_000 + seconds * 1000
        self.at = from_ms(to_ms(self.at) + round(ms))


def counting_names():
    """A source of names that gives 00...01, 00...02 and so on."""
    numbers = count(1)
    return lambda: show(next(numbers).to_bytes(16, "big"))


# --- events ------------------------------------------------------------


def said(session: str, seq: int, at: str | None, text: str, **more) -> Event:
    """A turn: a person's prompt unless `role`, `origin` or `kind` say otherwise."""
    fields = {"role": Role.USER, "origin": Origin.PERSON, "kind": Kind.PROMPT, **more}
    return Event(session, seq, text=text, raw=text.encode("utf-8"), at=stamp(at) if at else None, **fields)


def replied(session: str, seq: int, at: str | None, text: str, **more) -> Event:
    """A turn of the model."""
    fields = {"role": Role.ASSISTANT, "origin": Origin.MODEL, "kind": Kind.REPLY, **more}
    return said(session, seq, at, text, **fields)


def called(
    session: str, seq: int, at: str | None, call_id: str, action: Action, tool: str, args: dict[str, str], **more
) -> Event:
    """A tool call; its text is the tool and the arguments, one a line, as transcripts give them."""
    text = TextBuilder()
    text.add(tool)
    spans = {key: text.add(value) for key, value in args.items()}
    return replied(session, seq, at, text.text, kind=Kind.CALL, calls=(Call(call_id, tool, action, spans),), **more)


def answered(session: str, seq: int, at: str | None, call_id: str, output: str, **facts) -> Event:
    """The result of a call: `ok`, `exit_code`, `duration_ms` and `sha256` where the record says them."""
    result = Result(call_id, Span(0, len(output)), **facts)
    return said(session, seq, at, output, role=Role.TOOL, origin=Origin.TOOL, kind=Kind.RESULT, results=(result,))


def ran(
    session: str, seq: int, at: str, command: str, output: str = "", exit_code: int = 0, duration_ms: int | None = None
) -> list[Event]:
    """A command and its result a second later, at `seq` and `seq + 1`."""
    name = f"call-{session}-{seq}"
    later = from_ms(to_ms(stamp(at)) + (duration_ms or 1000))
    return [
        called(session, seq, at, name, Action.RUN, "Bash", {"command": command}),
        answered(
            session, seq + 1, later, name, output, ok=exit_code == 0, exit_code=exit_code, duration_ms=duration_ms
        ),
    ]


def wrote(
    session: str, seq: int, at: str, path: str, content: str = "text\n", sha256: str | None = None
) -> list[Event]:
    """A file written and the result a second later, at `seq` and `seq + 1`."""
    name = f"call-{session}-{seq}"
    later = from_ms(to_ms(stamp(at)) + 1000)
    return [
        called(session, seq, at, name, Action.WRITE, "Write", {"path": path, "content": content}),
        answered(session, seq + 1, later, name, f"wrote {path}", ok=True, sha256=sha256),
    ]


def archive(engine: Engine, events: Iterable[Event], *infos: SessionInfo, harness: str = HARNESS) -> Archiving:
    """Put events through the gate into the archive, as indexing does. Sessions not described are of the work tree."""
    events = list(events)
    root = engine.workspace.root
    sessions = {e.session: SessionInfo(e.session, harness, cwd=root) for e in events}
    sessions |= {info.id: info for info in infos}
    prepared = [prepare(event, harness, parts.encode) for event in events]
    return Archivist(engine.store(create=True)).write(
        {s: (i, root) for s, i in sessions.items()}, prepared, durable=False
    )


# --- statements ------------------------------------------------------------


def state(
    engine: Engine,
    content: str,
    predicate: str = "uses",
    *,
    topic: str = "",
    origin: Origin = Origin.PERSON,
    type_: str = "fact",
    **more,
) -> Admission:
    """State one fact by command, as that origin."""
    return add(engine, Caller(origin), Statement(type_, content, predicate=predicate, topic=topic, **more))


def cells(text: str) -> list[list[str]]:
    """The rows of an answer, cut at the tabs; without the trailer."""
    return [row.split("\t") for row in text.splitlines() if not row.startswith("-- ")]


def values(text: str) -> list[str]:
    """The third column of an answer."""
    return [row[2] for row in cells(text)]


def every_family_writes(monkeypatch: Any) -> None:
    """As if every family of what people tell were right often enough to write: for tests of what it draws, whose subject is
    not how well that was measured last."""
    from muniment.capture.extract import registry
    from muniment.engine import extraction

    measured = registry.precision
    least = lambda name, version: max(measured(name, version), 0.9 if name.startswith("told.") else 0.0)  # noqa: E731
    monkeypatch.setattr(registry, "precision", least)
    monkeypatch.setattr(extraction, "_methods", {})
