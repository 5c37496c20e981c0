"""R63, R66: rows, text index and lines equal a plain model after random operations; reading writes nothing."""

from __future__ import annotations

import contextlib
import hashlib
import random

import pytest
from tests.recipes.support import Runs, Says, read_in, transcript
from tests.support import archive, ran, said, state

from muniment.engine import history, receipts, stating, upkeep, viewing
from muniment.engine.asking import query
from muniment.errors import MunimentError, NothingChangedError
from muniment.model.fact import Action
from muniment.model.ids import show
from muniment.model.text_index import contains

WORDS = "amber birch cedar delta ember fjord grove heath inlet junco".split()


def operate(engine, person, clock, rng, count):
    """Random additions, corrections, verdicts and sessions; what the model says is open: id -> words."""
    open_: dict[str, str] = {}
    gone: dict[str, str] = {}
    for n in range(count):
        clock.forward(seconds=rng.randint(1, 900))
        roll = rng.random()
        if roll < 0.45 or not open_:
            text = f"{rng.choice(WORDS)} {rng.choice(WORDS)} {n}"
            open_[state(engine, text, "noted").ids[0]] = text
        elif roll < 0.55:
            archive(
                engine,
                [said(f"s{n}", 0, clock.at, f"{rng.choice(WORDS)} {n}?"), *ran(f"s{n}", 1, clock.at, f"make {n}")],
            )
        elif roll < 0.7:
            id_ = rng.choice(sorted(open_))
            new = f"{rng.choice(WORDS)} corrected {n}"
            open_[stating.correct(engine, person, id_, new, "r").ids[0]] = new
            gone[id_] = open_.pop(id_)
        elif roll < 0.8:
            id_ = rng.choice(sorted(open_))
            stating.decide(engine, person, Action.RETRACT, id_, "r")
            gone[id_] = open_.pop(id_)
        elif roll < 0.9 and gone:
            id_ = rng.choice(sorted(gone))
            stating.decide(engine, person, Action.RESTORE, id_, "r")
            open_[id_] = gone.pop(id_)
        else:
            id_ = rng.choice(sorted(open_))
            with contextlib.suppress(NothingChangedError):  # suspected already
                stating.decide(engine, person, rng.choice([Action.SUSPECT, Action.CONFIRM]), id_, "r")
    clock.forward(hours=1)
    return open_


def ids_of(engine, question):
    return {h.id for h in query(engine, question, 10_000_000)}


def check(engine, open_):
    """The answers equal the model, both ways; every index agrees with the table it serves."""
    db = engine.store().db
    assert ids_of(engine, "p:noted standing:confirmed,suspect,hypothesis") == set(open_)
    for word in (*WORDS, "corrected", "nothing"):
        wanted = {i for i, text in open_.items() if contains(text, word)}
        assert ids_of(engine, f"p:noted {word} standing:confirmed,suspect,hypothesis") == wanted, word
    lines = {show(r[0]) for r in db.rows("SELECT DISTINCT id FROM lines")}
    held = {
        show(r[0]) for r in db.rows("SELECT id FROM facts WHERE standing IN ('confirmed', 'suspect', 'hypothesis')")
    }
    assert lines == held
    assert db.rows("SELECT count(*) FROM lines") == db.rows("SELECT count(*) FROM fact_text")
    words = "SELECT (SELECT count(*) FROM said_text) + (SELECT count(*) FROM work_text)"
    assert db.rows("SELECT count(*) FROM shown") == db.rows(words)
    assert db.rows("SELECT count(*) FROM intervals i LEFT JOIN facts f ON f.n = i.fact WHERE f.n IS NULL") == [(0,)]
    assert db.rows("PRAGMA integrity_check") == [("ok",)]
    assert db.rows("PRAGMA foreign_key_check") == []


@pytest.mark.parametrize("seed", range(3))
def test_after_random_operations_the_store_equals_a_plain_model(engine, person, clock, seed):
    open_ = operate(engine, person, clock, random.Random(seed), 120)
    check(engine, open_)
    checked = upkeep.verify(engine, rebuild=True)
    assert checked.ok, checked
    check(engine, open_)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_after_many_random_operations_the_store_equals_a_plain_model(engine, person, clock):
    open_ = operate(engine, person, clock, random.Random(9), 5000)
    check(engine, open_)


