"""`export atif` and `load atif`: sessions of every harness as trajectories that the format's own library accepts, and back."""

from __future__ import annotations

import contextlib
import io
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from atif import Trajectory
from pydantic import ValidationError
from tests.capture.harnesses import HARNESSES, OLDER, damage, lay_out
from tests.support import answered, archive, called, ran, replied, said

from muniment.capture.transcripts.adapters import adapters
from muniment.engine import indexing, receipts
from muniment.engine.core import Caller, Engine
from muniment.engine.retracing import load_atif
from muniment.engine.trajectories import VERSIONS, export_atif, file_name
from muniment.errors import NotFoundError, NothingChangedError, RefusedError, UsageError
from muniment.model.event import Action, Kind, Origin, Role, SessionInfo

EVERY = sorted([*HARNESSES, *OLDER])


def read(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text("utf-8"))


def exported(engine: Engine, tmp_path: Path, session: str, **more: str) -> dict[str, Any]:
    export_atif(engine, tmp_path / "one.json", session, **more)
    return read(tmp_path / "one.json")


def load(engine: Engine, path: Path, trust: str = "conversation") -> Any:
    return load_atif(engine, Caller(Origin.PERSON), path, trust, may_vouch=True)


def written(path: Path, **changed: Any) -> Path:
    """A small trajectory as a file, with some of its fields changed."""
    steps = [
        {"step_id": 1, "source": "user", "message": "Which database?", "timestamp": "2026-03-05T10:00:00Z"},
        {
            "step_id": 2, "source": "agent", "message": "I look.", "reasoning_content": "It must be configured.",
            "timestamp": "2026-03-05T10:00:05Z", "model_name": "some-model",
            "tool_calls": [{"tool_call_id": "c1", "function_name": "bash", "arguments": {"command": "cat db.toml"}}],
            "observation": {"results": [{"source_call_id": "c1", "content": "engine = 'sqlite'"}]},
            "metrics": {"prompt_tokens": 100, "completion_tokens": 7, "cached_tokens": 40, "cost_usd": 0.0125},
        },
    ]  # fmt: skip
    document = {
        "schema_version": "ATIF-v1.7", "session_id": "run-1", "agent": {"name": "terminus", "version": "2"}, "steps": steps,
    }  # fmt: skip
    path.write_text(json.dumps({**document, **changed}), "utf-8")
    return path


@pytest.fixture
def sampled(make_engine: Callable[..., Engine], tmp_path: Path) -> Callable[[str], Engine]:
    """An engine that has read the samples of a harness."""

    def sample(harness: str) -> Engine:
        engine = make_engine()
        found = indexing.locate(adapters(), [lay_out(harness, tmp_path)])[0]
        indexing.index(engine, found, named=True, adopt=True)
        return engine

    return sample


# --- every harness ------------------------------------------------------------


@pytest.mark.parametrize("harness", EVERY)
def test_the_samples_of_every_harness_become_trajectories_that_validate(
    harness: str, sampled: Callable[[str], Engine], tmp_path: Path
) -> None:
    engine = sampled(harness)
    for version in VERSIONS:
        report = export_atif(engine, tmp_path / version, version=version)
        assert report.sessions == len(report.files) > 0
        for file in report.files:
            document = read(Path(file))
            Trajectory.model_validate(document)
            assert document["schema_version"] == f"ATIF-v{version}"
            assert all(step["extra"]["muniment"]["receipt"] for step in document["steps"])


@pytest.mark.parametrize("harness", EVERY)
def test_what_went_out_comes_in_elsewhere_once_and_is_known_at_home(
    harness: str, sampled: Callable[[str], Engine], make_engine: Callable[..., Engine], tmp_path: Path
) -> None:
    home, away = sampled(harness), make_engine("away")
    out = export_atif(home, tmp_path / "out")
    with pytest.raises(NothingChangedError):
        load(home, tmp_path / "out")
    report = load(away, tmp_path / "out")
    assert report.read == report.kept + sum(report.skipped.values())
    assert report.new_events > 0
    with pytest.raises(NothingChangedError):
        load(away, tmp_path / "out")
    back = export_atif(away, tmp_path / "back")
    assert back.steps == out.steps
    assert sorted(map(_told, back.files)) == sorted(map(_told, out.files))


def _told(file: str) -> list[Any]:
    """What a trajectory and its sub-agents say, without names and what only the archive it came from knows."""
    document = read(Path(file))
    return [list(_steps(d)) for d in [document, *document.get("subagent_trajectories", ())]]


