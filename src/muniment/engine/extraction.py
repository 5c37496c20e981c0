"""Which extractors run on an event, and with what measured precision."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from muniment.capture.extract import own, registry
from muniment.capture.extract.contract import Window
from muniment.gate.admission import Method, Refusal
from muniment.gate.intake import name
from muniment.model.fact import Archived, Draft

Drawn = tuple[Method, Draft | Refusal]
Extraction = Callable[[Archived, Window], Iterator[Drawn]]

OWN_HARNESS = "muniment"
_OWN = Method(own.name, own.version, own.precision)
_methods: dict[str, Method] = {}
# One event that an extractor did not foresee must not keep the rest of a transcript out.
_FAULTS = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)


def draw(event: Archived, window: Window) -> Iterator[Drawn]:
    """Every draft of an event with the method that made it; a refusal where an extractor fails: others go on."""
    if event.harness == OWN_HARNESS:
        for draft in own.draw(event, window):
            yield _OWN, draft
        return
    for extractor in registry.suited(event):
        method = _method(extractor.name, extractor.version)
        try:
            for draft in extractor.draw(event, window):
                yield method, draft
        except _FAULTS as error:
            yield method, Refusal(f"{method} failed: {type(error).__name__}: {name(str(error))}")


def _method(extractor: str, version: int) -> Method:
    found = _methods.get(extractor)
    if found is None or found.version != version:
        found = _methods[extractor] = Method(extractor, version, registry.precision(extractor, version))
    return found
