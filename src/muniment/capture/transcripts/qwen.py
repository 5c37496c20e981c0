"""Qwen Code and iFlow: Gemini CLI's relatives, whose records look like Claude Code's.

One JSON Lines file a session, records with `uuid` and `parentUuid`. Content is Gemini's `parts` (Qwen) or Anthropic's
blocks (iFlow, and Qwen's first versions). Compaction: `system/chat_compression` with the new history; its first message
is the summary. What hooks say is a part of its own behind the typed one: newer versions put it between tags and say what
was typed (`displayText`), in older ones every part behind the first is a hook's. iFlow writes an answer again while it
streams: a call that was told is not told twice. Sub-agents: `isSidechain` records. Nothing is edited in place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from muniment.capture.transcripts.gemini import respond
from muniment.capture.transcripts.lines import Parsed, State
from muniment.capture.transcripts.pieces import items, number, obj, remember, tag, texts, word
from muniment.capture.transcripts.turns import SUMMARY, Turn, TurnAdapter, fresh, when
from muniment.model.event import SessionInfo

_SYSTEM_NOISE = frozenset(
    "attribution_snapshot ui_telemetry slash_command at_command file_history_snapshot custom_title user_turn".split()
)


class QwenCode(TurnAdapter):
    """Reads `projects/<cwd>/chats/<session>.jsonl`."""

    name = "qwen-code"
    checked: tuple[str, ...] = ("0.15.10", "0.24.4")
    folder, pattern = ".qwen", "*/chats/**/*.jsonl"

    def places(self, home: Path, variables: Mapping[str, str], platform: str) -> Iterable[Path]:  # noqa: ARG002 - the same everywhere
        """`projects` in the harness's folder, on every platform in the home folder."""
        yield home / self.folder / "projects"

    def sources(self, place: Path) -> Iterator[Path]:
        """The sessions, by name."""
        yield from [place] if place.is_file() else sorted(place.glob(self.pattern))

    def recognises(self, path: Path, head: bytes) -> bool:
        """By keys that only this harness writes together."""
        if path.suffix != ".jsonl" or b'"sessionId"' not in head or b'"parentUuid"' not in head:
            return False
        return b'"isSidechain"' not in head and (b'"parts"' in head or b'"type":"tool_result"' in head)

    def start(self, path: Path, head: bytes) -> State:  # noqa: ARG002
        """The file's name is the session's."""
        return fresh(path.stem, told={}, seen={})

    def turn(self, turn: Turn) -> Parsed | Sequence[Parsed]:
        """A record."""
        record = turn.record
        if record.get("isSidechain") is True:
            turn.state["side"] = True
            turn.session += "/" + (word(record.get("agentId")) or "sidechain")
        else:
            turn.state["side"] = False
        turn.know(at=when(record.get("timestamp")), native_id=word(record.get("uuid")), model=_model(turn))
        turn.know(parent_id=word(record.get("parentUuid")))
        event = self._event(turn, tag(record.get("type")))
        told, version = turn.state["told"], word(record.get("version"))
        if turn.session in told and version in (None, told[turn.session]):
            return event
        remember(told, turn.session, version)
        side = turn.session != turn.state["session"]
        info = SessionInfo(
            turn.session,
            self.name,
            version,
            parent=turn.state["session"] if side else None,
            cwd=word(record.get("cwd")),
            started_at=when(record.get("timestamp")),
        )
        return info, event

    def _event(self, turn: Turn, kind: str) -> Parsed:
        content = _content(turn)
        if kind == "system":
            return _system(turn)
        if kind == "user" and not any(_is_result(part) for part in items(content)):
            return _user(turn, content)
        if kind in ("user", "tool_result"):
            return _results(turn, content)
        if kind == "assistant":
            return _assistant(turn, content)
        return turn.unknown(kind)


class IFlow(QwenCode):
    """Reads `~/.iflow/projects/<cwd>/session-*.jsonl`."""

    name = "iflow"
    checked: tuple[str, ...] = ("1.0.0",)
    folder, pattern = ".iflow", "*/**/session-*.jsonl"

    def recognises(self, path: Path, head: bytes) -> bool:
        """By its session ids, which begin with `session-`."""
        return path.suffix == ".jsonl" and b'"parentUuid"' in head and b'"sessionId":"session-' in head


