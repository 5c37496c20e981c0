"""Statements by a grammar of what agents and attackers write: granted and not, sound and broken, with what raises in the middle."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

_GRANTED = {
    "v_now": "id predicate type topic subject subject_kind object object_kind standing role origin rung session receipt observed_at"
    " valid_from valid_to",
    "v_history": "id predicate topic subject object standing stated role rung session receipt observed_at valid_from valid_to",
    "events": "session seq receipt at role origin kind model exit_code size text",
    "deliveries": "session at surface moment query fact_ids events bytes",
    "entities": "kind key facts first_seen last_seen",
    "relations": 'relation "column" type about',
}
_HIDDEN = "agent method speaker harness parent agent_role line literal reason value n rowid oid uid text_blob rank_key origin".split()
_TABLES = (
    "src.facts facts src.lines lines src.events src.sessions sessions src.verdicts verdicts src.blobs meta src.meta src.entities"
    " main.journal journal main.catalogue src.positions shown src.said_text said_text fact_text src.said_text_data fact_text_idx"
    " sqlite_master src.sqlite_schema sqlite_temp_master temp.v_now main.v_now src.v_now pragma_table_list pragma_database_list"
    " dbstat sqlite_stmt json_each('[1,2]') json_tree('{\"a\":1}') tombstones src.tags proposals sqlite_sequence"
).split()
_COLUMNS = {
    "facts": "literal predicate subject uid method origin", "lines": "line predicate rank_key band", "entities": "kind key n",
    "events": "model speaker kind role text_blob", "sessions": "id agent cwd harness", "verdicts": "reason value target",
    "meta": "key value", "journal": "session query moment", "shown": "uid session seq", "positions": "session seq uid",
}  # fmt: skip
_TEMPTING = ("object", "text", "session", "key", "query", "subject", "model", "moment")
_VALUES = (
    "NULL 0 1 -1 3 2.5 9223372036854775807 '' 'alpha' 'ran' 'noted' 'ann-1' 'bo-1' '%SECRET%' 'SECRET*' 'user' x'00' '2026-02-03'"
    " 'path' 'src/alpha/1.py' '{' '[1]' TRUE"
).split()
_CALLS = (
    "length({0})", "lower({0})", "upper({0})", "substr({0}, 1, 5)", "coalesce({0}, {1})", "ifnull({0}, {1})", "nullif({0}, {1})",
    "abs({0})", "round({0})", "typeof({0})", "instr({0}, {1})", "trim({0})", "date({0})", "strftime('%Y', {0})", "iif({0}, {1}, {0})",
    "json_extract({0}, '$')", "json_valid({0})", "json_array_length({0})", "max({0}, {1})", "min({0}, {1})", "{0} || {1}",
    "hex({0})", "quote({0})", "printf('%s', {0})", "replace({0}, 'a', {1})", "muniment_hash({0})", "muniment_text({0}, 5)",
    "muniment_now()", "random()", "sqlite_version()", "zeroblob(9)", "load_extension({0})", "CAST({0} AS INTEGER)", "{0} COLLATE NOCASE",
)  # fmt: skip
_BOMBS = (
    "abs(CASE WHEN {0} LIKE '%SECRET%' THEN -9223372036854775807 - 1 ELSE 1 END)",
    "json_extract(CASE WHEN {0} LIKE 'bo%' THEN '{{' ELSE '{{}}' END, '$')", "{0} LIKE '%' ESCAPE iif({0} LIKE 'bo%', 'xx', 'x')",
    "sum(iif({0} LIKE '%SECRET%', 9223372036854775807, 1)) OVER ()", "substr({0}, iif({0} GLOB '*SECRET*', 1, 2))",
)  # fmt: skip
_TOTALS = (
    "count({0}) count(*) sum({0}) max({0}) min({0}) avg({0}) group_concat({0}) total({0}) count(DISTINCT({0}))".split()
)
_OVER = (
    "row_number() OVER (ORDER BY {0})",
    "rank() OVER (PARTITION BY {0} ORDER BY {1})",
    "lag({0}) OVER (ORDER BY {1})",
    "count(*) OVER ()",
)
_OTHER = (
    "PRAGMA table_list", "EXPLAIN {0}", "EXPLAIN QUERY PLAN {0}", "{0}; {0}", "{0};", "CREATE TEMP TABLE t AS {0}", "CREATE TEMP VIEW v AS {0}",
    "INSERT INTO main.journal (session) {0}", "ATTACH ':memory:' AS x", "DELETE FROM src.facts WHERE ({0})", "-- c\n{0}", "/* x */ {0}",
    "SELECT * FROM ({0})", "SELECT count(*) FROM ({0})", "SELECT ({0})", "VALUES (1), (({0}))", "SELECT EXISTS ({0})", "SELECT * FROM ({0}) JOIN ({0})",
)  # fmt: skip


class Generator:
    """Statement after statement of one seed."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._names: dict[str, list[str]] = {}

    def statement(self) -> str:
        """The next one."""
        self._names = {}
        text = self._query(2)
        if self._chance(0.1):
            text = self._pick(_OTHER).format(text)
        if self._chance(0.05):
            text = self._spoilt(text)
        return text if len(text) < 7500 else text[:7500]

    def _chance(self, share: float) -> bool:
        return self._random.random() < share

    def _pick(self, choices: Sequence[str]) -> str:
        return choices[self._random.randrange(len(choices))]

    def _spoilt(self, text: str) -> str:
        at = self._random.randrange(len(text))
        return (
            text[:at]
            + self._pick(("'", '"', ")", "(", " ", "--", "/*", "*/", "\0", ";", "ü", "`", "["))
            + text[at + 1 :]
        )

    def _query(self, depth: int) -> str:
        head = ""
        if depth and self._chance(0.25):
            name = self._pick(
                ("x", "v_now", "events", "entities", "deliveries", "relations", "v_history", "facts", "cap0123", "src")
            )
            head = f"WITH {self._pick(('', '', 'RECURSIVE '))}{name} AS {self._pick(('', 'MATERIALIZED ', 'NOT MATERIALIZED '))}"
            body, columns = self._select(depth - 1), ["id", "session", "object"]
            if self._chance(0.2):
                table = self._pick(list(_COLUMNS))
                columns = _COLUMNS[table].split()
                body = f"SELECT {', '.join(_COLUMNS[table].split())} FROM {self._pick(('', 'src.'))}{table}"
            head += f"({body}) "
            self._names[name] = columns
        text = head + self._select(depth)
        if depth and self._chance(0.08):
            text += f" {self._pick(('UNION', 'UNION ALL', 'EXCEPT', 'INTERSECT'))} {self._select(depth - 1)}"
        return text

    def _select(self, depth: int) -> str:
        sources, columns = self._sources(depth)
        grouped = self._chance(0.2)
        shown = ", ".join(self._shown(columns, depth, grouped) for _ in range(self._random.randint(1, 3)))
        text = f"SELECT {self._pick(('', '', '', 'DISTINCT '))}{shown} FROM {sources}"
        if self._chance(0.6):
            text += f" WHERE {self._condition(columns, depth)}"
        if grouped and self._chance(0.6):
            text += f" GROUP BY {self._pick(columns)}"
            text += f" HAVING {self._condition(columns, 0)}" if self._chance(0.3) else ""
        if self._chance(0.3):
            text += f" ORDER BY {self._value(columns, 0)}{self._pick(('', ' DESC', ' NULLS LAST'))}"
        if self._chance(0.4):
            text += f" LIMIT {self._random.choice((0, 1, 5, 50, -1))}{self._pick(('', '', ' OFFSET 2'))}"
        return text

    def _sources(self, depth: int) -> tuple[str, list[str]]:
        first, columns = self._source(depth, "a")
        if self._chance(0.06):
            table, shared = (
                self._pick(("facts", "lines", "events", "shown", "meta")),
                self._pick(("predicate", "origin", "role", "kind")),
            )
            by = self._pick(("NATURAL JOIN {0}", "JOIN {0} USING ({1})")).format(table, shared)
            return f"{first} {by}", columns
        if not self._chance(0.25):
            return first, columns
        second, more = self._source(depth, "b")
        join = self._pick(
            ("JOIN", "LEFT JOIN", "NATURAL JOIN", "NATURAL LEFT JOIN", "CROSS JOIN", "FULL JOIN", "USING", ",")
        )
        on = f" ON {self._pick(columns)} = {self._pick(more)}" if join in ("JOIN", "LEFT JOIN", "FULL JOIN") else ""
        if join == "USING":
            join, on = "JOIN", f" USING ({self._pick(more).rpartition('.')[2]})"
        return f"{first} {join} {second}{on}", columns + more

    def _source(self, depth: int, alias: str) -> tuple[str, list[str]]:
        if depth and self._chance(0.12):
            return f"({self._select(depth - 1)}) {alias}", [f"{alias}.{c}" for c in ("id", "session", "kind")] + ["1"]
        if self._names and self._chance(0.5):
            name = self._pick(list(self._names))
            return f"{name} {alias}", [f"{alias}.{c}" for c in self._names[name]]
        if self._chance(0.08):
            table = self._pick(_TABLES) if self._chance(0.4) else self._pick(list(_COLUMNS))
            known = _COLUMNS.get(table.rpartition(".")[2])
            return f"{table} {alias}", [
                f"{alias}.{c}" for c in (known.split() if known else (*_HIDDEN, "session", "id", "kind"))
            ]
        name = self._pick(list(_GRANTED))
        columns = [f"{alias}.{c}" for c in _GRANTED[name].split()]
        if self._chance(0.05):
            columns += [f"{alias}.{self._pick(_HIDDEN)}", self._pick(_HIDDEN)]
        return (
            f"{self._pick((name, name, name, name.upper(), f'temp.{name}', chr(34) + name + chr(34)))} {alias}",
            columns,
        )

    def _shown(self, columns: list[str], depth: int, grouped: bool) -> str:
        if grouped:
            return self._pick(_TOTALS).format(self._value(columns, 0))
        if self._chance(0.1):
            return "*"
        if self._chance(0.06):
            return self._pick(_OVER).format(self._pick(columns), self._pick(columns))
        return self._value(columns, depth)

    def _value(self, columns: list[str], depth: int) -> str:
        roll = self._random.random()
        if roll < 0.62:
            return self._pick(columns)
        if roll < 0.68:
            return self._pick(_VALUES)
        if roll < 0.75:
            return self._bomb(columns)
        if roll < 0.95 or not depth:
            return self._pick(_CALLS).format(self._pick(columns), self._pick(_VALUES))
        return f"({self._select(depth - 1)})"

    def _bomb(self, columns: list[str]) -> str:
        """What raises on one row and not on another, of a column that is worth it."""
        tempting = [c for c in columns if c.rpartition(".")[2] in _TEMPTING]
        return self._pick(_BOMBS).format(self._pick(tempting or columns))

    def _condition(self, columns: list[str], depth: int) -> str:
        left = self._bomb(columns) if self._chance(0.15) else self._value(columns, depth)
        right = self._pick([*_VALUES, *columns])
        text = f"{left} {self._pick(('=', '<>', '<', '>', 'LIKE', 'GLOB', 'IS', 'IS NOT', 'MATCH'))} {right}"
        if depth and self._chance(0.15):
            text = self._pick(
                (
                    f"{left} IN ({self._select(depth - 1)})",
                    f"EXISTS ({self._select(depth - 1)})",
                    f"{left} IN src.facts",
                )
            )
        if depth and self._chance(0.25):
            text += f" {self._pick(('AND', 'OR', 'AND NOT'))} {self._condition(columns, depth - 1)}"
        return text
