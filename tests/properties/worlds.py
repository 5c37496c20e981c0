"""Small worlds for the laws about order: sessions that quote, edit and answer each other, statements, and verdicts.

A world is first lived in one store, with commands between the records as people give them. What that store was given is
then a list of items, which a test may hand to other stores in any order, number and batch.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import random
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from hypothesis import strategies as st
from tests.support import Clock, answered, called, counting_names, said

from muniment.archive import parts
from muniment.engine.archiving import Archivist, Batch
from muniment.engine.asking import query
from muniment.engine.core import Caller, Engine, Settings
from muniment.engine.stating import Statement, add, correct, decide, supersede
from muniment.errors import MunimentError
from muniment.gate.intake import content_hash, prepare
from muniment.model.event import Action, Event, Origin, Result, SessionInfo, Span
from muniment.model.fact import Action as Decision
from muniment.model.fact import Verdict
from muniment.model.ids import show
from muniment.model.scope import MARKER, workspace_of
from muniment.model.stored import Prepared

HARNESS = "handmade"
NOW = "2026-06-01T00:00:00.000Z"
SECRET = "tulip-8841"
SESSIONS = ("main", "a-fork", "z-fork", "main/helper")
TIMES = (None, "2026-03-01T10:00:00.000Z", "2026-03-01T10:00:05.000Z", "2026-03-01T09:00:00.000Z",
         "2026-03-02T08:00:00.000Z", "2031-01-01T00:00:00.000Z")  # fmt: skip
UPDATES = (None, "2026-03-01T10:00:00.000Z", "2026-03-03T10:00:00.000Z")
CALLS = ("call-1", "toolu_016ZtqbSrqL5FWnbRs8qkL2M")
FOLDERS = (
    (None, None),
    ("/home/dev/demo", "/home/dev/demo"),
    ("/home/dev/demo/src", "/home/dev/demo"),
    ("/srv/other", "/srv/other"),
)
SELECTORS = (
    "", "p:ran", "p:touched", "p:read", "p:predicted_write", "p:passed", "p:committed", "p:uses", "p:prefers",
    "p:avoids", "path:src/a.py", "session:main", "session:a-fork", "standing:any", "standing:retracted,superseded",
    "asked", "type:preference", "standing:hypothesis,suspect", "tabs", "sqlite as-of:2026-03-01T12:00",
    "p:uses known:2026-03-02",
    "s:project", "-p:ran",
)  # fmt: skip


class Item(NamedTuple):
    """What one write may bring: what is known of a session, an event of it, a verdict."""

    info: SessionInfo
    root: str | None
    event: Prepared | None = None
    verdict: Verdict | None = None


@dataclass(frozen=True)
class World:
    """Items, in the order in which they came to be."""

    items: tuple[Item, ...]


# --- records ------------------------------------------------------------


def _ran(command: str) -> Callable[..., Event]:
    return lambda session, seq, at, call: called(session, seq, at, call, Action.RUN, "Bash", {"command": command})


def _used(action: Action, **args: str) -> Callable[..., Event]:
    return lambda session, seq, at, call: called(session, seq, at, call, action, "Tool", args)


def _gave(output: str, **facts: object) -> Callable[..., Event]:
    return lambda session, seq, at, call: answered(session, seq, at, call, output, **facts)


def _asked(text: str) -> Callable[..., Event]:
    return lambda session, seq, at, call: said(session, seq, at, text)


def _answered_at_once(session: str, seq: int, at: str | None, call_id: str) -> Event:
    event = called(session, seq, at, call_id, Action.EDIT, "Edit", {"path": "src/b.py", "old": "1", "new": "2"})
    return _replace(event, results=(Result(call_id, Span(0, 4), ok=True),))


SHAPES: tuple[Callable[..., Event], ...] = (
    _asked("could you look at src/a.py and tell me why it fails?"),
    _asked("what does `load` do?"),
    _ran("python -m pytest -q"),
    _ran("git commit -m 'load once'"),
    _used(Action.READ, path="src/a.py"),
    _used(Action.WRITE, path="/home/dev/demo/src/a.py", content="a = 1\n"),
    _gave("...\n3 passed in 0.12s", ok=True, exit_code=0),
    _gave("[main 1a2b3c4] load once\n 1 file changed", ok=True, exit_code=0),
    _gave("a = 1\n", ok=True, sha256=hashlib.sha256(b"a = 1\n").hexdigest()),
    _gave("no such file", ok=False),
    _answered_at_once,
    _asked(f"the door says {SECRET} today, is that right?"),
)
"""A dozen records: a small number decides, so that copies are copies."""


def _replace(event: Event, **fields: object) -> Event:
    from dataclasses import replace

    return replace(event, **fields)  # type: ignore[arg-type]


class Turn(NamedTuple):
    """A call and its result, or a question and its answer: what sessions see of it, in one piece or another."""

    shapes: tuple[int, int]
    call_id: str
    times: tuple[str | None, str | None]
    native: str | None


turns = st.builds(
    Turn,
    st.sampled_from(((2, 6), (3, 7), (4, 8), (5, 9), (5, 8), (4, 9), (10, 0), (1, 11), (2, 7), (11, 11))),
    st.sampled_from(CALLS),
    st.tuples(st.sampled_from(TIMES), st.sampled_from(TIMES)),
    st.sampled_from(("record-000000000000000", "record-000000000000000", "n", None)),
)


class Sighting(NamedTuple):
    """Where and how a session saw a half of a turn."""

    turn: int
    half: int
    session: str
    seq: int
    edited: int
    flags: tuple[str, ...]
    updated_at: str | None
    tokens: int | None
    mask: tuple[int, int] | None
    version: str | None
    folder: tuple[str | None, str | None]


sightings = st.builds(
    Sighting,
    st.integers(0, 5),
    st.integers(0, 1),
    st.sampled_from(("main", "main", "main", *SESSIONS)),
    st.integers(0, 9),
    st.sampled_from((0, 0, 0, 0, 1, 2)),
    st.sampled_from(((), (), (), (), ("injected",), ("interrupted",))),
    st.sampled_from((None, None, *UPDATES)),
    st.sampled_from((None, 7)),
    st.sampled_from((None, (0, 10), (0, 5), (5, 10))),
    st.sampled_from((None, "1.0", "1.1")),
    st.sampled_from((FOLDERS[1], FOLDERS[1], *FOLDERS)),
)


def seen(turns: Sequence[Turn], at: Sighting) -> Item:
    """A half of a turn as a session saw it: the same words under the same name, unless it was edited."""
    number = at.turn % len(turns)
    turn = turns[number]
    shape = (turn.shapes[at.half] + at.edited * 5) % 12
    event = SHAPES[shape](at.session, at.seq, turn.times[at.half], turn.call_id)
    raw = f'{{"session":"{at.session}","text":{shape}}}'.encode()
    native = turn.native and f"{turn.native}{number}{at.half}"
    event = _replace(event, raw=raw, native_id=native, updated_at=at.updated_at, flags=at.flags, tokens_in=at.tokens)
    prepared = prepare(event, HARNESS, parts.encode)
    if shape == 11 and at.mask is not None:
        prepared = masked(prepared, at.mask)
    parent = "main" if "/" in at.session else None
    info = SessionInfo(at.session, HARNESS, at.version, parent=parent, cwd=at.folder[0], ended_at=turn.times[at.half])
    return Item(info, at.folder[1], prepared)


def masked(event: Prepared, part: tuple[int, int]) -> Prepared:
    """The event as rules would have it that mask this part of the secret."""
    covered = SECRET[: part[0]] + "█" * (part[1] - part[0]) + SECRET[part[1] :]
    text = event.text.replace(SECRET, covered)
    content = content_hash(event.role, event.origin, event.kind, event.at, text, event.parts)
    return event._replace(text=text, content_hash=content, masks=1)


# --- commands ------------------------------------------------------------


class Command(NamedTuple):
    """Something a person or an agent says to the store at a time; `pick` chooses the facts it is about."""

    at: str
    origin: Origin
    what: int
    pick: int


commands = st.builds(
    Command,
    st.sampled_from([t for t in TIMES if t is not None]),
    st.sampled_from((Origin.PERSON, Origin.PERSON, Origin.AGENT, Origin.TOOL)),
    st.integers(0, 11),
    st.integers(0, 50),
)

STATEMENTS = (
    Statement("fact", "PostgreSQL", predicate="uses", topic="database"),
    Statement("fact", "SQLite", predicate="uses", topic="database", valid_until="2026-03-04T00:00:00.000Z"),
    Statement("preference", "tabs", predicate="prefers"),
    Statement("preference", "Tabs.", predicate="avoids"),
    Statement("preference", "tabs", predicate="prefers", topic="style.indent", standing="hypothesis"),
    Statement("fact", "the office is in Oslo", tags=("place.office",), evidence=("src/a.py",)),
)


def obey(engine: Engine, clock: Clock, command: Command) -> None:
    """Run a command; that it is refused or has no effect is a fine outcome."""
    clock.at = command.at
    caller = Caller(command.origin)
    facts = [show(f.row.id) for f in engine.store().facts.select("1", (), 1000)]
    facts.sort()
    with contextlib.suppress(MunimentError):
        if command.what < len(STATEMENTS):
            add(engine, caller, STATEMENTS[command.what])
        elif facts:
            one, other = facts[command.pick % len(facts)], facts[(command.pick * 7 + 1) % len(facts)]
            _decide(engine, caller, command.what - len(STATEMENTS), one, other)


def _decide(engine: Engine, caller: Caller, what: int, one: str, other: str) -> None:
    if what == 0:
        supersede(engine, caller, one, other, "newer")
    elif what == 1:
        correct(engine, caller, one, "MariaDB", "it never was")
    else:
        decide(
            engine,
            caller,
            (Decision.CONFIRM, Decision.SUSPECT, Decision.RETRACT, Decision.RESTORE)[what - 2],
            one,
            "so",
        )


# --- worlds ------------------------------------------------------------


@st.composite
def worlds(draw: st.DrawFn) -> World:
    """Some turns, seen in several sessions, and commands between them; lived once."""
    those = draw(st.lists(turns, min_size=2, max_size=5))
    happenings = draw(st.lists(st.one_of(sightings, sightings, sightings, commands), min_size=10, max_size=30))
    with home() as folder:
        return live(folder, [seen(those, h) if isinstance(h, Sighting) else h for h in happenings])


def live(folder: Path, happenings: Sequence[Item | Command]) -> World:
    """Let it happen in one store; the items that the store was given."""
    clock = Clock(NOW)
    items = []
    with engine_at(folder, "lived", clock) as engine:
        engine.store(create=True)
        known: set[bytes] = set()
        for happening in happenings:
            if isinstance(happening, Item):
                write(engine, [happening])
                items.append(happening)
            else:
                obey(engine, clock, happening)
                items.extend(new_items(engine, known))
    return World(tuple(items))


def new_items(engine: Engine, known: set[bytes]) -> Iterator[Item]:
    """What commands have put into the store: their events and their verdicts, as items of their own."""
    store = engine.store()
    sql = """SELECT e.n, s.id, p.seq, s.cwd, s.root, s.started_at FROM events e JOIN positions p ON p.uid = e.uid
        JOIN sessions s ON s.n = p.session WHERE e.harness = 'muniment' ORDER BY e.n"""
    for n, session, seq, cwd, root, at in store.db.rows(sql):
        event = store.prepared(n)._replace(session=session, seq=seq)
        if event.uid not in known:
            known.add(event.uid)
            info = SessionInfo(session, "muniment", cwd=cwd, started_at=at, ended_at=at)
            yield Item(info, root, event)
            yield from (Item(info, root, None, v) for v in store.facts.verdicts() if v.uid == event.uid)


@contextlib.contextmanager
def home() -> Iterator[Path]:
    """A folder for some stores, with the work tree they all are about."""
    folder = Path(tempfile.mkdtemp(prefix="muniment-"))
    (folder / "tree").mkdir()
    (folder / "tree" / MARKER).touch()
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


@contextlib.contextmanager
def engine_at(folder: Path, name: str, clock: Clock | None = None) -> Iterator[Engine]:
    """An engine with a store of its own over the one work tree."""
    with Engine(
        workspace_of(folder / "tree"), Settings(folder / name, clock=clock or Clock(NOW), new_name=counting_names())
    ) as engine:
        yield engine


class Way(NamedTuple):
    """How a batch is put down: each event by itself or all together, and what it speaks of first or last."""

    singly: bool = False
    backwards: bool = False


def write(engine: Engine, batch: Sequence[Item], way: Way = Way()) -> None:  # noqa: B008 - it cannot be changed
    """One transaction with everything that these items bring."""
    with Archivist(engine.store(create=True)).batch(durable=False) as writing:
        steps = (_sessions, _events_singly if way.singly else _events, _verdicts)
        for step in steps[::-1] if way.backwards else steps:
            step(writing, batch)
        writing.finish()


def _sessions(writing: Batch, batch: Sequence[Item]) -> None:
    for item in batch:
        writing.session(item.info, item.root)


def _events(writing: Batch, batch: Sequence[Item]) -> None:
    writing.events([item.event for item in batch if item.event is not None])


def _events_singly(writing: Batch, batch: Sequence[Item]) -> None:
    for item in batch:
        if item.event is not None:
            writing.event(item.event)


def _verdicts(writing: Batch, batch: Sequence[Item]) -> None:
    for item in batch:
        if item.verdict is not None:
            writing.verdict(item.verdict)


def write_all(engine: Engine, items: Sequence[Item], seed: int) -> None:
    """Some order, some of it twice, in batches of some size, put down in some way."""
    dice = random.Random(seed)
    shuffled = [*items, *dice.sample(items, dice.randint(0, len(items)))]
    dice.shuffle(shuffled)
    cuts = sorted(dice.sample(range(len(shuffled) + 1), dice.randint(0, min(4, len(shuffled)))))
    for start, end in itertools.pairwise([0, *cuts, len(shuffled)]):
        write(engine, shuffled[start:end], Way(dice.random() < 0.5, dice.random() < 0.5))


def answers(engine: Engine) -> list[tuple[str, str, tuple[object, ...]]]:
    """What the store says to questions of every kind."""
    found = []
    for selector in SELECTORS:
        for budget in (4096, 300):
            answer = query(engine, selector, budget)
            found.append((selector, answer.text, answer.hits))
    return found
