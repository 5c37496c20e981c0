"""Which extractors run on an event, and with what measured precision."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from muniment.capture.extract import own, registry
from muniment.capture.extract.contract import Window
from muniment.gate.admission import Method
from muniment.model.fact import Archived, Draft

Extraction = Callable[[Archived, Window], Iterator[tuple[Method, Draft]]]

OWN_HARNESS = "muniment"
_OWN = Method(own.name, own.version, own.precision)
_methods: dict[str, Method] = {}


def draw(event: Archived, window: Window) -> Iterator[tuple[Method, Draft]]:
    """Every draft of an event with the method that made it."""
    if event.harness == OWN_HARNESS:
        for draft in own.draw(event, window):
            yield _OWN, draft
        return
    for extractor, draft in registry.draw(event, window):
        yield _method(extractor.name, extractor.version), draft


def _method(name: str, version: int) -> Method:
    found = _methods.get(name)
    if found is None:
        found = _methods[name] = Method(name, version, registry.precision(name, version))
    return found
