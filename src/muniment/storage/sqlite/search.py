"""The reads that search is made of: words to events, turns to their neighbours, events to their facts.

The statistics are the full-text engine's own (how many turns hold a word, how long turns are), so they cost nothing to keep.
Every read runs over the caller's snapshot.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, groupby
from operator import itemgetter
from typing import Any, Literal, TypeVar, cast

import apsw

from muniment.model.kept import Row
from muniment.model.stored import Around, Position, Replaced, Sought, Speaker, Speakers, Spread, Turn
from muniment.model.text_index import indexed
from muniment.storage.sqlite.store import Database

W = TypeVar("W")

_PLAIN = ["unicode61", "remove_diacritics", "2"]
_VOCABULARIES = """CREATE VIRTUAL TABLE IF NOT EXISTS temp.said_words USING fts5vocab(main, 'said_text', 'col');
    CREATE VIRTUAL TABLE IF NOT EXISTS temp.said_places USING fts5vocab(main, 'said_text', 'instance');
    CREATE VIRTUAL TABLE IF NOT EXISTS temp.work_words USING fts5vocab(main, 'work_text', 'col');
    CREATE VIRTUAL TABLE IF NOT EXISTS temp.fact_words USING fts5vocab(main, 'fact_text', 'col')"""
_MOST_ROWS = 500
"""Rows that a question to the plain indexes may match before its common words are left out."""
_COUNTED, _SAMPLE = 100_000, 5_000
"""Turns up to which every word is counted; and in how many of the newest turns beyond that a common one is."""
_TURN = "SELECT event, session, seq, speaker, words, asks, wishes FROM turns"
_MANY = "(SELECT value FROM json_each(?))"
_AROUND = """SELECT a.event, b.event, b.session, b.seq, b.speaker, b.words, b.asks, b.wishes
    FROM json_each(?1) p CROSS JOIN turns a ON a.event = p.value CROSS JOIN turns b ON b.event IN (
        SELECT * FROM (SELECT event FROM turns c WHERE c.session = a.session AND (c.seq, c.event) <= (a.seq, a.event)
            ORDER BY c.seq DESC, c.event DESC LIMIT ?2 + 1)
        UNION ALL SELECT * FROM (SELECT event FROM turns c WHERE c.session = a.session
            AND (c.seq, c.event) > (a.seq, a.event) ORDER BY c.seq, c.event LIMIT ?2))
    ORDER BY a.event, b.seq, b.event"""
_HYPOTHESIS = 2
_REPLACED = f"""SELECT e.n, l.fact, h.event FROM {_MANY} j JOIN events e ON e.n = j.value JOIN facts f ON f.uid = e.uid
    JOIN links l ON l.other = f.id AND l.relation IN ('supersedes', 'corrects') JOIN facts g ON g.id = l.fact
    JOIN shown h ON h.uid = g.uid WHERE h.event <> e.n ORDER BY e.n, l.fact"""  # noqa: S608 - texts above
_NAMED = """SELECT json_extract(v.draft, '$.fact'), v.value FROM verdicts v WHERE v.action IN ('supersede', 'correct')
    AND NOT EXISTS (SELECT 1 FROM verdicts u WHERE u.action = 'undo' AND u.target = lower(hex(v.uid)))"""
_OVER = f"""SELECT e.n, f.id FROM {_MANY} j JOIN events e ON e.n = j.value JOIN facts f ON f.uid = e.uid
    WHERE f.standing IN ('superseded', 'retracted') ORDER BY f.id"""  # noqa: S608 - texts above
_CLOSED = f"""SELECT e.n, f.n FROM {_MANY} j JOIN events e ON e.n = j.value JOIN facts f ON f.uid = e.uid
    WHERE f.predicate NOT IN ('asked', 'answered')
    AND NOT EXISTS (SELECT 1 FROM links k WHERE k.fact = f.id AND k.relation = 'supports')
    AND NOT EXISTS (SELECT 1 FROM lines l WHERE l.fact = f.n AND l.band <= ? AND l.from_ms <= ?
    AND (l.until_ms IS NULL OR l.until_ms > ?)) ORDER BY f.id"""  # noqa: S608 - texts above
_OPEN_FACTS = f"""SELECT e.n, max(f.n) FROM {_MANY} j JOIN events e ON e.n = j.value JOIN facts f ON f.uid = e.uid
    JOIN lines l ON l.fact = f.n WHERE l.band <= ? AND l.from_ms <= ? AND (l.until_ms IS NULL OR l.until_ms > ?)
    GROUP BY e.n"""  # noqa: S608 - texts above
_MOST_KEPT, _MOST_STEMS, _MOST_POSTINGS = 20_000, 10_000, 200_000
"""Turns, words in their stems, and places of words that are remembered between questions."""
_POSITIONS = f"""SELECT h.event, p.order_at, s.id, h.seq, h.uid FROM events e JOIN shown h ON h.uid = e.uid AND h.event = e.n
    JOIN positions p ON p.session = h.session AND p.seq = h.seq AND p.uid = h.uid JOIN sessions s ON s.n = h.session
    WHERE e.n IN {_MANY}"""  # noqa: S608 - texts above
_SAID_BETWEEN = """SELECT e.n FROM events e JOIN turns t ON t.event = e.n WHERE e.at >= ? AND e.at < ?
    AND e.kind IN ('prompt', 'reply', 'summary', 'command', 'note') ORDER BY e.at DESC, e.uid LIMIT ?"""
_WORK = "SELECT rowid, -rank FROM work_text WHERE work_text MATCH ? ORDER BY rank, rowid LIMIT ?"
_WORK_IN_ORDER = """SELECT w.rowid, -w.rank FROM work_text w JOIN events e ON e.n = w.rowid WHERE w.work_text MATCH ?
    ORDER BY w.rank, e.uid LIMIT ?"""
_OPEN = "JOIN facts f ON f.n = l.fact JOIN shown h ON h.uid = f.uid WHERE"
_FACTS_WITH = f"""SELECT h.event, l.fact, -t.rank FROM fact_text t
    JOIN lines l ON l.n = t.rowid {_OPEN} t.fact_text MATCH ? AND l.band <= ?
    AND l.from_ms <= ? AND (l.until_ms IS NULL OR l.until_ms > ?) AND (? = 1 OR l.method NOT LIKE 'told.%')
    ORDER BY t.rank, l.id LIMIT ?"""  # noqa: S608
_HAS_ROWS = {
    "work": "SELECT 1 FROM work_text_docsize LIMIT 1",
    "fact": """SELECT 1 FROM lines WHERE predicate < 'answered' OR predicate > 'asked'
        OR (predicate > 'answered' AND predicate < 'asked') LIMIT 1""",
}
_MOST_READ = 50_000
"""Rows among which the newest with common words are looked for."""
_NEWEST_FACTS_WITH = f"""SELECT h.event, l.fact, 1.0 FROM fact_text t
    JOIN lines l ON l.n = t.rowid {_OPEN} t.fact_text MATCH ? AND l.band <= ?
    AND l.from_ms <= ? AND (l.until_ms IS NULL OR l.until_ms > ?) AND (? = 1 OR l.method NOT LIKE 'told.%')
    AND t.rowid > (SELECT max(n) FROM lines) - {_MOST_READ} ORDER BY t.rowid DESC LIMIT ?"""  # noqa: S608
_FACTS_ABOUT = f"""SELECT -l.from_ms, l.id, h.event, l.fact FROM lines l {_OPEN} l.{{}} = ? AND l.band <= ? AND l.from_ms <= ?
    AND (l.until_ms IS NULL OR l.until_ms > ?) ORDER BY l.from_ms DESC, l.id LIMIT ?"""  # noqa: S608


class SearchReads:
    """What the lanes ask a store."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._prepared: apsw.Connection | None = None
        self._stemmer: apsw.FTS5Tokenizer | None = None
        self._splitter: apsw.FTS5Tokenizer | None = None
        self._counts: dict[tuple[str, str], int] = {}
        self._spreads: dict[str, Spread] = {}
        self._stems: dict[str, list[str]] = {}
        self._postings: dict[str, Counter[int]] = {}
        self._postings_kept = 0
        self._speakers: Speakers | None = None
        self._range: tuple[int, int] | None = None
        self._version: tuple[int, int] | None = None
        self._now, self._last_band = 0, _HYPOTHESIS - 1
        self._turns: dict[int, Turn] = {}
        self._near: dict[tuple[int, int], Around] = {}
        self._made: dict[tuple[Callable[[Around], Any], int], dict[int, Any]] = {}
        """What was made of turns with their neighbours, by what made it."""
        self._positions: dict[int, Position] = {}
        self._named: dict[bytes, list[bytes]] | None = None
        """Facts in whose place a command named others."""

    # -- words

    def prepare(self) -> None:
        """Call before a search begins its snapshot: what rolls back would take the views of the index with it."""
        if self._prepared is not self._db.db:
            self._view()
            self._prepared = self._db.db

    def _view(self) -> None:
        """The views are this connection's own; what is opened for reading alone forbids even these."""
        is_closed = bool(self._db.db.pragma("query_only"))
        if is_closed:
            self._db.db.pragma("query_only", False)
        self._db.rows(_VOCABULARIES)
        if is_closed:
            self._db.db.pragma("query_only", True)
        self._stemmer = self._db.db.fts5_tokenizer("porter", _PLAIN)
        self._splitter = self._db.db.fts5_tokenizer(_PLAIN[0], _PLAIN[1:])

    def begin(self, now_ms: int, *, with_hypotheses: bool = False) -> None:
        """Call first within the snapshot: what is known of words holds until somebody writes. Facts are open at `now_ms`."""
        self._now, self._last_band = now_ms, _HYPOTHESIS if with_hypotheses else _HYPOTHESIS - 1
        if self._prepared is not self._db.db:  # the snapshot began with the file opened anew
            self._view()
            self._prepared, self._version = None, None
        version = self._db.version()
        if version != self._version:
            self._counts.clear()
            self._spreads.clear()
            self._forget_postings()
            self._speakers = self._range = self._named = None
            self._version = version
        if self._postings_kept > _MOST_POSTINGS:
            self._forget_postings()
        kept = len(self._near) + sum(map(len, self._made.values()))
        if kept > _MOST_KEPT or not self._spreads:
            self._turns.clear()
            self._positions.clear()
            self._near.clear()
            self._made.clear()

    def _forget_postings(self) -> None:
        self._postings.clear()
        self._postings_kept = 0

    def stems(self, text: str) -> list[str]:
        """The words of a text as the index of turns holds them, in order."""
        return _tokens(self._stemmer, text)

    def stems_of(self, word: str) -> list[str]:
        """The same of a word that is written as the index has it: pairs of characters are not taken apart again."""
        found = self._stems.get(word)
        if found is None:
            if len(self._stems) > _MOST_STEMS:
                self._stems.clear()
            found = self._stems[word] = _split(self._stemmer, word)
        return found

    def extent(self) -> tuple[int, int]:
        """How many turns there are, and how many words they have together."""
        row = self._db.one("SELECT block FROM said_text_data WHERE id = 1")
        if not row or not row[0]:
            return 0, 0
        turns, position = _varint(row[0], 0)
        person, position = _varint(row[0], position) if turns else (0, 0)
        return turns, person + (_varint(row[0], position)[0] if turns else 0)

    def spread(self, stem: str) -> Spread:
        """How a word is spread over the turns. In a large store a common word is counted in the newest turns alone."""
        if stem not in self._spreads:
            self._spreads[stem] = self._estimated(stem) or self._counted(stem)
        return self._spreads[stem]

    def _counted(self, stem: str) -> Spread:
        rows = self._db.rows("SELECT col, doc, cnt FROM temp.said_words WHERE term = ?", (stem,))
        person = sum(doc for column, doc, _ in rows if column == "person")
        return Spread(sum(r[1] for r in rows), person, sum(r[2] for r in rows))

    def _estimated(self, stem: str) -> Spread | None:
        """As if the word stood in all turns as it does in the newest; None where few turns hold it."""
        turns = self.extent()[0]
        found = self.newest(f'"{stem}"', _SAMPLE) if turns > _COUNTED else []
        if len(found) < _SAMPLE:
            return None
        first, last = self._numbers()
        count = min(turns, round(_SAMPLE * (last - first + 1) / (last - found[-1] + 1)))
        people = self.speakers()
        person = round(count * people.person_turns / max(1, sum(s.turns for s in people.listed)))
        return Spread(count, person, count)

    def _numbers(self) -> tuple[int, int]:
        """The least and the greatest number of a turn."""
        if self._range is None:
            row = self._db.one("SELECT (SELECT min(event) FROM turns), (SELECT max(event) FROM turns)")
            self._range = (row[0] or 0, row[1] or 0) if row else (0, 0)
        return self._range

    def _count(self, vocabulary: str, word: str) -> int:
        key = (vocabulary, word)
        if key not in self._counts:
            sql = f"SELECT doc FROM temp.{vocabulary} WHERE term = ? AND col = 'text'"  # noqa: S608 - names above
            row = self._db.one(sql, (word,))
            self._counts[key] = int(row[0]) if row else 0
        return self._counts[key]

    def rarest(self, index: Literal["work", "fact"], text: str, most: int) -> Sought | None:
        """The rarest words of a text that stand in an index at all; None if none does."""
        words = dict.fromkeys(_split(self._splitter, text)) if self._has_rows(index) else ()
        counted = sorted((count, word) for word in words if (count := self._count(f"{index}_words", word)))
        chosen, rows = list[str](), 0
        for count, word in counted[:most]:
            rows += count
            if rows <= _MOST_ROWS:
                chosen.append(f'"{word}"')
        if chosen:
            return Sought(" OR ".join(chosen))
        every = " AND ".join(f'"{word}"' for _, word in counted[:most])
        return Sought(every, is_common=True) if every else None

    def _has_rows(self, index: str) -> bool:
        key = (index, "")
        if key not in self._counts:
            self._counts[key] = self._db.one(_HAS_ROWS[index]) is not None
        return bool(self._counts[key])

    def postings(self, stem: str) -> Counter[int]:
        """The turns that hold a word, and how often each does."""
        found = self._postings.get(stem)
        if found is None:
            found = self._postings[stem] = self._places("term = ?", (stem,))
            self._postings_kept += len(found)
        return found

    def count_beginning(self, start: str) -> int:
        """How many turns hold words that begin so, at most (a turn counts once for each such word)."""
        row = self._db.one("SELECT sum(doc) FROM temp.said_words WHERE term >= ? AND term < ?", (start, _next(start)))
        return int(row[0] or 0) if row else 0

    def postings_beginning(self, start: str) -> Counter[int]:
        """The turns that hold words that begin so, and how often."""
        return self._places("term >= ? AND term < ?", (start, _next(start)))

    def _places(self, where: str, args: tuple[str, ...]) -> Counter[int]:
        rows = self._db.db.execute(f"SELECT doc FROM temp.said_places WHERE {where}", args)  # noqa: S608 - texts above
        return Counter(cast("Iterator[int]", chain.from_iterable(rows)))  # not one by one: there are thousands

    def newest(self, expression: str, cap: int, share: float = 1.0) -> list[int]:
        """At most `cap` turns that match a full-text expression, those archived last first; of the newest share of all turns."""
        first, last = self._numbers()
        since = last - round((last - first) * share) if share < 1 else 0
        sql = "SELECT rowid FROM said_text WHERE said_text MATCH ? AND rowid >= ? ORDER BY rowid DESC LIMIT ?"
        return [row[0] for row in self._db.rows(sql, (expression, since, cap))]

    def holds_work(self, event: int, expression: str) -> bool:
        """Does this tool call or result match a full-text expression?"""
        sql = "SELECT 1 FROM work_text WHERE work_text MATCH ? AND rowid = ?"
        return self._db.one(sql, (expression, event)) is not None

    def work(self, sought: Sought, cap: int) -> list[tuple[int, float]]:
        """At most `cap` tool calls and results that match, best first, with their score; of common words the newest."""
        newest = f"""SELECT rowid, 1.0 FROM work_text WHERE work_text MATCH ?
            AND rowid > (SELECT max(id) FROM work_text_docsize) - {_MOST_READ} ORDER BY rowid DESC LIMIT ?"""  # noqa: S608
        if sought.is_common:
            return self._db.rows(newest, (sought.expression, cap))
        rows = self._db.rows(_WORK, (sought.expression, cap + 1))
        if len(rows) > cap and rows[cap - 1][1] == rows[cap][1]:  # which of these it is, arrival must not decide
            rows = self._db.rows(_WORK_IN_ORDER, (sought.expression, cap))
        return [(row[0], row[1]) for row in rows[:cap]]

    # -- turns

    def turns(self, events: Iterable[int]) -> dict[int, Turn]:
        """The turns among these events."""
        wanted = list(events)
        missing = [n for n in wanted if n not in self._turns]
        if missing:
            self._turns.update(
                (r[0], Turn(*r)) for r in self._db.rows(f"{_TURN} WHERE event IN {_MANY}", (_json(missing),))
            )
        return {n: self._turns[n] for n in wanted if n in self._turns}

    def around(self, turns: Iterable[int], count: int) -> dict[int, Around]:
        """Each of these turns with up to `count` turns before and after it in its session."""
        wanted = [(n, count) for n in turns]
        missing = [n for n, _ in wanted if (n, count) not in self._near]
        if missing:
            self._near.update(((event, count), near) for event, near in self._around(missing, count))
        return {key[0]: self._near[key] for key in wanted if key in self._near}

    def _around(self, turns: Sequence[int], count: int) -> Iterator[tuple[int, Around]]:
        for event, group in groupby(self._db.rows(_AROUND, (_json(turns), count)), key=itemgetter(0)):
            yield event, _around(event, [Turn(*row[1:]) for row in group])

    def windows(self, turns: Iterable[int], count: int, made: Callable[[Around], W]) -> dict[int, W]:
        """The same, as what `made` makes of each, which is remembered."""
        known = self._made.setdefault((made, count), {})
        wanted = list(turns)
        missing = [n for n in wanted if n not in known]
        if missing:
            known.update((event, made(near)) for event, near in self._around(missing, count))
        return {n: known[n] for n in wanted if n in known}

    def latest(self, cap: int) -> list[int]:
        """At most `cap` turns, those archived last first."""
        return [row[0] for row in self._db.rows("SELECT event FROM turns ORDER BY event DESC LIMIT ?", (cap,))]

    def speakers(self) -> Speakers:
        """Everybody who has turns, in an order that does not depend on arrival."""
        if self._speakers is None:
            rows = self._db.rows("SELECT n, role, name, turns FROM speakers WHERE turns > 0 ORDER BY role, name")
            self._speakers = Speakers(Speaker(*row) for row in rows)
        return self._speakers

    def said_between(self, since: str, until: str, cap: int) -> list[int]:
        """At most `cap` turns said within a range of time, the latest first."""
        return [row[0] for row in self._db.rows(_SAID_BETWEEN, (since, until, cap))]

    def positions(self, events: Iterable[int]) -> dict[int, Position]:
        """Where each event is shown, and when that was said or done, in the order of its session."""
        wanted = list(events)
        missing = [n for n in wanted if n not in self._positions]
        if missing:
            self._positions.update((r[0], Position(*r[1:])) for r in self._db.rows(_POSITIONS, (_json(missing),)))
        return {n: self._positions[n] for n in wanted if n in self._positions}

    # -- facts

    def facts_with(self, sought: Sought, cap: int, *, told: bool = True) -> list[tuple[int, int, float]]:
        """(event, fact, score) of at most `cap` open facts that match, best first; of common words the newest. `told`: also
        what was drawn from a person's turn as he said it."""
        sql = _NEWEST_FACTS_WITH if sought.is_common else _FACTS_WITH
        expression = f"{{text}} : ({sought.expression})"  # not what was only asked
        rows = self._db.rows(sql, (expression, self._last_band, self._now, self._now, told, cap))
        return [(r[0], r[1], r[2]) for r in rows]

    def facts_about(self, name: str, cap: int) -> list[tuple[int, int]]:
        """(event, fact) of at most `cap` open facts about the entity of that name, the newest first."""
        found: list[Row] = []
        for (n,) in self._db.rows("SELECT n FROM entities WHERE key = ? ORDER BY kind LIMIT 8", (name,)):
            for column in ("object", "subject"):
                found += self._db.rows(_FACTS_ABOUT.format(column), (n, self._last_band, self._now, self._now, cap))
        return [(row[2], row[3]) for row in sorted(found)[:cap]]

    def closed(self, events: Iterable[int]) -> list[tuple[int, int]]:
        """(event, fact) of the facts drawn from these events that no open row tells, in the order of their ids."""
        return self._db.rows(_CLOSED, (_json(events), self._last_band, self._now, self._now))

    def open_facts(self, events: Iterable[int]) -> dict[int, int]:
        """For each of these events of which a fact is open, that fact."""
        return dict(self._db.rows(_OPEN_FACTS, (_json(events), self._last_band, self._now, self._now)))

    def replaced(self, events: Iterable[int]) -> list[Replaced]:
        """Which of these events hold facts that others superseded or corrected."""
        listed = _json(events)
        return [*(Replaced(*row) for row in self._db.rows(_REPLACED, (listed,))), *self._replaced_by_name(listed)]

    def _replaced_by_name(self, events: str) -> Iterator[Replaced]:
        """Where a command named the new in place of the old, which may stand under another key."""
        if self._named is None:
            self._named = {}
            for fact, ids in self._db.rows(_NAMED):
                self._named.setdefault(bytes.fromhex(fact), []).extend(map(bytes.fromhex, ids.split()))
        for event, old in self._db.rows(_OVER, (events,)) if self._named else ():
            for new in self._named.get(old, ()):
                place = self._db.one("SELECT h.event FROM facts f JOIN shown h ON h.uid = f.uid WHERE f.id = ?", (new,))
                if place is not None and place[0] != event:
                    yield Replaced(event, new, place[0])


