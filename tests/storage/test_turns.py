"""What search reads of a store is what the store holds, after edits, copies, masks and in any order: counted the plain way."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.properties.worlds import World, engine_at, home, worlds, write, write_all

from muniment.engine.core import Engine
from muniment.engine.upkeep import verify
from muniment.model.event import Kind, Origin
from muniment.model.stored import Prepared, Spread
from muniment.model.text_index import indexed, parts
from muniment.model.time import to_ms
from muniment.storage.sqlite.search import SearchReads

SAID = {Kind.PROMPT, Kind.REPLY, Kind.SUMMARY, Kind.COMMAND, Kind.NOTE}
seeds = st.integers(0, 1 << 32)
SEVERAL = settings(max_examples=25, deadline=None)


class Truth(NamedTuple):
    """One turn as it has to be: where it is shown, whose it is, and its words as the index has them."""

    event: int
    session: str
    seq: int
    role: str
    stems: tuple[str, ...]
    words: int


def truth(engine: Engine) -> list[Truth]:
    """Every shown event that is somebody's turn, read from the archive alone."""
    store, found = engine.store(), []
    rows = store.db.rows("SELECT h.event, s.id, h.seq FROM shown h JOIN sessions s ON s.n = h.session")
    for n, session, seq in rows:
        event = store.prepared(n)
        if event.kind in SAID and event.origin != Origin.HARNESS and "injected" not in event.flags:
            text = indexed(stated(event)) if event.harness == "muniment" else indexed(event.text) + parts(event.text)
            stems = tuple(store.search.stems_of(text))
            found.append(Truth(n, session, seq, event.role, stems, len(text.split())))
    return found


def stated(event: Prepared) -> str:
    """What a command of ours states: its content, its subject and its topic, a line each."""
    spans = [call.args.get(name) for call in event.calls for name in ("content", "subject", "predicate", "topic")]
    return "\n".join(event.text[span.start : span.end] for span in spans if span is not None)


def check(engine: Engine) -> None:
    store = engine.store()
    store.search.prepare()
    with store.reading():
        store.search.begin(to_ms(engine.now()))
        turns, reads = truth(engine), store.search
        _check_counts(reads, turns)
        _check_words(reads, turns)
        _check_neighbours(reads, turns)
        work = store.db.rows("SELECT id FROM work_text_docsize ORDER BY id")
        shown = store.db.rows("SELECT event FROM shown ORDER BY event")
        assert sorted([*work, *((t.event,) for t in turns)]) == shown


def _check_counts(reads: SearchReads, turns: list[Truth]) -> None:
    assert reads.extent() == (len(turns), sum(len(t.stems) for t in turns))
    counts = Counter(t.role for t in turns)
    expected = [(role, "", count) for role, count in sorted(counts.items())]
    speakers = reads.speakers()
    assert [(s.role, s.name, s.turns) for s in speakers.listed] == expected
    assert speakers.person_turns == counts["user"]
    numbers = {s.n: s for s in speakers.listed}
    found = reads.turns(t.event for t in turns)
    assert {n: (t.seq, numbers[t.speaker].role, t.words) for n, t in found.items()} == {
        t.event: (t.seq, t.role, t.words) for t in turns
    }


def _check_words(reads: SearchReads, turns: list[Truth]) -> None:
    holding: dict[str, dict[int, int]] = defaultdict(dict)
    for turn in turns:
        for stem, count in Counter(turn.stems).items():
            holding[stem][turn.event] = count
    persons = {t.event for t in turns if t.role == "user"}
    for stem, events in holding.items():
        assert reads.postings(stem) == events
        assert reads.spread(stem) == Spread(len(events), len(persons & events.keys()), sum(events.values()))
    assert reads.spread("nowhere") == Spread(0, 0, 0)
    assert reads.postings("nowhere") == {}


def _check_neighbours(reads: SearchReads, turns: list[Truth]) -> None:
    by_session = defaultdict(list)
    for turn in sorted(turns, key=lambda t: (t.seq, t.event)):
        by_session[turn.session].append(turn.event)
    for count in (1, 3):
        around = reads.around((t.event for t in turns), count)
        for events in by_session.values():
            for at, event in enumerate(events):
                before, turn, after = around[event]
                assert [t.event for t in reversed(before)] == events[max(0, at - count) : at]
                assert turn.event == event
                assert [t.event for t in after] == events[at + 1 : at + 1 + count]


@SEVERAL
@given(worlds(), seeds)
def test_reads_are_what_a_plain_count_of_the_archive_gives(world: World, seed: int) -> None:
    if not world.items:
        return
    with home() as folder, engine_at(folder, "one") as engine:
        write_all(engine, world.items, seed)
        check(engine)
        assert verify(engine, rebuild=True).problems == ()
        check(engine)


@SEVERAL
@given(worlds())
def test_they_are_after_every_single_write(world: World) -> None:
    with home() as folder, engine_at(folder, "one") as engine:
        for item in world.items:
            write(engine, [item])
            check(engine)
