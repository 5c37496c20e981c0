"""The statements of the tables, as PostgreSQL takes them: one workspace of one tenant, whatever the statement asks.

The tables' statements, and the conditions that selectors become, are written once, in SQLite's words. Here each is
rewritten before it is sent: a table is read as its rows of this tenant and workspace alone, a row is written under them,
and the few words that differ are exchanged. Nothing of it is the barrier between tenants: that is the server's, by policy.
"""

from __future__ import annotations

from typing import NamedTuple

from muniment.storage.postgres.tables import KEY, Table, named, tables
from muniment.storage.postgres.tokens import commas, split, written

_ENDS = frozenset({"LIMIT", "OFFSET", ")", "UNION", "EXCEPT", "RETURNING", ";"})
_LISTS = {"TEXT": "text[]", "INTEGER": "bigint[]", "BLOB": "bytea[]", "REAL": "float8[]", "int[]": "text[]"}
_NULLABLE_ANYWHERE = ("from_ms",)


class Spoken(NamedTuple):
    """A statement with its parameters in psycopg's form; `numbered` if it tells the number of a row it made."""

    sql: str
    is_named: bool
    is_numbered: bool


class Dialect:
    """Rewrites for one tenant and workspace, in the tables of one schema."""

    def __init__(self, schema: str, tenant: str, workspace: str, *, is_filtered: bool = True) -> None:
        self._schema = schema
        self._key = (_quoted(tenant), _quoted(workspace))
        self._is_filtered = is_filtered
        self._known: dict[str, Spoken] = {}
        self._bulks: dict[str, tuple[str, tuple[str, ...]] | None] = {}

    def __call__(self, sql: str) -> Spoken:
        """The statement as it is sent."""
        found = self._known.get(sql)
        if found is None:
            found = self._known[sql] = self._spoken(split(sql))
        return found

    def _spoken(self, tokens: list[str]) -> Spoken:
        head = tokens[0].upper()
        is_numbered = False
        if head == "INSERT":
            tokens, is_numbered = self._insert(tokens)
        elif head == "UPDATE":
            tokens = self._changed(tokens[:1], tokens[1], self._read(tokens[2:]), alias=tokens[1])
        elif head == "DELETE":
            tokens = self._changed(tokens[:2], tokens[2], self._read(tokens[3:]), alias=tokens[2])
        else:
            tokens = self._read(tokens)
        text, is_named = _parameters(tokens)
        return Spoken(text, is_named, is_numbered)

    def bulk(self, sql: str) -> tuple[str, tuple[str, ...]] | None:
        """The same INSERT for many rows at once, a list for each column, and the types of the columns; None where rows
        must come one by one."""
        if sql not in self._bulks:
            self._bulks[sql] = self._bulk(split(sql))
        return self._bulks[sql]

    def _bulk(self, tokens: list[str]) -> tuple[str, tuple[str, ...]] | None:
        if tokens[0] != "INSERT" or tokens[1:3] == ["OR", "REPLACE"]:
            return None
        at, values = tokens.index("INTO") + 1, tokens.index("VALUES")
        table, end = tables()[tokens[at]], _closing(tokens, values + 1)
        columns = [c for c in tokens[at + 2 : values - 1] if c != ","] or list(table.columns)
        is_plain = all(token in ("?", ",") for token in tokens[values + 2 : end])
        if not is_plain or (table.is_numbered and "n" not in columns):
            return None
        types = tuple(table.types[c] for c in columns)
        picked = ", ".join(f"u.c{n}::int[]" if kind == "int[]" else f"u.c{n}" for n, kind in enumerate(types))
        lists = ", ".join(f"%s::{_LISTS[kind]}" for kind in types)
        names = ", ".join(f"c{n}" for n in range(len(types)))
        into = f"INSERT INTO {self._schema}.{table.name} ({', '.join((*KEY, *map(named, columns)))})"
        ignore = " ON CONFLICT DO NOTHING" if tokens[1:3] == ["OR", "IGNORE"] else ""
        return f"{into} SELECT {', '.join(self._key)}, {picked} FROM unnest({lists}) AS u({names}){ignore}", types

    # -- reading

    def _read(self, tokens: list[str]) -> list[str]:
        tokens = _plain(_lists(tokens))
        made, n = list[str](), 0
        while n < len(tokens):
            made.append(tokens[n])
            name = tokens[n + 1] if n + 1 < len(tokens) else ""
            if tokens[n].upper() in ("FROM", "JOIN") and name in tables():
                alias = [] if self._has_alias(tokens, n + 2) else [name]
                made += [*self._rows(tables()[name]), *alias]
                n += 1
            n += 1
        return _ordered(made)

    def _has_alias(self, tokens: list[str], at: int) -> bool:
        word = tokens[at] if at < len(tokens) else ")"
        return word[0].isalpha() and word.upper() not in _AFTER_TABLE

    def _rows(self, table: Table) -> list[str]:
        columns = ", ".join(named(c) for c in table.columns)
        return [f"(SELECT {columns} FROM {self._schema}.{table.name}{self._where()})"]

    def _where(self) -> str:
        tenant, workspace = self._key
        return f" WHERE tenant = {tenant} AND workspace = {workspace}" if self._is_filtered else ""

    # -- writing

    def _changed(self, head: list[str], table: str, rest: list[str], *, alias: str) -> list[str]:
        """UPDATE and DELETE: the rows of this workspace, and of those the ones that were meant."""
        where = next((n for n, t in _outside(rest) if t == "WHERE"), None)
        end = next((n for n, t in _outside(rest) if t == "RETURNING"), len(rest))
        tenant, workspace = self._key
        mine = ["WHERE", f"{alias}.tenant = {tenant} AND {alias}.workspace = {workspace}"]
        tests = ["AND", "(", *rest[where + 1 : end], ")"] if where is not None else []
        before = rest[: where if where is not None else end]
        return [*head, f"{self._schema}.{table} AS {alias}", *before, *mine, *tests, *rest[end:]]

    def _insert(self, tokens: list[str]) -> tuple[list[str], bool]:
        policy = tokens[2] if tokens[1] == "OR" else ""
        at = tokens.index("INTO") + 1
        table, values = tables()[tokens[at]], tokens.index("VALUES")
        columns = [c for c in tokens[at + 2 : values - 1] if c != ","] or list(table.columns)
        end = _closing(tokens, values + 1)
        given = [written(part) for part in commas(tokens[values + 2 : end])]
        if table.is_numbered:
            _number(columns, given, f"(SELECT coalesce(max(n), 0) + 1 FROM {self._schema}.{table.name}{self._where()})")
        made = [
            f"INSERT INTO {self._schema}.{table.name} AS {table.name} ({', '.join((*KEY, *map(named, columns)))})",
            f"VALUES ({', '.join((*self._key, *given))})",
            *_conflict(table, columns, policy, tokens[end + 1 :]),
        ]
        return split(" ".join([*made, "RETURNING n"] if table.is_numbered else made)), table.is_numbered


