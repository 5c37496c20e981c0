"""The views `trace`, `touched` and `usage`: who did what when, who touched a file, what was spent."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from datetime import timedelta, timezone
from pathlib import Path

import pytest
from tests.capture.harnesses import lay_out
from tests.support import archive, called, ran, replied, said, wrote

from muniment import config
from muniment.capture.transcripts.adapters import adapters
from muniment.engine import indexing
from muniment.engine.core import Engine, Settings
from muniment.engine.projecting import TAKEN, project, text
from muniment.engine.spending import DEFAULT, usage
from muniment.engine.tracing import Who, touched, trace
from muniment.errors import NotFoundError, UsageError
from muniment.model.event import Action, Kind, Origin, Role, SessionInfo
from muniment.model.scope import workspace_of
from muniment.model.tracing import Price, Usage

DAY = "2026-03-05"


def spent(session: str, seq: int, at: str, model: str | None, into: int, out: int, *flags: str):
    """A reply that tells its tokens."""
    return replied(
        session, seq, at, f"reply {seq} of {session}", model=model, tokens_in=into, tokens_out=out, flags=flags
    )


def paid(session: str, seq: int, micros: int, model: str | None = None):
    """A record without words that tells what a session cost."""
    fields = {"role": Role.HARNESS, "origin": Origin.HARNESS, "kind": Kind.NOTE, "flags": ("usage", f"cost.{micros}")}
    return said(session, seq, None, "", model=model, **fields)


def rows(found: Usage) -> dict[tuple[str, ...], tuple[int, int, int, int, float | None]]:
    return {tuple(g.by.values()): (g.records, g.tokens_in, g.tokens_cached, g.tokens_out, g.cost) for g in found.groups}


# --- usage ------------------------------------------------------------


def test_tokens_and_cost_are_summed_by_day_model_and_project(engine: Engine) -> None:
    archive(engine, [
        spent("a", 0, f"{DAY} 10:00", "m1", 100, 10, "cached.40", "cost.2500"),
        spent("a", 1, f"{DAY} 11:00", "m1", 50, 5, "cost.1000"),
        spent("a", 2, f"{DAY} 12:00", "m2", 7, 1, "cost.100"),
        spent("b", 0, "2026-03-06 09:00", "m1", 1, 1, "cost.1"),
    ])  # fmt: skip
    found = usage(engine)
    assert rows(found) == {
        (DAY, "m1", "project"): (2, 150, 40, 15, 0.0035),
        (DAY, "m2", "project"): (1, 7, 0, 1, 0.0001),
        ("2026-03-06", "m1", "project"): (1, 1, 0, 1, 0.000001),
    }
    assert (found.total.records, found.total.tokens_in, found.total.cost) == (4, 158, 0.003601)
    assert found.total.is_whole
    assert not found.total.is_estimated
    assert rows(usage(engine, ("session",), when=DAY)) == {("a",): (3, 157, 40, 16, 0.0036)}


def test_a_day_is_the_readers(make_engine: Callable[..., Engine]) -> None:
    east = make_engine(zone=timezone(timedelta(hours=9)))
    archive(east, [spent("a", 0, f"{DAY} 20:00", "m", 1, 1)])
    assert [g.by["day"] for g in usage(east).groups] == ["2026-03-06"]


def test_a_copy_is_not_paid_twice(engine: Engine) -> None:
    for session in ("a", "b"):
        archive(engine, [replied(session, 0, f"{DAY} 10:00", "x", native_id="a-native-id-of-its-own", tokens_out=9)])
    assert usage(engine, ("session",)).total.tokens_out == 9


def test_a_cost_stands_for_its_whole_run_and_prices_only_for_others(make_engine: Callable[..., Engine]) -> None:
    engine = make_engine(prices=lambda: {"m*": Price(1.0, 10.0, 0.5), "mm": Price(2.0, 20.0)})
    archive(engine, [
        spent("told", 0, f"{DAY} 10:00", "mm", 1000, 10), paid("told", 1, 7_000_000, "mm"),
        spent("told/sub", 0, f"{DAY} 10:00", "mm", 1000, 10),
        spent("free", 0, f"{DAY} 10:00", "mx", 1_000_000, 100_000, "cached.500000"),
        spent("free", 1, f"{DAY} 10:00", "unknown-one", 5, 5),
    ], SessionInfo("told/sub", "handmade", parent="told"))  # fmt: skip
    by = {g.by["session"]: g for g in usage(engine, ("session",)).groups}
    assert (by["told"].cost, by["told"].is_estimated, by["told"].is_whole) == (7.0, False, True)
    assert (by["told/sub"].cost, by["told/sub"].is_whole) == (None, True)
    assert (by["free"].cost, by["free"].is_estimated, by["free"].is_whole) == (1.75, True, False)
    text_ = usage(engine, ("session",)).text
    assert "~$1.7500 and more" in text_
    assert "prices in config.toml" in text_


def test_what_tells_nothing_is_counted_and_never_guessed(engine: Engine) -> None:
    archive(engine, [said("quiet", 0, f"{DAY} 10:00", "Hello.")])
    archive(engine, [spent("a", 0, f"{DAY} 10:00", None, 0, 0), spent("a", 1, f"{DAY} 10:00", None, 3, 1)])
    found = usage(engine, ("model",))
    assert rows(found) == {("unknown",): (1, 3, 0, 1, None)}
    assert found.untold == {"handmade": 1}
    assert found.text.splitlines()[1] == "unknown\t1\t3\t0\t1\tunknown"


def test_a_session_that_knows_one_model_means_it_everywhere(engine: Engine) -> None:
    archive(engine, [replied("a", 0, f"{DAY} 10:00", "x", model="m"), spent("a", 1, f"{DAY} 10:00", None, 3, 1)])
    assert [g.by["model"] for g in usage(engine, ("model",)).groups] == ["m"]


def test_everywhere_is_every_memory_of_the_home(make_engine: Callable[..., Engine]) -> None:
    one, two = make_engine("one"), make_engine("two")
    for engine, count in ((one, 1), (two, 10)):
        archive(engine, [spent(f"s{count}", 0, f"{DAY} 10:00", "m", count, 0)])
    assert rows(usage(one, ("project",))) == {("one",): (1, 1, 0, 0, None)}
    assert set(rows(usage(one, ("project",), everywhere=True))) == {("one",), ("two",)}
    broken = one.settings.home / "workspaces" / "0000000000000000" / "memory.db"
    broken.parent.mkdir()
    broken.write_bytes(b"no database at all" * 400)
    found = usage(one, ("project",), everywhere=True)
    assert (len(found.groups), len(found.unread)) == (2, 1)
    assert "not read: 0000000000000000" in found.text
    empty = make_engine("nothing-yet")
    assert usage(empty, everywhere=True).total.records == 2
    with pytest.raises(NotFoundError):
        usage(empty)


@pytest.mark.parametrize("by", [(), ("day", "day"), ("colour",)])
def test_odd_groups_are_refused(engine: Engine, by: tuple[str, ...]) -> None:
    with pytest.raises(UsageError):
        usage(engine, by)


@pytest.mark.parametrize(
    ("harness", "records", "tokens", "cost"),
    [("claude-code", 20, (217800, 140), 1.231875), ("pi", 8, (204110, 107), 0.01521), ("gptme", 3, (525, 64), 0.002),
     ("openclaw", 3, (12015, 105), 0.037419), ("codex", 9, (397150, 251), None), ("amp", 2, (7827, 60), None)],
)  # fmt: skip
def test_the_samples_of_harnesses_tell_what_they_spent(
    engine: Engine, tmp_path: Path, harness: str, records: int, tokens: tuple[int, int], cost: float | None
) -> None:
    found = indexing.locate(adapters(), [lay_out(harness, tmp_path)])[0]
    indexing.index(engine, found, named=True, adopt=True)
    total = usage(engine, DEFAULT).total
    assert (total.records, (total.tokens_in, total.tokens_out), total.cost) == (records, tokens, cost)


def test_prices_are_read_from_the_configuration(tmp_path: Path) -> None:
    assert config.prices(tmp_path) == {}
    (tmp_path / "config.toml").write_text('[prices."gpt-5*"]\ninput = 1.25\noutput = 10\ncached = 0.125\n')
    assert config.prices(tmp_path) == {"gpt-5*": Price(1.25, 10, 0.125)}
    for wrong in ("input = 1", "input = 1\noutput = -1", 'input = "x"\noutput = 1', "input = nan\noutput = 1"):
        (tmp_path / "config.toml").write_text(f"[prices.x]\n{wrong}\n")
        with pytest.raises(UsageError):
            config.prices(tmp_path)


# --- trace ------------------------------------------------------------


@pytest.fixture
def busy(engine: Engine) -> Engine:
    """Two sessions and a sub-agent at once."""
    sub = SessionInfo("a/x1", "handmade", agent="x1", agent_role="explorer", parent="a", cwd=engine.workspace.root)
    archive(engine, [said("a", 0, f"{DAY} 10:00", "Mend it."), *ran("a", 1, f"{DAY} 10:01", "make test", "", 2)])
    archive(engine, [*wrote("b", 0, f"{DAY} 10:02", "src/b.py")], harness="other")
    archive(engine, [called("a/x1", 0, f"{DAY} 10:03", "r1", Action.READ, "Read", {"path": "src/b.py"})], sub)
    return engine


def test_a_trace_goes_over_all_sessions_in_the_order_of_time(busy: Engine) -> None:
    told = trace(busy, DAY)
    assert [(d.session, d.kind, d.action, d.text) for d in told.deeds] == [
        ("a", "prompt", "", "Mend it."), ("a", "call", "run", "make test"), ("b", "call", "write", "src/b.py"),
        ("a/x1", "call", "read", "src/b.py"),
    ]  # fmt: skip
    line = told.text.splitlines()[4]
    assert line == f"{DAY} 10:01:00  handmade  Bash (run) make test exit:2 about 1.0 s  [a:1]"
    assert "handmade/explorer  Read (read) src/b.py no result" in told.text


@pytest.mark.parametrize(
    ("who", "sessions"),
    [(Who(agent="other"), {"b"}), (Who(agent="EXPLORER"), {"a/x1"}), (Who(agent="hand*"), {"a", "a/x1"}),
     (Who(session="a"), {"a", "a/x1"}), (Who(action="write"), {"b"}), (Who(tool="bash"), {"a"}),
     (Who(action="prompt"), {"a"}), (Who(session="a", action="write"), set())],
)  # fmt: skip
def test_a_trace_is_of_whom_one_asks(busy: Engine, who: Who, sessions: set[str]) -> None:
    assert {d.session for d in trace(busy, DAY, who).deeds} == sessions


def test_who_is_not_here_is_told(busy: Engine) -> None:
    with pytest.raises(NotFoundError) as raised:
        trace(busy, DAY, Who(agent="nobody"))
    assert "handmade" in raised.value.hint
    with pytest.raises(UsageError):
        trace(busy, DAY, Who(action="dance"))
    assert trace(busy, "2026-03-01").deeds == ()


# --- touched ------------------------------------------------------------


def test_a_file_is_one_file_in_all_work_trees(tmp_path: Path) -> None:
    main, tree = tmp_path / "main", tmp_path / "tree"
    quiet = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    author = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
    for words in (["init", "-q", str(main)], ["-C", str(main), *author, "commit", "-q", "--allow-empty", "-m", "x"],
                  ["-C", str(main), "worktree", "add", "-q", str(tree)]):  # fmt: skip
        subprocess.run(["git", *words], check=True, env=quiet, capture_output=True)
    sessions = tmp_path / "sessions"
    sessions.mkdir()
    for name, folder, second in (("one", main, 1), ("two", tree, 2)):
        (sessions / f"{name}.jsonl").write_text(_claude(name, folder, second))
    with Engine(workspace_of(tree), Settings(tmp_path / "home")) as engine:
        indexing.index(engine, indexing.locate(adapters(), [sessions])[0], named=True)
        for path in ("src/app.py", str(tree / "src/app.py"), str(main / "src/app.py"), "src/*.py"):
            found = touched(engine, path)
            assert [(t.session, t.verb, t.folder) for t in found.touches] == [
                ("two", "touched", str(tree)), ("one", "touched", str(main)),
            ]  # fmt: skip
        assert (found.sessions, found.folders) == (2, 2)
        assert f"wrote in {tree}" in found.text
        with pytest.raises(NotFoundError):
            touched(engine, "src/other.py")


def _claude(name: str, folder: Path, second: int) -> str:
    head = {
        "isSidechain": False,
        "sessionId": name,
        "cwd": str(folder),
        "version": "2.1.328",
        "timestamp": f"{DAY}T10:00:0{second}Z",
    }
    path, call = str(folder / "src" / "app.py"), f"toolu_{name}"
    (folder / "src").mkdir(exist_ok=True)
    written = {"type": "tool_use", "id": call, "name": "Write", "input": {"file_path": path, "content": "x\n"}}
    result = {"type": "tool_result", "tool_use_id": call, "content": "File created successfully"}
    records = [
        {"type": "assistant", "uuid": f"1-{name}", "message": {"id": "m", "role": "assistant", "content": [written]}, **head},
        {"type": "user", "uuid": f"2-{name}", "message": {"role": "user", "content": [result]}, **head},
    ]  # fmt: skip
    return "".join(json.dumps(record) + "\n" for record in records)


def test_touches_are_told_with_who_and_the_receipt(busy: Engine) -> None:
    found = touched(busy, "src/b.py")
    assert [(t.verb, t.session, t.harness) for t in found.touches] == [("touched", "b", "other")]
    assert found.touches[0].receipt.startswith("b:0@")
    with pytest.raises(NotFoundError):
        touched(busy, "src/b.py", "2026-03-04")
    with pytest.raises(UsageError):
        touched(busy, " ")


# --- every view ------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(TAKEN))
def test_a_view_never_is_larger_than_its_budget(busy: Engine, name: str) -> None:
    words = {"what": "src/b.py"} if name == "touched" else {}
    at = {"at": DAY} if name in ("trace", "timeline") else {}
    whole = project(busy, name, None, {**words, **at}).text
    assert whole or name == "rules"  # nobody accepted a line for a file here; tests/views has rules with lines
    for budget in (0, 1, 40, 150, 300, max(0, len(whole.encode()) - 1), len(whole.encode())):
        assert len(text(busy, name, budget, {**words, **at}).encode()) <= budget


def test_a_view_takes_its_own_words_only(busy: Engine) -> None:
    for name, words in (("usage", {"agent": "x"}), ("wake", {"at": DAY}), ("nonsense", {})):
        with pytest.raises(UsageError):
            project(busy, name, None, words)
    for name in ("trace", "usage"):
        with pytest.raises(UsageError):
            project(busy, name, -1, {})
