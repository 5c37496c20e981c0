from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.capture.transcripts.contract import Checkpoint, Cursor, Item, Source
from muniment.capture.transcripts.copilot_cli import CopilotCli
from muniment.model.event import Action, Event, Kind, Origin, Role, SessionInfo, Skipped, Span

HERE = Path(__file__).parent
SAMPLES = HERE / "samples" / "copilot-cli"
EVENTS = SAMPLES / "events-1.0.102.jsonl"
SESSION = "b4d179e7-3def-4dc8-a5d6-5dee3e5955d4"
CHILD = f"{SESSION}/call_stub58ff3ea2588e"
RECORDS: list[dict[str, Any]] = [json.loads(line) for line in EVENTS.read_text().splitlines()]


def written(folder: Path, *records: dict[str, Any], session: str = "s") -> Path:
    path = folder / session / "events.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def record(kind: str, name: str = "id", agent: str | None = None, **data: Any) -> dict[str, Any]:
    found = {"type": kind, "data": data, "id": name, "timestamp": "2026-11-30T14:53:32.139Z", "parentId": None}
    return {**found, "agentId": agent} if agent else found


def read(path: Path, cursor: Cursor | None = None) -> list[Item]:
    return list(CopilotCli().read(Source(path), cursor))


def events(path: Path) -> list[Event]:
    return [i for i in read(path) if isinstance(i, Event)]


def shown(item: Item) -> dict[str, Any] | None:
    if isinstance(item, SessionInfo):
        fields = ("id", "cwd", "harness_version", "parent", "agent", "agent_role", "started_at", "ended_at")
        return {"info": {k: v for k in fields if (v := getattr(item, k))}}
    if isinstance(item, Skipped):
        return {"skipped": item.reason, "offset": item.offset}
    if not isinstance(item, Event):
        return None
    text = item.text
    calls = [
        [
            c.call_id,
            c.tool,
            c.action,
            {k: text[v.start : v.end] if isinstance(v, Span) else v for k, v in c.args.items()},
        ]
        for c in item.calls
    ]
    results = [[r.call_id, text[r.span.start : r.span.end], r.ok, r.exit_code, r.sha256] for r in item.results]
    row = {"session": item.session, "seq": item.seq, "who": f"{item.role} {item.origin} {item.kind}", "text": text}
    tokens = [item.tokens_in, item.tokens_out] if (item.tokens_in, item.tokens_out) != (None, None) else None
    more = {"calls": calls, "results": results, "model": item.model, "flags": list(item.flags), "tokens": tokens}
    return {**row, "at": item.at, "id": item.native_id, **{k: v for k, v in more.items() if v}}


def golden(name: str, items: list[Item]) -> None:
    path = HERE / "golden" / name
    text = json.dumps([row for row in map(shown, items) if row], indent=1, ensure_ascii=False) + "\n"
    if os.environ.get("GOLDEN") == "write":
        path.write_text(text)
    assert text == path.read_text()


@pytest.mark.parametrize("name", ["events-1.0.102", "mcp-ctx"])
def test_real_sessions_read_as_recorded(name: str) -> None:
    found = read(SAMPLES / f"{name}.jsonl")
    golden(f"copilot-cli-{name}.json", found)
    lines = (SAMPLES / f"{name}.jsonl").read_text().splitlines()
    assert sum(isinstance(i, Event | Skipped) for i in found) == len(lines)


def test_a_second_read_goes_on_with_what_it_knew(tmp_path: Path) -> None:
    lines = EVENTS.read_text().splitlines(keepends=True)
    whole = [i for i in read(EVENTS) if isinstance(i, Event)]
    path = tmp_path / SESSION / "events.jsonl"
    path.parent.mkdir()
    cursor, found = None, []
    for end in range(0, len(lines) + 5, 5):
        path.write_text("".join(lines[:end]))
        items = read(path, cursor)
        found += [i for i in items if isinstance(i, Event)]
        last = items[-1]
        assert isinstance(last, Checkpoint)
        cursor = Cursor(*json.loads(json.dumps(last.cursor)))
    assert found == whole


