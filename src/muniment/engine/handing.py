"""What one session leaves to the next, drawn from its own rows and its last words: nothing is summed up by a model."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from muniment.engine import promising, waking
from muniment.engine.waking import age, entry_of, has_failed, last_of
from muniment.model.ports import Store
from muniment.storage.sqlite.hot import Reads, Row
from muniment.views.rows import escaped
from muniment.views.wake import VALUE_CAP, Entry, Header, Section

HANDOFF_BUDGET = 1400
"""Bytes: about 400 tokens, since receipts are dense."""
_DEPTH = 400
_DECIDED, _FILES, _LOOPS, _STEPS = 6, 8, 4, 6


class Handoff:
    """The handoff of one session, over one snapshot."""

    def __init__(
        self, store: Store, now: int, told: Callable[[int], str], mark: Callable[[int, str, int], str | None],
        session: Row,
    ) -> None:  # fmt: skip
        self._store, self._now, self._told, self._mark = store, now, told, mark
        self._reads = Reads(store.db.db)
        self._number, self._session, self._harness, _ = session
        rows = self._reads.rows("session", self._number, now, _DEPTH)
        self._states = self._reads.rows("session_states", self._number, now, _DEPTH)
        self._of: dict[str, list[Row]] = {}
        for row in sorted(rows, key=age):
            self._of.setdefault(row[8], []).append(row)
        self._turns = self._reads.turns_of(self._number)

    def header(self, workspace: str) -> Header:
        """What the frame says: which session, and until when."""
        until, seq = self._reads.end_of(self._number) or ("", 0)
        who = f"{escaped(self._session)} ({escaped(self._harness)})"
        ended = self._told(waking.from_stored(until))
        return Header(
            workspace, self._told(self._now), who, ended, f"{escaped(self._session)}:{seq}", "", view="handoff"
        )

    def sections(self) -> list[Section]:
        """Task, state, decisions, files, open loops, next steps."""
        here = f"session:{self._session}"
        return [
            Section("task", self._task(), f"muniment query 'p:asked {here}'"),
            Section("state", self._state(), f"muniment query 'p:ran,passed,committed {here}'"),
            Section("decisions", self._decisions(), f"muniment query 'type:decision,preference,procedure,fact {here}'"),
            Section("files touched", self._files(), f"muniment query 'p:touched {here}'"),
            Section("open loops", self._loops(), f"muniment query 'p:promised {here}'"),
            Section("next steps", self._steps(), f"muniment query 'p:ran {here}'"),
        ]

    # -- sections

    def _task(self) -> list[Entry]:
        """What the person asked last, and what they asked first where that is something else."""
        asked = [r for r in self._rows("asked") if r[6] == "person"]
        return self._entries(dict.fromkeys((*asked[:1], *asked[-1:])), words="")

    def _state(self) -> list[Entry]:
        tests, commits = self._rows("passed")[:1], self._rows("committed")[:1]
        return [*self._last_words(), *self._entries(tests, words="tests:"), *self._entries(commits, words="commit:")]

    def _last_words(self) -> list[Entry]:
        """How the agent's last reply begins: its own words, of its own channel."""
        for kind, seq, uid in self._turns:
            if kind == "reply" and (found := self._store.archived(uid)) is not None and found.text.strip():
                words = found.text.strip()
                shown, start = words[:VALUE_CAP], found.text.index(words[:1])
                receipt = f"{escaped(self._session)}:{seq}@{start}-{start + len(shown)}"
                marks = (
                    f"origin:{found.origin}",
                    *((f"cut:+{len(words) - len(shown)}",) if len(words) > len(shown) else ()),
                )
                at = self._told(waking.from_stored(found.order_at))
                return [Entry("last reply:", _whole(escaped(shown)), at, receipt, marks=marks)]
        return []

    def _decisions(self) -> list[Entry]:
        rows = [*self._rows("decided"), *self._rows("rejected"), *self._rows("because"), *self._states]
        return self._entries(sorted(rows, key=age)[:_DECIDED])

    def _files(self) -> list[Entry]:
        rows = last_of(self._rows("touched"))[:_FILES]
        return [e for row in rows for e in self._entries([row], self._fresh(row), words="")]

    def _loops(self) -> list[Entry]:
        """The last request where no answer follows it, and promises that nothing carried out."""
        last = next(((kind, seq) for kind, seq, _ in self._turns if kind in ("prompt", "reply")), ("", 0))
        place = f"{self._session}:{last[1]}@"
        open_ = [r for r in self._rows("asked") if last[0] == "prompt" and r[1].split("\t")[5].startswith(place)]
        acts = (row for kind in promising.ACTS for row in self._rows(kind))
        promised = promising.standing(self._rows("promised"), acts, self._rows("asked"))
        return [*self._entries(open_, ("unanswered",), ""), *self._entries(promised[:_LOOPS])]

    def _steps(self) -> list[Entry]:
        """What the records leave to be done: commands that fail, files that changed since, files that no commit has."""
        failing = [r for r in last_of(self._rows("ran")) if has_failed(r)]
        touched = last_of(self._rows("touched"))
        since = max((r[2] for r in self._rows("committed")), default=-1)
        stale = [(r, marks) for r in touched if (marks := self._fresh(r))]
        loose = [r for r in touched if r[2] > since and not any(r is other for other, _ in stale)]
        steps = self._entries(failing, words="make it pass:")
        steps += [e for row, marks in stale for e in self._entries([row], marks, "read again:")]
        return [*steps, *self._entries(loose, words="commit or drop:")][:_STEPS]

    # -- rows

    def _rows(self, predicate: str) -> list[Row]:
        return self._of.get(predicate, [])

    def _fresh(self, row: Row) -> tuple[str, ...]:
        mark = self._mark(row[4], row[5], row[2]) if row[4] is not None and row[5] is not None else None
        return (mark,) if mark else ()

    def _entries(self, rows: Iterable[Row], marks: tuple[str, ...] = (), words: str | None = None) -> list[Entry]:
        found = [entry_of(row, self._told(row[2]), marks, words) for row in rows]
        for entry in found:
            entry.id = ""  # the receipt opens the same, for half of the tokens
        return found


def _whole(text: str) -> str:
    """At most as long as a line shows, so that it is cut once."""
    return text if len(text) <= VALUE_CAP else text[: VALUE_CAP - 6].rstrip("\\")
