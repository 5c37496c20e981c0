"""`demo`: the whole idea on real transcripts, in a temporary home, each step held against what it must show."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import tzinfo
from importlib import resources
from pathlib import Path

from muniment.engine import asking, indexing, receipts, stating
from muniment.engine.core import Caller, Engine, Settings
from muniment.errors import MunimentError
from muniment.model.event import Origin
from muniment.model.scope import workspace_of
from muniment.surfaces.cli import output
from muniment.surfaces.cli.invocation import Invocation

RECORDED = "/home/dev/demo"
"""The working folder in the samples."""

HARNESSES = ("claude-code", "codex", "copilot-cli", "opencode")
QUESTIONS = (
    ("which commands were run since 2026?", "p:ran since:2026-01-01"),
    ("what happened to README.md?", "path:README.md"),
    ("what did people ask?", "type:question"),
    ("which tests passed?", "p:passed"),
)
_PERSON = Caller(Origin.PERSON)
_BUDGET = 2048
_SHOWN = 4


class DemoError(MunimentError):
    """A step of the demo did not show what it must."""

    code = "demo"


def demo(run: Invocation) -> int:
    """Run every step; exit 1 at the first that deviates, naming it."""
    began = time.monotonic()
    with contextlib.redirect_stdout(sys.stderr) if run.json else contextlib.nullcontext():
        _run(run.config.zone)
    if run.json:
        output.record({"ok": True, "steps": [_title(s) for s in STEPS]})
    else:
        output.line(f"\nAll {len(STEPS)} steps held, in {time.monotonic() - began:.1f} s. Nothing was left behind.")
        output.line("Next: `muniment index` in a project of yours, then `muniment query type:question`.")
    return output.OK


def _run(zone: tzinfo) -> None:
    with _place() as (home, project, found), Engine(workspace_of(project), Settings(home, zone)) as engine:
        tour = Tour(engine, project, found)
        for number, step in enumerate(STEPS, 1):
            tour.step(number, step)


class Tour:
    """The state of one tour, and what the steps say."""

    def __init__(self, engine: Engine, project: Path, found: Path) -> None:
        self.engine = engine
        self.project = project
        self.found = found

    def step(self, number: int, step: Callable[[Tour], None]) -> None:
        """Run one step under its title."""
        print(f"\n{number}. {_title(step)}")
        try:
            step(self)
        except MunimentError as problem:
            hint = "please report this"
            raise DemoError(
                f"step {number}, {_title(step)}: {problem.message}", hint=hint, about=problem.about
            ) from problem

    def ask(self, selector: str, *, as_of: str | None = None, known: str | None = None) -> asking.Answer:
        """A question, shown with its answer in short."""
        options = "".join(f" --{n} {v}" for n, v in (("as-of", as_of), ("known", known)) if v)
        answer = asking.query(self.engine, selector, _BUDGET, as_of=as_of, known=known)
        print(f"   $ muniment query '{selector}'{options}")
        hits = list(answer)
        for hit in hits[:_SHOWN]:
            verb = hit.row.partition("\t")[0]
            print(f"     {verb:<14} {_short(hit.text, 48):<48} {_short(' '.join(hit.marks), 40)}".rstrip())
        left = len(hits) - _SHOWN + answer.left_out
        if left > 0:
            print(f"     ... and {left} more")
        if not hits:
            print(f"     (nothing: {answer.reason})")
        demand(answer.bytes <= _BUDGET, f"the answer has {answer.bytes} bytes, over its budget of {_BUDGET}")
        return answer


def demand(holds: bool, otherwise: str) -> None:
    """Raise unless the step shows what it must."""
    if not holds:
        raise DemoError(otherwise)


# --- the steps; the first line of each docstring is its title


def read_transcripts(tour: Tour) -> None:
    """Transcripts of four harnesses are read: every record is kept or counted"""
    found, _ = indexing.sources([tour.found], tour.found, {}, sys.platform)
    report = indexing.index(tour.engine, found, named=True)
    for name in HARNESSES:
        counts = report.harnesses.get(name)
        demand(counts is not None and counts.kept > 0, f"nothing of {name} was kept")
        assert counts is not None
        skipped = sum(counts.skipped.values())
        print(f"   {name:<12} read {counts.read} = kept {counts.kept} + skipped {skipped}")
        demand(counts.read == counts.kept + skipped, f"{name}: {counts.read} is not {counts.kept} + {skipped}")
    print(f"   {report.new_events} events in the archive, {report.facts} facts drawn from them, by no model")
    demand(report.facts > 0, "no fact was drawn")


def ask_questions(tour: Tour) -> None:
    """Four questions, answered within a budget of bytes"""
    for words, selector in QUESTIONS:
        print(f"   {words}")
        answer = tour.ask(selector)
        demand(len(answer) > 0, f"{selector} found nothing")
        demand(
            not any(m.startswith("stale") for hit in answer for m in hit.marks),
            f"{selector}: stale before anything changed",
        )


def open_receipt(tour: Tour) -> None:
    """The proof of an answer opens, even with the transcript deleted"""
    hit = next(iter(asking.query(tour.engine, "p:passed", _BUDGET)))
    shutil.rmtree(tour.found)
    record = receipts.read(tour.engine, hit.id, 1)
    print(f"   $ muniment read {hit.id} --context 1 --verify")
    for turn in record.turns:
        print(f"     {'>' if turn.is_subject else ' '} [{turn.role} {turn.kind}] {_short(turn.text, 88)}")
    print(f"     receipt {record.receipt}: {record.text!r}")
    holds, there = ("yes" if each else "no" for each in (record.verified, record.source_is_there))
    print(f"     every hash holds: {holds}; the transcript is still there: {there}")
    demand(record.verified, "; ".join(record.problems))
    demand(record.text == hit.text, f"the receipt opens {record.text!r}, the row says {hit.text!r}")
    demand(not record.source_is_there, "the transcript was not deleted")


def change_file(tour: Tour) -> None:
    """A file changes: a fact that rests on its content is marked stale when it is read"""
    cited = tour.project / "README.md"
    before = cited.read_bytes()
    cited.write_bytes(before + b"Somebody added this.\n")
    print("   README.md changes; one transcript proves what its session had read, the other does not hold all of it")
    answer = tour.ask("path:README.md p:read")
    stale = [hit for hit in answer if "stale:outside" in hit.marks]
    demand(len(stale) > 0, "no fact about the changed file is marked stale")
    cited.write_bytes(before)
    print("   README.md is put back")
    answer = tour.ask("path:README.md p:read")
    demand(
        not any("stale:outside" in hit.marks for hit in answer), "a fact is marked stale though the file is as it was"
    )


def supersede(tour: Tour) -> None:
    """What was true until now gives way, and stays readable at its time"""
    old = _state(tour, "PostgreSQL")
    before = _moment(tour)
    new = _state(tour, "SQLite")
    demand(new.superseded == old.ids, f"{new.ids} did not supersede {old.ids}")
    demand(_values(tour.ask("p:uses topic:database")) == ["SQLite"], "today's answer is not SQLite")
    demand(
        _values(tour.ask("p:uses topic:database", as_of=before)) == ["PostgreSQL"],
        "the earlier answer is not PostgreSQL",
    )


def correct(tour: Tour) -> None:
    """What was never true is corrected: gone from every time, but not from what was known"""
    (wrong,) = asking.query(tour.engine, "p:uses topic:database", _BUDGET)
    before = _moment(tour)
    print(f"   $ muniment correct {wrong.id} DuckDB 'it was DuckDB all along'")
    stating.correct(tour.engine, _PERSON, wrong.id, "DuckDB", "it was DuckDB all along")
    demand(_values(tour.ask("p:uses topic:database")) == ["DuckDB"], "the correction does not show")
    demand(
        _values(tour.ask("p:uses topic:database", as_of=before)) == ["DuckDB"], "as-of still shows what was never true"
    )
    demand(
        _values(tour.ask("p:uses topic:database", known=before)) == ["SQLite"], "known does not show what was believed"
    )


def wake(tour: Tour) -> None:
    """What the next session should know, in 4,096 bytes"""
    from muniment.engine import viewing

    text = viewing.wake(tour.engine, 4096)
    size = len(text.encode())
    lines = text.splitlines()
    for line in lines[:24]:
        print(f"   | {_short(line, 108)}")
    if len(lines) > 24:
        print(f"   | ... {len(lines) - 24} more lines")
    print(f"   {size} bytes")
    demand(0 < size <= 4096, f"the wake view has {size} bytes")
    demand("DuckDB" in text, "the wake view does not know what was stated a moment ago")


STEPS: tuple[Callable[[Tour], None], ...] = (
    read_transcripts, ask_questions, open_receipt, change_file, supersede, correct, wake,
)  # fmt: skip


def _title(step: Callable[[Tour], None]) -> str:
    return (step.__doc__ or step.__name__).splitlines()[0]


def _state(tour: Tour, value: str) -> stating.Admission:
    print(f"   $ muniment add fact {value} --predicate uses --topic database")
    return stating.add(tour.engine, _PERSON, stating.Statement("fact", value, predicate="uses", topic="database"))


def _moment(tour: Tour) -> str:
    """Now, with a little time on each side: two statements of one millisecond have no order that a clock could tell."""
    time.sleep(0.01)
    now = tour.engine.now()
    time.sleep(0.01)
    return now


def _values(answer: asking.Answer) -> list[str]:
    return [hit.text for hit in answer]


def _short(text: str, width: int) -> str:
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= width else line[: width - 1] + "…"


# --- the temporary place


@contextlib.contextmanager
def _place() -> Iterator[tuple[Path, Path, Path]]:
    """(home, project, transcripts) in a temporary folder, with the samples' working folder set to the project."""
    with tempfile.TemporaryDirectory(prefix="muniment-demo-", ignore_cleanup_errors=True) as name:
        room = Path(os.path.realpath(name))
        project, found = room / "demo", room / "transcripts"
        samples = resources.files("muniment") / "samples"
        with resources.as_file(samples) as folder:
            shutil.copytree(folder / "project", project)
            for harness in HARNESSES:
                shutil.copytree(folder / harness, found / harness, ignore=shutil.ignore_patterns("README.md"))
        for path in sorted(found.rglob("*")):
            if path.suffix in (".jsonl", ".json"):
                _reroot_text(path, project.as_posix())
            elif path.suffix == ".db":
                _reroot_database(path, project.as_posix())
        yield room / "home", project, found


def _reroot_text(path: Path, project: str) -> None:
    text = path.read_bytes().decode("utf-8")
    path.write_bytes(
        text.replace(RECORDED, json.dumps(project, ensure_ascii=False)[1:-1]).encode("utf-8", "surrogatepass")
    )


def _reroot_database(path: Path, project: str) -> None:
    with contextlib.closing(sqlite3.connect(path)) as db, db:
        for (table,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
            for (column,) in db.execute(
                "SELECT name FROM pragma_table_info(?) WHERE type LIKE 'text%'", (table,)
            ).fetchall():
                new = json.dumps(project, ensure_ascii=False)[1:-1] if column == "data" else project
                sql = f'UPDATE "{table}" SET "{column}" = replace("{column}", ?, ?) WHERE instr("{column}", ?)'  # noqa: S608 - our own sample
                db.execute(sql, (RECORDED, new, RECORDED))
