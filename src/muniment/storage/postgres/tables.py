"""The tables as PostgreSQL has them: those of the file, column by column, with tenant and workspace first in every key.

They are read off the SQLite schema, so that the two cannot drift apart; `python -m muniment server schema` prints the result.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from muniment.storage.postgres.tokens import commas, split, written
from muniment.storage.sqlite import schema

_TYPES = {"INTEGER": "bigint", "TEXT": 'text COLLATE "C"', "BLOB": "bytea", "REAL": "double precision"}
_NOT_IN_KEYS = frozenset({"line", "anchor"})
"""Trailing columns of an index that are as long as people write: a key of PostgreSQL's has about 2,700 bytes."""
KEY = ("tenant", "workspace")


class Table(NamedTuple):
    """One table: its columns with type and constraint, the columns that may be null, its key, the rest as SQL."""

    name: str
    columns: tuple[str, ...]
    types: dict[str, str]
    defined: tuple[str, ...]
    nullable: frozenset[str]
    key: tuple[str, ...]
    rules: tuple[str, ...]

    @property
    def is_numbered(self) -> bool:
        """Does each row get the next number of its workspace?"""
        return self.key == ("n",)


class Index(NamedTuple):
    """One index of a table."""

    name: str
    table: str
    columns: str
    where: str
    is_unique: bool


@cache
def tables() -> dict[str, Table]:
    """Every table of a workspace, in the order in which they refer to each other."""
    found = (_table(split(text)) for _, texts in schema.MIGRATIONS for text in texts if text.startswith("CREATE TABLE"))
    return {table.name: table for table in (*found, *_OWN)}


@cache
def indexes() -> tuple[Index, ...]:
    """Every index."""
    texts = [text for _, texts in schema.MIGRATIONS for text in texts]
    return (
        tuple(_index(split(t)) for t in texts if t.startswith(("CREATE INDEX", "CREATE UNIQUE INDEX"))) + _OWN_INDEXES
    )


def _table(tokens: list[str]) -> Table:
    name, inner = tokens[2], commas(tokens[4 : _closing(tokens, 3)])
    columns, types, defined, nullable, rules = list[str](), dict[str, str](), list[str](), set[str](), list[str]()
    key: tuple[str, ...] = ()
    for item in inner:
        if item[0] == "PRIMARY":
            key = _names(item)
        elif item[0] == "UNIQUE":
            rules.append(f"UNIQUE ({', '.join((*KEY, *_names(item)))})")
        elif item[0] == "CHECK":
            rules.append(_check(item))
        else:
            column, kind, rest = item[0], item[1], item[2:]
            columns.append(column)
            types[column] = kind
            if rest[:2] == ["PRIMARY", "KEY"]:
                key, rest = (column,), ["NOT", "NULL"]
            if rest[:2] != ["NOT", "NULL"]:
                nullable.add(column)
            defined.append(_column(column, kind, rest, rules))
    return Table(name, tuple(columns), types, tuple(defined), frozenset(nullable - set(key)), key, tuple(rules))


def _column(column: str, kind: str, rest: list[str], rules: list[str]) -> str:
    kept: list[str] = []
    while rest:
        if rest[0] == "REFERENCES":
            rules.append(
                f"FOREIGN KEY (tenant, workspace, {column}) REFERENCES {{schema}}.{rest[1]} (tenant, workspace, n)"
            )
            rest = rest[5:]
        elif rest[0] == "UNIQUE":
            rules.append(f"UNIQUE (tenant, workspace, {column})")
            rest = rest[1:]
        elif rest[0] == "CHECK":
            end = _closing(rest, 1) + 1
            rules.append(_check(rest[:end]))
            rest = rest[end:]
        elif rest[0] == "AUTOINCREMENT":
            rest = rest[1:]
        else:
            kept.append(rest[0])
            rest = rest[1:]
    return " ".join([named(column), _TYPES[kind], *kept])


def _check(item: list[str]) -> str:
    """Patterns of times are patterns of LIKE here."""
    texts = list[str]()
    for token in item:
        is_pattern = bool(texts) and texts[-1] == "LIKE"
        texts.append("LIKE" if token == "GLOB" else token.replace("?", "_") if is_pattern else token)
    return written(texts)


def _index(tokens: list[str]) -> Index:
    is_unique = tokens[1] == "UNIQUE"
    at = 3 if is_unique else 2
    end = _closing(tokens, at + 3)
    parts = [part for part in commas(tokens[at + 4 : end]) if part[0] not in _NOT_IN_KEYS]
    columns = ", ".join(" ".join([named(part[0]), *part[1:]]) for part in parts)
    return Index(tokens[at], tokens[at + 2], columns, written(tokens[end + 1 :]), is_unique)


def _closing(tokens: list[str], opening: int) -> int:
    depth = 0
    for n in range(opening, len(tokens)):
        depth += {"(": 1, ")": -1}.get(tokens[n], 0)
        if depth == 0:
            return n
    raise ValueError(f"no end of {' '.join(tokens[:8])}")


def _names(item: list[str]) -> tuple[str, ...]:
    start = item.index("(")
    return tuple(part[0] for part in commas(item[start + 1 : _closing(item, start)]))


def named(column: str) -> str:
    """A column, quoted where PostgreSQL keeps its name for itself."""
    return f'"{column}"' if column == "offset" else column


def _own(name: str, columns: dict[str, str], key: tuple[str, ...]) -> Table:
    defined = tuple(f"{column} {_TYPES.get(kind, kind)} NOT NULL" for column, kind in columns.items())
    return Table(name, tuple(columns), columns, defined, frozenset(), key, ())


_OWN = (
    # What the full-text tables of a file hold: which row has which word in which column, at which places.
    _own(
        "text_places", {"name": "TEXT", "term": "TEXT", "doc": "INTEGER", "col": "INTEGER", "places": "int[]"},
        ("name", "term", "doc", "col"),
    ),
    _own("text_docs", {"name": "TEXT", "doc": "INTEGER", "words": "INTEGER"}, ("name", "doc")),
    _own("text_totals", {"name": "TEXT", "docs": "INTEGER", "words": "INTEGER"}, ("name",)),
    # Rises with every transaction that wrote: what was remembered between questions holds no longer.
    _own("generations", {"name": "TEXT", "count": "INTEGER"}, ("name",)),
)  # fmt: skip
_OWN_INDEXES = (
    Index("text_places_doc", "text_places", "name, doc", "", False),
    # A settle key is single-valued: of its intervals one at most is open.
    Index("intervals_open", "intervals", "key", "WHERE valid_to IS NULL", True),
)
