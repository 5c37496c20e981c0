"""The rows of the text indexes: putting words in, taking them out. Every method runs inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from muniment.model.ports import Rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    import apsw

COLUMNS = {"said": ("person", "other"), "work": ("text",), "fact": ("text", "asked")}
"""The text indexes and what each tells apart."""
_PLAIN = ["unicode61", "remove_diacritics", "2"]


class TextRows:
    """Keeps the full-text tables of a file."""

    def __init__(self, db: Rows) -> None:
        self._db = db

    def put(self, name: str, rows: Sequence[tuple[int, tuple[str | None, ...]]]) -> None:
        """Index rows: (row, the text of each column)."""
        columns = COLUMNS[name]
        sql = f"INSERT INTO {name}_text (rowid, {', '.join(columns)}) VALUES (?{', ?' * len(columns)})"  # noqa: S608
        self._db.many(sql, [(row, *texts) for row, texts in rows])

    def drop(self, name: str, row: int) -> None:
        """Forget a row."""
        self._db.run(f"DELETE FROM {name}_text WHERE rowid = ?", (row,))  # noqa: S608 - names above

    def clear(self) -> None:
        """Forget all rows."""
        for name in COLUMNS:
            self._db.run(f"INSERT INTO {name}_text ({name}_text) VALUES ('delete-all')")  # noqa: S608 - names above


def raw_tokenizer(name: str) -> apsw.FTS5Tokenizer:
    """SQLite's tokenizer of an index, for stores that keep the words otherwise."""
    import apsw

    connection = apsw.Connection(":memory:")
    return (
        connection.fts5_tokenizer("porter", _PLAIN)
        if name == "said"
        else connection.fts5_tokenizer(_PLAIN[0], _PLAIN[1:])
    )


def tokenizer(name: str) -> Callable[[str], list[str]]:
    """The same as a function from a text to its words."""
    import apsw

    found = raw_tokenizer(name)

    def words(text: str) -> list[str]:
        data = text.encode("utf-8", "replace")
        tokens = found(data, apsw.FTS5_TOKENIZE_DOCUMENT, None, include_offsets=False, include_colocated=False)
        return [str(token) for token in tokens]

    return words