_AFTER_TABLE = frozenset(
    "WHERE ON JOIN LEFT CROSS INNER ORDER GROUP LIMIT UNION EXCEPT SET INDEXED USING RETURNING HAVING AND OR".split()
)


def _number(columns: list[str], given: list[str], following: str) -> None:
    """The number given, or the next of this workspace: whoever writes holds its lock."""
    if "n" in columns:
        at = columns.index("n")
        given[at] = f"coalesce({given[at]}, {following})"
    else:
        columns.insert(0, "n")
        given.insert(0, following)


def _conflict(table: Table, columns: list[str], policy: str, rest: list[str]) -> list[str]:
    if policy == "IGNORE":
        return ["ON CONFLICT DO NOTHING"]
    key = ", ".join((*KEY, *map(named, table.key)))
    if policy == "REPLACE":
        sets = ", ".join(f"{named(c)} = excluded.{named(c)}" for c in columns if c not in table.key)
        return [f"ON CONFLICT ({key}) DO UPDATE SET {sets}"]
    if rest[:2] == ["ON", "CONFLICT"] and rest[2] == "(":
        end = _closing(rest, 2)
        return [f"ON CONFLICT ({key})", *rest[end + 1 :]]
    return rest


def _plain(tokens: list[str]) -> list[str]:
    """Words that PostgreSQL does not know, or knows as something else."""
    made, n = list[str](), 0
    while n < len(tokens):
        word = tokens[n]
        if word == "INDEXED":
            n += 3
            continue
        if word == "CROSS" and _has_condition(tokens, n):
            n += 1
            continue
        if word == "LIMIT" and tokens[n + 1][0] in "?:":  # a negative limit is none
            made += ["LIMIT", "nullif", "(", tokens[n + 1], ",", "-1", ")"]
            n += 2
            continue
        if word == "LIMIT" and tokens[n + 1] == "-":
            made += ["LIMIT", "ALL"]
            n += 3
            continue
        if word == "instr" and tokens[n - 1].upper() in ("WHERE", "AND", "OR", "NOT", "("):
            end = _closing(tokens, n + 1) + 1
            is_test = end >= len(tokens) or tokens[end] not in (">", "=", "<", ">=", "<=", "<>")
            made += [*tokens[n:end], *((">", "0") if is_test else ())]
            n = end
            continue
        if word == "1" and tokens[n - 1] == "WHERE" and tokens[n + 1 : n + 2] != ["="]:
            made += ["1", "=", "1"]
            n += 1
            continue
        if word == "GLOB":
            made += ["~", "muniment_glob", "(", tokens[n + 1], ")"]
            n += 2
            continue
        made.append({"ifnull": "coalesce", "iif": "muniment_iif", "offset": '"offset"'}.get(word, word))
        n += 1
    return made


