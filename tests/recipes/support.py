"""What recipes share: hand-made transcripts of all four harnesses, indexing them, and looking at every byte we keep."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw

from muniment.archive.blobs import unpack
from muniment.capture.transcripts.adapters import adapters
from muniment.engine import indexing, receipts, upkeep, viewing
from muniment.engine.asking import query
from muniment.engine.core import Engine
from muniment.model.time import from_ms

BEGIN_MS = 1_772_704_800_000
"""2026-03-05 10:00 UTC: every transcript begins here, and a step takes a second."""
HARNESSES = ("claude-code", "codex", "copilot-cli", "opencode")
NAMES = {
    "claude-code": "11111111-2222-4333-8444-{:012x}",
    "codex": "0199a000-0000-7000-8000-{:012x}",
    "copilot-cli": "b4d179e7-3def-4dc8-a5d6-{:012x}",
    "opencode": "ses_{:026x}",
}


# --- what happens in a session ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Says:
    """The person speaks."""

    text: str


@dataclass(frozen=True)
class Replies:
    """The agent speaks."""

    text: str


@dataclass(frozen=True)
class Runs:
    """The agent runs a command."""

    command: str
    output: str = ""
    code: int = 0


@dataclass(frozen=True)
class Reads:
    """The agent reads a file."""

    path: str
    content: str


@dataclass(frozen=True)
class Writes:
    """The agent writes a file."""

    path: str
    content: str


@dataclass(frozen=True)
class Fetches:
    """The agent fetches a page."""

    url: str
    text: str


Step = Says | Replies | Runs | Reads | Writes | Fetches


# --- how each harness records it --------------------------------------------------------------------------------------


def name_of(harness: str, number: int = 1) -> str:
    """The name of a session, as that harness names them."""
    return NAMES[harness].format(number)


def transcript(harness: str, folder: Path, cwd: str | Path, steps: Sequence[Step], number: int = 1) -> Path:
    """Write a session; the file to index."""
    if harness == "opencode":
        return database(folder / "opencode.db", str(cwd), [(name_of(harness, number), steps)])
    path = place(harness, folder, number)
    return written(path, RECORDS[harness](name_of(harness, number), str(cwd), steps))


def place(harness: str, folder: Path, number: int = 1) -> Path:
    """Where a line-wise harness keeps that session."""
    session = name_of(harness, number)
    if harness == "copilot-cli":
        return folder / "session-state" / session / "events.jsonl"
    return folder / (f"{session}.jsonl" if harness == "claude-code" else f"rollout-2026-03-05T10-00-00-{session}.jsonl")


def written(path: Path, records: Iterable[Any]) -> Path:
    """Write records, one a line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(line(r) for r in records))
    return path


def line(record: Any) -> bytes:
    """One line: bytes as they are, anything else as compact JSON."""
    if isinstance(record, bytes):
        return record + b"\n"
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass") + b"\n"


def at(seconds: int) -> str:
    """A moment of a session."""
    return from_ms(BEGIN_MS + seconds * 1000)


def claude_records(session: str, cwd: str, steps: Sequence[Step]) -> Iterator[dict[str, Any]]:
    """A Claude Code transcript: one record a turn, a call and its result apart."""

    def record(kind: str, second: int, half: int, **more: Any) -> dict[str, Any]:
        uid = f"{int(session[-12:], 16):08x}-{second:04x}-4000-8000-{half:012x}"
        head = {"parentUuid": None, "isSidechain": False, "cwd": cwd, "sessionId": session, "version": "2.1.328"}
        return {**head, "type": kind, "uuid": uid, "timestamp": at(second), **more}

    for n, step in enumerate(steps):
        if isinstance(step, Says):
            yield record("user", n, 0, message={"role": "user", "content": step.text})
        elif isinstance(step, Replies):
            yield record("assistant", n, 0, message={"model": "m", "content": [{"type": "text", "text": step.text}]})
        else:
            tool, given, output, told = _claude_call(step)
            call = f"toolu_{session[-4:]}{n:04d}"
            use = {"type": "tool_use", "id": call, "name": tool, "input": given}
            back = {
                "type": "tool_result",
                "tool_use_id": call,
                "content": output,
                "is_error": isinstance(step, Runs) and step.code != 0,
            }
            yield record("assistant", n, 0, message={"model": "m", "content": [use]})
            yield record("user", n, 1, message={"role": "user", "content": [back]}, toolUseResult=told)


