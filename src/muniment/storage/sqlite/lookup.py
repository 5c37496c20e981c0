"""Finding entities and sessions by what a selector calls them."""

from __future__ import annotations

from muniment.model.ports import Rows
from muniment.model.selector import Value, glob_prefix, glob_to_regex

CAP = 1000
"""More entities than this are not told apart one by one."""


class Lookup:
    """Finds the entities and sessions that a selector's values name."""

    def __init__(self, db: Rows) -> None:
        self._db = db

    def numbers(self, key: str, value: Value) -> list[int]:
        """Numbers of entities (s, o, path) or sessions (session) by key, `kind:key` or glob; at most a thousand."""
        if key == "session":
            return self._sessions(value)
        if value.is_glob:
            return self._globbed(key, value)
        found = self._exact("key = ?", (value.text,), key)
        if not found and ":" in value.text:
            kind, name = value.text.split(":", 1)
            found = self._exact("kind = ? AND key = ?", (kind, name), key)
        return found

    def _exact(self, where: str, args: tuple[str, ...], key: str) -> list[int]:
        only = " AND kind = 'path'" if key == "path" else ""
        sql = f"SELECT n FROM entities WHERE {where}{only} ORDER BY kind, key LIMIT {CAP}"  # noqa: S608 - fixed texts
        return [int(r[0]) for r in self._db.rows(sql, args)]

    def _globbed(self, key: str, value: Value) -> list[int]:
        pattern = glob_to_regex(value, "path" if key == "path" else key)
        prefix = glob_prefix(value)
        only = " AND kind = 'path'" if key == "path" else ""
        sql = f"SELECT n, key FROM entities WHERE key >= ? AND key < ?{only} ORDER BY kind, key"  # noqa: S608 - fixed texts
        rows = self._db.rows(sql, (prefix, prefix + "\U0010ffff"))
        return [int(n) for n, text in rows if pattern.fullmatch(text)][:CAP]

    def _sessions(self, value: Value) -> list[int]:
        if value.is_glob:
            rows = self._db.rows("SELECT n FROM sessions WHERE id GLOB ? ORDER BY id", (value.text,))
        else:
            rows = self._db.rows("SELECT n FROM sessions WHERE id = ?", (value.text,))
        return [int(r[0]) for r in rows][:CAP]