def _around(event: int, turns: list[Turn]) -> Around:
    place = next(n for n, turn in enumerate(turns) if turn.event == event)
    return Around(tuple(reversed(turns[:place])), turns[place], tuple(turns[place + 1 :]))


def _tokens(tokenizer: apsw.FTS5Tokenizer | None, text: str) -> list[str]:
    return _split(tokenizer, indexed(text))


def _split(tokenizer: apsw.FTS5Tokenizer | None, text: str) -> list[str]:
    if tokenizer is None:
        raise RuntimeError("prepare() was not called")
    data = text.encode("utf-8", "replace")
    found = tokenizer(data, apsw.FTS5_TOKENIZE_DOCUMENT, None, include_offsets=False, include_colocated=False)
    return [str(token) for token in found]


def _json(values: Iterable[int]) -> str:
    return f"[{','.join(map(str, values))}]"


def _next(start: str) -> str:
    """The least text that comes after all that begin so."""
    return start[:-1] + chr(ord(start[-1]) + 1)


def _varint(data: bytes, position: int) -> tuple[int, int]:
    """A number as SQLite writes it (big-endian groups of seven bits), and where the next one begins."""
    value = 0
    for offset in range(8):
        byte = data[position + offset]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, position + offset + 1
    return value << 8 | data[position + 8], position + 9
