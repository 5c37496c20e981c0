"""OpenAI Responses: `POST */responses`."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from muniment.testing.stub_model.asked import OUTPUT_TOKENS, Answer, Asked, Event, Tool, Turn, kind_of, objects, text_of

_CREATED = 1_700_000_000


def read(body: dict[str, Any]) -> Asked:
    """The request in the common form."""
    told = body.get("input")
    turns = (Turn("user", told),) if isinstance(told, str) else tuple(_turn(item) for item in objects(told))
    tools = {tool.name: tool for offered in objects(body.get("tools")) for tool in _tools(offered, None)}
    form = (body.get("text") or {}).get("format") or {}
    return Asked(turns, tools, (form.get("schema") or {}) if form.get("type") == "json_schema" else None)


def _turn(item: dict[str, Any]) -> Turn:
    kind = str(item.get("type") or "message")
    if kind.endswith("_output"):
        return Turn("result", text_of(item.get("output")))
    if kind.endswith("_call"):
        return Turn("call", str(item.get("name") or kind))
    return Turn(kind_of(item.get("role")), text_of(item.get("content")))


def _tools(offered: dict[str, Any], namespace: str | None) -> Iterator[Tool]:
    if offered.get("type") == "namespace":
        for inner in objects(offered.get("tools")):
            yield from _tools(inner, str(offered.get("name")))
    elif offered.get("type") == "local_shell":
        yield Tool("local_shell")
    elif "name" in offered:
        yield Tool(offered["name"], offered.get("parameters") or {}, offered.get("type") == "custom", namespace)


def spoken(answer: Answer) -> dict[str, Any]:
    """The answer as one object."""
    return {**_opening(answer), "status": "completed", "output": [_item(answer)], "usage": _usage(answer)}


def streamed(answer: Answer) -> Iterator[Event]:
    """The answer as a stream."""
    count = itertools.count(1)
    for name, more in _steps(answer):
        yield name, {"type": name, "sequence_number": next(count), **more}


def _steps(answer: Answer) -> Iterator[tuple[str, dict[str, Any]]]:
    item = _item(answer)
    yield "response.created", {"response": _opening(answer)}
    yield "response.in_progress", {"response": _opening(answer)}
    yield from _called(item) if answer.call else _said(item, answer.words)
    yield "response.output_item.done", {"output_index": 0, "item": item}
    yield "response.completed", {"response": spoken(answer)}


def _said(item: dict[str, Any], words: str) -> Iterator[tuple[str, dict[str, Any]]]:
    where = {"item_id": item["id"], "output_index": 0, "content_index": 0}
    empty = {"type": "output_text", "text": "", "annotations": []}
    yield "response.output_item.added", {"output_index": 0, "item": {**item, "content": [], "status": "in_progress"}}
    yield "response.content_part.added", {"part": empty, **where}
    yield "response.output_text.delta", {"delta": words, **where}
    yield "response.output_text.done", {"text": words, **where}
    yield "response.content_part.done", {"part": item["content"][0], **where}


def _called(item: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    is_free = item["type"] == "custom_tool_call"
    field, stem = ("input", "custom_tool_call_input") if is_free else ("arguments", "function_call_arguments")
    where = {"item_id": item["id"], "output_index": 0}
    yield "response.output_item.added", {"output_index": 0, "item": {**item, field: "", "status": "in_progress"}}
    yield f"response.{stem}.delta", {"delta": item[field], **where}
    yield f"response.{stem}.done", {field: item[field], **where}


def _opening(answer: Answer) -> dict[str, Any]:
    return {
        "id": f"resp_{answer.id}", "object": "response", "created_at": _CREATED, "model": answer.model,
        "status": "in_progress", "output": [], "usage": None, "error": None, "incomplete_details": None,
        "instructions": None, "metadata": {}, "parallel_tool_calls": True, "temperature": 1.0, "tool_choice": "auto",
        "tools": [], "top_p": 1.0,
    }  # fmt: skip


def _item(answer: Answer) -> dict[str, Any]:
    call = answer.call
    if call is None:
        part = {"type": "output_text", "text": answer.words, "annotations": []}
        return {
            "type": "message",
            "id": f"msg_{answer.id}",
            "role": "assistant",
            "status": "completed",
            "content": [part],
        }
    made = {"call_id": call.id, "name": call.tool.name, "status": "completed"}
    if call.tool.is_free:
        return {"type": "custom_tool_call", "id": f"ctc_{call.id}", **made, "input": call.written}
    where = {"namespace": call.tool.namespace} if call.tool.namespace else {}
    return {"type": "function_call", "id": f"fc_{call.id}", **made, "arguments": call.written, **where}


def _usage(answer: Answer) -> dict[str, Any]:
    return {
        "input_tokens": answer.usage, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": OUTPUT_TOKENS,
        "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": answer.usage + OUTPUT_TOKENS,
    }  # fmt: skip
