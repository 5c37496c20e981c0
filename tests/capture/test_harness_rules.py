"""What single harnesses do that their samples do not show: growth, edits, our own words, older ways to call tools."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from tests.capture.harnesses import lay_out, read

from muniment.capture.transcripts import tools
from muniment.capture.transcripts.adapters import adapters
from muniment.capture.transcripts.contract import Adapter, Checkpoint, Cursor, Item, Reset
from muniment.capture.transcripts.editors import folder_named, local_path
from muniment.capture.transcripts.tools import known
from muniment.capture.transcripts.turns import without_tags
from muniment.model.event import Action, Event, Kind, Origin, Role, SessionInfo, Skipped

ADAPTERS: dict[str, Adapter] = {adapter.name: adapter for adapter in adapters()}


def events(name: str, path: Path, cursor: Cursor | None = None, finished: bool = True) -> list[Event]:
    return [item for item in read(ADAPTERS[name], path, cursor, finished) if isinstance(item, Event)]


def cursor_of(items: list[Item]) -> Cursor:
    last = items[-1]
    assert isinstance(last, Checkpoint)
    return Cursor(*json.loads(json.dumps(last.cursor)))


def as_lines(path: Path, *records: dict[str, Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return path


def as_document(path: Path, document: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document), "utf-8")
    return path


def gemini(path: Path, *messages: dict[str, Any]) -> Path:
    return as_lines(path, {"sessionId": "s", "projectHash": "p", "startTime": "2026-06-01T00:00:00Z"}, *messages)


# --- one file that grows -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "pattern"), [
    ("aider", "**/.aider.chat.history.md"), ("gemini-cli", "**/*.jsonl"), ("qwen-code", "**/*.jsonl"),
    ("iflow", "**/*.jsonl"), ("antigravity-cli", "**/*.jsonl"), ("windsurf", "**/*.jsonl"),
    ("visualstudio-copilot", "**/*.jsonl"), ("cursor", "**/cursor-native*.jsonl"), ("trae-cli", "**/*.jsonl"),
])  # fmt: skip
def test_a_growing_file_gives_what_it_gives_at_once(name: str, pattern: str, tmp_path: Path) -> None:
    for path in sorted(lay_out("trae" if name == "trae-cli" else name, tmp_path).glob(pattern)):
        lines = path.read_bytes().splitlines(keepends=True)
        whole = events(name, path)
        found, cursor = list[Event](), None
        for end in range(1, len(lines) + 1):
            path.write_bytes(b"".join(lines[:end]))
            items = read(ADAPTERS[name], path, cursor, finished=end == len(lines))
            assert not any(isinstance(item, Reset) for item in items)
            found += [item for item in items if isinstance(item, Event)]
            cursor = cursor_of(items)
        assert found == whole


def test_the_last_block_of_a_log_waits_until_another_follows(tmp_path: Path) -> None:
    path = tmp_path / "repo" / ".aider.chat.history.md"
    path.parent.mkdir()
    path.write_text("# aider chat started at 2026-06-09 14:01:00\n\n#### do it\n\nI will")
    items = read(ADAPTERS["aider"], path, finished=False)
    assert [item.text for item in items if isinstance(item, Event)] == ["", "do it"]
    assert [item.reason for item in items if isinstance(item, Skipped)] == ["unfinished"]
    path.write_text(path.read_text() + " do it.\n\n> Applied edit to a.py\n")
    later = read(ADAPTERS["aider"], path, cursor_of(items))
    assert [item.text for item in later if isinstance(item, Event)] == [
        "I will do it.",
        "edit\na.py\nApplied edit to a.py",
    ]


def test_a_log_that_was_cut_is_read_anew(tmp_path: Path) -> None:
    path = lay_out("aider", tmp_path) / "agentsview" / "myrepo" / ".aider.chat.history.md"
    items = read(ADAPTERS["aider"], path)
    path.write_text("# aider chat started at 2026-07-01 10:00:00\n\n#### anew\n")
    again = read(ADAPTERS["aider"], path, cursor_of(items))
    assert isinstance(again[0], Reset)
    assert [item.text for item in again if isinstance(item, Event)] == ["", "anew"]


# --- documents and databases that are edited in place ------------------------------------------------------------------


def test_a_document_is_read_anew_when_it_changed_and_only_then(tmp_path: Path) -> None:
    path = next(lay_out("continue", tmp_path).rglob("51d6ba8e*.json"))
    first = read(ADAPTERS["continue"], path)
    document = json.loads(path.read_text())
    document["history"].append({"message": {"role": "user", "content": "one more"}})
    path.write_text(json.dumps(document))
    again = read(ADAPTERS["continue"], path, cursor_of(first))
    assert isinstance(again[0], Reset)
    before = [item for item in first if isinstance(item, Event)]
    after = [item for item in again if isinstance(item, Event)]
    assert (after[:-1], after[-1].text) == (before, "one more")


def test_a_document_that_is_being_written_waits(tmp_path: Path) -> None:
    path = next(lay_out("auggie", tmp_path).rglob("*.json"))
    path.write_text(path.read_text()[:300])
    assert [type(item) for item in read(ADAPTERS["auggie"], path, finished=False)] == [Skipped]
    kinds = [item.reason for item in read(ADAPTERS["auggie"], path) if isinstance(item, Skipped)]
    assert kinds == ["malformed"]


def test_of_a_database_only_the_sessions_that_changed_are_read(tmp_path: Path) -> None:
    path = lay_out("crush", tmp_path) / "ctx" / "v1" / "crush.db"
    cursor = cursor_of(read(ADAPTERS["crush"], path))
    db = sqlite3.connect(path)
    db.execute("UPDATE messages SET parts = ?, updated_at = 1782259299000 WHERE id = 'crush-user'", (
        json.dumps([{"type": "text", "data": {"text": "edited"}}]),
    ))  # fmt: skip
    db.commit()
    db.close()
    again = events("crush", path, cursor)
    assert {event.session for event in again} == {"crush-root"}
    assert (again[0].text, again[0].native_id, again[0].updated_at) == (
        "edited", "crush-user", "2026-06-24T00:01:39.000Z",
    )  # fmt: skip


def test_an_edited_bubble_is_a_revision(tmp_path: Path) -> None:
    path = lay_out("cursor", tmp_path) / "synthetic" / "User" / "globalStorage" / "state.vscdb"
    cursor = cursor_of(read(ADAPTERS["cursor"], path))
    db = sqlite3.connect(path)
    key = "00000000-0000-4000-8000-0000000c0001"
    value = json.loads(
        db.execute("SELECT value FROM cursorDiskKV WHERE key = ?", (f"bubbleId:{key}:b3",)).fetchone()[0]
    )
    db.execute("INSERT INTO cursorDiskKV VALUES (?, ?)", (f"bubbleId:{key}:b3", json.dumps({**value, "text": "Done."})))
    db.commit()
    db.close()
    again = events("cursor", path, cursor)
    assert {event.session for event in again} == {key}
    assert [(event.text, event.native_id) for event in again][-1] == ("Done.", "b3")
    assert again[-1].updated_at
    assert again[0].updated_at is None


def test_a_message_written_again_with_its_calls_is_one_event(tmp_path: Path) -> None:
    first = {"id": "m", "timestamp": "2026-06-01T00:00:01Z", "type": "gemini", "content": "", "tokens": {"output": 7}}
    call = {"id": "c", "name": "read_file", "args": {"file_path": "a"}, "timestamp": "2026-06-01T00:00:02Z"}
    found = events("gemini-cli", gemini(tmp_path / "session-1.jsonl", first, {**first, "toolCalls": [call]}))
    assert {event.native_id for event in found} == {"m"}
    assert [event.updated_at for event in found] == [None, "2026-06-01T00:00:02.000Z"]


def test_a_result_is_told_once_and_is_never_the_models(tmp_path: Path) -> None:
    call = {"id": "c", "name": "run_shell_command", "args": {"command": "make"}, "status": "success"}
    output = "Output: x\nExit Code: 2"
    call["result"] = [{"functionResponse": {"id": "c", "response": {"output": output}}}]
    message = {"id": "m", "type": "gemini", "content": "", "toolCalls": [call]}
    answer = {"id": "n", "type": "user", "content": [{"functionResponse": {"id": "c", "response": {"output": output}}}]}
    (alone,) = events("gemini-cli", gemini(tmp_path / "session-1.jsonl", message))
    assert (alone.role, alone.results[0].exit_code, alone.results[0].ok) == (Role.TOOL, 2, False)
    twice = events("gemini-cli", gemini(tmp_path / "session-2.jsonl", message, answer))
    assert [(len(event.calls), len(event.results)) for event in twice] == [(1, 1)]
    spoken = events("gemini-cli", gemini(tmp_path / "session-3.jsonl", {**message, "content": "I make it."}, answer))
    assert [(event.origin, len(event.results)) for event in spoken] == [(Origin.MODEL, 0), (Origin.TOOL, 1)]


def test_the_older_document_of_gemini_is_read(tmp_path: Path) -> None:
    message = {"id": "u", "timestamp": "2026-06-01T00:00:01Z", "type": "user", "content": "hello"}
    document = {"sessionId": "s", "projectHash": "p", "messages": [message, {**message, "id": "g", "type": "gemini"}]}
    path = as_document(tmp_path / "session-1.json", document)
    assert ADAPTERS["gemini-cli"].recognises(path, path.read_bytes())
    assert [(event.origin, event.text) for event in events("gemini-cli", path)] == [
        (Origin.PERSON, "hello"), (Origin.MODEL, "hello"),
    ]  # fmt: skip


def test_operations_that_cannot_be_read_are_counted(tmp_path: Path) -> None:
    whole = {"kind": 0, "v": {"sessionId": "s", "requests": [{"requestId": "r", "message": {"text": "hello"}}]}}
    path = as_lines(
        tmp_path / "chatSessions" / "s.jsonl", whole, {"kind": 9, "k": ["x"]}, {"kind": 1, "k": ["no", "way"]}
    )
    items = read(ADAPTERS["vscode-copilot"], path)
    assert [item.count for item in items if isinstance(item, Skipped)] == [2]
    assert [item.text for item in items if isinstance(item, Event)] == ["hello"]


def test_operations_edit_append_cut_and_delete(tmp_path: Path) -> None:
    requests = [{"requestId": "r", "message": {"text": "hello"}, "response": [{"value": "a"}, {"value": "b"}]}]
    path = as_lines(
        tmp_path / "chatSessions" / "s.jsonl",
        {"kind": 0, "v": {"sessionId": "s", "requests": requests, "x": 1}},
        {"kind": 2, "k": ["requests", 0, "response"], "i": 1, "v": [{"value": "c"}]},
        {"kind": 1, "k": ["requests", 0, "result"], "v": {"timings": {}, "metadata": {"outputTokens": 3}}},
        {"kind": 3, "k": ["x"]},
    )
    found = events("vscode-copilot", path)
    assert [(event.text, event.tokens_out) for event in found] == [("hello", None), ("ac", 3)]


# --- whose words -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["gemini-cli", "tabnine-cli"])
def test_a_background_session_of_ours_is_not_captured(name: str, tmp_path: Path) -> None:
    prompt = {"id": "1", "type": "user", "content": [{"text": "<muniment-background> look"}]}
    path = gemini(tmp_path / "session-1.jsonl", prompt, {"id": "2", "type": "gemini", "content": "found"})
    assert not events(name, path)
    assert [i.reason for i in read(ADAPTERS[name], path) if isinstance(i, Skipped)] == ["noise:session", "own", "own"]


def test_what_we_put_in_is_nobodys_words(tmp_path: Path) -> None:
    ours = {"id": "1", "type": "user", "content": [{"text": "<muniment>\nrows\n</muniment>"}, {"text": "and mine"}]}
    alone = {"id": "2", "type": "user", "content": [{"text": "<muniment>\nrows\n</muniment>"}]}
    first, second = events("gemini-cli", gemini(tmp_path / "session-1.jsonl", ours, alone))
    assert (first.text, first.origin) == ("and mine", Origin.PERSON)
    assert (second.origin, second.flags) == (Origin.HARNESS, ("injected",))


def test_a_command_that_asks_us_brings_back_our_words(tmp_path: Path) -> None:
    call = {
        "id": "c",
        "name": "run_shell_command",
        "args": {"command": "cd x && muniment query y"},
        "status": "success",
    }
    call["result"] = "rows"
    (event,) = events(
        "gemini-cli", gemini(tmp_path / "session-1.jsonl", {"id": "m", "type": "gemini", "toolCalls": [call]})
    )
    assert (event.role, event.origin, event.flags) == (Role.HARNESS, Origin.HARNESS, ("injected",))


def test_tools_called_in_xml_are_calls_and_their_results_nobodys_prompts(tmp_path: Path) -> None:
    history = [
        {"role": "user", "content": [{"type": "text", "text": "<task>\nbuild it\n</task>"}]},
        {"role": "assistant", "content": "Building.\n<execute_command>\n<command>make</command>\n</execute_command>"},
        {"role": "user", "content": [
            {"type": "text", "text": "[execute_command for 'make'] Result:"}, {"type": "text", "text": "all done"},
            {"type": "text", "text": "<environment_details>x</environment_details>"},
        ]},
    ]  # fmt: skip
    path = as_document(tmp_path / "saoudrizwan.claude-dev" / "tasks" / "t" / "api_conversation_history.json", history)
    asked, called, answered = events("cline", path)
    assert (asked.text, asked.origin) == ("build it", Origin.PERSON)
    (call,) = called.calls
    assert (call.action, called.text) == (Action.RUN, "Building.\nexecute_command\nmake")
    assert (answered.role, answered.text) == (Role.TOOL, "\nall done")
    assert answered.results[0].call_id == call.call_id


def test_what_cline_says_in_the_users_turn_is_not_the_persons(tmp_path: Path) -> None:
    pieces = ["[TASK RESUMPTION] This task was interrupted", "<feedback>go on</feedback>", "# task_progress\n- [ ] a"]
    history = [
        {"role": "user", "content": [{"type": "text", "text": piece} for piece in given]}
        for given in (pieces, pieces[:1])
    ]
    mine, harness = events("cline", as_document(tmp_path / "tasks" / "t" / "api_conversation_history.json", history))
    assert (mine.text, mine.origin) == ("go on", Origin.PERSON)
    assert (harness.origin, harness.flags) == (Origin.HARNESS, ("injected",))


def test_a_slash_in_aider_is_a_command(tmp_path: Path) -> None:
    path = tmp_path / "repo" / ".aider.chat.history.md"
    path.parent.mkdir()
    path.write_text("# aider chat started at 2026-06-09 14:01:00\n\n#### /add a.py\n\n> Added a.py to the chat.\n")
    assert [event.kind for event in events("aider", path)] == ["note", "command", "note"]


def test_what_was_shown_is_the_conversation_where_there_is_no_other(tmp_path: Path) -> None:
    shown = [
        {"ts": 1782259200000, "type": "say", "say": "text", "text": "build it"},
        {"ts": 1782259200001, "type": "say", "say": "reasoning", "text": "hm"},
        {"ts": 1782259200002, "type": "ask", "ask": "command", "text": "make"},
        {"ts": 1782259200003, "type": "say", "say": "command_output", "text": "done"},
        {"ts": 1782259200004, "type": "ask", "ask": "tool", "text": '{"tool": "readFile", "path": "a.py"}'},
        {"ts": 1782259200005, "type": "say", "say": "brand_new", "text": "x"},
    ]
    found = events("cline", as_document(tmp_path / "tasks" / "t" / "ui_messages.json", shown))
    assert [event.kind for event in found] == ["prompt", "thinking", "call", "result", "call", "unknown"]
    assert [event.calls[0].action for event in found if event.calls] == [Action.RUN, Action.READ]
    assert found[-1].flags == ("unknown:ui/brand_new",)


def test_the_words_between_query_tags_are_the_persons(tmp_path: Path) -> None:
    text = "<open_and_recently_viewed_files>a.py</open_and_recently_viewed_files>\n<user_query>\nfix it\n</user_query>"
    record = {"role": "user", "message": {"content": [{"type": "text", "text": text}]}}
    path = as_lines(tmp_path / "p" / "agent-transcripts" / "a" / "subagents" / "b.jsonl", record)
    (event,) = events("cursor", path)
    assert (event.session, event.text, event.origin) == ("a/b", "fix it", Origin.AGENT)


def test_a_step_that_brings_no_call_answers_the_first_open_one(tmp_path: Path) -> None:
    plan = {"step_index": 0, "type": "PLANNER_RESPONSE", "content": "", "tool_calls": [
        {"name": "view_file", "args": {"AbsolutePath": "/a"}}, {"name": "run_command", "args": {"CommandLine": "make"}},
    ]}  # fmt: skip
    steps = ({"step_index": n, "type": "VIEW_FILE", "status": "DONE", "content": f"out {n}"} for n in (1, 2))
    called, *answered = events("antigravity-cli", as_lines(tmp_path / "t.jsonl", plan, *steps))
    assert [call.action for call in called.calls] == [Action.READ, Action.RUN]
    assert [event.results[0].call_id for event in answered] == [call.call_id for call in called.calls]


def test_a_message_that_only_the_model_sees_is_a_summary(tmp_path: Path) -> None:
    path = lay_out("goose", tmp_path) / "ctx-schema15" / "sessions.db"
    db = sqlite3.connect(path)
    db.execute("UPDATE messages SET metadata_json = ? WHERE message_id = 'goose-user'", ('{"userVisible": false}',))
    db.commit()
    db.close()
    assert (events("goose", path)[0].kind, events("goose", path)[0].origin) == (Kind.SUMMARY, Origin.MODEL)


def test_an_older_conversation_gets_its_folder_from_the_workspace(tmp_path: Path) -> None:
    path = lay_out("cursor", tmp_path) / "synthetic" / "User" / "globalStorage" / "state.vscdb"
    infos = {item.id[-1]: item.cwd for item in read(ADAPTERS["cursor"], path) if isinstance(item, SessionInfo)}
    assert infos == {"1": "/home/dev/demo", "2": "/home/dev/demo"}


# --- shared pieces -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "action"), [
    ("run_shell_command", Action.RUN), ("run_terminal_cmd", Action.RUN), ("run_in_terminal", Action.RUN),
    ("developer__shell", Action.RUN), ("Bash", Action.RUN), ("execute_command", Action.RUN),
    ("read_file", Action.READ), ("view_file", Action.READ), ("get_file", Action.READ),
    ("write_to_file", Action.WRITE), ("create_file", Action.WRITE), ("replace_string_in_file", Action.EDIT),
    ("apply_patch", Action.PATCH), ("grep_search", Action.SEARCH), ("fetch_webpage", Action.FETCH),
    ("runSubagent", Action.DELEGATE), ("manage_todo_list", Action.PLAN), ("anything_else", Action.OTHER),
    ("mcp__files__read_file", Action.OTHER), ("files__read_file", Action.OTHER),
])  # fmt: skip
def test_tools_are_known_by_what_they_do(name: str, action: Action) -> None:
    assert known(name).action is action


@pytest.mark.parametrize("name", [
    "mcp__muniment__memory_query", "mcp_muniment_memory_query", "muniment_memory_query", "muniment-memory_query",
    "muniment__memory_read", "memory_assert",
])  # fmt: skip
def test_our_tools_are_known_under_every_name(name: str) -> None:
    assert known(name).about == tools.OWN
    assert known("immunimentation").about != tools.OWN


def test_one_editor_for_all_says_in_its_command_what_it_does() -> None:
    assert known("str_replace_editor", {"command": "view"}).action is Action.READ
    assert known("str_replace_editor", {"command": "create"}).action is Action.WRITE
    assert known("str_replace_editor", {"command": "str_replace"}).action is Action.EDIT


def test_passages_between_tags_are_cut_to_their_last_end() -> None:
    text = "mine <environment_details>a</environment_details> b</environment_details> also mine"
    assert without_tags(text) == "mine\nalso mine"
    assert without_tags("1 < 2 and <b>bold</b>") == "1 < 2 and <b>bold</b>"


def test_addresses_of_folders_are_paths(tmp_path: Path) -> None:
    assert local_path("file:///home/dev/my%20demo") == "/home/dev/my demo"
    assert local_path("file:///c%3A/work") == "c:/work"
    assert local_path("vscode-remote://wsl/home/dev") is None
    folder = tmp_path / "a.b" / "c-d"
    folder.mkdir(parents=True)
    slug = "-".join(part for part in str(folder).replace(".", "-").replace("_", "-").split("/") if part)
    assert folder_named(slug) == str(folder)
    assert folder_named(slug + "-none") is None


def test_a_database_without_its_table_is_unreadable(tmp_path: Path) -> None:
    path = tmp_path / "crush.db"
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE other (x)")
    db.close()
    assert [item.reason for item in read(ADAPTERS["crush"], path) if isinstance(item, Skipped)] == ["unreadable"]
