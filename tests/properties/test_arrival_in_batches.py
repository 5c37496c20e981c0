"""What one batch may hold together, in every order of it: each small set of items ends as the same store.

`test_order_independence` has random worlds. These are the sets in which a shortcut of a batch would go wrong: an event in
two contents or two sessions, a result before its call, a verdict before what it speaks of.
"""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from tests.properties.worlds import SECRET, Item, Way, answers, engine_at, home, masked, new_items, write
from tests.support import HARNESS, Clock, answered, called, said

from muniment.archive import parts
from muniment.engine.core import Caller, Engine
from muniment.engine.stating import decide
from muniment.engine.transfer import export_jsonl, load_jsonl
from muniment.engine.upkeep import digest, verify
from muniment.gate.intake import prepare
from muniment.model.event import Action, Event, Origin, SessionInfo
from muniment.model.fact import Action as Decision
from muniment.model.ids import show

FOLDER = "/home/dev/demo"
CALL, RESULT, TURN, OTHER = (f"record-00000000000000{n}" for n in range(4))
AT, LATER = "2026-03-01T10:00:00.000Z", "2026-03-05T10:00:00.000Z"
WAYS = tuple(itertools.starmap(Way, itertools.product((False, True), repeat=2)))
Kind = Callable[[], list[Item]]


def seen(event: Event, session: str = "main", root: str | None = FOLDER) -> Item:
    """An event as a session saw it."""
    there = dataclasses.replace(event, session=session)
    return Item(SessionInfo(session, HARNESS, cwd=root), root, prepare(there, HARNESS, parts.encode))


def read(seq: int = 0, at: str | None = AT, native: str | None = CALL) -> Event:
    return called("main", seq, at, "call-1", Action.READ, "Read", {"path": f"{FOLDER}/src/a.py"}, native_id=native)


def gave(seq: int = 1, at: str | None = AT, native: str | None = RESULT, call: str = "call-1", **more: object) -> Event:
    return dataclasses.replace(answered("main", seq, at, call, "a = 1\n", ok=True), native_id=native, **more)


def asked(seq: int = 1, at: str | None = AT, native: str | None = RESULT, **more: object) -> Event:
    return said("main", seq, at, "what does it do?", native_id=native, **more)


def edited_in_a_fork(updated: str) -> Kind:
    """The fork that saw the call, which is not where the result is shown, has only what was made of it."""
    return lambda: [seen(read(), "z-fork"), seen(gave(updated_at=AT)), seen(asked(updated_at=updated), "z-fork")]


def a_content_that_counts_elsewhere() -> list[Item]:
    """The call stands only where an older content of the result does, and the result is shown elsewhere."""
    return [
        seen(read(), "fork"),
        seen(asked(), "fork"),
        seen(gave(updated_at=LATER), "a-fork"),
        seen(asked(2), "z-fork"),
    ]


def two_contents_in_one_place() -> list[Item]:
    return [seen(read()), seen(gave()), seen(gave(call="call-2", updated_at=LATER)), seen(asked(2, LATER, TURN))]


def a_call_and_its_result_in_forks() -> list[Item]:
    return [seen(read()), seen(gave(), "fork"), seen(read(3), "fork"), seen(gave(4), "a-fork")]


def one_event_in_several_sessions() -> list[Item]:
    return [seen(asked(), "main"), seen(asked(), "a-fork"), seen(asked(7), "z-fork"), seen(read(0, LATER), "a-fork")]


def records_out_of_their_order() -> list[Item]:
    return [seen(asked(0, LATER, TURN)), seen(read(1)), seen(gave(2, None)), seen(asked(3, AT, OTHER))]


def records_without_a_name() -> list[Item]:
    return [seen(read(native=None)), seen(gave(native=None)), seen(asked(native=None)), seen(asked(2, native=None))]


def a_folder_that_is_learnt_between_events() -> list[Item]:
    unknown = seen(read(), root=None)
    return [unknown, seen(gave(), root=None), Item(SessionInfo("main", HARNESS, cwd=FOLDER), f"{FOLDER}/src")]