def _steps(document: dict[str, Any]) -> Iterator[str]:
    for step in document["steps"]:
        calls = [(c["tool_call_id"], c["function_name"]) for c in step.get("tool_calls", ())]
        answers = [r["content"] for r in step.get("observation", {}).get("results", ())]
        yield json.dumps([step["source"], step["message"], step.get("timestamp"), calls, answers])


def test_the_oracle_rejects_what_is_no_trajectory(sampled: Callable[[str], Engine], tmp_path: Path) -> None:
    export_atif(sampled("amp"), tmp_path / "out")
    document = read(next((tmp_path / "out").glob("*.json")))
    for spoil in ({"more": 1}, {"steps": document["steps"][1:]}, {"agent": {}}):
        with pytest.raises(ValidationError):
            Trajectory.model_validate({**document, **spoil})


# --- out ------------------------------------------------------------


def test_an_answer_stands_in_the_step_that_called(engine: Engine, tmp_path: Path) -> None:
    archive(
        engine,
        [said("s", 0, "2026-03-05 10:00", "Run it."), *ran("s", 1, "2026-03-05 10:01", "make test", "2 failed", 1)],
    )
    prompt, step = exported(engine, tmp_path, "s")["steps"]
    assert (prompt["source"], prompt["message"], prompt["timestamp"]) == ("user", "Run it.", "2026-03-05T10:00:00.000Z")
    (call,), (result,) = step["tool_calls"], step["observation"]["results"]
    assert (call["function_name"], call["arguments"], step["message"]) == ("Bash", {"command": "make test"}, "")
    assert (result["source_call_id"], result["content"]) == (call["tool_call_id"], "2 failed")
    assert result["extra"]["muniment"]["exit_code"] == 1
    assert step["extra"]["muniment"]["receipt"] == "s:1"


def test_an_answer_that_nobody_asked_for_stands_for_itself(engine: Engine, tmp_path: Path) -> None:
    archive(engine, [answered("s", 0, "2026-03-05 10:00", "lost", "late output")])
    (step,) = exported(engine, tmp_path, "s")["steps"]
    assert (step["source"], step["message"]) == ("system", "")
    assert step["observation"]["results"][0]["content"] == "late output"
    assert "source_call_id" not in step["observation"]["results"][0]


def test_tokens_without_words_belong_to_the_step_before(engine: Engine, tmp_path: Path) -> None:
    silent = {"kind": Kind.NOTE, "role": Role.HARNESS, "origin": Origin.HARNESS, "flags": ("usage", "cost.2500")}
    archive(engine, [
        replied("s", 0, None, "Done.", tokens_in=10, tokens_out=2, flags=("cached.4",)),
        said("s", 1, None, "", tokens_in=5, tokens_out=1, **silent),
    ])  # fmt: skip
    document = exported(engine, tmp_path, "s")
    spent = {"prompt_tokens": 15, "completion_tokens": 3, "cached_tokens": 4, "cost_usd": 0.0025}
    assert document["steps"][0]["metrics"] == spent
    assert document["final_metrics"] == {**{f"total_{k}": v for k, v in spent.items()}, "total_steps": 1}


def test_a_sub_agent_is_embedded_and_named_where_it_was_started(engine: Engine, tmp_path: Path) -> None:
    task = called("s", 0, None, "t1", Action.DELEGATE, "Task", {"prompt": "Look for tests.", "to": "explorer"})
    archive(
        engine,
        [task, said("s/a1", 0, None, "Look for tests.", origin=Origin.AGENT), replied("s/a1", 1, None, "None found.")],
        SessionInfo("s/a1", "handmade", parent="s", agent="explorer"),
    )
    document = exported(engine, tmp_path, "s")
    Trajectory.model_validate(document)
    (inner,) = document["subagent_trajectories"]
    assert (inner["trajectory_id"], inner["session_id"], len(inner["steps"])) == ("s/a1", "s", 2)
    (shown,) = document["steps"][0]["observation"]["results"]
    assert shown["subagent_trajectory_ref"] == [{"trajectory_id": "s/a1", "session_id": "s"}]
    assert export_atif(engine, tmp_path / "all").sessions == 1
    with pytest.raises(NothingChangedError):
        load(engine, tmp_path / "one.json")


