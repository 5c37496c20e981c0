"""What is older than the configuration says it is to be kept. Age is that of the newest evidence: reading makes nothing newer."""

from __future__ import annotations

from collections.abc import Iterator

from muniment.engine.core import Engine
from muniment.engine.verdicts import VerdictBook
from muniment.model.ports import Store
from muniment.model.retention import ARCHIVE
from muniment.model.stored import StoredFact
from muniment.model.time import from_ms, to_ms
from muniment.model.vocabulary import VOCABULARY


def old(store: Store, engine: Engine) -> list[StoredFact]:
    """The facts whose time is over; what a person pinned has none."""
    book = VerdictBook(store.facts.verdicts())
    return [f for f in _older(store, _cutoffs(engine)) if not book.is_pinned(f.row)]


def old_events(store: Store, engine: Engine) -> Iterator[bytes]:
    """What was said and done before the time for which the archive is kept, but for what pinned facts rest on."""
    cutoff = _cutoffs(engine).get(ARCHIVE)
    book = VerdictBook(store.facts.verdicts())
    for uid in store.erasure.before(cutoff) if cutoff is not None else ():
        facts = store.facts.facts(sorted(store.erasure.facts_of([uid])))
        if not any(book.is_pinned(f.row) for f in facts):
            yield uid


def _cutoffs(engine: Engine) -> dict[str, str]:
    """By type, the time before which it is over."""
    place = engine.workspace
    spans = engine.settings.retention().of(place.id, place.root, place.name)
    return {type_: from_ms(to_ms(engine.now()) - span) for type_, span in spans.items()}


def _older(store: Store, cutoffs: dict[str, str]) -> Iterator[StoredFact]:
    for predicate, verb in VOCABULARY.items():
        cutoff = cutoffs.get(verb.type)
        if cutoff is None:
            continue
        held = set(store.erasure.newer(predicate, cutoff))
        for fact in store.facts.select("f.predicate = ? AND f.observed_at < ?", (predicate, cutoff), -1):
            if fact.row.key is None or (fact.row.key, fact.row.value_key) not in held:
                yield fact
