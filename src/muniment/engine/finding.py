"""Finding one fact by what a person types: an id, the beginning of one, or a receipt."""

from __future__ import annotations

from muniment.engine.core import Engine
from muniment.errors import NotFoundError, UsageError
from muniment.model.ids import ID_LENGTH, is_prefix, parse_prefix, show
from muniment.model.stored import StoredFact


def fact(engine: Engine, text: str) -> StoredFact:
    """The fact with that id (or unique beginning of at least four characters)."""
    bounds = parse_prefix(text)
    if bounds is None and not is_prefix(text):
        raise UsageError(f"not an id: {text!r}", hint=_hint(text), about=text)
    found = engine.store().facts.between(*bounds) if bounds is not None else []
    if not found:
        raise NotFoundError(f"no fact {text}", hint="`muniment query` shows ids in the eighth column", about=text)
    if len(found) > 1:
        listed = ", ".join(show(f.row.id) for f in found[:5])
        raise UsageError(f"{text} is the beginning of several ids: {listed}", hint="give more characters", about=text)
    return found[0]


def _hint(text: str) -> str:
    if 4 <= len(text) <= ID_LENGTH:
        return "an id has digits and letters alone, and no U"
    return "an id has 26 characters; at least the first 4 are needed"
