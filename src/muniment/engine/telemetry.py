"""Spans for who watches the program that we are part of: OpenTelemetry, under its conventions for memory.

Nothing is imported here: where the host program has loaded OpenTelemetry its tracer is used, elsewhere a verb costs one look
into a table. What was asked or remembered is no part of a span, unless the variable that the conventions name says so.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import wraps
from typing import Any, ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

SEARCH, CREATE, UPDATE, UPSERT, DELETE = (
    "search_memory", "create_memory", "update_memory", "upsert_memory", "delete_memory"
)  # fmt: skip
"""Operations, as the conventions for generative AI name them."""
CONTENT = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
"""The variable that lets spans hold what was asked and said."""
_QUESTIONS = ("selector", "words", "text", "content")
"""Arguments that hold what was asked or said."""
_PLAIN = ("budget", "limit", "as_of", "known")
"""Arguments that tell nothing of it."""


class _Watched(Protocol):
    @property
    def store_name(self) -> str: ...
    @property
    def spans_tell(self) -> bool: ...


def spanned(operation: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Makes a verb of `Memory` run in a span, where spans are wanted."""

    def watched(verb: Callable[P, R]) -> Callable[P, R]:
        names = verb.__code__.co_varnames[1 : verb.__code__.co_argcount]

        @wraps(verb)
        def call(*args: P.args, **named: P.kwargs) -> R:
            trace = sys.modules.get("opentelemetry.trace")
            if trace is None:
                return verb(*args, **named)
            memory: Any = args[0]
            given = {**dict(zip(names, args[1:], strict=False)), **named}
            tracer = trace.get_tracer("muniment")
            with tracer.start_as_current_span(operation, attributes=_asked(operation, memory, given)) as span:
                return _told(span, lambda: verb(*args, **named))

        return call

    return watched


def _asked(operation: str, memory: _Watched, given: Mapping[str, Any]) -> dict[str, Any]:
    told = {"gen_ai.operation.name": operation, "gen_ai.memory.store.id": memory.store_name}
    told |= {f"muniment.{name}": given[name] for name in _PLAIN if given.get(name) is not None}
    if memory.spans_tell:
        said = next((given[name] for name in _QUESTIONS if isinstance(given.get(name), str)), None)
        told |= {"gen_ai.memory.query.text": said} if said is not None else {}
    return told


def _told(span: Any, call: Callable[[], R]) -> R:
    """The result, with how many records it has, or which it changed; of an error its kind and no word of it."""
    from muniment.errors import MunimentError

    try:
        result = call()
    except MunimentError as error:
        span.set_attribute("error.type", error.code)
        raise
    ids = getattr(result, "ids", None)
    count = len(ids) if ids is not None else len(result) if hasattr(result, "__len__") else None
    if count is not None:
        span.set_attribute("gen_ai.memory.record.count", count)
    if ids is not None and len(ids) == 1:
        span.set_attribute("gen_ai.memory.record.id", str(ids[0]))
    return result


def joined(headers: Mapping[str, str]) -> AbstractContextManager[Any]:
    """While it is open, spans belong to the trace that the headers of a request name."""
    if "opentelemetry.trace" not in sys.modules:
        return nullcontext()
    from opentelemetry import propagate

    return _Attached(propagate.extract(headers))


class _Attached(AbstractContextManager[None]):
    def __init__(self, found: Any) -> None:
        self._found = found

    def __enter__(self) -> None:
        from opentelemetry import context

        self._token = context.attach(self._found)

    def __exit__(self, *_: object) -> None:
        from opentelemetry import context

        context.detach(self._token)


def carried(headers: dict[str, str]) -> dict[str, str]:
    """The headers of a request, with the trace that it belongs to, where there is one."""
    if "opentelemetry.trace" in sys.modules:
        from opentelemetry import propagate

        propagate.inject(headers)
    return headers
