"""What callers write, in the stored form: times as people say them, and who a statement is said to come from."""

from __future__ import annotations

from muniment.engine.core import Caller, Engine
from muniment.errors import UsageError
from muniment.gate import intake
from muniment.model.event import AUTHORITY, Origin
from muniment.model.expression import parse_instant, parse_until

_SOURCES = {
    **{o.value: o for o in Origin if o not in (Origin.TOOL, Origin.HARNESS)},
    "user": Origin.PERSON,
    "told": Origin.PERSON,
    "assistant": Origin.MODEL,
    "inferred": Origin.MODEL,
}


def start(engine: Engine, text: str | None) -> str | None:
    """The instant at which what `text` names begins, in the reader's zone."""
    return parse_instant(text, engine.now(), engine.settings.zone) if text else None


def end(engine: Engine, text: str | None) -> str | None:
    """The instant at which what `text` names is over."""
    return parse_until(text, engine.now(), engine.settings.zone) if text else None


def masked(text: str) -> str:
    """Words that are kept beside a store, as they may be kept."""
    return intake.name(text)


def origin_of(source: str) -> Origin | None:
    """The origin that a source names; None if it names none."""
    return _SOURCES.get(source.lower())


def sourced(caller: Caller, source: str | None) -> tuple[Caller, str]:
    """The caller with the source that it names, as far as its channel allows (L2), and a warning where it does not.

    A person may pass on what an agent or a page said; an agent that says `user` stays an agent.
    """
    if not source:
        return caller, ""
    origin = _SOURCES.get(source.lower())
    if origin is None:
        raise UsageError(f"unknown source {source!r}", hint="sources: " + ", ".join(_SOURCES), about=source)
    if AUTHORITY[origin] > AUTHORITY[caller.origin]:
        return caller, f"source {source} was not taken: this call comes from origin {caller.origin}"
    return (caller if origin == caller.origin else Caller(origin, caller.vouched)), ""