def test_tokens_are_counted_once() -> None:
    found = events(EVENTS)
    usage = [r["data"]["usage"] for r in RECORDS if r["type"] == "session.usage_record"]
    compaction = [r["data"]["compactionTokensUsed"] for r in RECORDS if r["type"] == "session.compaction_complete"]
    assert sum(e.tokens_in or 0 for e in found) == sum(u["inputTokens"] for u in usage + compaction)
    assert sum(e.tokens_out or 0 for e in found) == sum(u["outputTokens"] for u in usage + compaction)


def test_older_answers_bring_their_own_tokens(tmp_path: Path) -> None:
    answer = record("assistant.message", content="hi", outputTokens=9, apiCallId="a", toolRequests=[])
    usage = record("session.usage_record", usage={"inputTokens": 5, "outputTokens": 9, "apiCallId": "a"})
    found = events(written(tmp_path, answer, usage))
    assert [(e.tokens_in, e.tokens_out) for e in found] == [(None, 9), (5, None)]


def test_the_typed_words_are_the_prompt_and_what_hooks_added_is_not() -> None:
    prompts = [e for e in events(EVENTS) if e.kind is Kind.PROMPT and e.session == SESSION]
    assert {(e.role, e.origin) for e in prompts} == {(Role.USER, Origin.PERSON)}
    assert all("MARK" not in e.text and "system_reminder" not in e.text for e in prompts)
    assert all(b"transformedContent" in e.raw for e in prompts)


def test_what_a_hook_put_behind_an_output_is_cut_off() -> None:
    results = [e for e in events(EVENTS) if e.kind is Kind.RESULT]
    assert all("MARK" not in e.text or e.flags == ("injected",) for e in results)
    assert results[0].text == "STUB_TOOL_OK\n<shellId: 0 completed with exit code 0>"
    assert all("Additional guidance" not in e.text for e in results)


def test_a_sub_agent_has_its_own_session() -> None:
    found = read(EVENTS)
    infos = [i for i in found if isinstance(i, SessionInfo) and i.id == CHILD]
    assert infos[0].parent == SESSION
    assert infos[0].cwd == "/home/dev/demo"
    assert infos[1].agent == "general-purpose"
    inner = [i for i in found if isinstance(i, Event) and i.session == CHILD]
    assert [e.origin for e in inner if e.role is Role.USER] == [Origin.AGENT]
    assert [e.text for e in inner if e.kind is Kind.REPLY] == ["sub done"]
    assert [e.seq for e in inner] == sorted({e.seq for e in inner})
    answers = [e for e in found if isinstance(e, Event) and e.results and e.results[0].call_id == CHILD.split("/")[1]]
    assert [(e.session, e.origin) for e in answers] == [(SESSION, Origin.AGENT)]


def test_the_agent_of_an_agent_names_its_parent(tmp_path: Path) -> None:
    ask = {"name": "task", "arguments": {"prompt": "p"}}
    path = written(
        tmp_path,
        record("session.start", sessionId="s"),
        record("assistant.message", content="", toolRequests=[{**ask, "toolCallId": "c1"}]),
        record("subagent.started", agent="a1", toolCallId="c1", agentName="one"),
        record("assistant.message", agent="a1", content="", toolRequests=[{**ask, "toolCallId": "c2"}]),
        record("subagent.started", agent="a2", toolCallId="c2", agentName="two"),
        record("user.message", agent="a2", content="deep"),
    )
    found = read(path)
    parents = {i.id: i.parent for i in found if isinstance(i, SessionInfo) and i.parent}
    assert parents == {"s/c1": "s", "s/c2": "s/c1"}
    assert [(e.session, e.origin) for e in found if isinstance(e, Event) and e.text == "deep"] == [
        ("s/c2", Origin.AGENT)
    ]