def test_a_thousand_reads_write_nothing(engine, person, clock, tmp_path):
    open_ = operate(engine, person, clock, random.Random(5), 60)
    read_in(engine, transcript("claude-code", tmp_path / "t", engine.workspace.root, [Says("x"), Runs("make", "ok")]))
    ids = sorted(open_)
    engine.close()
    folder = engine.path.parent
    before = {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in folder.iterdir() if p.suffix == ".db"}
    changes = engine.store().db.db.total_changes()
    rng = random.Random(1)
    questions = [
        "",
        "p:noted",
        "p:ran",
        "amber",
        "s:project",
        "as-of:2026-03-05",
        "standing:any",
        "type:fact -cedar",
        "since:1d",
    ]
    for n in range(1000):
        match n % 5:
            case 0:
                receipts.read(engine, rng.choice(ids), 1)
            case 1 if n % 25 == 1:
                viewing.wake(engine, 2000)
            case 2 if n % 25 == 2:
                history.history(engine, rng.choice(ids))
            case _:
                query(engine, rng.choice(questions), rng.choice([0, 100, 4096]))
    assert engine.store().db.db.total_changes() == changes
    engine.close()
    assert {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in folder.iterdir() if p.suffix == ".db"} == before


def test_a_refused_or_empty_change_leaves_the_store_as_it_was(engine, person, clock):
    ids = list(operate(engine, person, clock, random.Random(6), 30))
    before = list(engine.store().transfer.digest_rows())
    gone = stating.decide(engine, person, Action.RETRACT, ids[0], "r").ids[0]
    after = list(engine.store().transfer.digest_rows())
    for call in (
        lambda: stating.decide(engine, person, Action.RETRACT, gone, "again"),
        lambda: stating.correct(engine, person, ids[1], query(engine, f"id:{ids[1]}").hits[0].text, "same"),
        lambda: stating.supersede(engine, person, ids[1], ids[1]),
        lambda: state(engine, " ", "noted"),
        lambda: state(engine, "x", "nonsense"),
        lambda: stating.decide(engine, person, Action.CONFIRM, "ZZZZZZZZ"),
    ):
        with pytest.raises(MunimentError):
            call()
    assert list(engine.store().transfer.digest_rows()) == after != before


BAND = (600, 6_000)
"""Bytes of the file for one small statement, with its event, fact, line and index entries."""


def growth(engine, clock, count):
    state(engine, "the first", "noted")
    engine.close()
    empty = sum(p.stat().st_size for p in engine.path.parent.iterdir())
    for n in range(count):
        clock.forward(seconds=1)
        state(engine, f"small fact number {n}", "noted")
    engine.close()
    sizes = {p.name: p.stat().st_size for p in engine.path.parent.iterdir()}
    return (sum(sizes.values()) - empty) / count, sizes


def test_small_additions_grow_the_store_within_a_band(engine, clock):
    each, sizes = growth(engine, clock, 300)
    assert BAND[0] < each < BAND[1]
    assert set(sizes) <= {"memory.db", "memory.db.lock", "memory.db-wal", "memory.db-shm"}
    assert sizes.get("memory.db-wal", 0) == 0


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_twenty_thousand_small_additions_grow_the_store_within_a_band(engine, clock):
    each, _ = growth(engine, clock, 20_000)
    assert BAND[0] < each < BAND[1]


def test_the_same_thing_said_again_grows_no_blob(engine, clock, tmp_path):
    root = engine.workspace.root
    path = transcript("codex", tmp_path / "t", root, [Says("hello")])
    read_in(engine, path)
    blobs = engine.store().transfer.counts()["blobs"]
    for _ in range(5):
        path.write_bytes(path.read_bytes())
        read_in(engine, path)
    assert engine.store().transfer.counts()["blobs"] == blobs
