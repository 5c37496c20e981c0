"""The verb `timeline`: what was going on at a time."""

from __future__ import annotations

from dataclasses import replace

from muniment.engine.core import Engine
from muniment.engine.covering import coverage
from muniment.errors import UsageError
from muniment.model.activity import Act, File, Span, Stretch, Timeline
from muniment.model.event import Call, Kind, Result
from muniment.model.event import Span as Place
from muniment.model.expression import parse_range
from muniment.model.fact import Archived
from muniment.model.ports import Store
from muniment.model.time import from_ms, to_ms
from muniment.storage.sqlite.activity import ActivityTable
from muniment.views import timeline as view

HOUR_MS = 3_600_000
ACT_CAP = 2000
"""Acts that are shown, shared out evenly among the sessions; the rest is counted."""
_LEAST_ACTS = 5
_QUIET = frozenset({"person", "tool", "model"})

_ARGUMENTS = ("command", "path", "url", "pattern", "to", "prompt", "active", "patch")
"""Which argument of a call says best what it did."""


def timeline(engine: Engine, when: str, budget: int | None = None) -> Timeline:
    """What was going on in the time that `when` names in the reader's zone: values, and text within `budget` bytes.

    Words that name less than an hour ("last tuesday 15:00") show the hour around with the moment marked.
    """
    if budget is not None and budget < 0:
        raise UsageError(f"a budget cannot be negative: {budget}", hint="0 gives no text")
    start, end = parse_range(when, engine.now(), engine.settings.zone)
    shown_from, shown_to = _widened(start, end)
    store = engine.store()
    with store.reading():
        table = ActivityTable(store.db)
        active = [s for s in table.spans() if s.first_at < shown_to and s.last_at >= shown_from]
        cap = max(ACT_CAP // max(len(active), 1), _LEAST_ACTS)
        sessions = tuple(SessionActs(store, table, s, cap).stretch(shown_from, shown_to) for s in active)
        word, reasons = coverage(engine, start, end)
    moment = start if (shown_from, shown_to) != (start, end) else None
    told = Timeline(when, start, end, shown_from, shown_to, moment, sessions, word, reasons)
    text, left_out = view.render(told, engine.settings.zone, budget)
    return replace(told, text=text, left_out=left_out)


def _widened(start: str, end: str) -> tuple[str, str]:
    """Less than an hour becomes the hour around its middle."""
    low, high = to_ms(start), to_ms(end)
    if high - low >= HOUR_MS:
        return start, end
    more = (HOUR_MS - (high - low)) // 2
    return _near(low - more, start), _near(high + more, end)


def _near(ms: int, fallback: str) -> str:
    try:
        return from_ms(ms)
    except UsageError:
        return fallback  # the first and last half hour of the calendar


class SessionActs:
    """One session as far as it lies in a range of time."""

    def __init__(self, store: Store, table: ActivityTable, span: Span, cap: int) -> None:
        self._store = store
        self._table = table
        self._span = span
        self._cap = cap

    def stretch(self, start: str, end: str) -> Stretch:
        """Acts, files and sums."""
        found = self._table.acts(self._span.n, start, end)
        events = [e for uid, _ in found[: self._cap] if (e := self._store.archived(uid)) is not None]
        acts = tuple(act for event in events for act in self._acts(event))
        receipt = f"{self._span.id}:{events[0].seq}" if events else f"{self._span.id}:{self._span.last_seq}"
        tally = self._table.tally(self._span.n, start, end)
        return Stretch(self._span, receipt, tally, acts, self._files(events), max(len(found) - self._cap, 0))

    def _acts(self, event: Archived) -> list[Act]:
        if event.calls and event.kind != Kind.COMMAND:
            return [self._call(event, call) for call in event.calls]
        receipt = f"{event.session}:{event.seq}"
        origin = "" if event.origin in _QUIET else str(event.origin)
        words = _own_words(event) if _is_ours(event) else event.text
        return [Act(event.order_at, event.kind, receipt, words, origin=origin)]

    def _call(self, event: Archived, call: Call) -> Act:
        text = next((_argument(event, call, a) for a in _ARGUMENTS if a in call.args), "")
        act = Act(event.order_at, "call", f"{event.session}:{event.seq}", text, call.tool, str(call.action))
        answer = self._answer(event, call)
        if answer is None:
            return replace(act, outcome="no result")
        holder, result = answer
        outcome = "" if result.ok is None else "ok" if result.ok else "failed"
        elapsed = to_ms(holder.order_at) - to_ms(event.order_at) if holder.uid != event.uid else None
        took = result.duration_ms if result.duration_ms is not None else elapsed
        is_elapsed = result.duration_ms is None and took is not None
        return replace(act, outcome=outcome, exit_code=result.exit_code, duration_ms=took, is_elapsed=is_elapsed)

    def _answer(self, event: Archived, call: Call) -> tuple[Archived, Result] | None:
        for result in event.results:
            if result.call_id == call.call_id:
                return event, result
        for uid in self._store.events.partners(call.call_id, event.uid, result=True):
            holder = self._store.archived(uid)
            for result in holder.results if holder is not None else ():
                if holder is not None and result.call_id == call.call_id:
                    return holder, result
        return None

    def _files(self, events: list[Archived]) -> tuple[File, ...]:
        """The last write of each file, in the order of their paths."""
        last: dict[str, str] = {}
        for event in events:
            for fact in self._store.facts.select("f.uid = ? AND f.predicate = 'touched'", (event.uid,), ACT_CAP):
                row = fact.row
                last[row.value] = f"{fact.session}:{fact.seq}@{row.span_start}-{row.span_end}"
        return tuple(File(path, last[path]) for path in sorted(last))


def _argument(event: Archived, call: Call, name: str) -> str:
    place = call.args[name]
    return event.text[place.start : place.end] if isinstance(place, Place) else str(place)


def _is_ours(event: Archived) -> bool:
    return event.harness == "muniment"


def _own_words(event: Archived) -> str:
    """A command to us: the command first, then what it stated. Of a page its name alone: whether it holds, its rows say."""
    if event.session.startswith("page/"):
        return f"read {event.session}"
    content = event.calls[0].args.get("content") if event.calls else None
    if not isinstance(content, Place):
        said, _, command = event.text.rpartition("\n")
    else:
        said = event.text[content.start : content.end]
        command = event.text[content.end + 1 :].split("\n", 1)[0]
    return f"{command}: {said}" if said else command
