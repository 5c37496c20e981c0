"""Gemini CLI and those that grew out of it: Tabnine CLI, and in another layout Qwen Code and iFlow (`qwen.py`).

One file a session, JSON Lines (older versions: one JSON document with `messages`). A line is a message, or an update
`{"$set": ...}`. The same `id` is written again when calls are added: the later content is a revision. `$set.messages`
replaces the whole list, on resume with what is known, on compression with a summary and a fixed answer to it; only the
summary is kept. Sub-agents have files of their own (`kind: "subagent"`) in a folder named after their parent. What hooks
say stands between `<hook_context>` tags within the user's turn and behind tool outputs: both are cut off. A tool's result
is in the call's record and once more in a user's record behind it: it is taken from the first, or from the second where
the first holds words of the model.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from muniment.capture.transcripts.contract import Cursor, Item, Source
from muniment.capture.transcripts.documents import DocumentReading
from muniment.capture.transcripts.lines import Parsed, State
from muniment.capture.transcripts.pieces import items, number, obj, remember, tag, texts, word
from muniment.capture.transcripts.sections import load
from muniment.capture.transcripts.turns import SUMMARY, Turn, TurnAdapter, fresh, when
from muniment.model.event import SessionInfo
from muniment.model.ids import hash128

ACKNOWLEDGED = "Got it. Thanks for the additional context!"
"""What stands behind a summary in a compressed history."""

_WRAP = re.compile(r"<untrusted_context>\n|\n?</untrusted_context>")
_FOLDER = re.compile(r"Workspace Directories:\**\s*\n\s+- (\S[^\n]*)")
_META = frozenset({"sessionId", "projectHash", "startTime"})
_STATUS = {"success": True, "error": False, "cancelled": False}


class GeminiCli(TurnAdapter):
    """Reads `tmp/<project>/chats/session-*.jsonl` and `.json`, and the sub-agents' files below them."""

    name = "gemini-cli"
    checked: tuple[str, ...] = ("0.61.0",)
    folder = ".gemini"
    spoken_by = frozenset({"gemini", "tabnine", "assistant"})

    def places(self, home: Path, variables: Mapping[str, str], platform: str) -> Iterable[Path]:  # noqa: ARG002 - the same everywhere
        """The temporary folder below the harness's own in the home folder, on every platform."""
        yield home / self.folder / "tmp"

    def sources(self, place: Path) -> Iterator[Path]:
        """Sessions, each before its sub-agents; the older documents after them."""
        if place.is_file():
            yield place
            return
        yield from sorted(place.glob("*/chats/**/*.jsonl"), key=lambda path: path.with_suffix("").parts)
        yield from sorted(place.glob("*/chats/**/session-*.json"))

    def recognises(self, path: Path, head: bytes) -> bool:
        """By the keys of the first record, and the folder's name where relatives write the same."""
        if path.suffix not in (".json", ".jsonl") or b'"projectHash"' not in head or b'"sessionId"' not in head:
            return False
        return not (".tabnine" in path.parts or b'"type":"tabnine"' in head)

    def start(self, path: Path, head: bytes) -> State:
        """The session by the first record; a sub-agent's parent by its folder."""
        first = _first(head) if path.suffix == ".jsonl" else obj(load(path))
        session = word(first.get("sessionId")) or path.stem
        child = first.get("kind") == "subagent"
        parent = path.parent.name if child and path.parent.name != "chats" else None
        state = fresh(f"{parent}/{session}" if parent else session, document=path.suffix == ".json", answered={})
        folders = [text for text in items(first.get("directories")) if isinstance(text, str)]
        return state | {"side": child, "parent": parent, "cwd": folders[0] if folders else _root(path)}

    def read(self, source: Source, cursor: Cursor | None) -> Iterator[Item]:
        """Everything new since `cursor`; a document is read whole when it changed."""
        if source.path.suffix == ".json":
            return DocumentReading(self, source, "messages").items(cursor)
        return super().read(source, cursor)

    def turn(self, turn: Turn) -> Parsed | Sequence[Parsed]:
        """A line."""
        record, kind = turn.record, tag(turn.record.get("type"))
        told = self._told(turn) if not turn.state.get("told") or "startTime" in record else ()
        turn.know(at=when(record.get("timestamp")), native_id=word(record.get("id")))
        if "$set" in record:
            return (*told, *self._placed(turn), _set(turn, obj(record["$set"])))
        if _META & record.keys() and "type" not in record:
            return (*told, turn.noise("session"))
        if kind == "user":
            return (*told, _user(turn))
        if kind in self.spoken_by:
            return (*told, _model(turn))
        if kind in ("info", "error", "warning"):
            return (*told, turn.note("\n".join(texts(record.get("content")))))
        return (*told, turn.unknown(kind))

    def _told(self, turn: Turn) -> Sequence[Parsed]:
        state = turn.state
        state["told"] = True
        started = when(turn.record.get("startTime"), turn.record.get("timestamp"))
        info = SessionInfo(state["session"], self.name, parent=state["parent"], cwd=state["cwd"], started_at=started)
        return (info,)

    def _placed(self, turn: Turn) -> Sequence[Parsed]:
        """The working folder, which the harness tells the model in its first message."""
        found = None if turn.state["cwd"] else _FOLDER.search(json.dumps(turn.record["$set"]).replace("\\n", "\n"))
        if found is None:
            return ()
        turn.state["cwd"] = found[1]
        return (SessionInfo(turn.state["session"], self.name, cwd=found[1]),)


