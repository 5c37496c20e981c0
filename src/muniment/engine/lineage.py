"""Which facts derive from which: those that name others as what they rest on (`fact:ID` among their evidence)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from muniment.engine import finding
from muniment.engine.core import Engine
from muniment.model.address import Address
from muniment.model.ids import parse, show
from muniment.model.ports import Store

FACT = "fact"


def parents(store: Store, id_: bytes) -> Iterator[bytes]:
    """The facts that a fact rests on, in the order of their addresses."""
    for place in store.evidence.places(id_, FACT):
        named = parse(place)
        if named is not None:
            yield named


def addresses(engine: Engine, ids: Iterable[str]) -> list[str]:
    """The facts with these ids (or unique beginnings) as evidence that another derives from them."""
    return [f"{FACT}:{show(finding.fact(engine, id_).row.id)}" for id_ in ids]


def children(store: Store, id_: bytes) -> list[bytes]:
    """The facts that rest on a fact."""
    return sorted(store.evidence.citing(Address(FACT, show(id_)).id))


def descendants(store: Store, roots: Iterable[bytes]) -> dict[bytes, bytes]:
    """All that derives from these facts, each with the one that it was reached by: the nearest first."""
    seen = dict.fromkeys(roots)
    found: dict[bytes, bytes] = {}
    layer = list(seen)
    while layer:
        reached = {child: parent for parent in layer for child in children(store, parent) if child not in seen}
        seen.update(dict.fromkeys(reached))
        found.update(reached)
        layer = sorted(reached)
    return found
