"""Reads that find what does not fit together in a store on a server."""

from __future__ import annotations

from collections.abc import Iterator

from muniment.model.kept import Fault
from muniment.storage.sqlite.inspection import Inspection
from muniment.storage.sqlite.transfer import derived_tables

_REFERENCES = (
    ("events", "text_blob", "blobs"), ("events", "raw_blob", "blobs"), ("positions", "session", "sessions"),
    ("facts", "subject", "entities"), ("facts", "object", "entities"),
)  # fmt: skip
_INDEXED = {
    "said": "SELECT event FROM turns",
    "work": "SELECT event FROM shown EXCEPT SELECT event FROM turns",
    "fact": "SELECT n FROM lines",
}
_MOST = 100


class PostgresInspection(Inspection):
    """Looks at a store on a server; changes nothing. Pages and indexes are the server's to check."""

    def file_faults(self) -> Iterator[Fault]:
        """References to rows that are not there: the tables declare none, so that a tenant can be moved whole."""
        for table, column, parent in _REFERENCES:
            sql = f"""SELECT count(*) FROM {table} t WHERE t.{column} IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM {parent} p WHERE p.n = t.{column})"""
            for (count,) in self._db.rows(sql):
                if count:
                    text = f"{count} rows of {table} refer to rows of {parent} that are not there"
                    yield Fault(table, text, table in derived_tables())

    def unindexed(self) -> Iterator[tuple[str, int, bool]]:
        """(text index, row, is it missing) where an index and its rows differ."""
        for name, rows in _INDEXED.items():
            known = f"SELECT doc FROM text_docs WHERE name = '{name}'"
            for first, second, is_missing in ((rows, known, True), (known, rows, False)):
                sql = f"SELECT * FROM ({first}) a EXCEPT SELECT * FROM ({second}) b"
                for (n,) in self._db.rows(sql):
                    yield f"{name}_text", n, is_missing