class TabnineCli(GeminiCli):
    """Reads the same layout in `~/.tabnine/agent/tmp`."""

    name = "tabnine-cli"
    checked: tuple[str, ...] = ("0.25.1",)
    folder = ".tabnine/agent"

    def recognises(self, path: Path, head: bytes) -> bool:
        """By its folder, or the type of its model's messages."""
        ours = b'"projectHash"' in head and b'"sessionId"' in head
        return path.suffix == ".jsonl" and ours and (".tabnine" in path.parts or b'"type":"tabnine"' in head)


def _first(head: bytes) -> Mapping[str, Any]:
    try:
        return obj(json.loads(head.partition(b"\n")[0]))
    except (ValueError, RecursionError):
        return {}


def _root(path: Path) -> str | None:
    """The working folder of a project: newer versions write it beside the chats."""
    for folder in path.parents[1:3] if len(path.parents) > 2 else ():
        try:
            return (folder / ".project_root").read_text("utf-8").strip() or None
        except (OSError, UnicodeDecodeError):
            pass
        for root, name in obj(obj(load(folder.parent.parent / "projects.json")).get("projects")).items():
            if name == folder.name:
                return root
    return None


def _set(turn: Turn, given: Mapping[str, Any]) -> Parsed:
    """An update. Of a list of messages only a new summary says what no other record says."""
    for before, after in zip(items(given.get("messages")), items(given.get("messages"))[1:], strict=False):
        if ACKNOWLEDGED in texts(obj(after).get("content")) and obj(before).get("type") == "user":
            text = "\n".join(texts(obj(before).get("content")))
            if turn.state.get("summary") == (digest := hash128(text).hex()):
                break
            turn.state["summary"] = digest
            turn.know(at=when(obj(before).get("timestamp")), native_id=word(obj(before).get("id")))
            return turn.event(SUMMARY, text, ("compaction",))
    return turn.noise("$set")


def _user(turn: Turn) -> Parsed:
    content = turn.record.get("content")
    answers = [obj(part)["functionResponse"] for part in items(content) if "functionResponse" in obj(part)]
    if answers:
        known = [turn.state["answered"].get(str(obj(answer).get("id")), [True, None]) for answer in answers]
        if not any(waits for waits, _ in known):
            return turn.noise("functionResponse")
        for answer, (_, ok) in zip(answers, known, strict=True):
            respond(turn, answer, ok)
        return turn.message()
    return turn.heard(texts(content))


def respond(turn: Turn, answer: Any, ok: bool | None = None, **rest: Any) -> None:
    """A `functionResponse`."""
    told = obj(obj(answer).get("response"))
    output = told.get("output", told.get("error", told.get("content")))
    failed = False if "error" in told and "output" not in told else ok
    turn.result(obj(answer).get("id"), [_WRAP.sub("", text) for text in texts(output)], failed, **rest)


def _model(turn: Turn) -> Parsed:
    record, tokens = turn.record, obj(turn.record.get("tokens"))
    turn.know(model=word(record.get("model")), tokens_in=number(tokens.get("input")))
    out = [number(tokens.get(key)) for key in ("output", "thoughts")]
    turn.know(tokens_out=sum(n or 0 for n in out) if out[0] is not None else None)
    turn.spent(cached=tokens.get("cached"))
    content = record.get("content")
    turn.say(content)
    for thought in items(record.get("thoughts")):
        turn.think([obj(thought).get("description") or obj(thought).get("text")])
    for part in items(content):
        if made := obj(obj(part).get("functionCall")):
            turn.call(made.get("id"), made.get("name"), made.get("args"))
    asked = [obj(call) for call in items(record.get("toolCalls"))]
    for call in asked:
        if call.get("args") is not None or "result" not in call:
            turn.call(call.get("id"), call.get("name"), call.get("args"))
    for call in asked:
        if call.get("result") is not None:
            _done(turn, call)
    if asked:
        turn.know(updated_at=max(filter(None, (when(call.get("timestamp")) for call in asked)), default=None))
    return turn.message()


def _done(turn: Turn, call: Mapping[str, Any]) -> None:
    ok = _STATUS.get(tag(call.get("status")))
    # Where the model speaks as well, the event is its own: then the result is that of the user's record behind it.
    waits = turn.has_words and not turn.state["document"]
    remember(turn.state["answered"], str(call.get("id")), [waits, ok], 512)
    if waits:
        return
    given = [obj(part).get("functionResponse") for part in items(call["result"])]
    if any(given):
        for answer in filter(None, given):
            respond(turn, {**obj(answer), "id": call.get("id")}, ok)
    else:
        turn.result(call.get("id"), call["result"], ok)
