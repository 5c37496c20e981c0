"""Pi (and Oh My Pi, its fork): one JSON Lines file a session, a tree of entries with a header.

A branch is a new file that begins with a copy of the entries it grew out of, and names the old file. What an extension
says is a `custom_message`. Compaction is an entry with the summary; nothing is deleted, nothing is edited.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from muniment.capture.transcripts.lines import Parsed, Record, State
from muniment.capture.transcripts.pieces import items, number, obj, tag, texts, word
from muniment.capture.transcripts.sidecars import below, line
from muniment.capture.transcripts.turns import INJECTED, SUMMARY, Turn, TurnAdapter, fresh, when
from muniment.model.event import SessionInfo

_NOISE = frozenset("model_change thinking_level_change label session_info title custom mode_change".split())


class Pi(TurnAdapter):
    """Reads `~/.pi/agent/sessions/--<cwd>--/<time>_<session>.jsonl`."""

    name = "pi"
    checked: tuple[str, ...] = ("0.73.1",)

    def places(self, home: Path, variables: Mapping[str, str], platform: str) -> Iterable[Path]:  # noqa: ARG002 - the same everywhere
        """The session folders of Pi and Oh My Pi, on all platforms in the home folder."""
        moved = variables.get("PI_CODING_AGENT_DIR")
        yield (Path(moved) if moved else home / ".pi" / "agent") / "sessions"
        yield home / ".omp" / "agent" / "sessions"

    def sources(self, place: Path) -> Iterator[Path]:
        """Session files."""
        yield from below(place, "*/*.jsonl", "*.jsonl")

    def recognises(self, path: Path, head: bytes) -> bool:
        """A header with an id, a version and a time, first or behind the title."""
        return path.suffix == ".jsonl" and bool(header(head))

    def start(self, path: Path, head: bytes) -> State:
        """The session by its header, else by the file's name."""
        found = header(head)
        return fresh(word(found.get("id")) or path.stem.rpartition("_")[2], born=when(found.get("timestamp")))

    def turn(self, turn: Turn) -> Parsed | Sequence[Parsed]:
        """An entry of the tree."""
        return entry(self.name, turn)


def header(head: bytes) -> Mapping[str, Any]:
    """The header among the first lines of a file, else nothing."""
    for each in head.removeprefix(b"\xef\xbb\xbf").split(b"\n")[:8]:
        record = line(each)
        if record.get("type") == "session" and word(record.get("id")) and "timestamp" in record:
            return record
    return {}


def entry(harness: str, turn: Turn) -> Parsed | Sequence[Parsed]:
    """An entry, as Pi and those that grew out of it write them."""
    record, kind = turn.record, tag(turn.record.get("type"))
    turn.know(
        at=when(record.get("timestamp")), native_id=word(record.get("id")), parent_id=word(record.get("parentId"))
    )
    if kind == "session":
        return [_session(harness, turn), turn.noise(kind)]
    if kind in _NOISE:
        return turn.noise(kind)
    if turn.state.get("branch") and turn.fields.get("at", "~") < (turn.state.get("born") or ""):
        turn.flag("copy")
    if kind == "message":
        return message(turn, obj(record.get("message")))
    if kind in ("compaction", "branch_summary"):
        return turn.event(SUMMARY, word(record.get("summary")) or "", ("compaction",) if kind == "compaction" else ())
    if kind == "custom_message":
        return turn.note("\n".join(texts(record.get("content"))), *INJECTED)
    return turn.unknown(kind)


def _session(harness: str, turn: Turn) -> SessionInfo:
    record = turn.record
    old = word(record.get("branchedFrom")) or word(record.get("parentSession"))
    turn.state["branch"] = bool(old)
    parent = old.replace("\\", "/").rpartition("/")[2].removesuffix(".jsonl").rpartition("_")[2] if old else None
    started = when(record.get("timestamp"))
    turn.state["born"] = started
    return SessionInfo(turn.session, harness, parent=parent, cwd=word(record.get("cwd")), started_at=started)


def message(turn: Turn, said: Record | Mapping[str, Any]) -> Parsed:
    """A message: the person's, the model's, a tool's, or a command that the person ran by hand."""
    role = tag(said.get("role"))
    if role == "user":
        return turn.heard(texts(said.get("content")))
    if role == "assistant":
        return _assistant(turn, said)
    if role == "toolResult":
        return _result(turn, said)
    if role == "bashExecution":
        ended = number(said.get("exitCode"))
        turn.call(None, "bash", {"command": said.get("command")})
        turn.result(f"{turn.ordinal}.0", said.get("output"), exit_code=ended)
        return turn.message()
    if role in ("custom", "hookMessage"):
        return turn.note("\n".join(texts(said.get("content"))), *INJECTED)
    if role in ("branchSummary", "compactionSummary"):
        return turn.event(SUMMARY, word(said.get("summary")) or "", ("compaction",))
    return turn.unknown(f"message/{role}")


def _assistant(turn: Turn, said: Mapping[str, Any]) -> Parsed:
    usage = obj(said.get("usage"))
    known = [n for key in ("input", "cacheRead", "cacheWrite") if (n := number(usage.get(key))) is not None]
    out = number(usage.get("output"))
    turn.know(model=word(said.get("model")), tokens_in=sum(known) if known else None, tokens_out=out)
    turn.spent(obj(usage.get("cost")).get("total"), usage.get("cacheRead"))
    for block in items(said.get("content")):
        kind = "text" if isinstance(block, str) else tag(obj(block).get("type"))
        if kind == "toolCall":
            turn.call(block.get("id"), block.get("name"), block.get("arguments"))
        else:
            turn.blocks([block])
    if said.get("stopReason") in ("aborted", "error"):
        turn.flag("interrupted")
    return turn.message()


def _result(turn: Turn, said: Mapping[str, Any]) -> Parsed:
    details = obj(said.get("details"))
    failed = said.get("isError")
    # Letta's hooks speak in a piece of their own behind the tool's.
    output = [piece for piece in texts(said.get("content")) if not piece.lstrip().startswith("[Hook feedback]")]
    turn.recall(said.get("toolCallId"), said.get("toolName"))
    turn.result(
        said.get("toolCallId"),
        output,
        None if not isinstance(failed, bool) else not failed,
        details.get("exitCode"),
        duration_ms=number(details.get("durationMs")),
    )
    return turn.message()
