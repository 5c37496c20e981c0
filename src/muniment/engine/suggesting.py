"""The verb `suggest`: a model that the person named points at statements in turns; each becomes a proposal, and none a fact.

Off until `[model]` in config.toml names a server. Turns go out in windows that overlap, each once; a ceiling of tokens a day
stops it. What a model points at must be quoted from the turn, else it is dropped and counted. Suggestions are events of ours,
of origin model, so that a rebuild finds them again without asking anybody.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from muniment.capture import suggested
from muniment.capture.suggested import SUBJECTS, Suggestion, Turn
from muniment.engine import commanding
from muniment.engine.archiving import Archivist
from muniment.engine.core import JOURNAL, Caller, Engine
from muniment.engine.extraction import OWN_HARNESS
from muniment.engine.hot import purpose_places
from muniment.engine.proposing import group
from muniment.engine.verdicts import VerdictBook
from muniment.engine.waking import purposes
from muniment.errors import EndpointError, NothingChangedError, ReadOnlyStoreError, UsageError
from muniment.gate.intake import name
from muniment.model.event import Kind, Origin, SessionInfo
from muniment.model.ids import hash128, show
from muniment.model.services import ModelService
from muniment.model.stored import Prepared
from muniment.recall import chat

MODEL = "model"
_MODEL = Caller(Origin.MODEL)
_FAILURES = 3
"""Windows in a row that may fail before we stop asking."""
Progress = Callable[[int, int, str], None]


@dataclass(slots=True)
class SuggestReport:
    """What a pass did: windows asked, turns in them, what was pointed at and dropped (by reason), tokens, and why it ended."""

    windows: int = 0
    turns: int = 0
    suggested: int = 0
    known: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    tokens: int = 0
    stopped: str | None = None
    ids: list[str] = field(default_factory=list)
    """Of the proposals."""


def suggest(engine: Engine, session: str | None = None, progress: Progress | None = None) -> SuggestReport:
    """Ask about the turns that were not asked about yet (of one session, or of all).

    UsageError where no model is named, NothingChangedError where no turn is left.
    """
    service, state, report = _service(engine), _State.read(engine), SuggestReport()
    windows = list(_windows(engine, service, state, session))
    if not windows:
        raise NothingChangedError("every turn was asked about already", about=session or str(engine.path))
    purpose, failures = _purpose(engine), 0
    for number, turns in enumerate(windows, 1):
        if progress is not None:
            progress(number, len(windows), turns[-1].receipt)
        if not _has_room(service, state, turns, report):
            break
        try:
            found = _asked(service, turns, purpose, state, report)
            failures = 0
        except EndpointError as error:
            failures += 1
            report.dropped["no answer"] += 1
            if failures == _FAILURES:
                report.stopped = error.message
                break
            continue
        _put(engine, service, found, report)
        state.pass_by(turns[-1])
        state.write(engine)
    state.write(engine)
    if not report.windows and report.stopped:
        raise EndpointError(report.stopped, hint="nothing was suggested", about=service.url)
    return report


def _service(engine: Engine) -> ModelService:
    service = engine.services().model
    if not service.url:
        hint = '[model] in config.toml of the home folder: url = "http://localhost:11434/v1", model = "..."'
        raise UsageError("no model is named, so none is asked", hint=hint, about="model")
    return service


def _asked(
    service: ModelService, turns: Sequence[Turn], purpose: str, state: _State, report: SuggestReport
) -> list[Suggestion]:
    """What a model points at in one window, and in further looks at it, as far as it stands there."""
    talk, found = [suggested.question(turns, purpose, service.longest)], dict[tuple[Any, ...], Suggestion]()
    for _ in range(1 + service.gleaning):
        said = chat.ask(service, suggested.SYSTEM, talk)
        state.tokens += said.tokens
        report.tokens += said.tokens
        try:
            pointed = suggested.pointed(said.text)
        except ValueError:
            report.dropped["form"] += 1
            break
        for each in pointed:
            one = suggested.checked(each, turns)
            if isinstance(one, str):
                report.dropped[one] += 1
            else:
                found.setdefault((one.turn.uid, one.predicate, one.subject, one.topic, one.object), one)
        talk += [said.text, suggested.MORE]
    report.windows += 1
    report.turns += len(turns)
    return list(found.values())


def _has_room(service: ModelService, state: _State, turns: Sequence[Turn], report: SuggestReport) -> bool:
    asked = chat.estimate(suggested.SYSTEM, suggested.question(turns, "", service.longest)) * (1 + service.gleaning)
    if state.tokens + asked > service.tokens_per_day:
        report.stopped = f"the day's {service.tokens_per_day:,} tokens are spent ({state.tokens:,})"
        return False
    return True


# --- proposals


def _put(engine: Engine, service: ModelService, found: Sequence[Suggestion], report: SuggestReport) -> None:
    store, at, fresh = engine.store(create=True), engine.now(), list[Prepared]()
    book = VerdictBook(store.facts.verdicts())
    session = f"{MODEL}-{engine.settings.new_name().lower()}"
    for one in found:
        words = _words(service, one)
        named = group(name(one.object), words)
        native = (
            f"{MODEL}/{hash128('suggested', one.turn.uid, one.predicate, one.subject, one.topic, one.object).hex()}"
        )
        event = commanding.event(_MODEL, (session, len(fresh), native), at, "suggest", [(one.object, words)])
        if store.facts.has_proposal(named) or book.decided(named) is not None or store.events.revisions(event.uid):
            report.known += 1
        else:
            fresh.append(event)
            report.ids.append(show(named))
    report.suggested += len(fresh)
    if fresh:
        info = SessionInfo(session, OWN_HARNESS, cwd=name(engine.workspace.root), started_at=at, ended_at=at)
        Archivist(store).write({session: (info, info.cwd)}, fresh, durable=True)


def _words(service: ModelService, one: Suggestion) -> dict[str, str | None]:
    return {
        "predicate": one.predicate, "subject_kind": one.subject, "subject": SUBJECTS[one.subject],
        "topic": one.topic or None, "proposes": f"{MODEL}: {name(service.model)} points at {one.receipt}",
    }  # fmt: skip


# --- turns


def _windows(engine: Engine, service: ModelService, state: _State, only: str | None) -> Iterator[list[Turn]]:
    """The turns that were not asked about, session by session, each window with the last turns of the one before it."""
    store = engine.store()
    for told in list(store.transfer.sessions()):
        session = told["id"]
        if told["harness"] == OWN_HARNESS or only not in (None, session):
            continue
        turns = [
            (m.seq, Turn(m.uid, f"{session}:{m.seq}", m.role, m.text))
            for m in store.messages(session, 0, 1 << 62)
            if m.kind in (Kind.PROMPT, Kind.REPLY) and m.text.strip()
        ]
        fresh = [place for place, (seq, _) in enumerate(turns) if seq > state.passed.get(session, -1)]
        for start in range(fresh[0] if fresh else len(turns), len(turns), max(1, service.window)):
            yield [turn for _, turn in turns[max(0, start - service.overlap) : start + service.window]]


def _purpose(engine: Engine) -> str:
    places = purpose_places(str(engine.path.parent), str(engine.workspace.root))
    return "\n".join(entry.value for entry in purposes(places, lambda _: ""))


# --- what was asked already


@dataclass(slots=True)
class _State:
    """How far each session was asked about, and what this day has cost; beside the store, since it can be done again."""

    day: str
    tokens: int = 0
    passed: dict[str, int] = field(default_factory=dict)

    @classmethod
    def read(cls, engine: Engine) -> _State:
        today = engine.now()[:10]
        try:
            told = json.loads(_place(engine).read_text(encoding="utf-8"))
            spent = told["tokens"] if told["day"] == today else 0
            return cls(today, int(spent), {str(k): int(v) for k, v in told["passed"].items()})
        except FileNotFoundError:
            return cls(today)
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            hint = "remove it: turns are asked about again, and what is known is not proposed twice"
            raise ReadOnlyStoreError(f"{_place(engine)} cannot be read: {error}", hint=hint) from error

    def pass_by(self, turn: Turn) -> None:
        session, _, seq = turn.receipt.rpartition(":")
        self.passed[session] = max(int(seq), self.passed.get(session, -1))

    def write(self, engine: Engine) -> None:
        path = _place(engine)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        beside = path.with_suffix(f".{os.getpid()}.tmp")
        beside.write_text(json.dumps({"day": self.day, "tokens": self.tokens, "passed": self.passed}), encoding="utf-8")
        os.replace(beside, path)


def _place(engine: Engine) -> Path:
    return engine.settings.home / JOURNAL / f"{engine.workspace.id}.model.json"
