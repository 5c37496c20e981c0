"""Mux: `chat.jsonl` a workspace, messages of parts; a part of a tool holds its call and, once it is there, its result.

A message may be written again with the result of a call that an earlier one announced. An answer that is still being
written is in `partial.json`, which is left until it becomes a line. A sub-agent's transcript lies below its parent's. A
message that stands for older ones (`compacted`) is the summary; what was put into the user's role is `synthetic`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from muniment.capture.transcripts.lines import Parsed, State
from muniment.capture.transcripts.pieces import items, number, obj, tag, texts, word
from muniment.capture.transcripts.sidecars import below, beside, first
from muniment.capture.transcripts.turns import INJECTED, SUMMARY, Turn, TurnAdapter, fresh, when
from muniment.model.event import Event, Kind, Origin, Role, SessionInfo


class Mux(TurnAdapter):
    """Reads `~/.mux/sessions/<workspace>/chat.jsonl` and the transcripts of sub-agents below it."""

    name = "mux"
    checked: tuple[str, ...] = ("0.27.0",)

    def places(self, home: Path, variables: Mapping[str, str], platform: str) -> Iterable[Path]:  # noqa: ARG002 - the same everywhere
        """The session folder, on all platforms in the home folder unless it was moved."""
        yield (Path(variables["MUX_ROOT"]) if variables.get("MUX_ROOT") else home / ".mux") / "sessions"

    def sources(self, place: Path) -> Iterator[Path]:
        """A workspace's chat, then those of its sub-agents."""
        yield from below(place, "*/chat.jsonl", "*/subagent-transcripts/*/chat.jsonl")

    def recognises(self, path: Path, head: bytes) -> bool:
        """By its name, and messages of parts."""
        record = first(head)
        return path.name == "chat.jsonl" and "parts" in record and "role" in record

    def start(self, path: Path, head: bytes) -> State:  # noqa: ARG002 - the folder decides
        """The session by its folder."""
        side = path.parent.parent.name == "subagent-transcripts"
        meta, name = beside(path, "metadata.json"), path.parent.name
        parent = path.parents[2].name if side else None
        about = {"cwd": word(meta.get("projectPath")), "parent": parent, "agent": word(meta.get("agentId"))}
        return fresh(f"{parent}/{name}" if side else name, side=side, about=about)

    def turn(self, turn: Turn) -> Parsed | Sequence[Parsed]:
        """A message, behind the session where it is the first."""
        meta = obj(turn.record.get("metadata"))
        turn.know(at=when(meta.get("timestamp"), turn.record.get("createdAt")), native_id=word(turn.record.get("id")))
        made = self._message(turn, meta)
        about = turn.state.pop("about", None)
        return made if about is None else [SessionInfo(turn.session, self.name, **about), made]

    def _message(self, turn: Turn, meta: Mapping[str, Any]) -> Parsed:
        role, parts = tag(turn.record.get("role")), [obj(part) for part in items(turn.record.get("parts"))]
        words = [text for part in parts if part.get("type") == "text" for text in texts([part])]
        if meta.get("compacted") or meta.get("compactionBoundary"):
            return turn.event(SUMMARY, "\n".join(words), ("compaction",))
        if role == "user":
            return turn.heard(words, aside=meta.get("synthetic") is True)
        if role == "system":
            return turn.note("\n".join(words), *INJECTED)
        if role != "assistant":
            return turn.unknown(role)
        usage = obj(meta.get("usage"))
        turn.know(model=word(meta.get("model")), tokens_in=number(usage.get("inputTokens")))
        turn.know(tokens_out=number(usage.get("outputTokens")))
        if meta.get("partial") is True:
            turn.flag("interrupted")
        for part in parts:
            _part(turn, part)
        return _mixed(turn.message(), bool(words))


def _part(turn: Turn, part: Mapping[str, Any]) -> None:
    if part.get("type") != "dynamic-tool":
        turn.blocks([dict(part)])
        return
    call, state = word(part.get("toolCallId")), part.get("state")
    if not turn.about(call):
        turn.call(call, part.get("toolName"), part.get("input"))
    if state in ("output-available", "output-error", "output-redacted"):
        output = part.get("output", part.get("errorText"))
        told = obj(output)
        ok = told.get("ok", told.get("success"))
        text = next((told[key] for key in ("output", "content", "error") if word(told.get(key))), output)
        said = text if isinstance(text, str) else _json(text)
        turn.result(call, said, False if state == "output-error" else ok, told.get("exitCode"))


def _json(value: Any) -> str:
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def _mixed(made: Parsed, spoke: bool) -> Parsed:
    """A tool's result beside the model's own words: a tool's turn, with the authority of the words."""
    if type(made) is Event and made.results and spoke:
        return replace(made, role=Role.TOOL, origin=Origin.AGENT, kind=Kind.RESULT)
    return made
