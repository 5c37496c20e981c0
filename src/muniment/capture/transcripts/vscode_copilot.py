"""Copilot Chat in VS Code, and in Visual Studio.

VS Code keeps a session as one JSON document (`chatSessions/<id>.json`), newer versions as a log of operations on that
document (`.jsonl`: 0 the whole, 1 set at a path, 2 append to a list, 3 delete), which is folded before it is read. A
request has the person's words, what came in answer (words, thoughts, tools), and with its result the arguments and
outputs of the calls. Requests are edited in place until they have a result: before that only the words are taken. What
the editor adds (variables, files) stands apart. Compaction: `summary` in a result's metadata. The folder is that of the
workspace. Sub-agents answer as tools.

Visual Studio writes traces (OpenTelemetry spans), of which a conversation's are spread over files and over conversations:
a session is a conversation within one trace. Prompts and answers are in them only where content may be traced.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from muniment.capture.transcripts.editors import user_folders, workspace_of
from muniment.capture.transcripts.lines import Parsed, State
from muniment.capture.transcripts.pieces import items, number, obj, remember, tag, texts, word
from muniment.capture.transcripts.sections import DocumentAdapter, Section
from muniment.capture.transcripts.tools import decoded
from muniment.capture.transcripts.turns import SUMMARY, Turn, TurnAdapter, fresh, when
from muniment.model.event import SessionInfo

_WHOLE, _SET, _APPEND, _DELETE = range(4)
_EDITORS = ("Code", "Code - Insiders", "VSCodium")
_SPOKEN = frozenset({"missing", "markdownContent", "markdownVuln", "inlineReference"})
_PART_NOISE = frozenset(
    "textEditGroup notebookEditGroup codeblockUri progressMessage progressTaskSerialized prepareToolInvocation undoStop"
    " mcpServersStarting confirmation warning command treeData codeCitation extensions pullRequest elicitation"
    " elicitationSerialized multiDiffData progressTask reference usedContext".split()
)


class VsCodeCopilot(DocumentAdapter):
    """Reads `chatSessions` of every workspace, and the sessions without one."""

    name = "vscode-copilot"
    checked: tuple[str, ...] = ("session version 3",)

    def places(self, home: Path, variables: Mapping[str, str], platform: str) -> Iterable[Path]:
        """The storage of workspaces of each edition on each platform."""
        for user in user_folders(home, variables, platform, _EDITORS):
            yield user / "workspaceStorage"
            yield user / "globalStorage" / "emptyWindowChatSessions"

    def sources(self, place: Path) -> Iterator[Path]:
        """The sessions, by workspace and name; of a document and a log of one session, the log."""
        pattern = "*.json*" if place.name == "emptyWindowChatSessions" else "*/chatSessions/*.json*"
        found = [place] if place.is_file() else sorted(place.glob(pattern))
        for path in found:
            if path.suffix in (".json", ".jsonl") and not (
                path.suffix == ".json" and path.with_suffix(".jsonl").exists()
            ):
                yield path

    def recognises(self, path: Path, head: bytes) -> bool:
        """By the keys of a session; a log by its first operation."""
        # In a document the session's id stands behind all requests.
        ours = b'"requests"' in head and any(key in head for key in (b'"sessionId"', b'"requesterUsername"'))
        operations = head.lstrip().startswith(b'{"kind"') and b'"v"' in head
        return ours and (path.suffix == ".json" or (path.suffix == ".jsonl" and operations))

    def decoded(self, data: bytes, path: Path) -> tuple[Any, int]:
        """The document, and how many lines of a log could not be read."""
        return _folded(data) if path.suffix == ".jsonl" else super().decoded(data, path)

    def sections(self, document: Any, path: Path) -> Iterable[Section]:
        """The session; each request, then what came in answer."""
        if not isinstance(document, dict) or not isinstance(document.get("requests"), list):
            raise ValueError("no requests")
        session = word(document.get("sessionId")) or path.stem
        cwd = workspace_of(path.absolute().parents[1])
        state = fresh(session)
        info = SessionInfo(session, self.name, cwd=cwd, started_at=when(document.get("creationDate")))
        yield Section(state, info, _records(document["requests"]))

    def turn(self, turn: Turn) -> Parsed | Sequence[Parsed]:
        """The person's words, or a part of the answer."""
        record = turn.record
        turn.know(
            at=when(record.get("timestamp")), native_id=word(record.get("id")), updated_at=when(record.get("done"))
        )
        if "message" in record:
            message = record["message"]
            return turn.heard(texts([message] if isinstance(message, dict) else message))
        turn.know(model=word(record.get("model")), tokens_in=number(record.get("promptTokens")))
        turn.know(tokens_out=number(record.get("outputTokens")))
        if "summary" in record:
            return turn.event(SUMMARY, word(record["summary"]) or "", ("compaction",))
        if "words" in record:
            turn.say(record["words"])
            return turn.message()
        part = obj(record.get("part"))
        kind = tag(part.get("kind"))
        if kind == "thinking":
            turn.think(part.get("value"))
            return turn.message()
        if kind in ("toolInvocationSerialized", "toolInvocation"):
            return _used(turn, part, obj(record.get("call")), record.get("result"))
        return turn.noise(f"part/{kind}") if kind in _PART_NOISE else turn.unknown(f"part/{kind}")


