"""Anthropic Messages: `POST */messages`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from muniment.testing.stub_model.asked import OUTPUT_TOKENS, Answer, Asked, Event, Tool, Turn, kind_of, objects, text_of


def read(body: dict[str, Any]) -> Asked:
    """The request in the common form."""
    turns = tuple(turn for message in objects(body.get("messages")) for turn in _turns(message))
    tools = {t["name"]: Tool(t["name"], t.get("input_schema") or {}) for t in objects(body.get("tools")) if "name" in t}
    form = (body.get("output_config") or {}).get("format") or body.get("output_format") or {}
    return Asked(turns, tools, (form.get("schema") or {}) if form.get("type") == "json_schema" else None)


def _turns(message: dict[str, Any]) -> Iterator[Turn]:
    blocks = message.get("content")
    if isinstance(blocks, str):
        yield Turn(kind_of(message.get("role")), blocks)
    for block in objects(blocks):
        if block.get("type") == "tool_use":
            yield Turn("call", str(block.get("name")))
        elif block.get("type") == "tool_result":
            yield Turn("result", text_of(block.get("content")))
        else:
            yield Turn(kind_of(message.get("role")), text_of(block))


def spoken(answer: Answer) -> dict[str, Any]:
    """The answer as one object."""
    stop = "tool_use" if answer.call else "end_turn"
    return {**_opening(answer), "content": _blocks(answer), "stop_reason": stop}


def streamed(answer: Answer) -> Iterator[Event]:
    """The answer as a stream."""
    whole = spoken(answer)
    yield _event("message_start", message=_opening(answer))
    for at, block in enumerate(whole["content"]):
        yield from _block(at, block, answer)
    delta = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    yield _event("message_delta", delta=delta, usage=whole["usage"])
    yield _event("message_stop")


def _block(at: int, block: dict[str, Any], answer: Answer) -> Iterator[Event]:
    start, delta = {**block, "text": ""}, {"type": "text_delta", "text": block.get("text")}
    if block["type"] == "tool_use" and answer.call:
        start, delta = {**block, "input": {}}, {"type": "input_json_delta", "partial_json": answer.call.written}
    yield _event("content_block_start", index=at, content_block=start)
    yield _event("content_block_delta", index=at, delta=delta)
    yield _event("content_block_stop", index=at)


def _opening(answer: Answer) -> dict[str, Any]:
    usage = {
        "input_tokens": answer.usage, "output_tokens": OUTPUT_TOKENS,
        "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0,
    }  # fmt: skip
    return {
        "id": f"msg_{answer.id}", "type": "message", "role": "assistant", "model": answer.model, "content": [],
        "stop_reason": None, "stop_sequence": None, "usage": usage,
    }  # fmt: skip


def _blocks(answer: Answer) -> list[dict[str, Any]]:
    if not answer.call:
        return [{"type": "text", "text": answer.words}]
    call = answer.call
    use = {"type": "tool_use", "id": f"toolu_{call.id}", "name": call.tool.name, "input": call.arguments}
    return [{"type": "text", "text": "Calling a tool."}, use]


def _event(name: str, **more: Any) -> Event:
    return name, {"type": name, **more}