def _content(turn: Turn) -> object:
    message = obj(turn.record.get("message"))
    return message.get("parts", message.get("content"))


def _model(turn: Turn) -> str | None:
    return word(turn.record.get("model")) or word(obj(turn.record.get("message")).get("model"))


def _is_result(part: object) -> bool:
    return "functionResponse" in obj(part) or obj(part).get("type") == "tool_result"


def _user(turn: Turn, content: object) -> Parsed:
    pieces = list(texts(content))
    typed = word(obj(turn.record.get("systemPayload")).get("displayText"))
    if turn.record.get("provenance") not in (None, "real_user") or turn.record.get("isMeta") is True:
        return turn.heard(pieces, aside=True)
    parts = "parts" in obj(turn.record.get("message"))
    return turn.heard([typed] if typed else pieces[:1] if parts else pieces)


def _assistant(turn: Turn, content: object) -> Parsed:
    usage = obj(turn.record.get("usageMetadata")) or obj(obj(turn.record.get("message")).get("usage"))
    for field, names in (
        ("tokens_in", ("promptTokenCount", "inputTokens", "input_tokens")),
        ("tokens_out", ("candidatesTokenCount", "outputTokens", "output_tokens")),
    ):
        turn.know(**{field: next((n for name in names if (n := number(usage.get(name))) is not None), None)})
    turn.spent(cached=usage.get("cachedContentTokenCount"))
    seen, fresh_parts = turn.state["seen"], list[object]()
    for part in items(content):
        call_id = obj(part).get("id") if obj(part).get("type") == "tool_use" else None
        if call_id is None or str(call_id) not in seen:
            fresh_parts.append(part)
        if call_id is not None:
            seen[str(call_id)] = 1
    for key in list(seen)[:-64]:
        del seen[key]
    if items(content) and not fresh_parts:
        return turn.noise("assistant/again")
    for part in fresh_parts:
        if made := obj(obj(part).get("functionCall")):
            turn.call(made.get("id"), made.get("name"), made.get("args"))
        elif obj(part).get("thought") is True:
            turn.think([part])
        else:
            turn.blocks([{"type": "text", **part} if isinstance(part, dict) and "text" in part else part])
    return turn.message()


def _results(turn: Turn, content: object) -> Parsed:
    told = obj(turn.record.get("toolCallResult")) or obj(turn.record.get("toolUseResult"))
    shown = obj(told.get("resultDisplay"))
    ok = {"success": True, "error": False, "cancelled": False}.get(tag(told.get("status")))
    for part in items(content):
        answer = obj(part).get("functionResponse")
        inner = obj(obj(obj(part).get("content")).get("responseParts")).get("functionResponse")
        if answer is not None:
            respond(turn, _without_hook(answer), ok, exit_code=shown.get("exitCode"))
        elif inner is not None:
            respond(turn, {**obj(inner), "id": obj(part).get("tool_use_id")}, ok)
        elif _is_result(part):
            turn.result(obj(part).get("tool_use_id"), obj(part).get("content"), ok)
    return turn.message()


def _without_hook(answer: object) -> Mapping[str, object]:
    """A shell's output ends with the number of its process group; what stands behind that is a hook's."""
    response = obj(obj(answer).get("response"))
    output = response.get("output")
    if not isinstance(output, str):
        return obj(answer)
    found = output.find("\nProcess Group PGID: ")
    end = output.find("\n", found + 1) if found >= 0 else -1
    return {**obj(answer), "response": {**response, "output": output[:end] if end >= 0 else output}}


def _system(turn: Turn) -> Parsed:
    subtype, payload = tag(turn.record.get("subtype")), obj(turn.record.get("systemPayload"))
    if subtype == "chat_compression":
        first = obj(next(iter(items(payload.get("compressedHistory"))), None))
        info = obj(payload.get("info"))
        turn.know(tokens_in=number(info.get("originalTokenCount")), tokens_out=number(info.get("newTokenCount")))
        return turn.event(SUMMARY, "\n".join(texts(first.get("parts"))), ("compaction",))
    if subtype in _SYSTEM_NOISE:
        return turn.noise(f"system/{subtype}")
    return turn.unknown(f"system/{subtype}")