@pytest.mark.parametrize("seed", range(3))
def test_damaged_samples_become_trajectories_that_validate_and_come_back(
    seed: int, make_engine: Callable[..., Engine], tmp_path: Path
) -> None:
    dice = random.Random(seed)
    harness = dice.choice(EVERY)
    root = lay_out(harness, tmp_path)
    files = sorted(path for path in root.rglob("*") if path.is_file())
    for _ in range(4):
        with contextlib.suppress(Exception):
            damage(dice.choice(files), dice)
    engine, away = make_engine(), make_engine("away")
    indexing.index(engine, indexing.locate(adapters(), [root])[0], named=True, adopt=True)
    with contextlib.suppress(NotFoundError):
        for file in export_atif(engine, tmp_path / "out").files:
            Trajectory.model_validate(read(Path(file)))
        with pytest.raises(NothingChangedError):
            load(engine, tmp_path / "out")
        assert load(away, tmp_path / "out").new_events


def test_a_copy_is_marked_as_one(engine: Engine, tmp_path: Path) -> None:
    archive(engine, [replied("s", 0, "2026-03-05 10:00", "Hello.", native_id="a-native-id-of-its-own", tokens_out=3)])
    archive(engine, [replied("t", 0, "2026-03-05 10:00", "Hello.", native_id="a-native-id-of-its-own", tokens_out=3)])
    told = [exported(engine, tmp_path, name) for name in ("s", "t")]
    assert [d["steps"][0].get("is_copied_context") for d in told] == [None, True]
    assert "total_completion_tokens" not in told[1]["final_metrics"]


def test_a_stream_takes_one_session_and_a_folder_takes_all(engine: Engine, tmp_path: Path) -> None:
    archive(engine, [said("s", 0, None, "One."), said("t/../u", 0, None, "Two.")])
    stream = io.BytesIO()
    assert export_atif(engine, stream, "s").steps == 1
    assert json.loads(stream.getvalue())["session_id"] == "s"
    report = export_atif(engine, tmp_path / "out")
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == sorted(Path(f).name for f in report.files)
    assert len(report.files) == 2


def test_names_of_files_differ_where_sessions_do() -> None:
    names = ["a", "A", "a/b", "a_b", "a?b", "x" * 300, "x" * 301]
    assert len({file_name(name).lower() for name in names}) == len(names)


def test_what_cannot_be_exported_is_told(engine: Engine, tmp_path: Path) -> None:
    archive(engine, [said("s", 0, None, "One."), said("silent", 0, None, "")])
    file, folder = tmp_path / "file", tmp_path / "folder"
    file.write_text("mine")
    folder.mkdir()
    for target, session, version, error in [
        (folder / "x.json", "nobody", "1.7", NotFoundError), (folder / "x.json", "silent", "1.7", NotFoundError),
        (folder, "s", "1.7", UsageError), (file, None, "1.7", UsageError), (folder, None, "2.0", UsageError),
        (folder / "no" / "x.json", "s", "1.7", NotFoundError), (io.BytesIO(), None, "1.7", UsageError),
    ]:  # fmt: skip
        with pytest.raises(error):
            export_atif(engine, target, session, version)
    assert file.read_text() == "mine"
    assert list(folder.iterdir()) == []


# --- in ------------------------------------------------------------


def test_a_step_becomes_records_that_open(engine: Engine, tmp_path: Path) -> None:
    report = load(engine, written(tmp_path / "t.json"))
    assert (report.new_events, report.sessions) == (4, {"run-1": "atif.run-1"})
    words = receipts.read(engine, "atif.run-1:4", context=3)
    assert words.verified
    assert [(t.receipt, t.role, t.origin, t.kind, t.at) for t in words.turns] == [
        ("atif.run-1:1", "user", "person", "prompt", "2026-03-05T10:00:00.000Z"),
        ("atif.run-1:3", "assistant", "model", "thinking", "2026-03-05T10:00:05.000Z"),
        ("atif.run-1:4", "assistant", "model", "call", "2026-03-05T10:00:05.000Z"),
        ("atif.run-1:5", "tool", "import", "result", "2026-03-05T10:00:05.000Z"),
    ]
    (record,) = [r for r in engine.store().traces.records(1) if r.calls]
    assert (record.calls[0].action, record.calls[0].call_id) == (Action.RUN, "c1")
    assert (record.tokens_in, record.tokens_out, record.model) == (100, 7, "some-model")
    assert record.flags == ("cost.12500", "cached.40")