def _claude_call(step: Step) -> tuple[str, dict[str, Any], str, Any]:
    match step:
        case Runs():
            shown = f"Exit code {step.code}\n{step.output}" if step.code else step.output
            told = {"stdout": step.output, "stderr": "", "interrupted": False}
            return "Bash", {"command": step.command}, shown, f"Error: {shown}" if step.code else told
        case Reads():
            lines = step.content.count("\n") + 1
            file = {
                "filePath": step.path,
                "content": step.content,
                "numLines": lines,
                "startLine": 1,
                "totalLines": lines,
            }
            return "Read", {"file_path": step.path}, step.content, {"type": "text", "file": file}
        case Writes():
            told = {"type": "create", "filePath": step.path, "content": step.content, "structuredPatch": []}
            return "Write", {"file_path": step.path, "content": step.content}, f"wrote {step.path}", told
        case Fetches():
            return (
                "WebFetch",
                {"url": step.url, "prompt": "what does it say?"},
                step.text,
                {"url": step.url, "result": step.text},
            )
    raise AssertionError(step)


def codex_records(session: str, cwd: str, steps: Sequence[Step]) -> Iterator[dict[str, Any]]:
    """A Codex rollout."""

    def record(kind: str, second: int, payload: dict[str, Any]) -> dict[str, Any]:
        return {"timestamp": at(second), "type": kind, "payload": payload}

    yield record("session_meta", 0, {"id": session, "timestamp": at(0), "cwd": cwd, "cli_version": "0.171.0"})
    for n, step in enumerate(steps):
        call = f"call_{session[-4:]}{n:04d}"
        if isinstance(step, Says | Replies):
            role, kind = ("user", "input_text") if isinstance(step, Says) else ("assistant", "output_text")
            yield record(
                "response_item", n, {"type": "message", "role": role, "content": [{"type": kind, "text": step.text}]}
            )
            continue
        tool, given, output = _codex_call(step)
        yield record(
            "response_item", n, {"type": "function_call", "name": tool, "arguments": json.dumps(given), "call_id": call}
        )
        yield record("response_item", n, {"type": "function_call_output", "call_id": call, "output": output})


def _codex_call(step: Step) -> tuple[str, dict[str, Any], str]:
    match step:
        case Runs():
            head = f"Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code {step.code}\nOutput:\n"
            return "exec_command", {"cmd": step.command}, head + step.output
        case Reads():
            return "exec_command", {"cmd": f"cat {step.path}"}, f"Process exited with code 0\nOutput:\n{step.content}"
        case Writes():
            added = "\n".join("+" + row for row in step.content.splitlines())
            patch = f"*** Begin Patch\n*** Add File: {step.path}\n{added}\n*** End Patch"
            return "apply_patch", {"input": patch}, f"Success. Updated the following files:\nA {step.path}\n"
        case Fetches():
            return "mcp__web__fetch", {"url": step.url}, step.text
    raise AssertionError(step)


def copilot_records(session: str, cwd: str, steps: Sequence[Step]) -> Iterator[dict[str, Any]]:
    """A Copilot CLI event log."""
    number = 0

    def record(kind: str, second: int, **data: Any) -> dict[str, Any]:
        nonlocal number
        number += 1
        uid = f"{int(session[-12:], 16):08x}-{number:04x}-4000-8000-000000000000"
        return {"type": kind, "data": data, "id": uid, "timestamp": at(second), "parentId": None}

    yield record("session.start", 0, sessionId=session, copilotVersion="1.0.102", startTime=at(0), context={"cwd": cwd})
    for n, step in enumerate(steps):
        call = f"call_{session[-4:]}{n:04d}"
        if isinstance(step, Says):
            yield record("user.message", n, content=step.text)
        elif isinstance(step, Replies):
            yield record("assistant.message", n, content=step.text, toolRequests=[])
        else:
            tool, given, output, good = _copilot_call(step)
            asked = {"toolCallId": call, "name": tool, "arguments": given}
            yield record("assistant.message", n, content="", toolRequests=[asked])
            yield record("tool.execution_complete", n, toolCallId=call, success=good, result={"content": output})


def _copilot_call(step: Step) -> tuple[str, dict[str, Any], str, bool]:
    match step:
        case Runs():
            return "bash", {"command": step.command}, f"{step.output}\n<exited with exit code {step.code}>", True
        case Reads():
            return "view", {"path": step.path}, step.content, True
        case Writes():
            return "create", {"path": step.path, "file_text": step.content}, f"Created file {step.path}", True
        case Fetches():
            return "web_fetch", {"url": step.url}, step.text, True
    raise AssertionError(step)


RECORDS = {"claude-code": claude_records, "codex": codex_records, "copilot-cli": copilot_records}

_TABLES = """
CREATE TABLE session (id text PRIMARY KEY, parent_id text, directory text NOT NULL, title text NOT NULL,
    version text NOT NULL, agent text, time_created integer NOT NULL, time_updated integer NOT NULL);
CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL,
    time_updated integer NOT NULL, data text NOT NULL);
CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL,
    time_created integer NOT NULL, time_updated integer NOT NULL, data text);
"""


