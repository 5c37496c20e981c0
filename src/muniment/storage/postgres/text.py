"""The text indexes as rows: which row has which word, in which column, at which places.

The words are those that SQLite's tokenizers find, so that a search finds the same and scores the same in both stores. An
equality on a word is leak-proof, so the server walks the index before it tests the policy; `@@` is not, and nothing had to
be declared so.
"""

from __future__ import annotations

from collections.abc import Sequence

from muniment.model.ports import Rows
from muniment.storage.sqlite.text_rows import COLUMNS, TextRows, tokenizer

_PLACE = "INSERT INTO text_places (name, term, doc, col, places) VALUES (?, ?, ?, ?, ?)"
_DOC = "INSERT INTO text_docs (name, doc, words) VALUES (?, ?, ?)"
_TOTAL = """INSERT INTO text_totals (name, docs, words) VALUES (?, ?, ?)
    ON CONFLICT (name) DO UPDATE SET docs = text_totals.docs + excluded.docs, words = text_totals.words + excluded.words"""
LONGEST = 600
"""Characters of a word that are kept: a key of the server's has a limit, and nobody asks for more."""


class PostingRows(TextRows):
    """Keeps the rows of the text indexes."""

    def __init__(self, db: Rows) -> None:
        super().__init__(db)
        self._split = {name: tokenizer(name) for name in COLUMNS}

    def put(self, name: str, rows: Sequence[tuple[int, tuple[str | None, ...]]]) -> None:
        """Index rows: (row, the text of each column)."""
        places, docs, words = [], [], 0
        for doc, texts in rows:
            count = 0
            for col, text in enumerate(texts):
                found: dict[str, list[int]] = {}
                for place, term in enumerate(self._split[name](text) if text else ()):
                    found.setdefault(term[:LONGEST], []).append(place)
                    count += 1
                places += [(name, term, doc, col, listed) for term, listed in found.items()]
            docs.append((name, doc, count))
            words += count
        self._db.many(_PLACE, places)
        self._db.many(_DOC, docs)
        if docs:
            self._db.run(_TOTAL, (name, len(docs), words))

    def drop(self, name: str, row: int) -> None:
        """Forget a row."""
        gone = self._db.one("DELETE FROM text_docs WHERE name = ? AND doc = ? RETURNING words", (name, row))
        if gone is not None:
            self._db.run("DELETE FROM text_places WHERE name = ? AND doc = ?", (name, row))
            self._db.run(_TOTAL, (name, -1, -int(gone[0])))

    def clear(self) -> None:
        """Forget all rows."""
        for table in ("text_places", "text_docs", "text_totals"):
            self._db.run(f"DELETE FROM {table}")
