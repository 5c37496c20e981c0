"""Antigravity's command line (agy) and editor: a readable JSON Lines log beside the conversation's own database.

A record is a step: the person's input, what the planner says and calls, what an action gave. An action's step answers the
first call that is still open, or brings its call along. `CONVERSATION_HISTORY` repeats an earlier conversation and
`SYSTEM_MESSAGE` is the harness's: both are injected. The person's words stand between `<USER_REQUEST>` tags in newer
versions, with metadata behind them. No compaction, sub-agents or edits in place were seen. There is no working folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from muniment.capture.transcripts.lines import Parsed, State
from muniment.capture.transcripts.pieces import items, obj, tag, texts, word
from muniment.capture.transcripts.turns import Turn, TurnAdapter, fresh, when
from muniment.model.event import SessionInfo

_REQUEST = re.compile(r"<USER_REQUEST>\s*(.*?)\s*</USER_REQUEST>", re.DOTALL)
_ACTIONS = frozenset(
    "CODE_ACTION RUN_COMMAND COMMAND_STATUS VIEW_FILE LIST_DIRECTORY GREP_SEARCH FIND SEARCH_WEB READ_URL_CONTENT"
    " TOOL_CALL MCP_TOOL VIEW_CONTENT_CHUNK CODEBASE_SEARCH FILE_CHANGE BROWSER_SUBAGENT GENERATE_IMAGE".split()
)
_WELL = {"ok": True, "done": True, "success": True, "error": False, "failed": False, "canceled": False}
_LOGS = ("transcript_full.jsonl", "transcript.jsonl")


class Antigravity(TurnAdapter):
    """Reads `brain/<conversation>/.system_generated/logs/transcript*.jsonl`."""

    name = "antigravity-cli"
    checked: tuple[str, ...] = ("layout of 2026-06",)

    def places(self, home: Path, variables: Mapping[str, str], platform: str) -> Iterable[Path]:  # noqa: ARG002 - the same everywhere
        """The folders of the command line and of the editor, on every platform in the home folder."""
        yield home / ".gemini" / "antigravity-cli" / "brain"
        yield home / ".gemini" / "antigravity" / "brain"

    def sources(self, place: Path) -> Iterator[Path]:
        """Of each conversation the fuller log."""
        if place.is_file():
            yield place
            return
        for logs in sorted(place.glob("*/.system_generated/logs")):
            yield from [logs / name for name in _LOGS if (logs / name).is_file()][:1]

    def recognises(self, path: Path, head: bytes) -> bool:
        """By its keys; of two logs of one conversation only the fuller one is taken."""
        if path.suffix != ".jsonl" or not head.lstrip().startswith(b'{"step_index"'):
            return False
        return path.name != _LOGS[1] or not path.with_name(_LOGS[0]).exists()

    def start(self, path: Path, head: bytes) -> State:  # noqa: ARG002
        """The conversation is named by its folder."""
        named = path.parents[2].name if path.parent.name == "logs" and len(path.parents) > 2 else path.stem
        return fresh(named, open=[], told=False)

    def turn(self, turn: Turn) -> Parsed | Sequence[Parsed]:
        """A step."""
        at = when(turn.record.get("created_at"))
        event = _step(turn.know(at=at), tag(turn.record.get("type")))
        if turn.state["told"]:
            return event
        turn.state["told"] = True
        return SessionInfo(turn.session, self.name, started_at=at), event


def _step(turn: Turn, kind: str) -> Parsed:
    record, content = turn.record, turn.record.get("content")
    if kind == "USER_INPUT":
        typed = [found[1] if (found := _REQUEST.search(text)) else text for text in texts(content)]
        return turn.heard(typed)
    if kind in ("SYSTEM_MESSAGE", "CONVERSATION_HISTORY", "EPHEMERAL_MESSAGE"):
        return turn.heard(texts(content), aside=True)
    if kind == "CHECKPOINT":
        return turn.noise(kind)
    waiting: list[str] = turn.state["open"]
    asked = [obj(call) for call in items(record.get("tool_calls"))]
    if kind == "PLANNER_RESPONSE":
        turn.say(content)
        turn.think(record.get("thinking"))
        for call in asked:
            made = turn.call(call.get("id"), call.get("name"), call.get("args"))
            waiting.append(made.call_id)
        del waiting[:-64]
        return turn.message()
    if kind not in _ACTIONS:
        return turn.unknown(kind)
    ok = _WELL.get(tag(record.get("status")).lower())
    for call in asked:
        waiting.insert(0, turn.call(call.get("id"), call.get("name"), call.get("args")).call_id)
    turn.result(waiting.pop(0) if waiting else None, word(content) or "", ok)
    return turn.message()