def test_a_call_is_told_once(tmp_path: Path) -> None:
    ask = {"toolCallId": "c1", "name": "bash", "arguments": {"command": "ls"}}
    start = record("tool.execution_start", toolCallId="c1", toolName="bash", arguments={"command": "ls"})
    announced = written(tmp_path, record("assistant.message", content="go", toolRequests=[ask]), start)
    assert [len(e.calls) for e in events(announced)] == [1]
    (event,) = events(written(tmp_path, start))
    assert (event.kind, event.role, event.calls[0].action) == (Kind.CALL, Role.ASSISTANT, Action.RUN)


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        ({"success": True, "shellExecution": {"exitCode": 3}, "result": {"content": "x"}}, (False, 3)),
        ({"success": True, "result": {"content": "x\n<exited with exit code 1>"}}, (False, 1)),
        ({"success": True, "result": {"content": "x\n<shellId: 4 completed with exit code 0>"}}, (True, 0)),
        ({"success": True, "result": {"content": "<exited with exit code 1>\nmore"}}, (True, None)),
        ({"success": False, "error": {"message": "denied"}}, (False, None)),
        ({"result": {"content": "x"}}, (None, None)),
    ],
)
def test_how_a_command_ended(tmp_path: Path, result: dict[str, Any], expected: tuple[bool | None, int | None]) -> None:
    start = record("tool.execution_start", toolCallId="c", toolName="bash", arguments={"command": "make"})
    (_, event) = events(written(tmp_path, start, record("tool.execution_complete", toolCallId="c", **result)))
    assert (event.results[0].ok, event.results[0].exit_code) == expected


def test_a_file_that_talks_of_exit_codes_has_none(tmp_path: Path) -> None:
    start = record("tool.execution_start", toolCallId="c", toolName="view", arguments={"path": "/log"})
    end = record(
        "tool.execution_complete", toolCallId="c", success=True, result={"content": "<exited with exit code 1>"}
    )
    (_, event) = events(written(tmp_path, start, end))
    assert event.results[0].exit_code is None


@pytest.mark.parametrize(
    ("tool", "given", "action", "args", "origin"),
    [
        ("view", {"path": "/a"}, Action.READ, {"path": "/a"}, Origin.TOOL),
        ("create", {"path": "/a", "file_text": "x"}, Action.WRITE, {"path": "/a", "content": "x"}, Origin.TOOL),
        (
            "edit",
            {"path": "/a", "old_str": "o", "new_str": "n"},
            Action.EDIT,
            {"path": "/a", "old": "o", "new": "n"},
            Origin.TOOL,
        ),
        (
            "str_replace_editor",
            {"command": "create", "path": "/a", "file_text": "x"},
            Action.WRITE,
            {"command": "create", "path": "/a", "content": "x"},
            Origin.TOOL,
        ),
        ("apply_patch", "*** Begin Patch", Action.PATCH, {"patch": "*** Begin Patch"}, Origin.TOOL),
        ("grep", '{"pattern": "x"}', Action.SEARCH, {"pattern": "x"}, Origin.TOOL),
        ("web_fetch", {"url": "u"}, Action.FETCH, {"url": "u"}, Origin.WEB),
        ("task", {"agent_type": "a", "prompt": "p"}, Action.DELEGATE, {"to": "a", "prompt": "p"}, Origin.AGENT),
        ("report_intent", {"intent": "Looking"}, Action.PLAN, {"active": "Looking"}, Origin.TOOL),
        ("bash", {"command": "muniment list"}, Action.RUN, {"command": "muniment list"}, Origin.HARNESS),
        ("muniment-memory_query", {"q": "x"}, Action.OTHER, {"q": "x"}, Origin.HARNESS),
    ],
)
def test_tools_are_known_by_what_they_do(
    tmp_path: Path, tool: str, given: Any, action: Action, args: dict[str, Any], origin: Origin
) -> None:
    start = record("tool.execution_start", toolCallId="c", toolName=tool, arguments=given)
    end = record("tool.execution_complete", toolCallId="c", success=True, result={"content": "out"})
    called, answered = events(written(tmp_path, start, end))
    (call,) = called.calls
    assert call.action is action
    assert {k: called.text[v.start : v.end] if isinstance(v, Span) else v for k, v in call.args.items()} == args
    assert answered.origin is origin
    assert (answered.results[0].sha256 is not None) == (action is Action.WRITE)