def test_without_a_voucher_all_of_it_is_an_import(engine: Engine, tmp_path: Path) -> None:
    load(engine, written(tmp_path / "t.json"), "import")
    turns = receipts.read(engine, "atif-import.run-1:4", context=3).turns
    assert {t.origin for t in turns} == {"import"}
    with pytest.raises(RefusedError):
        load_atif(engine, Caller(Origin.AGENT), tmp_path / "t.json", "conversation", may_vouch=False)


def test_a_longer_version_goes_on_where_the_shorter_ended(engine: Engine, tmp_path: Path) -> None:
    first = load(engine, written(tmp_path / "t.json"))
    document = read(tmp_path / "t.json")
    document["steps"].append({"step_id": 3, "source": "agent", "message": "SQLite."})
    (tmp_path / "t.json").write_text(json.dumps(document))
    second = load(engine, tmp_path / "t.json")
    assert (second.new_events, second.known_events) == (1, first.new_events)


def test_our_own_frame_in_a_trajectory_is_nobodys_word(engine: Engine, tmp_path: Path) -> None:
    framed = "<muniment-memory>\nuses\tproject\tMySQL\n</muniment-memory>"
    steps = [
        {"step_id": 1, "source": "user", "message": framed},
        {"step_id": 2, "source": "system", "message": "Be kind."},
    ]
    load(engine, written(tmp_path / "t.json", steps=steps))
    turns = receipts.read(engine, "atif.run-1:1", context=3).turns
    assert {(t.role, t.origin) for t in turns} == {("harness", "harness")}


def test_a_sub_agents_prompt_is_no_persons(engine: Engine, tmp_path: Path) -> None:
    steps = [{"step_id": 1, "source": "user", "message": "Look for tests."}]
    inner = {
        "schema_version": "ATIF-v1.7", "trajectory_id": "explorer-1", "agent": {"name": "x", "version": "1"}, "steps": steps,
    }  # fmt: skip
    report = load(engine, written(tmp_path / "t.json", subagent_trajectories=[inner]))
    assert report.sessions["explorer-1"] == "atif.run-1/explorer-1"
    (turn,) = receipts.read(engine, "atif.run-1/explorer-1:1", context=1).turns
    assert turn.origin == "agent"
    assert {s.id: s.parent for s in engine.store().traces.sessions()}["atif.run-1/explorer-1"] == "atif.run-1"


STEP = {"step_id": 1, "source": "user", "message": "x"}
CALL = {"tool_call_id": "c", "function_name": "f", "arguments": {}}


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"schema_version": "ATIF-v2.0"}, "schema_version"),
        ({"schema_version": None}, "schema_version is missing"),
        ({"agent": {"version": "1"}}, "agent has no name"),
        ({"steps": []}, "at least one step"),
        ({"steps": [STEP, STEP]}, "steps[1]: step_id is 1, not 2"),
        ({"steps": [{**STEP, "source": "robot"}]}, "steps[0]: source is 'robot'"),
        ({"steps": [{**STEP, "message": None}]}, "steps[0]: message is missing"),
        ({"steps": [{**STEP, "timestamp": "noon"}]}, "steps[0]: 'noon' is no time"),
        ({"steps": [{**STEP, "tool_calls": [CALL]}]}, "steps[0]: tool_calls"),
        ({"steps": [{**STEP, "source": "agent", "tool_calls": [{**CALL, "arguments": "x"}]}]}, "tool_calls[0]: arguments"),
        ({"steps": [{**STEP, "observation": {"results": "x"}}]}, "observation.results"),
        ({"subagent_trajectories": [{"steps": [STEP]}]}, "subagent_trajectories[0]: schema_version"),
    ],
)  # fmt: skip
def test_what_is_no_trajectory_is_refused_with_the_place(
    engine: Engine, tmp_path: Path, changed: dict[str, Any], told: str
) -> None:
    written(tmp_path / "a.json")
    written(tmp_path / "b.json", **changed)
    with pytest.raises(UsageError) as raised:
        load(engine, tmp_path)
    assert "b.json" in raised.value.message
    assert told in raised.value.message
    assert not engine.path.exists(), "nothing of a folder is taken where one file is not sound"


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff\xfe", b'{"a":' * 100_000])
def test_what_is_no_json_is_refused(engine: Engine, tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x.json").write_bytes(data)
    with pytest.raises(UsageError):
        load(engine, tmp_path / "x.json")


def test_a_place_without_trajectories_is_told(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for place in (tmp_path / "empty", tmp_path / "nothing.json"):
        with pytest.raises(NotFoundError):
            load(engine, place)
