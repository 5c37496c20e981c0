"""OpenAI Chat Completions: `POST */chat/completions`, the form that most local servers speak too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from muniment.testing.stub_model.asked import OUTPUT_TOKENS, Answer, Asked, Event, Tool, Turn, kind_of, objects, text_of

_CREATED = 1_700_000_000


def read(body: dict[str, Any]) -> Asked:
    """The request in the common form."""
    turns = tuple(turn for message in objects(body.get("messages")) for turn in _turns(message))
    functions = [tool.get("function") or {} for tool in objects(body.get("tools"))]
    tools = {f["name"]: Tool(f["name"], f.get("parameters") or {}) for f in functions if "name" in f}
    return Asked(turns, tools, _schema(body.get("response_format") or {}))


def _turns(message: dict[str, Any]) -> Iterator[Turn]:
    if message.get("role") == "tool":
        yield Turn("result", text_of(message.get("content")))
        return
    yield Turn(kind_of(message.get("role")), text_of(message.get("content")))
    for call in objects(message.get("tool_calls")):
        yield Turn("call", str((call.get("function") or {}).get("name")))


def _schema(form: dict[str, Any]) -> dict[str, Any] | None:
    if form.get("type") == "json_schema":
        return (form.get("json_schema") or {}).get("schema") or {}
    return {} if form.get("type") == "json_object" else None


def spoken(answer: Answer) -> dict[str, Any]:
    """The answer as one object."""
    choice = {"index": 0, "message": _message(answer), "finish_reason": _finish(answer)}
    return {**_head(answer, "chat.completion"), "choices": [choice], "usage": _usage(answer)}


def streamed(answer: Answer) -> Iterator[Event]:
    """The answer as a stream."""
    message = _message(answer)
    yield _chunk(answer, {"role": "assistant", "content": ""})
    yield _chunk(answer, {"content": message["content"]})
    for at, call in enumerate(message.get("tool_calls", ())):
        yield _chunk(answer, {"tool_calls": [{"index": at, **call}]})
    yield _chunk(answer, {}, _finish(answer))
    yield None, {**_head(answer, "chat.completion.chunk"), "choices": [], "usage": _usage(answer)}
    yield None, "[DONE]"


def _chunk(answer: Answer, delta: dict[str, Any], finish: str | None = None) -> Event:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return None, {**_head(answer, "chat.completion.chunk"), "choices": [choice]}


def _head(answer: Answer, kind: str) -> dict[str, Any]:
    return {"id": f"chatcmpl-{answer.id}", "object": kind, "created": _CREATED, "model": answer.model}


def _message(answer: Answer) -> dict[str, Any]:
    if not answer.call:
        return {"role": "assistant", "content": answer.words}
    function = {"name": answer.call.tool.name, "arguments": answer.call.written}
    call = {"id": answer.call.id, "type": "function", "function": function}
    return {"role": "assistant", "content": "Calling a tool.", "tool_calls": [call]}


def _finish(answer: Answer) -> str:
    return "tool_calls" if answer.call else "stop"


def _usage(answer: Answer) -> dict[str, int]:
    return {
        "prompt_tokens": answer.usage, "completion_tokens": OUTPUT_TOKENS, "total_tokens": answer.usage + OUTPUT_TOKENS,
    }  # fmt: skip
