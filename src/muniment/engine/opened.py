"""Evidence that nobody has to name: the lines that quoted words were read from, and those that were edited when a decision fell.

It is put into the assertion that needs it, anchored at that moment, so a rebuild has it as it has everything else that was said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from muniment.engine import attaching
from muniment.engine.core import Engine
from muniment.engine.quoting import Place
from muniment.engine.world import WorkTree
from muniment.errors import MunimentError
from muniment.lifecycle.world import CannotLookError
from muniment.model.address import shown_lines
from muniment.model.event import Span
from muniment.model.fact import Archived
from muniment.model.ports import Store
from muniment.model.vocabulary import predicate

_NEAR = 12
"""Records before a decision in which a file counts as open."""
_LONGEST = 60
"""Lines of one edit that are evidence by themselves; a larger one says too little."""
_NEW = ("new", "content")


def evidence_of(engine: Engine, verb: str, place: Place) -> tuple[str, ...]:
    """The addresses of lines that a quoted statement rests on; none where no file is known to hold them."""
    store, world = engine.store(), attaching.tree(engine)
    if predicate(verb).type == "decision":
        found = _edited(store, world, place.event)
    else:
        found = _shown(store, world, place)
    try:
        return attaching.anchored(engine, tuple(dict.fromkeys(found))[:3], world)
    except MunimentError:
        return ()  # what cannot be cited is left to who asserts it


def _shown(store: Store, world: WorkTree, place: Place) -> Iterator[str]:
    """The lines of files that the quoted record shows."""
    event, (start, end) = place.event, place.span
    where = "f.predicate = 'read' AND (f.uid = ? OR f.witness = ?)"
    words = [re.escape(w) for w in event.text[start:end].split()]
    for fact in store.facts.select(where, (event.uid, event.uid), 4):
        if fact.row.object is not None:
            yield from _lines(world, fact.row.object.key, r"\s+".join(words))


def _edited(store: Store, world: WorkTree, event: Archived) -> Iterator[str]:
    """The lines that the last edit before a decision put into a file."""
    where = "f.predicate = 'touched' AND e.id = ? AND h.seq BETWEEN ? AND ?"
    near = (event.session, event.seq - _NEAR, event.seq)
    facts = [f for f in store.facts.select(where, near, 50) if f.row.object is not None]
    last = max(facts, key=lambda f: (f.seq, f.row.id), default=None)
    made = store.archived(last.row.uid) if last is not None else None
    if last is None or made is None or last.row.object is None:
        return
    for call in made.calls:
        for name in _NEW:
            at = call.args.get(name)
            text = made.text[at.start : at.end].strip("\n") if isinstance(at, Span) else ""
            if text.strip() and text.count("\n") < _LONGEST:
                yield from _lines(world, last.row.object.key, re.escape(text))


def _lines(world: WorkTree, path: str, pattern: str) -> Iterator[str]:
    """The lines of a file as it is that a pattern matches in just one place."""
    try:
        text = (world.now(path) or b"").decode("utf-8", "replace").replace("\r\n", "\n")
    except CannotLookError:
        return
    found = list(re.finditer(pattern, text))
    if len(found) == 1 and found[0].group():
        first = text.count("\n", 0, found[0].start()) + 1
        yield f"lines:{shown_lines(path, first, first + found[0].group().count(chr(10)))}"
