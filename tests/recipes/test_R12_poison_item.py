"""R12: an event over which an extractor fails, one that yields nothing, and a process that is killed in the middle."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest
from tests.recipes.support import Runs, Says, read_in, texts, transcript

from muniment.capture.extract import registry
from muniment.engine import extraction, upkeep
from muniment.engine.asking import query
from muniment.gate.admission import Refusal

ITEMS = 20
POISON = "make item-7"
EMPTY = "   "


@pytest.fixture
def poisoned(monkeypatch):
    """The extractor of commands does not survive one of them."""
    whole = registry._RAN
    make = whole.make

    def fragile(event, window):
        if POISON in event.text:
            raise ValueError("a shape that nobody foresaw")
        return make(event, window)

    monkeypatch.setattr(whole, "make", fragile)
    return lambda: monkeypatch.setattr(whole, "make", make)


def session(engine, tmp_path):
    commands = [f"make item-{n}" if n != 12 else EMPTY for n in range(ITEMS)]
    return transcript("claude-code", tmp_path / "t", engine.workspace.root, [Runs(c, "done") for c in commands])


def test_the_others_are_done_once_each_and_the_poisoned_one_is_kept_with_its_error(engine, tmp_path, poisoned):
    report = read_in(engine, session(engine, tmp_path))
    assert (report.kept, report.new_events) == (2 * ITEMS, 2 * ITEMS)
    assert dict(report.refused) == {"commands.ran@1 failed: ValueError: a shape that nobody foresaw": 1}
    done = [hit.text for hit in query(engine, "p:ran", 100_000)]
    assert sorted(done) == sorted(f"make item-{n}" for n in range(ITEMS) if n not in (7, 12))
    assert f"Bash\n{POISON}" in texts(engine)


def test_a_repaired_extractor_draws_what_was_missing_on_a_rebuild(engine, tmp_path, poisoned):
    read_in(engine, session(engine, tmp_path))
    poisoned()
    upkeep.verify(engine, rebuild=True)
    assert POISON in [hit.text for hit in query(engine, "p:ran", 100_000)]
    assert len(query(engine, "p:ran", 100_000)) == ITEMS - 1


def test_one_failing_extractor_does_not_silence_the_others_of_the_same_event(engine, tmp_path, poisoned):
    read_in(
        engine,
        transcript(
            "opencode", tmp_path / "t", engine.workspace.root, [Runs(f"{POISON} && pytest", "2 passed in 0.1s")]
        ),
    )
    assert [h.text for h in query(engine, "p:passed")] == ["2 passed in 0.1s"]


def test_what_fails_is_a_refusal_and_never_an_empty_result(engine, tmp_path, poisoned):
    read_in(engine, transcript("claude-code", tmp_path / "t", engine.workspace.root, [Runs(POISON)]))
    store = engine.store()
    event = next(e for uid in store.all_uids() if POISON in (e := store.archived(uid)).text)
    drawn = [draft for _, draft in extraction.draw(event, _Nobody())]
    assert any(isinstance(d, Refusal) and "failed" in d.reason for d in drawn)


class _Nobody:
    def call(self, call_id):
        return None

    def result(self, call_id):
        return None


_INDEX = """
import sys, os, signal
from pathlib import Path
from muniment.engine import archiving, indexing
from muniment.engine.core import Engine, Settings
from muniment.model.scope import workspace_of
from muniment.capture.transcripts import contract
project, home, source, after = sys.argv[1:5]
commits = 0
write = archiving.Archivist.write
def counted(self, *args, **more):
    global commits
    commits += 1
    if commits > int(after):
        os.kill(os.getpid(), signal.SIGKILL)
    return write(self, *args, **more)
archiving.Archivist.write = counted
made = contract.Source.__init__
def small(self, *args, **more):
    made(self, *args, **{**more, "batch_bytes": 4096})
contract.Source.__init__ = small
engine = Engine(workspace_of(project), Settings(Path(home)))
found, _ = indexing.sources([Path(source)], Path(home), {}, "linux")
indexing.index(engine, found, named=True)
"""


@pytest.mark.parametrize("after", [0, 1, 2, 3])
def test_a_process_that_is_killed_between_two_batches_loses_none_and_doubles_none(make_engine, tmp_path, after):
    engine = make_engine()
    steps = [Says(f"item {n} " + "x" * 300) for n in range(100)]
    path = transcript("claude-code", tmp_path / "t", engine.workspace.root, steps)
    words = [sys.executable, "-c", _INDEX, engine.workspace.root, str(engine.settings.home), str(path), str(after)]
    assert subprocess.run(words, check=False).returncode == -signal.SIGKILL
    before = texts(engine) if engine.path.exists() else []
    report = read_in(engine, path)
    assert len(before) + report.read == len(steps)
    assert texts(engine) == [s.text for s in steps]
    assert read_in(engine, path).read == 0
