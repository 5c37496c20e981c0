"""Reads over what is known as statements: the open facts that tags, words or a topic lead to, whoever stated them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from muniment.model.kept import OpenLine
from muniment.model.ports import Rows
from muniment.model.stored import Hit

_OPEN = "l.from_ms <= :now AND (l.until_ms IS NULL OR l.until_ms > :now)"
_LINES = f"""SELECT l.fact, l.type, l.rank_key, l.id, l.line, l.band, l.from_ms, l.object, l.anchor, l.origin FROM lines l
    WHERE l.fact IN (SELECT value FROM json_each(:facts)) AND {_OPEN} ORDER BY l.id"""  # noqa: S608 - texts above
_TAGGED = f"""SELECT l.fact FROM tags t JOIN facts f ON f.id = t.fact JOIN lines l ON l.fact = f.n
    WHERE t.tag IN (SELECT value FROM json_each(:tags)) AND {_OPEN} GROUP BY l.fact
    ORDER BY max(l.from_ms) DESC, min(hex(l.id)) LIMIT :cap"""  # noqa: S608
_ASKED = f"""SELECT l.fact FROM lines l JOIN facts f ON f.n = l.fact WHERE f.predicate = :predicate
    AND f.topic = :topic AND {_OPEN} GROUP BY l.fact ORDER BY min(hex(l.id)) LIMIT :cap"""  # noqa: S608 - texts above
_STATED = f"""SELECT l.fact FROM lines l JOIN facts f ON f.n = l.fact WHERE f.predicate = :predicate
    AND {_OPEN} GROUP BY l.fact ORDER BY min(hex(l.id)) LIMIT :cap"""  # noqa: S608 - texts above
_OF_EVENTS = f"""SELECT f.n FROM events e JOIN facts f ON f.uid = e.uid JOIN lines l ON l.fact = f.n
    WHERE e.n IN (SELECT value FROM json_each(:events)) AND {_OPEN} ORDER BY f.id LIMIT :cap"""  # noqa: S608 - texts above


class MemoryReads:
    """What `get`, `similar` and `conflicts` ask a store, over the caller's snapshot."""

    def __init__(self, db: Rows, now_ms: int) -> None:
        self._db = db
        self._now = now_ms

    def lines(self, facts: Iterable[int]) -> list[OpenLine]:
        """The open rows of these facts."""
        rows = self._db.rows(_LINES, {"facts": _listed(facts), "now": self._now})
        return [OpenLine(r[0], r[1], Hit(-r[2], *r[3:])) for r in rows]

    def tags(self) -> list[str]:
        """Every tag that a fact has."""
        return [r[0] for r in self._db.rows("SELECT DISTINCT tag FROM tags ORDER BY tag", ())]

    def tagged(self, tags: Sequence[str], cap: int) -> list[int]:
        """Open facts with one of these tags, the newest first."""
        import json

        return self._numbers(_TAGGED, {"tags": json.dumps(tags), "cap": cap}) if tags else []

    def under(self, predicate: str, topic: str, cap: int) -> list[int]:
        """Open facts of a predicate under a topic, of whatever subject."""
        return self._numbers(_ASKED, {"predicate": predicate, "topic": topic, "cap": cap})

    def stated(self, predicate: str, cap: int) -> list[int]:
        """Open facts of a predicate, whatever their topic and subject."""
        return self._numbers(_STATED, {"predicate": predicate, "cap": cap})

    def of_events(self, events: Iterable[int], cap: int) -> list[int]:
        """Open facts drawn from these events."""
        return self._numbers(_OF_EVENTS, {"events": _listed(events), "cap": cap})

    def _numbers(self, sql: str, args: dict[str, object]) -> list[int]:
        return [r[0] for r in self._db.rows(sql, {**args, "now": self._now})]


def _listed(numbers: Iterable[int]) -> str:
    return f"[{','.join(map(str, numbers))}]"
