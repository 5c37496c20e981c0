"""One question to a language model that the configuration names: an OpenAI-compatible endpoint, or Anthropic's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from muniment.errors import EndpointError
from muniment.model.services import ModelService
from muniment.recall.http_json import post

_VERSION = "2023-06-01"
_PER_TOKEN = 4
"""Characters; where a server does not count, we guess."""


class Said(NamedTuple):
    """What a model answered, and what that cost in tokens."""

    text: str
    tokens: int


def ask(service: ModelService, system: str, turns: Sequence[str]) -> Said:
    """The answer to the last of `turns` (ours and the model's by turns). EndpointError if there is none."""
    talk = [{"role": "assistant" if n % 2 else "user", "content": text} for n, text in enumerate(turns)]
    if service.kind == "anthropic":
        body: dict[str, Any] = {
            "model": service.model,
            "max_tokens": service.answer_tokens,
            "system": system,
            "messages": talk,
        }
        headers = {"anthropic-version": _VERSION, **({"x-api-key": service.key} if service.key else {})}
        told = post(f"{service.url.rstrip('/')}/messages", body, None, service.timeout, headers)
        text, spent = _anthropic(told), ("input_tokens", "output_tokens")
    else:
        body = {"model": service.model, "max_tokens": service.answer_tokens, "temperature": 0}
        body["messages"] = [{"role": "system", "content": system}, *talk]
        told = post(f"{service.url.rstrip('/')}/chat/completions", body, service.key, service.timeout)
        text, spent = _openai(told), ("prompt_tokens", "completion_tokens")
    if text is None:
        raise EndpointError(f"{service.url} answered without words", hint="is it a chat model?", about=service.url)
    return Said(text, _counted(told, spent) or estimate(system, *turns, text))


def estimate(*texts: str) -> int:
    """About how many tokens these have."""
    return sum(len(text) for text in texts) // _PER_TOKEN + 1


def _openai(told: Any) -> str | None:
    try:
        text = told["choices"][0]["message"]["content"]
    except (KeyError, IndexError, TypeError):
        return None
    return text if isinstance(text, str) else None


def _anthropic(told: Any) -> str | None:
    try:
        texts = [part["text"] for part in told["content"] if part.get("type") == "text"]
    except (KeyError, TypeError, AttributeError):
        return None
    return "".join(texts) if texts and all(isinstance(text, str) for text in texts) else None


def _counted(told: Any, names: tuple[str, str]) -> int:
    usage = told.get("usage") if isinstance(told, dict) else None
    found = [usage.get(name) for name in names] if isinstance(usage, dict) else []
    whole = [n for n in found if isinstance(n, int) and not isinstance(n, bool) and n >= 0]
    return sum(whole) if len(whole) == len(names) else 0
