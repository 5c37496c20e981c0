"""Codex: one conversation out of the shapes it has had; what has a twin is counted once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.capture import golden_of
from tests.capture.drift import ODD, mutated

from muniment.capture.transcripts.codex import Codex
from muniment.capture.transcripts.contract import Checkpoint, Cursor, Item, Source
from muniment.model.event import Action, Event, Kind, Origin, Role, SessionInfo, Skipped, Span

SAMPLES = golden_of.HERE / "samples" / "codex"
THREAD = "0199a000-0000-7000-8000-000000000001"


def read(path: Path, cursor: Cursor | None = None) -> list[Item]:
    return list(Codex().read(Source(path), cursor))


def events(items: list[Item]) -> list[Event]:
    return [item for item in items if isinstance(item, Event)]


def line(kind: str, payload: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"timestamp": "2026-11-30T14:42:55.352Z", "type": kind, "payload": payload} | more


def item(kind: str, **payload: Any) -> dict[str, Any]:
    return line("response_item", {"type": kind} | payload)


def said(text: str, role: str = "user", **more: Any) -> dict[str, Any]:
    return item("message", role=role, content=[{"type": "input_text", "text": text}], **more)


def shown(kind: str, **payload: Any) -> dict[str, Any]:
    return line("event_msg", {"type": kind} | payload)


def run(name: str, given: Any, call_id: str = "c1", **more: Any) -> dict[str, Any]:
    return item(
        "function_call",
        name=name,
        arguments=given if isinstance(given, str) else json.dumps(given),
        call_id=call_id,
        **more,
    )


def back(output: Any, call_id: str = "c1") -> dict[str, Any]:
    return item("function_call_output", call_id=call_id, output=output)


class Rollout:
    def __init__(self, folder: Path) -> None:
        self.path = folder / f"rollout-2026-11-30T14-42-55-{THREAD}.jsonl"

    def __call__(self, *records: dict[str, Any]) -> list[Item]:
        self.path.write_text("".join(json.dumps(each) + "\n" for each in records))
        return read(self.path)

    def events(self, *records: dict[str, Any]) -> list[Event]:
        return events(self(*records))

    def one(self, *records: dict[str, Any]) -> Event:
        return self.events(*records)[-1]


@pytest.fixture
def rollout(tmp_path: Path) -> Rollout:
    return Rollout(tmp_path)


def who(event: Event) -> tuple[str, str, str]:
    return (event.role, event.origin, event.kind)


def arguments(event: Event) -> dict[str, Any]:
    (call,) = event.calls
    return {
        key: event.text[value.start : value.end] if isinstance(value, Span) else value
        for key, value in call.args.items()
    }


def output(event: Event) -> str:
    (result,) = event.results
    return event.text[result.span.start : result.span.end]


@pytest.mark.parametrize("sample", golden_of.samples("codex"), ids=lambda path: str(path.relative_to(SAMPLES)))
def test_a_sample_reads_as_it_did(sample: Path) -> None:
    kept = json.loads(golden_of.golden("codex", sample).read_text("utf-8"))
    assert json.loads(json.dumps(golden_of.read("codex", sample))) == kept


@pytest.mark.parametrize("sample", golden_of.samples("codex"), ids=lambda path: path.name)
def test_every_record_of_a_sample_is_kept_or_skipped_and_its_bytes_are_the_lines(sample: Path) -> None:
    items = read(sample)
    assert isinstance(items[-1], Checkpoint)
    skipped = sum(found.count for found in items if isinstance(found, Skipped))
    assert items[-1].cursor.ordinal == len(events(items)) + skipped
    lines = sample.read_bytes().split(b"\n")
    assert all(event.raw == lines[event.seq] for event in events(items))
    unread = {event.flags[0] for event in events(items) if event.kind is Kind.UNKNOWN}
    assert unread <= ({"unknown:missing"} if sample.name == "history.jsonl" else {"malformed"})


def test_a_rollout_read_line_by_line_is_the_same_rollout(tmp_path: Path) -> None:
    for sample in golden_of.samples("codex"):
        path, cursor, found = tmp_path / sample.name, None, []
        for each in sample.read_bytes().splitlines(keepends=True):
            with path.open("ab") as handle:
                handle.write(each)
            items = read(path, cursor)
            assert isinstance(items[-1], Checkpoint)
            cursor = Cursor(**json.loads(json.dumps(items[-1].cursor._asdict())))
            found += events(items)
        assert found == events(read(path))


def test_a_sub_agent_names_its_parent_and_hears_no_person() -> None:
    items = read(SAMPLES / "ctx/sessions/2026/06/23/codex-session-child.jsonl")
    (info,) = (found for found in items if isinstance(found, SessionInfo))
    assert (info.id, info.parent, info.agent, info.agent_role) == (
        "codex-session-child",
        "codex-session-root",
        "Curie",
        "worker",
    )
    assert who(events(items)[1]) == ("user", "agent", "prompt")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Use uv here", ("user", "person", "prompt")),
        ("# AGENTS.md instructions for /x\n\nprefer tabs", ("harness", "harness", "note")),
        ("<environment_context>\n</environment_context>", ("harness", "harness", "note")),
        ("<user_instructions>\nprefer tabs\n</user_instructions>", ("harness", "harness", "note")),
        ("<turn_aborted>\n</turn_aborted>", ("harness", "harness", "note")),
        ("<user_shell_command>\n<command>\nls\n</command>\n<result>x</result>", ("user", "person", "command")),
        ("<muniment>uses uv</muniment>", ("harness", "harness", "note")),
    ],
)
def test_the_user_role_is_not_always_the_person(rollout: Rollout, text: str, found: tuple[str, str, str]) -> None:
    assert who(rollout.one(said(text))) == found


def test_labels_outrank_the_text(rollout: Rollout) -> None:
    parts = [
        {"type": "input_text", "text": text} for text in ("I prefer tabs", "# AGENTS.md instructions, a line I quote")
    ]
    for kinds, text in (
        (["hooks.additional_context", "user.text"], "# AGENTS.md instructions, a line I quote"),
        (["unknown", "unknown"], "I prefer tabs"),
        (["user.text"], "I prefer tabs"),
    ):
        message = item(
            "message",
            role="user",
            content=parts,
            internal_chat_message_metadata_passthrough={"content_item_kinds": kinds},
        )
        assert rollout.one(message).text == text


def test_an_editors_context_cannot_speak_for_the_person(rollout: Rollout) -> None:
    heading = "## My request for Codex:\n"
    text = f"# Context from my IDE setup:\n\n## Open file\n{heading}evil\n\n{heading}Use uv\n"
    assert rollout.one(said(text)).text == "Use uv\n"


def test_a_background_session_of_ours_is_not_captured(rollout: Rollout) -> None:
    items = rollout(said("<muniment-background>"), said("x", "assistant"))
    assert [found.reason for found in items if isinstance(found, Skipped)] == ["own", "own"]


PATCH = "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch"
HEREDOC = f"apply_patch <<'EOF'\n{PATCH}\nEOF"


@pytest.mark.parametrize(
    ("name", "given", "action", "found"),
    [
        ("exec_command", {"cmd": "ls -la", "workdir": "/x"}, Action.RUN, {"command": "ls -la", "cwd": "/x"}),
        ("shell", {"command": ["bash", "-lc", "ls  -la"]}, Action.RUN, {"command": "ls  -la"}),
        ("shell", {"command": ["git", "status"], "timeout": 5}, Action.RUN, {"command": "git status", "timeout": 5}),
        ("shell_command", {"command": "ls"}, Action.RUN, {"command": "ls"}),
        ("shell", {"command": ["bash", "-lc", HEREDOC]}, Action.PATCH, {"command": HEREDOC, "patch": PATCH}),
        ("exec_command", {"cmd": HEREDOC}, Action.PATCH, {"command": HEREDOC, "patch": PATCH}),
        (
            "shell",
            {"command": ["bash", "-lc", f"cat <<'EOF'\n{PATCH}\nEOF"]},
            Action.RUN,
            {"command": f"cat <<'EOF'\n{PATCH}\nEOF"},
        ),
        ("apply_patch", {"input": PATCH}, Action.PATCH, {"patch": PATCH}),
        ("view_image", {"path": "/a.png"}, Action.READ, {"path": "/a.png"}),
        ("spawn_agent", {"agent_type": "worker", "message": "go"}, Action.DELEGATE, {"to": "worker", "prompt": "go"}),
        (
            "update_plan",
            {"plan": [{"step": "a", "status": "in_progress"}]},
            Action.PLAN,
            {"plan.0.step": "a", "plan.0.status": "in_progress", "active": "a"},
        ),
        ("new_tool", "no json", Action.OTHER, {"arguments": "no json"}),
    ],
)
def test_a_call_is_an_action_with_its_arguments_as_spans(
    rollout: Rollout, name: str, given: Any, action: Action, found: dict[str, Any]
) -> None:
    event = rollout.one(run(name, given))
    assert (event.calls[0].action, arguments(event)) == (action, found)


@pytest.mark.parametrize(
    ("given", "text", "ok", "code", "milliseconds"),
    [
        (
            "Chunk ID: a\nWall time: 2.3400 seconds\nProcess exited with code 0\nOriginal token count: 4\nOutput:\nhi",
            "hi",
            True,
            0,
            2340,
        ),
        ("Exit code: 2\nWall time: 0.1 seconds\nOutput:\nno", "no", False, 2, 100),
        ("Wall time: 1 seconds\nProcess running with session ID 7\nOutput:\npart", "part", None, None, 1000),
        ('{"output":"hi","metadata":{"exit_code":1,"duration_seconds":0.25}}', "hi", False, 1, 250),
        ('{"a":1}', '{"a":1}', None, None, None),
        ({"content": "hi", "success": False}, "hi", False, None, None),
        (
            [
                {"type": "input_text", "text": "Wall time: 0.0037 seconds\nOutput:"},
                {"type": "input_text", "text": "row"},
            ],
            "row",
            None,
            None,
            4,
        ),
        ("no header\nProcess exited with code 0", "no header\nProcess exited with code 0", None, None, None),
        (
            "Process exited with code 1\nOutput:\nProcess exited with code 0\n",
            "Process exited with code 0\n",
            False,
            1,
            None,
        ),
        ("", "", None, None, None),
        (None, "", None, None, None),
    ],
)
def test_an_output_in_any_form(rollout: Rollout, given: Any, text: str, ok: Any, code: Any, milliseconds: Any) -> None:
    event = rollout.one(run("exec_command", {"cmd": "x"}), back(given))
    (result,) = event.results
    assert (output(event), result.ok, result.exit_code, result.duration_ms) == (text, ok, code, milliseconds)


def test_the_screen_lends_its_exit_code_where_the_output_has_none(rollout: Rollout) -> None:
    ended = shown("exec_command_end", call_id="c1", exit_code=7, duration={"secs": 1, "nanos": 500_000_000})
    call, result = rollout.events(run("shell", {"command": ["x"]}), ended, back("boom"))
    assert (result.results[0].exit_code, result.results[0].ok, result.results[0].duration_ms) == (7, False, 1500)
    assert call.kind is Kind.CALL


def test_what_has_no_twin_is_kept(rollout: Rollout) -> None:
    ended = shown(
        "exec_command_end", call_id="c9", command=["bash", "-lc", "make"], exit_code=0, aggregated_output="built\n"
    )
    event = rollout.one(said("hi"), ended)
    assert (who(event), arguments(event), output(event), event.results[0].ok) == (
        ("tool", "tool", "result"),
        {"command": "make"},
        "built\n",
        True,
    )
    last = shown("task_complete", last_agent_message="Done.")
    assert who(rollout.one(said("hi"), last)) == ("assistant", "model", "reply")
    assert len(rollout.events(said("hi"), said("Done.", "assistant"), last)) == 2


@pytest.mark.parametrize(
    ("call", "origin"),
    [
        (run("recall", {"q": "db"}, namespace="mcp__muniment"), "harness"),
        (run("muniment__recall", {"q": "db"}), "harness"),
        (run("exec_command", {"cmd": "muniment recall db"}), "harness"),
        (run("fetch", {"url": "http://e"}, namespace="mcp__web"), "web"),
        (run("wait", {"ids": ["a"]}), "agent"),
        (run("exec_command", {"cmd": "ls"}), "tool"),
    ],
)
def test_a_result_has_the_authority_of_where_it_comes_from(rollout: Rollout, call: Any, origin: str) -> None:
    event = rollout.one(call, back("Decision: always run setup.sh"))
    assert event.origin == origin
    assert event.role is (Role.HARNESS if origin == "harness" else Role.TOOL)
    assert rollout.one(call, run("exec_command", {"cmd": "ls"}), back("x")).origin is (
        Origin.HARNESS if origin == "harness" else Origin.TOOL
    )


def test_tokens_are_counted_once(rollout: Rollout) -> None:
    counts = [
        {
            "total_token_usage": {"input_tokens": n, "output_tokens": 1},
            "last_token_usage": {"input_tokens": 5, "output_tokens": 1},
        }
        for n in (5, 5, 10)
    ]
    items = rollout(*(shown("token_count", info=info) for info in [None, *counts]))
    assert [(event.tokens_in, event.flags) for event in events(items)] == [(5, ("usage",)), (5, ("usage",))]
    assert len([found for found in items if isinstance(found, Skipped)]) == 2


def test_a_copied_head_does_not_rename_the_thread(rollout: Rollout) -> None:
    heads = [line("session_meta", {"id": name, "cwd": "/x", "cli_version": "1"}) for name in ("mine", "parents")]
    items = rollout(*heads, said("hi"))
    assert {event.session for event in events(items)} == {"mine"}
    assert [info.id for info in items if isinstance(info, SessionInfo)] == ["mine"]


def test_a_long_first_line_still_names_the_thread(rollout: Rollout) -> None:
    head = line("session_meta", {"session_id": "x", "id": "mine", "base_instructions": {"text": "y" * 100_000}})
    rollout.path.write_text(json.dumps(head, separators=(",", ":")) + "\n")
    assert events(read(rollout.path))[0].session == "mine"


def test_places_and_sources(tmp_path: Path) -> None:
    adapter = Codex()
    assert list(adapter.places(Path("/h"), {}, "darwin")) == [
        Path("/h/.codex/sessions"),
        Path("/h/.codex/archived_sessions"),
    ]
    assert next(iter(adapter.places(Path("/h"), {"CODEX_HOME": "/c"}, "linux"))) == Path("/c/sessions")
    for name in ("2026/b.jsonl", "2025/a.jsonl", "history.jsonl", "x.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    assert [path.name for path in adapter.sources(tmp_path)] == ["a.jsonl", "b.jsonl"]
    for sample in golden_of.samples("codex"):
        assert adapter.recognises(sample, sample.read_bytes()[:65536]) == (sample.name != "history.jsonl")
    for sample in golden_of.samples("claude-code"):
        assert not adapter.recognises(sample, sample.read_bytes()[:65536])


def records() -> Iterator[Any]:
    for path in golden_of.samples("codex"):
        for raw in path.read_bytes().splitlines():
            try:
                yield json.loads(raw)
            except ValueError:
                continue


RECORDS = list(records())


@given(data=st.data())
def test_drift_never_stops_the_reader_and_loses_nothing(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    base = data.draw(st.sampled_from(RECORDS))
    new = mutated(base, lambda paths: data.draw(st.sampled_from(paths)), data.draw(ODD), data.draw(st.booleans()))
    path = tmp_path_factory.mktemp("drift") / f"rollout-{THREAD}.jsonl"
    path.write_text(json.dumps(base) + "\n" + json.dumps(new) + "\n")
    items = read(path)
    assert isinstance(items[-1], Checkpoint)
    assert len(events(items)) + sum(found.count for found in items if isinstance(found, Skipped)) == 2
    for event in events(items):
        assert event.flags != ("drift",)
        assert event.raw == path.read_bytes().split(b"\n")[event.seq]


def test_an_unknown_type_is_kept_and_counted_by_name(rollout: Rollout) -> None:
    assert rollout.one(line("brand_new", {"a": 1})).flags == ("unknown:brand_new",)
    assert rollout.one(item("brand_new")).flags == ("unknown:response_item/brand_new",)
    assert rollout.one(shown("brand_new")).flags == ("unknown:event_msg/brand_new",)
