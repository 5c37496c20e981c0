"""What the wake view shows, gathered from stored rows alone: a walk of a few indexes, cheap enough for a hook.

Rules come first, then what is open, decided, in flight and done: a session that begins, or that lost its context, goes on
from there. A record stands once, in the first section that has a claim to it.
"""

from __future__ import annotations

import os

from muniment.engine.hot import covered
from muniment.views.escapes import escaped
from muniment.views.wake import Entry, Header, Section

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from muniment.storage.sqlite.hot import Reads, Row

OWN = "muniment"
"""The harness of what is stated to us by command."""
_DEPTH = 80
"""Rows of one kind that are looked at, in the order of their rank; what is old enough to fall off is not news."""
_ASKED, _DECIDED, _FLIGHT, _DONE, _PASSED, _COMMITS, _STALE, _OPEN, _LEFT = 5, 10, 10, 12, 3, 5, 10, 8, 6
_LOOKED_AT = 12
"""Files whose state is looked at: each is a question to the file system."""
_RULES = frozenset(("prefers", "avoids", "practises", "requires"))
_PERSON_RUNG = "3"
_STATES = ("preference", "procedure", "pattern", "fact")
_PURPOSE_CAP = 4096
_PURPOSE_LINES = 8

Told = "Callable[[int], str]"
"""A time (milliseconds) as the reader reads it."""
Mark = "Callable[[int, str, int], str | None]"
"""How the file of a path (its number), an anchor and a time stands now: None if it is as it was."""