def _has_condition(tokens: list[str], at: int) -> bool:
    """CROSS JOIN holds SQLite to an order of tables; PostgreSQL takes no condition with it."""
    return "ON" in tokens[at : at + 5]


def _lists(tokens: list[str]) -> list[str]:
    """`json_each(x)` as rows of the type that it is compared with: text where a column of text is before it."""
    made, n, is_hex = list[str](), 0, "unhex" in tokens
    while n < len(tokens):
        if tokens[n] == "json_each":
            end = _closing(tokens, n + 1)
            kind = "text" if is_hex or _wants_text(made) else "bigint"
            made += ["(", "SELECT", f"j.value::{kind} AS value", "FROM", "json_array_elements_text", "("]
            made += [*tokens[n + 2 : end], "::json", ")", "AS", "j", "(", "value", ")", ")"]
            if end + 1 >= len(tokens) or not tokens[end + 1][0].isalpha():
                made.append("listed")
            n = end + 1
        else:
            made.append(tokens[n])
            n += 1
    return made


def _wants_text(before: list[str]) -> bool:
    """`column IN (SELECT value FROM`, or `unhex(value) FROM`."""
    if before[-4:-2] == ["value", ")"] or "unhex" in before[-6:]:
        return True
    column = before[-5] if before[-4:] == ["IN", "(", "SELECT", "value"] or before[-5:-3] == ["IN", "("] else ""
    for n in range(len(before) - 1, max(len(before) - 6, 0), -1):
        if before[n] == "IN":
            column = before[n - 1]
            break
    return any(table.types.get(column) == "TEXT" for table in tables().values())


def _ordered(tokens: list[str]) -> list[str]:
    """Nothing comes before something, as in a file."""
    made, n = list[str](), 0
    while n < len(tokens):
        made.append(tokens[n])
        n += 1
        if made[-2:] != ["ORDER", "BY"]:
            continue
        depth, item = 0, list[str]()
        while n < len(tokens) and not (depth == 0 and tokens[n] in _ENDS):
            depth += {"(": 1, ")": -1}.get(tokens[n], 0)
            if tokens[n] == "," and depth == 0:
                made += [*_term(item), ","]
                item = []
            else:
                item.append(tokens[n])
            n += 1
        made += _term(item)
    return made


def _term(item: list[str]) -> list[str]:
    is_falling = item[-1:] == ["DESC"]
    column = item[-2] if item[-1:] in (["DESC"], ["ASC"]) and len(item) > 1 else item[-1] if item else ""
    is_bare = len(item) <= 4 and "(" not in item and "<>" not in item
    if is_bare and column not in _NULLABLE_ANYWHERE and any(column in t.nullable for t in tables().values()):
        return [*item, "NULLS", "LAST" if is_falling else "FIRST"]
    return item


def _parameters(tokens: list[str]) -> tuple[str, bool]:
    is_named, made = False, list[str]()
    for token in tokens:
        if token[0] == "?":
            made.append(f"%(p{token[1:]})s" if len(token) > 1 else "%s")
            is_named |= len(token) > 1
        elif token[0] == ":" and len(token) > 1 and (token[1].isalpha() or token[1] == "_"):
            made.append(f"%({token[1:]})s")
            is_named = True
        elif token[0] in "xX" and token[1:2] == "'":
            made.append(f"'\\x{token[2:-1]}'::bytea")
        else:
            made.append(token.replace("%", "%%"))
    return written(made), is_named


def _outside(tokens: list[str]) -> list[tuple[int, str]]:
    depth, found = 0, []
    for n, token in enumerate(tokens):
        depth += {"(": 1, ")": -1}.get(token, 0)
        if depth == 0:
            found.append((n, token))
    return found


def _closing(tokens: list[str], opening: int) -> int:
    depth = 0
    for n in range(opening, len(tokens)):
        depth += {"(": 1, ")": -1}.get(tokens[n], 0)
        if depth == 0:
            return n
    raise ValueError(f"no end of {' '.join(tokens[:8])}")


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
