"""Amp: a JSON document a thread, rewritten as the thread grows. Newer versions keep threads at the vendor's, so that a
local file may be missing or short.

Blocks are Anthropic's, but for results, which hold what the tool's run came to. Handing a thread on makes a new one.
Compaction, sub-agents and injected text were not seen.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from muniment.capture.transcripts.editors import local_path
from muniment.capture.transcripts.lines import Parsed
from muniment.capture.transcripts.pieces import items, number, obj, tag, texts, word
from muniment.capture.transcripts.sections import DocumentAdapter, Section
from muniment.capture.transcripts.sidecars import below
from muniment.capture.transcripts.turns import Turn, fresh, when
from muniment.model.event import SessionInfo


class Amp(DocumentAdapter):
    """Reads `~/.local/share/amp/threads/T-<uuid>.json`."""

    name = "amp"
    checked: tuple[str, ...] = ("layout of 2026-06",)

    def places(self, home: Path, variables: Mapping[str, str], platform: str) -> Iterable[Path]:  # noqa: ARG002 - the same everywhere
        """The XDG data folder, which this harness uses on all platforms."""
        data = variables.get("XDG_DATA_HOME")
        yield (Path(data) if data else home / ".local" / "share") / "amp" / "threads"

    def sources(self, place: Path) -> Iterator[Path]:
        """A file a thread."""
        yield from below(place, "T-*.json")

    def recognises(self, path: Path, head: bytes) -> bool:
        """By its name, and a document that names the thread."""
        return path.name.startswith("T-") and path.suffix == ".json" and path.stem.encode() in head

    def sections(self, document: Any, path: Path) -> Iterable[Section]:
        """The thread's messages."""
        messages = document["messages"]
        if not isinstance(messages, list):
            raise ValueError("no list of messages")
        name = word(document.get("id")) or path.stem
        trees = items(obj(obj(document.get("env")).get("initial")).get("trees"))
        cwd = next((found for tree in trees if (found := local_path(word(obj(tree).get("uri"))))), None)
        info = SessionInfo(name, self.name, cwd=cwd, started_at=when(document.get("created")))
        yield Section(fresh(name), info, messages)

    def turn(self, turn: Turn) -> Parsed:
        """A message."""
        record, usage = turn.record, obj(turn.record.get("usage"))
        turn.know(at=when(obj(record.get("meta")).get("sentAt"), usage.get("timestamp")))
        turn.know(native_id=None if record.get("messageId") is None else str(record.get("messageId")))
        role, content = tag(record.get("role")), items(record.get("content"))
        results = [obj(block) for block in content if obj(block).get("type") == "tool_result"]
        if role == "user" and not results:
            return turn.heard(texts(content))
        if role not in ("user", "assistant"):
            return turn.unknown(role)
        if role == "assistant":
            turn.know(model=word(usage.get("model")), tokens_out=number(usage.get("outputTokens")))
            turn.know(tokens_in=number(usage.get("totalInputTokens")) or number(usage.get("inputTokens")))
            turn.spent(cached=usage.get("cacheReadInputTokens"))
            turn.blocks([block for block in content if block not in results])
        if obj(record.get("state")).get("type") == "cancelled":
            turn.flag("interrupted")
        for block in results:
            _result(turn, block)
        return turn.message()


def _result(turn: Turn, block: Mapping[str, Any]) -> None:
    run = obj(block.get("run"))
    status, result = run.get("status"), run.get("result")
    told = obj(result)
    output = told.get("content", told.get("output", result))
    text = list(texts(output)) if not isinstance(output, dict) else json.dumps(output, ensure_ascii=False)
    ok = {"done": True, "error": False, "cancelled": False, "rejected-by-user": False}.get(str(status))
    if status == "rejected-by-user":
        turn.flag("refused")
    turn.result(
        block.get("toolUseID"), text or word(obj(run.get("error")).get("message")) or "", ok, told.get("exitCode")
    )