class Wake:
    """One wake view over one snapshot. `told` and `mark` are the reader's clock and the reader's view of files."""

    def __init__(
        self, reads: Reads, now: int, told: Callable[[int], str], mark: Callable[[int, str, int], str | None]
    ) -> None:
        self._reads, self._now, self._told, self._mark = reads, now, told, mark
        self._last = reads.last_session(now, OWN)
        self._shown: set[bytes] = set()
        self._marks: dict[bytes, str | None] = {}
        self._looked = 0

    def header(self, name: str, purpose: Iterable[Entry] = ()) -> Header:
        """What the frame says: the last session, and how much there is."""
        count = self._reads.sessions(OWN)
        counts = f"{count:,} session{'' if count == 1 else 's'}"
        at = self._told(self._now)
        if self._last is None:
            return Header(name, at, "", None, "", counts, list(purpose))
        number, id_, harness, source = self._last
        until, seq = self._reads.end_of(number) or ("", 0)
        counts += "; the last session's log holds more than was read" if self._has_more(source) else ""
        who, ended = f"{escaped(id_)} ({escaped(harness)})", self._told(from_stored(until))
        return Header(name, at, who, ended, f"{escaped(id_)}:{seq}", counts, list(purpose))

    def sections(self) -> list[Section]:
        """What is shown, the most needed first."""
        touched = self._by_time("touched")
        return [
            Section("pinned", self._entries(self._reads.pinned(self._now, _DEPTH)), "muniment wake --budget 16384"),
            Section("rules of the person", self._rules(), "muniment query 'type:preference,procedure origin:person'"),
            Section("promised or unanswered", self._open(), "muniment query 'p:promised,asked'"),
            Section("decided and in force", self._in_force(), "muniment query 'type:decision,fact'"),
            Section("files in flight", self._in_flight(touched), "muniment query 'p:touched'"),
            Section("left by the last session", self._left(), "muniment handoff"),
            Section("asked last", self._asked(), "muniment query 'p:asked origin:person'"),
            Section("done last, failures first", self._done(), "muniment query 'p:ran'"),
            Section("test runs", self._newest("passed", _PASSED), "muniment query 'p:passed'"),
            Section("commits", self._newest("committed", _COMMITS), "muniment query 'p:committed'"),
            Section("stale or suspect", self._stale(touched), "muniment query 'standing:suspect'"),
        ]

    # -- sections

    def _rules(self) -> list[Entry]:
        rows = [r for kind in ("preference", "procedure") for r in self._reads.rows("type", kind, self._now, _DEPTH)]
        rows += self._reads.rows("predicate", "requires", self._now, _DEPTH)
        return self._entries(sorted((r for r in rows if _is_persons(r) and r[8] in _RULES), key=_rank))

    def _open(self) -> list[Entry]:
        """Promises that nobody withdrew and nothing carried out, and the last request where no answer follows it."""
        asked = self._entries(self._unanswered(), ("unanswered",), words="")
        return [*asked, *self._entries(self._promised()[:_OPEN])]

    def _promised(self) -> list[Row]:
        promised = self._by_time("promised")
        if not promised:
            return []
        from muniment.engine import promising  # patterns that a hook need not load while nobody promised anything

        acts = (row for kind in promising.ACTS for row in self._walk(kind))
        return promising.standing(promised, acts, self._walk("asked"))

    def _unanswered(self) -> list[Row]:
        if self._last is None:
            return []
        turns = self._reads.turns_of(self._last[0])
        last = next(((kind, seq) for kind, seq, _ in turns if kind in ("prompt", "reply")), ("", 0))
        if last[0] != "prompt":
            return []
        place = f"{self._last[1]}:{last[1]}@"
        asked = self._reads.asked_by_people(self._now, _DEPTH * 10, _DEPTH // 2)
        return [row for row in asked if row[1].split("\t")[5].startswith(place)]

    def _in_force(self) -> list[Entry]:
        """Decisions first, then states by rank."""
        decided = sorted(self._walk("decided") + self._walk("rejected"), key=age)[:_DECIDED]
        states = [r for kind in _STATES for r in self._reads.rows("type", kind, self._now, _DEPTH)]
        return self._entries(decided) + self._entries(sorted(states, key=_rank))

    def _in_flight(self, touched: list[Row]) -> list[Entry]:
        """Files that were written since the last commit, the newest write of each."""
        since = max((row[2] for row in self._walk("committed")), default=-1)
        newest = [r for r in last_of(touched) if r[2] > since][:_FLIGHT]
        return [e for row in newest for e in self._entries([row], self._fresh(row))]

    def _left(self) -> list[Entry]:
        """What the last session was asked, how it ended, and what it left failing."""
        if self._last is None:
            return []
        rows = sorted(self._reads.rows("session", self._last[0], self._now, _DEPTH), key=age)
        failed = [r for r in last_of([r for r in rows if r[8] == "ran"]) if has_failed(r)]
        kinds = (
            ("task", [r for r in rows if r[8] == "asked" and r[6] == "person"][:1]), ("failing", failed[:_LEFT]),
            ("tests", [r for r in rows if r[8] == "passed"][:1]), ("commit", [r for r in rows if r[8] == "committed"][:1]),
        )  # fmt: skip
        return [e for name, found in kinds for e in self._entries(found, words=f"{name}:")]

    def _asked(self) -> list[Entry]:
        asked = sorted(self._reads.asked_by_people(self._now, _DEPTH * 10, _DEPTH // 2), key=age)[:_ASKED]
        return self._entries(asked, words="")

    def _done(self) -> list[Entry]:
        """The last outcome of each command; what failed stands first."""
        newest = last_of(self._by_time("ran"))[:_DONE]
        return self._entries(sorted(newest, key=lambda row: not has_failed(row)))

    def _newest(self, predicate: str, count: int) -> list[Entry]:
        return self._entries(self._by_time(predicate)[:count])

    def _stale(self, touched: list[Row]) -> list[Entry]:
        """Files that are no longer as the newest fact about them says, and states under suspicion."""
        doubted = [r for kind in _STATES for r in self._reads.rows("type", kind, self._now, _STALE, band=1)]
        found = self._entries(sorted(doubted, key=age)[:_STALE])
        stale: list[Entry] = []
        for row in last_of(sorted([*touched, *self._walk("read")], key=age)):
            if len(stale) < _STALE and (marks := self._fresh(row)):
                stale += self._entries([row], marks)
        return found + stale

    # -- rows

    def _walk(self, predicate: str) -> list[Row]:
        return self._reads.rows("predicate", predicate, self._now, _DEPTH)

    def _by_time(self, predicate: str) -> list[Row]:
        return sorted(self._walk(predicate), key=age)

    def _fresh(self, row: Row) -> tuple[str, ...]:
        id_, _, ms, _, path, anchor, *_ = row
        if path is None or anchor is None:
            return ()
        if id_ not in self._marks:
            if self._looked == _LOOKED_AT:
                return ()
            self._looked += 1
            self._marks[id_] = self._mark(path, anchor, ms)
        mark = self._marks[id_]
        return (mark,) if mark else ()

    def _entries(self, rows: Iterable[Row], marks: tuple[str, ...] = (), words: str | None = None) -> list[Entry]:
        """The rows as entries, those aside that stand further up."""
        fresh = [row for row in rows if row[0] not in self._shown]
        self._shown.update(row[0] for row in fresh)
        return [entry_of(row, self._told(row[2]), marks, words) for row in fresh]

    def _has_more(self, source: str | None) -> bool:
        """Did the log of a session grow since it was read?"""
        if not source:
            return False
        path = source.removeprefix("file://")
        read = self._reads.read_of(path)
        try:
            return read is not None and os.stat(path).st_size > read
        except (OSError, ValueError):
            return False


def purposes(places: Iterable[tuple[str, str, str]], told: Callable[[int], str]) -> list[Entry]:
    """The first of these files that is there, line by line: (path, the name to show, a mark) each. Every line is quoted
    with the file and the line as its receipt."""
    for path, name, mark in places:
        try:
            with open(path, "rb") as file:
                text = covered(file.read(_PURPOSE_CAP).decode("utf-8", "replace"))
            at = told(os.stat(path).st_mtime_ns // 1_000_000)
        except (OSError, ValueError):
            continue
        lines = [(n, line.strip()) for n, line in enumerate(text.splitlines(), 1) if line.strip()]
        marks = (mark,) if mark else ()
        return [Entry("", escaped(line), at, f"{name}:{n}", marks=marks) for n, line in lines[:_PURPOSE_LINES]]
    return []


def from_stored(instant: str) -> int:
    """Milliseconds of a stored time, without the library of times."""
    year, month, day = int(instant[:4] or 1970), int(instant[5:7] or 1), int(instant[8:10] or 1)
    year -= month <= 2
    era, month = year // 400, (month + 9) % 12
    of_era = year - era * 400
    days = era * 146097 + of_era * 365 + of_era // 4 - of_era // 100 + (153 * month + 2) // 5 + day - 1 - 719468
    clock = int(instant[11:13] or 0) * 3600 + int(instant[14:16] or 0) * 60 + int(instant[17:19] or 0)
    return (days * 86400 + clock) * 1000 + int(instant[20:23] or 0)


def entry_of(row: Row, at: str, marks: tuple[str, ...], words: str | None) -> Entry:
    """A stored row as a record; `words` stand for its subject and predicate."""
    verb, subject, value, _, _, receipt, _, id_, told = row[1].split("\t")
    if words is None:
        words = f"{subject} {verb}" if row[3] or row[7] not in ("session", "person") else verb
    return Entry(words, value, at, receipt, id_, (*marks, *told.split()), row[1])


def age(row: Row) -> tuple[int, bytes]:
    """Newest first; a total order."""
    return -row[2], row[0]


def _is_persons(row: Row) -> bool:
    """Did a person say it, or confirm it?"""
    return bool(row[6] == "person" or row[1].split("\t")[3] == _PERSON_RUNG)


def _rank(row: Row) -> tuple[int, bytes]:
    return -row[9], row[0]


def last_of(rows: Iterable[Row]) -> list[Row]:
    """The newest row of each value, of rows that are newest first."""
    found: dict[tuple[str, str], Row] = {}
    for row in rows:
        found.setdefault((row[8], row[1].split("\t")[2]), row)
    return list(found.values())


def has_failed(row: Row) -> bool:
    """Did this command end with an error?"""
    return any(w.startswith("exit:") and w != "exit:0" for w in row[1].split("\t")[8].split())
