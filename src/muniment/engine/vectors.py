"""Vectors of new turns, written in the transaction that archives them, where the dense lane is on.

They are made before the transaction begins, since nobody should wait for a lock while a model works; what a batch shows
beyond that is embedded inside it, unless a server would have to be asked. Whatever gets none now is counted as waiting.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from muniment.archive.turns import is_said
from muniment.model.kept import VectorModel
from muniment.model.ports import Store
from muniment.model.stored import Prepared

_AT_ONCE = 64
_SERVER = "endpoint"


class Ahead(NamedTuple):
    """Vectors by text, of one model."""

    model: int
    codes: dict[str, bytes]


class VectorWriter:
    """Collects the rows that a batch shows and gives them their vectors at its end."""

    def __init__(self, store: Store, ahead: Ahead | None) -> None:
        self._store = store
        self._model = _model(store)
        is_fitting = ahead is not None and self._model is not None and ahead.model == self._model.n
        self._ahead = ahead.codes if ahead is not None and is_fitting else {}
        self._rows: set[int] = set()

    @staticmethod
    def ahead(store: Store, events: Iterable[Prepared]) -> Ahead | None:
        """Vectors of those events that are new and said, made outside of any transaction; None where dense is off."""
        model = _model(store)
        if model is None or store.embed is None:
            return None
        texts = dict.fromkeys(e.text for e in events if is_said(e) and e.text and not store.events.revisions(e.uid))
        return Ahead(model.n, store.embed(model, list(texts))) if texts else None

    def note(self, row: int) -> None:
        """This content of an event is shown from now on."""
        if self._model is not None:
            self._rows.add(row)

    def write(self) -> None:
        """Vectors for what is still shown of it."""
        if self._model is None:
            return
        rows = sorted(self._rows)
        for start in range(0, len(rows), _AT_ONCE):
            self._write(self._model, rows[start : start + _AT_ONCE])

    def _write(self, model: VectorModel, rows: list[int]) -> None:
        from muniment.engine.embedding import vector

        lacking = self._store.vectors.lacking_among(model.n, rows)
        texts = {row: self._store.events.text(blob) for row, blob in lacking}
        codes = {text: self._ahead[text] for text in texts.values() if text in self._ahead}
        rest = [text for text in dict.fromkeys(texts.values()) if text not in codes]
        if rest and self._store.embed is not None and model.name != _SERVER:
            codes |= self._store.embed(model, rest)
        self._store.vectors.put(model.n, [vector(row, codes[text]) for row, text in texts.items() if text in codes])


def _model(store: Store) -> VectorModel | None:
    return store.vectors.model("active")
