"""Selectors that ask another question: `history:ID`, `conflicts:"TEXT"`, `similar:"TEXT"` become the ids that answer it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from muniment.engine.core import Engine
from muniment.model.selector import ASKING, Selector, Term, Value

_NOBODY = Value("ZZZZ")
"""The beginning of no id."""
_OPEN = Term("standing", (Value("confirmed"), Value("suspect"), Value("hypothesis")))
_ANY = Term("standing", (Value("any"),))


def resolved(engine: Engine, parsed: Selector) -> Selector:
    """The same with ids in the place of such terms; of whatever standing these have, unless one is asked for."""
    terms = [_answered(engine, term) if term.key in ASKING else term for term in parsed.terms]
    if not parsed.get("standing"):
        terms.append(_ANY if parsed.get("history") else _OPEN)
    return Selector(tuple(terms))


def _answered(engine: Engine, term: Term) -> Term:
    ids = dict.fromkeys(id_ for value in term.values for id_ in _ANSWERS[term.key](engine, value.text))
    return Term("id", tuple(map(Value, ids)) or (_NOBODY,), term.negated, term.position)


def _history(engine: Engine, text: str) -> Iterator[str]:
    from muniment.engine.history import history

    yield from (step.id for step in history(engine, text).steps)


def _conflicts(engine: Engine, text: str) -> Iterator[str]:
    from muniment.engine import comparing

    yield from (pair.id for pair in comparing.conflicts(engine, text).pairs)


def _similar(engine: Engine, text: str) -> Iterator[str]:
    from muniment.engine import comparing

    yield from (each.id for each in comparing.similar(engine, text).entries)


_ANSWERS: Mapping[str, Callable[[Engine, str], Iterator[str]]] = {
    "history": _history, "conflicts": _conflicts, "similar": _similar,
}  # fmt: skip
