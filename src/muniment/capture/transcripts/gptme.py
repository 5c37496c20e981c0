"""gptme: one JSON Lines file a conversation. Its calls are fenced blocks in the model's text, and what they gave back is
a message of the role `system` (in newer versions `tool`) behind it.

Edits in place (`/undo`, `/edit`) rewrite the file, which is then read again; a branch is a copy in a file of its own.
Messages that are hidden or pinned, and those before the first prompt, are injected. Sub-agents are conversations of their
own, compaction was not seen. Times bear no zone and are read as UTC.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from muniment.capture.transcripts.lines import Parsed, State
from muniment.capture.transcripts.pieces import number, obj, tag, texts, word
from muniment.capture.transcripts.sidecars import below, first
from muniment.capture.transcripts.turns import INJECTED, Turn, TurnAdapter, fresh, when
from muniment.model.event import Kind, Origin, Role, SessionInfo

# The languages of a fence that gptme runs; any other block is only shown.
_BLOCK = re.compile(
    r"^```(shell|bash|sh|save|append|patch|ipython|python|read)\b[ \t]*([^\n`]*)\n(.*?)\n?^```[ \t]*$",
    re.MULTILINE | re.DOTALL,
)
_SHELLS = frozenset({"shell", "bash", "sh"})
_RESULT = (Role.TOOL, Origin.TOOL, Kind.RESULT)


class Gptme(TurnAdapter):
    """Reads `<data>/gptme/logs/<name>/conversation.jsonl`."""

    name = "gptme"
    checked: tuple[str, ...] = ("layout of 2026-06",)

    def places(self, home: Path, variables: Mapping[str, str], platform: str) -> Iterable[Path]:
        """The log folder: under the XDG data folder, or where each system keeps an application's data."""
        moved, data = variables.get("GPTME_LOGS_HOME"), variables.get("XDG_DATA_HOME")
        if moved:
            yield Path(moved)
        yield (Path(data) if data else home / ".local" / "share") / "gptme" / "logs"
        if platform == "win32":
            yield home / "AppData" / "Local" / "gptme" / "logs"
        if platform == "darwin":
            yield home / "Library" / "Application Support" / "gptme" / "logs"

    def sources(self, place: Path) -> Iterator[Path]:
        """Conversations; branches lie in a folder of their own."""
        yield from below(place, "*/conversation.jsonl", "*/branches/*.jsonl")

    def recognises(self, path: Path, head: bytes) -> bool:
        """By its name, and a first message with a time."""
        record = first(head)
        return path.name == "conversation.jsonl" and {"role", "content", "timestamp"} <= record.keys()

    def start(self, path: Path, head: bytes) -> State:  # noqa: ARG002 - the folder decides
        """The conversation by its folder."""
        branch = path.parent.name == "branches"
        return fresh(f"{path.parent.parent.name}-{path.stem}" if branch else path.parent.name, open=[])

    def turn(self, turn: Turn) -> Parsed | Sequence[Parsed]:
        """A message, behind the session where it is the first."""
        at = when(turn.record.get("timestamp"))
        turn.know(at=at)
        made = self._message(turn)
        if turn.state.get("told"):
            return made
        turn.state["told"] = True
        return [SessionInfo(turn.session, self.name, started_at=at), made]

    def _message(self, turn: Turn) -> Parsed:
        record, role = turn.record, tag(turn.record.get("role"))
        if role == "user":
            turn.state["spoken"] = True
            return turn.heard(texts(record.get("content")))
        if role == "assistant":
            return self._assistant(turn)
        if role not in ("system", "tool"):
            return turn.unknown(role)
        aside = record.get("hide") is True or record.get("pinned") is True or not turn.state.get("spoken")
        if role == "system" and aside:
            return turn.note("\n".join(texts(record.get("content"))), *INJECTED)
        if not turn.state["open"]:
            return turn.event(_RESULT, "\n".join(texts(record.get("content"))))
        turn.result(turn.state["open"].pop(0), record.get("content"))
        return turn.message()

    def _assistant(self, turn: Turn) -> Parsed:
        about = obj(turn.record.get("metadata"))
        usage = obj(about.get("usage"))
        tokens = [number(usage.get(f"{kind}_tokens")) or 0 for kind in ("input", "cache_read", "cache_creation")]
        turn.know(model=word(about.get("model")), tokens_out=number(usage.get("output_tokens")))
        turn.know(tokens_in=sum(tokens) if usage else None)
        turn.spent(about.get("cost"), usage.get("cache_read_tokens"))
        turn.state["open"] = []
        at, text = 0, "\n".join(texts(turn.record.get("content")))
        for found in _BLOCK.finditer(text):
            turn.say(text[at : found.start()].rstrip("\n"))
            self._called(turn, *found.groups())
            at = found.end()
        turn.say(text[at:].lstrip("\n") if at else text)
        return turn.message()

    def _called(self, turn: Turn, tool: str, about: str, body: str) -> None:
        if tool in _SHELLS:
            made = turn.call(None, tool, {"command": body})
        elif tool in ("save", "append"):
            content = {"path": about.strip(), "content": body + "\n"}
            made = turn.call(None, "write", {**content, "append": True} if tool == "append" else content)
        elif tool == "patch":
            made = turn.call(None, "edit", {"path": about.strip(), "change": body})
        elif tool == "read":
            made = turn.call(None, "read", {"path": about.strip() or body.strip()})
        else:
            made = turn.call(None, tool, {"code": body})
        turn.state["open"].append(made.call_id)