def _folded(data: bytes) -> tuple[Any, int]:
    document, bad = None, 0
    lines = data.split(b"\n")
    for number_, line in enumerate(lines):
        try:
            if line.strip():
                document = _applied(document, json.loads(line))
        except (ValueError, TypeError, KeyError, IndexError, RecursionError):
            # The last line may still be written.
            bad += number_ < len(lines) - 1
    return document, bad


def _applied(document: Any, operation: Mapping[str, Any]) -> Any:
    kind, path, value = operation["kind"], items(operation.get("k")), operation.get("v")
    if kind == _WHOLE:
        return value
    holder = document
    for key in path[:-1]:
        holder = holder[key]
    if kind == _SET:
        if isinstance(holder, list) and path[-1] == len(holder):
            holder.append(value)
        else:
            holder[path[-1]] = value
    elif kind == _APPEND:
        if isinstance(at := operation.get("i"), int):
            del holder[path[-1]][at:]
        holder[path[-1]].extend(items(value))
    elif kind == _DELETE:
        del holder[path[-1]]
    else:
        raise ValueError(f"operation {kind}")
    return document


def _records(requests: list[Any]) -> Iterator[Any]:
    for place, request in enumerate(requests):
        if not isinstance(request, dict):
            yield request
            continue
        name, at = word(request.get("requestId")) or f"request_{place}", request.get("timestamp")
        yield {"id": name, "timestamp": at, "message": request.get("message")}
        result = obj(request.get("result"))
        if not result and place == len(requests) - 1 and request.get("isCanceled") is not True:
            continue
        about = obj(result.get("metadata"))
        lasted, begun = number(obj(result.get("timings")).get("totalElapsed")), number(at)
        told = {"timestamp": at, "model": about.get("resolvedModel") or request.get("modelId")}
        told["done"] = begun + lasted if begun is not None and lasted is not None else None
        spent = {key: about[key] for key in ("promptTokens", "outputTokens") if key in about}
        for index, part in enumerate(_parts(items(request.get("response")), about)):
            yield {"id": f"{name}/{index}", **told, **part, **(spent if not index else {})}
        if summary := word(obj(about.get("summary")).get("text")):
            yield {"id": f"{name}/summary", **told, "summary": summary}


