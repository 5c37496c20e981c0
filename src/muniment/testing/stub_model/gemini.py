"""Gemini: `POST */models/NAME:generateContent` and `:streamGenerateContent`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from muniment.testing.stub_model.asked import OUTPUT_TOKENS, Answer, Asked, Event, Tool, Turn, kind_of, objects, text_of


def read(body: dict[str, Any]) -> Asked:
    """The request in the common form."""
    turns = tuple(
        _turn(content.get("role") or "user", part)
        for content in objects(body.get("contents"))
        for part in objects(content.get("parts"))
    )
    tools = {tool.name: tool for offered in objects(body.get("tools")) for tool in _tools(offered)}
    return Asked(turns, tools, _schema(body.get("generationConfig") or {}))


def _turn(role: str, part: dict[str, Any]) -> Turn:
    if "functionCall" in part:
        return Turn("call", str((part["functionCall"] or {}).get("name")))
    if "functionResponse" in part:
        return Turn("result", json.dumps((part["functionResponse"] or {}).get("response")))
    return Turn(kind_of(role), text_of(part))


def _tools(offered: dict[str, Any]) -> Iterator[Tool]:
    for function in objects(offered.get("functionDeclarations") or offered.get("function_declarations")):
        if "name" in function:
            schema = function.get("parametersJsonSchema") or function.get("parameters") or {}
            yield Tool(function["name"], schema)


def _schema(form: dict[str, Any]) -> dict[str, Any] | None:
    if form.get("responseMimeType") != "application/json":
        return None
    return form.get("responseJsonSchema") or form.get("responseSchema") or {}


def spoken(answer: Answer) -> dict[str, Any]:
    """The answer as one object."""
    candidate = {"index": 0, "content": {"role": "model", "parts": [_part(answer)]}, "finishReason": "STOP"}
    usage = {
        "promptTokenCount": answer.usage, "candidatesTokenCount": OUTPUT_TOKENS,
        "totalTokenCount": answer.usage + OUTPUT_TOKENS,
    }  # fmt: skip
    return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": answer.model, "responseId": answer.id}


def streamed(answer: Answer) -> Iterator[Event]:
    """The answer as a stream of one piece."""
    yield None, spoken(answer)


def _part(answer: Answer) -> dict[str, Any]:
    if not answer.call:
        return {"text": answer.words}
    return {"functionCall": {"name": answer.call.tool.name, "args": answer.call.arguments, "id": answer.call.id}}