def database(path: Path, cwd: str, sessions: Sequence[tuple[str, Sequence[Step]]]) -> Path:
    """An OpenCode database."""
    path.parent.mkdir(parents=True, exist_ok=True)
    db = apsw.Connection(str(path))
    db.execute(_TABLES)
    with db:
        for session, steps in sessions:
            row = (session, None, cwd, "title", "1.18.33", "build", BEGIN_MS, BEGIN_MS)
            db.execute("INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
            for n, step in enumerate(steps):
                _opencode_step(db, session, n, step)
    db.close()
    return path


def _opencode_step(db: apsw.Connection, session: str, n: int, step: Step) -> None:
    ms, message = BEGIN_MS + n * 1000, f"msg_{session[4:]}{n:06d}"
    done = {"role": "user" if isinstance(step, Says) else "assistant", "time": {"created": ms, "completed": ms + 500}}
    data: dict[str, Any]
    if isinstance(step, Says | Replies):
        data = {"type": "text", "text": step.text, "time": {"start": ms, "end": ms + 1}}
    else:
        tool, given, output, metadata = _opencode_call(step)
        state = {
            "status": "completed",
            "input": given,
            "output": output,
            "metadata": metadata,
            "time": {"start": ms, "end": ms + 1},
        }
        data = {"type": "tool", "tool": tool, "callID": f"call_{session[-4:]}{n:04d}", "state": state}
    texts = [json.dumps(d, ensure_ascii=False) for d in (done, data)]
    db.execute("INSERT INTO message VALUES (?, ?, ?, ?, ?)", (message, session, ms, ms, texts[0]))
    part = f"prt_{session[4:]}{n:06d}"
    db.execute("INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)", (part, message, session, ms, ms, texts[1]))


def _opencode_call(step: Step) -> tuple[str, dict[str, Any], str, dict[str, Any]]:
    match step:
        case Runs():
            return "bash", {"command": step.command}, step.output, {"exit": step.code}
        case Reads():
            return "read", {"filePath": step.path}, step.content, {}
        case Writes():
            return "write", {"filePath": step.path, "content": step.content}, "wrote", {}
        case Fetches():
            return "webfetch", {"url": step.url}, step.text, {}
    raise AssertionError(step)


# --- reading it in ----------------------------------------------------------------------------------------------------


def read_in(engine: Engine, *paths: Path, adopt: bool = False) -> indexing.IndexReport:
    """Index files and folders that a person names; the books must balance."""
    found, unclaimed = indexing.locate(adapters(), paths)
    report = indexing.index(engine, found, named=True, adopt=adopt)
    report.unclaimed.extend(unclaimed)
    balanced(report)
    return report


def found_in(engine: Engine, home: Path) -> indexing.IndexReport:
    """Index what harnesses left under a home folder; the books must balance."""
    report = indexing.index(engine, indexing.discover(adapters(), home, {}, "linux"), named=False)
    balanced(report)
    return report


def balanced(report: indexing.IndexReport) -> None:
    """`read = kept + skipped`, for every harness and in all."""
    for counts in report.harnesses.values():
        assert counts.read == counts.kept + counts.skipped.total()
    assert report.read == report.kept + report.skipped.total()


def archived(engine: Engine) -> list[tuple[str, int, str, str, str]]:
    """(session, seq, role, kind, text) of every sighting."""
    store = engine.store()
    sql = """SELECT s.id, p.seq, e.role, e.kind, e.text_blob FROM positions p JOIN sessions s ON s.n = p.session
        JOIN shown h ON h.uid = p.uid JOIN events e ON e.n = h.event ORDER BY s.id, p.seq, p.uid"""
    return [(*r[:4], store.events.text(r[4])) for r in store.db.rows(sql)]


def texts(engine: Engine) -> list[str]:
    """The text of every sighting, in order."""
    return [row[4] for row in archived(engine)]


def claude(engine: Engine, *steps: Step) -> list[dict[str, Any]]:
    """The records of a Claude Code session in this engine's folder."""
    return list(claude_records(name_of("claude-code"), engine.workspace.root, steps))


def sane(engine: Engine) -> None:
    """The store is sound and every question about it is answered."""
    assert upkeep.verify(engine).ok
    for question in ("", "p:ran", "standing:any", "path:**"):
        query(engine, question, 100_000)
    for hit in query(engine, "", 100_000):
        assert receipts.read(engine, hit.id, 2).verified
    viewing.wake(engine, 4096)
    viewing.timeline_text(engine, "2026-03-05")


# --- every byte that we keep ------------------------------------------------------------------------------------------


def kept_bytes(home: Path) -> Iterator[tuple[str, bytes]]:
    """(where, bytes) of every file under a home as it lies there, and of every blob unpacked."""
    for path in sorted(home.rglob("*")):
        if path.is_file():
            yield str(path.relative_to(home)), path.read_bytes()
    for path in sorted(home.rglob("memory.db")):
        db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        for n, packed, size in db.execute("SELECT n, bytes, size FROM blobs"):
            yield f"{path.parent.name}, blob {n}", unpack(packed, size)
        db.close()
