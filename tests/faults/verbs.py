"""Every verb that writes, on a store that has something for each to do."""

from __future__ import annotations

import io
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.faults import children
from tests.support import Clock

from muniment.capture.transcripts.adapters import adapters
from muniment.engine import amending, indexing, ingesting
from muniment.engine.core import Caller, Engine
from muniment.engine.stating import Statement, add, correct, decide, supersede
from muniment.engine.transfer import export_jsonl, load_jsonl
from muniment.model.event import Origin
from muniment.model.fact import Action
from muniment.model.ids import show
from muniment.testing.transcripts import write_claude_code

PERSON, AGENT = Caller(Origin.PERSON), Caller(Origin.AGENT)


@dataclass
class Stage:
    """A store before the verb, what the verbs need, and how to put it there again."""

    folder: Path
    project: Path
    uses: str
    other: str
    guess: str
    retracted: str
    export: bytes

    @property
    def transcript(self) -> Path:
        """A short session to read in."""
        return self.folder / "session.jsonl"

    def engine(self, home: Path, day: int = 20) -> Engine:
        """An engine whose clock stands still and whose next name is always the same: a retry says exactly the same."""
        clock = Clock(f"2026-03-{day:02}")
        return children.open_engine(home, self.project, clock=clock, new_name=lambda: show(day.to_bytes(16, "big")))

    def fresh(self) -> Engine:
        """The store as it was before the verb."""
        work = self.folder / "work"
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(self.folder / "base", work)
        return self.engine(work)


def stage(folder: Path, project: Path) -> Stage:
    """Make it."""
    made = Stage(folder, project, "", "", "", "", b"")
    write_claude_code(made.transcript, seed=3, turns=1, cwd=str(project))
    made.export = _export(made)

    def said(day: int, statement: Statement, caller: Caller = PERSON) -> str:
        with made.engine(folder / "base", day) as engine:
            return add(engine, caller, statement).ids[0]

    made.uses = said(1, Statement("fact", "PostgreSQL", predicate="uses", topic="database"))
    made.other = said(2, Statement("fact", "the build needs tool 4.2"))
    made.guess = said(3, Statement("fact", "Redis", predicate="uses", topic="cache"), AGENT)
    made.retracted = said(4, Statement("fact", "vim", predicate="uses", topic="editor"))
    with made.engine(folder / "base", 5) as engine:
        decide(engine, PERSON, Action.RETRACT, made.retracted)
    return made


def _export(made: Stage) -> bytes:
    stream = io.BytesIO()
    with made.engine(made.folder / "elsewhere", 10) as engine:
        add(engine, PERSON, Statement("preference", "tabs", topic="code.indent"))
        add(made.engine(made.folder / "elsewhere", 11), PERSON, Statement("fact", "said elsewhere"))
        export_jsonl(engine, stream)
    return stream.getvalue()


Verb = Callable[[Engine, Stage], object]


def _index(engine: Engine, on: Stage) -> object:
    found, _ = indexing.locate(adapters(), [on.transcript])
    return indexing.index(engine, found, named=True)


def _ingest(engine: Engine, _: Stage) -> object:
    turns = [{"session": "c", "seq": n, "speaker": "Ana", "text": f"Where is number {n}?"} for n in range(3)]
    return ingesting.ingest(engine, PERSON, turns, may_vouch=True)


VERBS: dict[str, Verb] = {
    "add": lambda e, on: add(
        e, PERSON, Statement("fact", "SQLite", predicate="uses", topic="database", tags=("code.sql",))
    ),
    "confirm": lambda e, on: decide(e, PERSON, Action.CONFIRM, on.guess),
    "suspect": lambda e, on: decide(e, PERSON, Action.SUSPECT, on.uses, "heard otherwise"),
    "supersede": lambda e, on: supersede(e, PERSON, on.uses, on.other),
    "correct": lambda e, on: correct(e, PERSON, on.uses, "MySQL", "it was never PostgreSQL"),
    "retract": lambda e, on: decide(e, PERSON, Action.RETRACT, on.uses),
    "restore": lambda e, on: decide(e, PERSON, Action.RESTORE, on.retracted),
    "update": lambda e, on: amending.update(e, PERSON, on.uses, "topic", "store"),
    "expire": lambda e, on: amending.expire(e, PERSON, on.uses),
    "pin": lambda e, on: amending.pin(e, PERSON, on.uses),
    "index": _index,
    "ingest": _ingest,
    "load": lambda e, on: load_jsonl(e, io.BytesIO(on.export)),
}
