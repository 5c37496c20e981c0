"""The reads that search is made of, over the text indexes as rows. The same words, the same counts, the same scores."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from muniment.model.stored import Around, Sought, Spread, Turn
from muniment.storage.postgres.database import Database
from muniment.storage.postgres.matching import condition, drivers, is_any_word, parsed
from muniment.storage.sqlite.search import _MOST_READ, SearchReads, _around, _json, _next
from muniment.storage.sqlite.text_rows import COLUMNS, raw_tokenizer, tokenizer

_K1, _B = 1.2, 0.75
"""BM25 as SQLite computes it."""
_AROUND = """SELECT a.event, b.event, b.session, b.seq, b.speaker, b.words, b.asks, b.wishes
    FROM json_each(?1) p JOIN turns a ON a.event = p.value CROSS JOIN LATERAL (
        SELECT * FROM (SELECT * FROM turns c WHERE c.session = a.session AND (c.seq, c.event) <= (a.seq, a.event)
            ORDER BY c.seq DESC, c.event DESC LIMIT ?2 + 1) d
        UNION ALL SELECT * FROM (SELECT * FROM turns c WHERE c.session = a.session
            AND (c.seq, c.event) > (a.seq, a.event) ORDER BY c.seq, c.event LIMIT ?2) e) b
    ORDER BY a.event, b.seq, b.event"""
_SCORED = """SELECT p.term, p.doc, cardinality(p.places), d.words FROM text_places p
    JOIN text_docs d ON d.name = p.name AND d.doc = p.doc WHERE p.name = ? AND p.term = ? AND p.col = 0"""
_OPEN_LINES = """SELECT l.n, h.event, l.fact, l.id FROM lines l JOIN facts f ON f.n = l.fact JOIN shown h ON h.uid = f.uid
    WHERE l.n IN (SELECT value FROM json_each(?)) AND l.band <= ? AND l.from_ms <= ? AND (l.until_ms IS NULL OR l.until_ms > ?)
    AND (? = 1 OR l.method NOT LIKE 'told.%')"""
_HAS_WORK = "SELECT 1 FROM text_docs WHERE name = 'work' LIMIT 1"
_HAS_FACTS = "SELECT 1 FROM lines WHERE predicate NOT IN ('asked', 'answered', 'promised') LIMIT 1"
_FURTHER = 10


class PostingReads(SearchReads):
    """What the lanes ask a store whose text indexes are rows."""

    _db: Any

    def __init__(self, db: Database) -> None:
        super().__init__(db)  # type: ignore[arg-type]
        self._words = {name: tokenizer(name) for name in COLUMNS}

    def _view(self) -> None:
        self._stemmer, self._splitter = raw_tokenizer("said"), raw_tokenizer("work")

    def extent(self) -> tuple[int, int]:
        """How many turns there are, and how many words they have together."""
        return self._totals("said")

    def _totals(self, name: str) -> tuple[int, int]:
        row = self._db.one("SELECT docs, words FROM text_totals WHERE name = ?", (name,))
        return (int(row[0]), int(row[1])) if row else (0, 0)

    def _counted(self, stem: str) -> Spread:
        sql = """SELECT col, count(*), sum(cardinality(places)) FROM text_places WHERE name = 'said' AND term = ?
            GROUP BY col"""
        rows = self._db.rows(sql, (stem,))
        return Spread(sum(r[1] for r in rows), sum(r[1] for r in rows if r[0] == 0), sum(r[2] for r in rows))

    def _count(self, vocabulary: str, word: str) -> int:
        key = (vocabulary, word)
        if key not in self._counts:
            sql = "SELECT count(*) FROM text_places WHERE name = ? AND term = ? AND col = 0"
            self._counts[key] = int(self._db.rows(sql, (vocabulary.removesuffix("_words"), word))[0][0])
        return self._counts[key]

    def _has_rows(self, index: str) -> bool:
        key = (index, "")
        if key not in self._counts:
            self._counts[key] = self._db.one(_HAS_WORK if index == "work" else _HAS_FACTS) is not None
        return bool(self._counts[key])

    def count_beginning(self, start: str) -> int:
        """How many turns hold words that begin so, at most (a turn counts once for each such word)."""
        sql = "SELECT count(*) FROM text_places WHERE name = 'said' AND term >= ? AND term < ?"
        return int(self._db.rows(sql, (start, _next(start)))[0][0])

    def _places(self, where: str, args: tuple[str, ...]) -> Counter[int]:
        sql = f"SELECT doc, cardinality(places) FROM text_places WHERE name = 'said' AND {where} ORDER BY doc, col"
        found: Counter[int] = Counter()
        for doc, count in self._db.rows(sql, args):
            found[doc] += count
        return found

    def newest(self, expression: str, cap: int, share: float = 1.0) -> list[int]:
        """At most `cap` turns that match a full-text expression, those archived last first; of the newest share of all turns."""
        first, last = self._numbers()
        since = last - round((last - first) * share) if share < 1 else 0
        return self._newest("said", expression, cap, since)

    def _newest(self, name: str, expression: str, cap: int, since: int) -> list[int]:
        made = parsed(expression, self._words[name])
        args: dict[str, Any] = {"name": name, "since": since, "cap": cap * len(COLUMNS[name])}
        also = "" if is_any_word(made) else f" AND {condition(made, 'p.doc', args)}"
        sql = f"""SELECT p.doc FROM text_places p WHERE p.name = :name AND p.term = :driver AND p.doc >= :since{also}
            ORDER BY p.doc DESC, p.col DESC LIMIT :cap"""
        found = {
            row[0] for word in dict.fromkeys(drivers(made)) for row in self._db.rows(sql, {**args, "driver": word})
        }
        return sorted(found, reverse=True)[:cap]

    def holds_work(self, event: int, expression: str) -> bool:
        """Does this tool call or result match a full-text expression?"""
        args: dict[str, Any] = {"name": "work", "event": event}
        test = condition(parsed(expression, self._words["work"]), "d.doc", args)
        return (
            self._db.one(f"SELECT 1 FROM text_docs d WHERE d.name = :name AND d.doc = :event AND {test}", args)
            is not None
        )

    def work(self, sought: Sought, cap: int) -> list[tuple[int, float]]:
        """At most `cap` tool calls and results that match, best first, with their score; of common words the newest."""
        if sought.is_common:
            row = self._db.one("SELECT max(doc) FROM text_docs WHERE name = 'work'")
            since = int((row or (0,))[0] or 0) - _MOST_READ + 1
            return [(doc, 1.0) for doc in self._newest("work", sought.expression, cap, since)]
        scores = self._scores("work", sought.expression)
        ranked = sorted(scores, key=lambda doc: (-scores[doc], doc))
        if len(ranked) > cap and scores[ranked[cap - 1]] == scores[ranked[cap]]:  # arrival must not decide
            sql = "SELECT n, uid FROM events WHERE n IN (SELECT value FROM json_each(?))"
            uids = dict(self._db.rows(sql, (_json(ranked),)))
            ranked.sort(key=lambda doc: (-scores[doc], uids.get(doc, b"")))
        return [(doc, scores[doc]) for doc in ranked[:cap]]

    def facts_with(self, sought: Sought, cap: int, *, told: bool = True) -> list[tuple[int, int, float]]:
        """(event, fact, score) of at most `cap` open facts that match, best first; of common words the newest. `told`: also
        what was drawn from a person's turn as he said it."""
        if sought.is_common:
            return self._newest_facts(sought, cap, told)
        scores = self._scores("fact", sought.expression)
        found = sorted(self._open_lines(scores, told), key=lambda row: (-scores[row[0]], row[3]))
        return [(event, fact, scores[n]) for n, event, fact, _ in found[:cap]]

    def _newest_facts(self, sought: Sought, cap: int, told: bool) -> list[tuple[int, int, float]]:
        row = self._db.one("SELECT max(n) FROM lines")
        since = int((row or (0,))[0] or 0) - _MOST_READ + 1
        found = self._open_lines(self._newest("fact", sought.expression, cap * _FURTHER, since), told)
        return [(event, fact, 1.0) for _, event, fact, _ in sorted(found, reverse=True)[:cap]]

    def _open_lines(self, numbers: Any, told: bool) -> list[tuple[Any, ...]]:
        return list(self._db.rows(_OPEN_LINES, (_json(numbers), self._last_band, self._now, self._now, told)))

    def _scores(self, name: str, expression: str) -> dict[int, float]:
        """BM25 of every row that holds one of the words, as SQLite's own function gives it, to the last bit."""
        docs, words = self._totals(name)
        scores: dict[int, float] = {}
        for word in drivers(parsed(expression, self._words[name])):
            rows = self._db.rows(_SCORED, (name, word))
            weight = math.log((docs - len(rows) + 0.5) / (len(rows) + 0.5))
            weight = weight if weight > 0.0 else 1e-6
            for _, doc, count, length in rows:
                scores[doc] = scores.get(doc, 0.0) + weight * (
                    (count * (_K1 + 1.0)) / (count + _K1 * (1 - _B + _B * length / (words / docs)))
                )
        return scores

    def _around(self, turns: Sequence[int], count: int) -> Iterator[tuple[int, Around]]:
        for event, group in groupby(self._db.rows(_AROUND, (_json(turns), count)), key=itemgetter(0)):
            yield event, _around(event, [Turn(*row[1:]) for row in group])