def _parts(response: list[Any], about: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The parts of an answer: words that belong together as one, tools with their arguments and outputs."""
    rounds = [obj(call) for one in items(about.get("toolCallRounds")) for call in items(obj(one).get("toolCalls"))]
    calls = {str(call.get("id")).partition("__vscode")[0]: call for call in rounds}
    outputs = {key.partition("__vscode")[0]: value for key, value in obj(about.get("toolCallResults")).items()}
    words: list[str] = []
    for part in response:
        if tag(obj(part).get("kind")) in _SPOKEN:
            words.append(_word_of(obj(part)))
            continue
        if words:
            yield {"words": "".join(words)}
            words = []
        call_id = str(obj(part).get("toolCallId"))
        yield {"part": part, "call": calls.get(call_id), "result": outputs.get(call_id)}
    if words:
        yield {"words": "".join(words)}


def _word_of(part: Mapping[str, Any]) -> str:
    value = part.get("value", part.get("content"))
    inline = obj(part.get("inlineReference"))
    named = word(part.get("name")) or word(inline.get("name")) or word(inline.get("path"))
    return value if isinstance(value, str) else word(obj(value).get("value")) or named or ""


def _used(turn: Turn, part: Mapping[str, Any], call: Mapping[str, Any], result: Any) -> Parsed:
    about = obj(part.get("toolSpecificData"))
    line = obj(about.get("commandLine"))
    command = word(line.get("userEdited")) or word(line.get("toolEdited")) or word(line.get("original"))
    given = call.get("arguments") or (
        {"command": command or about["command"]} if command or "command" in about else None
    )
    tool = word(call.get("name")) or (word(part.get("toolId")) or "?").removeprefix("copilot_")
    made = turn.call(part.get("toolCallId"), tool, given)
    if part.get("isConfirmed") is False or obj(part.get("isConfirmed")).get("type") == 0:
        turn.flag("refused")
    if result is None and part.get("isComplete") is not True:
        return turn.message()
    shown = obj(part.get("pastTenseMessage")).get("value", part.get("pastTenseMessage"))
    pieces = [text for one in items(obj(result).get("content")) if (text := word(obj(one).get("value"))) is not None]
    exit_code = obj(about.get("terminalCommandState")).get("exitCode")
    turn.result(made.call_id, pieces or [word(shown) or ""], None, exit_code)
    return turn.message()


class VisualStudioCopilot(TurnAdapter):
    """Reads `*_VSGitHubCopilot_traces.jsonl`."""

    name = "visualstudio-copilot"
    checked: tuple[str, ...] = ("18.6.11822.322",)

    def places(self, home: Path, variables: Mapping[str, str], platform: str) -> Iterable[Path]:
        """The temporary folder on Windows; there is no Visual Studio elsewhere."""
        if platform == "win32":
            local = Path(variables.get("LOCALAPPDATA") or home / "AppData" / "Local")
            yield Path(variables.get("TEMP") or local / "Temp") / "VSGitHubCopilotLogs" / "traces"

    def sources(self, place: Path) -> Iterator[Path]:
        """The traces, by name."""
        yield from [place] if place.is_file() else sorted(place.glob("*_VSGitHubCopilot_traces.jsonl"))

    def recognises(self, path: Path, head: bytes) -> bool:
        """By the name of the service that is traced."""
        return path.suffix == ".jsonl" and b'"resourceSpans"' in head and b'"vs-copilot"' in head

    def start(self, path: Path, head: bytes) -> State:  # noqa: ARG002
        """Until a span names its conversation, the file is the session."""
        return fresh(path.stem, told={})

    def turn(self, turn: Turn) -> Parsed | Sequence[Parsed]:
        """A line: one batch of spans, of which there is one as a rule."""
        spans, version = list(_spans(turn.record)), None
        if not spans:
            return turn.unknown("no spans")
        first = spans[0]
        conversation, trace = word(first.get("gen_ai.conversation.id")), word(first.get("traceId")) or ""
        if conversation:
            turn.session = f"{conversation}-{trace[-8:]}"
        version = word(first.get("service.version"))
        at = when(_milliseconds(first.get("startTimeUnixNano")))
        turn.know(at=at, native_id=word(first.get("spanId")), parent_id=word(first.get("parentSpanId")))
        event = _span(turn, spans)
        if turn.session in turn.state["told"]:
            return event
        remember(turn.state["told"], turn.session, 1)
        return SessionInfo(turn.session, self.name, version, started_at=at), event


def _spans(record: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Each span with its attributes and those of what it tells of, under their names."""
    for resource in items(record.get("resourceSpans")):
        about = _attributes(obj(resource).get("resource"))
        for scope in items(obj(resource).get("scopeSpans")):
            for span in items(obj(scope).get("spans")):
                yield {**about, **obj(span), **_attributes(span)}


def _attributes(holder: Any) -> dict[str, Any]:
    found = {}
    for attribute in items(obj(holder).get("attributes")):
        found[tag(obj(attribute).get("key"))] = next(iter(obj(obj(attribute).get("value")).values()), None)
    return found


def _milliseconds(nanoseconds: Any) -> int | None:
    found = (
        number(nanoseconds) if not isinstance(nanoseconds, str) else int(nanoseconds) if nanoseconds.isdigit() else None
    )
    return None if found is None else found // 1_000_000


def _span(turn: Turn, spans: list[dict[str, Any]]) -> Parsed:
    for span in spans:
        kind = tag(span.get("gen_ai.operation.name"))
        turn.know(model=word(span.get("gen_ai.response.model")) or word(span.get("gen_ai.request.model")))
        if kind == "execute_tool":
            made = turn.call(
                span.get("gen_ai.tool.call.id"), span.get("gen_ai.tool.name"), span.get("gen_ai.tool.call.arguments")
            )
            turn.result(
                made.call_id, _value(span.get("gen_ai.tool.call.result")), _well(span), duration_ms=_lasted(span)
            )
        elif kind == "chat":
            turn.know(tokens_in=number(span.get("gen_ai.usage.input_tokens")))
            turn.know(tokens_out=number(span.get("gen_ai.usage.output_tokens")))
            turn.say(_messages(span.get("gen_ai.output.messages"), "assistant")[-1:])
        elif kind == "invoke_agent":
            if asked := _messages(span.get("gen_ai.input.messages"), "user"):
                return turn.heard(asked[-1:])
        else:
            return turn.unknown(f"span/{kind}")
    return turn.note("") if turn.is_empty else turn.message()


def _messages(given: Any, role: str) -> list[str]:
    """The texts of the messages of one role."""
    found = []
    for message in items(decoded(given)):
        parts = [obj(part) for part in items(obj(message).get("parts"))] if obj(message).get("role") == role else []
        if said := [text for part in parts if part.get("type") == "text" and (text := word(part.get("content")))]:
            found.append("\n".join(said))
    return found


def _value(given: Any) -> Any:
    told = decoded(given)
    return word(obj(told).get("Value")) or given


def _well(span: Mapping[str, Any]) -> bool | None:
    return False if obj(span.get("status")).get("code") == 2 else None


def _lasted(span: Mapping[str, Any]) -> int | None:
    begin, end = _milliseconds(span.get("startTimeUnixNano")), _milliseconds(span.get("endTimeUnixNano"))
    return end - begin if begin is not None and end is not None and end >= begin else None
