"""Index walks over the open facts: rows come in the order of their rank key, and stop when the reader stops.

A walk is one index, a few equalities and a range of keys. Other conditions are tested on the rows of the walk, of which
at most `cap` are looked at; `is_cut` tells afterwards whether the cap ended it.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from functools import partial
from typing import Any

from muniment.model.kept import Walk, Weather
from muniment.model.ports import Rows
from muniment.model.rank import MICRO, OCCURRENCE_HALF_LIFE_MS, STATE_HALF_LIFE_MS
from muniment.model.stored import Hit, PathState
from muniment.storage.sqlite.hot import PATH_STATE

_COLUMNS = ":base - l.rank_key, l.id, l.line, l.band, l.from_ms, l.object, l.anchor, l.origin"
_hit = partial(tuple.__new__, Hit)  # what Hit._make does, without a Python frame for each row
_HELD = "(l.until_ms IS NULL OR l.until_ms > :now)"
_OPEN = f"l.from_ms <= :now AND {_HELD}"
_WEATHER = """SELECT EXISTS (SELECT 1 FROM lines INDEXED BY lines_doubt WHERE band > 0),
    EXISTS (SELECT 1 FROM lines INDEXED BY lines_newest WHERE from_ms > :now),
    EXISTS (SELECT 1 FROM lines INDEXED BY lines_until WHERE until_ms IS NOT NULL AND until_ms <= :now)"""
_BASE_THEN = f"l.from_ms * {MICRO} / iif(l.is_state, {STATE_HALF_LIFE_MS}, {OCCURRENCE_HALF_LIFE_MS})"


class Walks:
    """Runs walks."""

    def __init__(self, db: Rows) -> None:
        self._db = db

    def rows(self, walk: Walk, now: int) -> Generator[Hit, None, None]:
        """The rows of a walk in falling order of rank key, then id; read lazily."""
        sql, args = _statement(walk, _COLUMNS)
        args["now"], args["base"] = now, walk.base
        try:
            yield from map(_hit, self._db.cursor(sql, args))
        except self._db.failures as error:
            raise self._db.failed(error) from error

    def count(self, walk: Walk, now: int, limit: int) -> int:
        """How many rows a walk has, counted to `limit`."""
        sql, args = _statement(walk, "1", is_ordered=False)
        args["now"], args["limit"] = now, limit
        # To step over rows is cheaper than to count.
        if self._db.one(f"{sql} LIMIT 1 OFFSET :limit - 1", args) is not None:
            return limit
        row = self._db.one(_statement(walk, "count(*)", is_ordered=False)[0], args)
        return int(row[0]) if row else 0

    def weather(self, now: int) -> Weather:
        """What the whole store says about this moment, in one probe of three small indexes."""
        row = self._db.one(_WEATHER, {"now": now})
        return Weather(*row) if row else Weather(1, 1, 1)

    def path_state(self, path: int) -> PathState:
        """The key of a path, and its newest write that is not retracted."""
        row = self._db.one(PATH_STATE, (path,))
        return PathState(*row) if row else PathState("", None, None, None)

    def is_cut(self, walk: Walk) -> bool:
        """Did the cap end this walk before its index range did?"""
        if walk.cap is None:
            return False
        sql = f"SELECT 1 FROM lines l INDEXED BY {walk.over} WHERE {_range(walk)} LIMIT 1 OFFSET :cap"  # noqa: S608
        return self._db.one(sql, {**_arguments(walk), "cap": walk.cap}) is not None

    def predicates_of(self, subject: int) -> list[str]:
        """The predicates under which a subject has open facts: one step of the index for each."""
        found, last = [], ""
        sql = "SELECT predicate FROM lines INDEXED BY lines_subject WHERE subject = ? AND predicate > ? ORDER BY predicate LIMIT 1"
        while (row := self._db.one(sql, (subject, last))) is not None:
            last = row[0]
            found.append(last)
        return found

    def matches(self, fixed: Sequence[tuple[str, Any]], id_: bytes) -> bool:
        """Does an open fact stand on the index range that these columns name?"""
        where = " AND ".join(f"{column} = :{column}" for column, _ in fixed)
        sql = f"SELECT 1 FROM lines WHERE fact = (SELECT n FROM facts WHERE id = :id) AND {where}"  # noqa: S608 - column names
        return self._db.one(sql, {**dict(fixed), "id": id_}) is not None

    def future(self, tests: Sequence[str], args: dict[str, Any], now: int, limit: int) -> list[Hit]:
        """Rows said after the reader's clock, scored as if they were said now. (A plan is not yet true.)"""
        where = " AND ".join([f"l.from_ms > :now AND l.is_plan = 0 AND {_HELD}", *tests])
        columns = _COLUMNS.replace(":base", _BASE_THEN)
        sql = (
            f"SELECT {columns} FROM lines l INDEXED BY lines_newest WHERE {where} ORDER BY l.from_ms, l.id LIMIT :limit"  # noqa: S608
        )
        return [Hit(*r) for r in self._db.rows(sql, {**args, "now": now, "limit": limit})]


def _range(walk: Walk) -> str:
    parts = [f"l.{column} = :{column}" for column, _ in walk.fixed] + ["l.band = :band"]
    if walk.low is not None:
        parts.append("l.rank_key >= :low")
    if walk.high is not None:
        parts.append("l.rank_key <= :high")
    return " AND ".join(parts)


def _arguments(walk: Walk) -> dict[str, Any]:
    args: dict[str, Any] = {**dict(walk.fixed), **dict(walk.args), "band": walk.band}
    return args | {k: v for k, v in (("low", walk.low), ("high", walk.high)) if v is not None}


def _statement(walk: Walk, columns: str, *, is_ordered: bool = True) -> tuple[str, dict[str, Any]]:
    """The cap stands on the rows looked at, so with tests it goes into an inner walk, which the engine runs lazily."""
    args = _arguments(walk)
    order = "ORDER BY l.rank_key DESC, l.id" if is_ordered or walk.cap is not None else ""
    hold = () if walk.all_hold else (_OPEN,)
    if walk.cap is None:
        where = " AND ".join([_range(walk), *hold, *walk.tests])
        return f"SELECT {columns} FROM lines l INDEXED BY {walk.over} WHERE {where} {order}", args  # noqa: S608
    inner = f"SELECT l.* FROM lines l INDEXED BY {walk.over} WHERE {_range(walk)} {order} LIMIT :cap"  # noqa: S608
    tests = " AND ".join([*hold, *walk.tests])
    outer = order if is_ordered else ""
    return f"SELECT {columns} FROM ({inner}) l WHERE {tests} {outer}", {**args, "cap": walk.cap}  # noqa: S608