def masks_that_differ() -> list[Item]:
    door = said("main", 0, AT, f"the door says {SECRET} today, is that right?", native_id=TURN)
    whole = seen(door, "fork")
    assert whole.event is not None
    halves = [whole._replace(event=masked(whole.event, part)) for part in ((0, 5), (5, 10))]
    return [whole, *halves, seen(dataclasses.replace(door, text="is it open?", updated_at=AT), "main")]


def decided(events: Sequence[Item], what: Decision) -> list[Item]:
    """Items of events, of the command that decided on the fact drawn from them, and of its verdict."""
    with home() as folder, engine_at(folder, "decided", Clock(AT)) as engine:
        write(engine, events)
        (fact,) = engine.store().facts.select("1", (), 10)
        decide(engine, Caller(Origin.PERSON), what, show(fact.row.id), "so")
        command, verdict = new_items(engine, set())
        return [*events, command._replace(verdict=verdict.verdict)]


def a_verdict_before_its_event() -> list[Item]:
    return decided([seen(asked())], Decision.RETRACT)


def a_verdict_on_what_another_content_gave() -> list[Item]:
    """The fact rests on a result that answers another call by now."""
    call, result, *made = decided([seen(read()), seen(gave())], Decision.CONFIRM)
    return [call, result, seen(gave(call="call-2", updated_at=LATER)), *made]


KINDS: dict[str, Kind] = {
    "an edit in a fork, the result counts": edited_in_a_fork("2026-02-01T10:00:00.000Z"),
    "an edit in a fork, the edit counts": edited_in_a_fork(LATER),
}
KINDS |= {
    kind.__name__.replace("_", " "): kind
    for kind in (
        a_content_that_counts_elsewhere, two_contents_in_one_place, a_call_and_its_result_in_forks,
        one_event_in_several_sessions, records_out_of_their_order, records_without_a_name,
        a_folder_that_is_learnt_between_events, masks_that_differ, a_verdict_before_its_event,
        a_verdict_on_what_another_content_gave,
    )
}  # fmt: skip


def arrivals(items: Sequence[Item]) -> Iterator[tuple[list[Sequence[Item]], Way]]:
    """Every order, one by one and in two batches (of which one may be empty), put down in one way or another."""
    for number, order in enumerate(itertools.permutations(items)):
        turn, cut = divmod(number, len(order))
        yield [[item] for item in order], WAYS[number % len(WAYS)]
        yield [order[:cut], order[cut:]], WAYS[turn % len(WAYS)]


@contextlib.contextmanager
def copy_of(folder: Path, name: str) -> Iterator[Engine]:
    """An engine with an empty store, which is copied: to make one takes longer than all that is done to it here."""
    if not (folder / "empty").exists():
        with engine_at(folder, "empty") as engine:
            engine.store(create=True)
    shutil.copytree(folder / "empty", folder / name)
    with engine_at(folder, name) as engine:
        yield engine


def told(engine: Engine) -> tuple[object, ...]:
    return digest(engine), answers(engine)


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_every_order_and_batching_of_a_few_items_gives_one_store(kind: Kind) -> None:
    items = kind()
    with home() as folder:
        with engine_at(folder, "at-once") as at_once:
            write(at_once, items)
            expected = told(at_once)
            assert verify(at_once, rebuild=True).problems == ()
            assert told(at_once) == expected
        for number, (batches, way) in enumerate(arrivals(items)):
            with copy_of(folder, f"n{number}") as engine:
                for batch in batches:
                    write(engine, batch, way)
                assert digest(engine) == expected[0], (number, way)


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_a_store_that_is_loaded_into_one_that_has_a_part_of_it_is_that_store(kind: Kind) -> None:
    items = kind()
    with home() as folder, engine_at(folder, "all") as whole:
        write(whole, items)
        export_jsonl(whole, folder / "all.jsonl")
        for part in range(2 ** len(items)):
            with copy_of(folder, f"n{part}") as engine:
                write(engine, [item for n, item in enumerate(items) if part >> n & 1])
                load_jsonl(engine, folder / "all.jsonl", allow_nothing=True)
                assert told(engine) == told(whole), part
