"""The contract of an extractor: a pure function from an event and a small window to drafts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from muniment.model.event import Call, Result
from muniment.model.fact import Archived, Draft


class Window(Protocol):
    """The events that belong to this one by tool-call id, within the same session."""

    def call(self, call_id: str) -> tuple[Archived, Call] | None:
        """The event that made this call."""
        ...

    def result(self, call_id: str) -> tuple[Archived, Result] | None:
        """The event that answered it, if it was answered."""
        ...


class Extractor(Protocol):
    """One kind of fact. It never reads a clock, a file or a store, and gives the same drafts for the same event."""

    name: str
    version: int
    predicates: tuple[str, ...]

    def draw(self, event: Archived, window: Window) -> Iterable[Draft]:
        """The drafts of this event; each `span` lies within `event.text`."""
        ...
