"""Auggie (Augment Code): one JSON document a session, with what was asked and what was answered in `exchange`s.

Words stand in `request_message` and `response_text`, or in typed nodes: 0 text, 1 a tool's result, 5 a tool's use, 8 a
thought. Compaction: exchanges with `isHistorySummary`. Nodes of the editor's state are the harness's. Sub-agents were
not seen. Documents are rewritten whole; an exchange that is not completed is left for the next read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from muniment.capture.transcripts.lines import Parsed
from muniment.capture.transcripts.pieces import items, number, obj, texts, word
from muniment.capture.transcripts.sections import DocumentAdapter, Section
from muniment.capture.transcripts.turns import SUMMARY, Turn, fresh, when
from muniment.model.event import SessionInfo


class Auggie(DocumentAdapter):
    """Reads `~/.augment/sessions/<id>.json`."""

    name = "auggie"
    checked: tuple[str, ...] = ("0.32.0",)

    def places(self, home: Path, variables: Mapping[str, str], platform: str) -> Iterable[Path]:  # noqa: ARG002 - the same everywhere
        """`sessions` in the cache folder, on every platform in the home folder."""
        yield home / ".augment" / "sessions"

    def sources(self, place: Path) -> Iterator[Path]:
        """The sessions, by name."""
        yield from [place] if place.is_file() else sorted(place.glob("*.json"))

    def recognises(self, path: Path, head: bytes) -> bool:
        """By its keys."""
        return path.suffix == ".json" and b'"chatHistory"' in head and b'"sessionId"' in head

    def sections(self, document: Any, path: Path) -> Iterable[Section]:
        """The session; a request and a response for each exchange."""
        if not isinstance(document, dict) or not isinstance(document.get("chatHistory"), list):
            raise ValueError("no chatHistory")
        session = word(document.get("sessionId")) or path.stem
        created = when(document.get("created"))
        state = fresh(session, created=created)
        info = SessionInfo(session, self.name, cwd=word(document.get("workspaceRoot")), started_at=created)
        yield Section(state, info, _records(document["chatHistory"]))

    def turn(self, turn: Turn) -> Parsed | Sequence[Parsed]:
        """One half of an exchange."""
        record = turn.record
        turn.know(at=when(record.get("finishedAt")) or (turn.state["created"] if not turn.ordinal else None))
        if record.get("request_id"):
            side = "request" if "request" in record else "response"
            turn.know(native_id=f"{record['request_id']}-{side}", updated_at=when(record.get("finishedAt")))
        if "request" in record:
            return _request(turn, obj(record["request"]))
        return _response(turn, obj(record["response"])) if record.get("completed") is not False else turn.noise("open")


def _records(history: list[Any]) -> Iterator[Any]:
    for entry in history:
        exchange = obj(obj(entry).get("exchange"))
        if not exchange:
            yield entry
            continue
        rest = {key: value for key, value in exchange.items() if key.startswith("response_")}
        about = {"request_id": exchange.get("request_id"), "isHistorySummary": obj(entry).get("isHistorySummary")}
        yield {"request": {key: value for key, value in exchange.items() if key not in rest}, **about}
        more = {"finishedAt": obj(entry).get("finishedAt"), "completed": obj(entry).get("completed")}
        yield {"response": {**rest, "model": exchange.get("model_id")}, **about, **more}


def _nodes(holder: Mapping[str, Any], key: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The nodes as (name, content); whatever their number, the content is named `..._node` or `tool_use`."""
    for node in items(holder.get(key)):
        for name, value in obj(node).items():
            if isinstance(value, dict):
                yield name, value


def _request(turn: Turn, request: Mapping[str, Any]) -> Parsed:
    pieces, summary = list[str](), turn.record.get("isHistorySummary") is True
    for name, node in _nodes(request, "request_nodes"):
        if name == "text_node":
            pieces.extend(texts([node.get("content")]))
        elif name == "tool_result_node":
            failed = node.get("is_error")
            turn.result(node.get("tool_use_id"), node.get("content"), None if failed is None else not failed)
    if not turn.is_empty:
        return turn.message()
    said = word(request.get("request_message"))
    pieces = [said] if said else pieces
    return turn.event(SUMMARY, "\n".join(pieces), ("compaction",)) if summary else turn.heard(pieces)


def _response(turn: Turn, response: Mapping[str, Any]) -> Parsed:
    turn.know(model=word(response.get("model")))
    for name, node in _nodes(response, "response_nodes"):
        if name == "text_node" and not response.get("response_text"):
            turn.say([node.get("content")])
        elif name == "thinking":
            turn.think([node.get("summary") or node.get("content")])
        elif name == "token_usage":
            turn.know(tokens_in=number(node.get("input_tokens")), tokens_out=number(node.get("output_tokens")))
    turn.say(response.get("response_text"))
    for name, node in _nodes(response, "response_nodes"):
        if name == "tool_use":
            turn.call(node.get("tool_use_id"), node.get("tool_name"), node.get("input_json", node.get("input")))
    return turn.message()