@pytest.mark.parametrize(
    ("more", "who"),
    [
        ({}, (Role.USER, Origin.PERSON)),
        ({"source": "skill-pdf"}, (Role.HARNESS, Origin.HARNESS)),
        ({"isAutopilotContinuation": True}, (Role.HARNESS, Origin.HARNESS)),
        ({"source": "agent-1"}, (Role.USER, Origin.AGENT)),
        ({"source": "something-new"}, (Role.USER, Origin.AGENT)),
    ],
)
def test_only_what_was_typed_is_the_persons(tmp_path: Path, more: dict[str, Any], who: tuple[Role, Origin]) -> None:
    (event,) = events(written(tmp_path, record("user.message", content="do it", **more)))
    assert (event.role, event.origin) == who


def test_what_we_put_in_is_never_anybodys_words(tmp_path: Path) -> None:
    (event,) = events(written(tmp_path, record("user.message", content="<muniment>rows</muniment>")))
    assert (event.role, event.flags) == (Role.HARNESS, ("injected",))
    own = written(
        tmp_path,
        record("session.start", sessionId="s"),
        record("user.message", content="<muniment-background> look"),
        record("assistant.message", content="found", toolRequests=[]),
    )
    assert {i.reason for i in read(own) if isinstance(i, Skipped)} == {"own"}
    assert not events(own)
    later = written(
        tmp_path, record("user.message", content="hi"), record("user.message", content="<muniment-background>")
    )
    assert len(events(later)) == 2


def test_unknown_types_are_kept_raw(tmp_path: Path) -> None:
    (event,) = events(written(tmp_path, record("session.brand_new", word="x")))
    assert (event.kind, event.flags) == (Kind.UNKNOWN, ("unknown:session.brand_new",))
    assert b"brand_new" in event.raw


def test_places_and_sources(tmp_path: Path) -> None:
    home = Path("/home/dev")
    assert next(iter(CopilotCli().places(home, {}, "win32"))) == home / ".copilot" / "session-state"
    moved = next(iter(CopilotCli().places(home, {"COPILOT_HOME": "/c"}, "linux")))
    assert moved == Path("/c/session-state")
    new = written(tmp_path, session="b")
    old = tmp_path / "a.jsonl"
    old.touch()
    assert list(CopilotCli().sources(tmp_path)) == [new, old]
    assert list(CopilotCli().sources(old)) == [old]


def test_files_are_recognised_by_their_first_record() -> None:
    assert CopilotCli().recognises(EVENTS, EVENTS.read_bytes()[:4096])
    assert not CopilotCli().recognises(EVENTS, b'{"type": "session_meta"}\n')
    assert not CopilotCli().recognises(EVENTS, b"\xff\0")


def test_a_session_without_a_start_is_named_by_its_file(tmp_path: Path) -> None:
    path = written(tmp_path, record("user.message", content="hi"), session="folder")
    assert [e.session for e in events(path)] == ["folder"]
    flat = tmp_path / "flat.jsonl"
    flat.write_bytes(path.read_bytes())
    assert [e.session for e in events(flat)] == ["flat"]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.just("12"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


@st.composite
def drifted(draw: st.DrawFn) -> dict[str, Any]:
    """A real record with some value, anywhere, replaced, removed or added."""
    found: dict[str, Any] = json.loads(json.dumps(draw(st.sampled_from(RECORDS))))
    where = found
    while draw(st.booleans()):
        inner = [v for v in where.values() if isinstance(v, dict) and v]
        if not inner:
            break
        where = draw(st.sampled_from(inner))
    key = draw(st.sampled_from([*sorted(where), "new"]))
    where[key] = draw(VALUES)
    if draw(st.integers(0, 3)) == 0:
        del where[key]
    return found


@given(changed=st.lists(drifted(), min_size=1, max_size=6))
@settings(max_examples=300, deadline=None)
def test_drift_loses_nothing_and_never_raises(
    tmp_path_factory: pytest.TempPathFactory, changed: list[dict[str, Any]]
) -> None:
    path = written(tmp_path_factory.mktemp("drift"), *changed)
    found = [i for i in read(path) if isinstance(i, Event | Skipped)]
    assert len(found) == len(changed)
    for event in (i for i in found if isinstance(i, Event)):
        spans = [v for call in event.calls for v in call.args.values() if isinstance(v, Span)]
        assert all(span.end <= len(event.text) for span in [*spans, *(r.span for r in event.results)])
