"""A damaged, foreign or newer file: an error with a name, bytes as they were, never an empty store that looks well."""

from __future__ import annotations

import contextlib
import random
import shutil
import traceback
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest
from tests.faults import children
from tests.faults.checks import bytes_of, digest

from muniment.capture.transcripts.adapters import adapters
from muniment.engine import indexing
from muniment.engine.asking import query
from muniment.engine.core import Engine
from muniment.engine.receipts import read
from muniment.engine.stating import Statement, add, decide
from muniment.engine.upkeep import verify
from muniment.errors import DamagedStoreError, MunimentError, NewerStoreError, ShapeError, StoreError
from muniment.model.fact import Action
from muniment.storage.sqlite import schema
from muniment.testing.transcripts import write_claude_code

PAGE = 4096
HUGE = 10_000_000
SAID_ONCE = {"sessions", "verdicts"}
"""What stands here beside names, times and origins stands nowhere else: only an older digest shows a change."""


@pytest.fixture
def store(tmp_path, home, project) -> Path:
    """A store with a bit of everything, closed."""
    write_claude_code(tmp_path / "session.jsonl", seed=11, turns=2, cwd=str(project))
    with children.open_engine(home, project) as engine:
        indexing.index(engine, indexing.locate(adapters(), [tmp_path / "session.jsonl"])[0], named=True)
        ids = [add(engine, children.PERSON, Statement("fact", f"note {n}", tags=("a.b",))).ids[0] for n in range(20)]
        decide(engine, children.PERSON, Action.RETRACT, ids[0])
        return engine.path


def halved(content: bytes) -> bytes:
    return content[: len(content) // 2]


def zeroed(content: bytes) -> bytes:
    return bytes(PAGE) + content[PAGE:]


SHAPES: dict[str, Callable[[bytes], bytes]] = {
    "cut to half": halved,
    "cut in a page": lambda content: content[:-1000],
    "cut to a header": lambda content: content[:100],
    "zeros at its beginning": zeroed,
    "empty": lambda _: b"",
    "text": lambda _: b"these are my notes\n" * 500,
    "zeros": lambda content: bytes(len(content)),
    "first byte flipped": lambda content: bytes([content[0] ^ 1]) + content[1:],
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_damaged_file_is_refused_by_every_verb_and_left_alone(shape, store, opened):
    store.write_bytes(SHAPES[shape](store.read_bytes()))
    refuses(store, opened, DamagedStoreError)


def test_the_database_of_another_program_is_refused_and_left_alone(store, opened):
    store.unlink()
    with apsw.Connection(str(store)) as db:
        db.execute("CREATE TABLE facts (id, text); INSERT INTO facts VALUES (1, 'not ours')")
    db.close()
    refuses(store, opened, DamagedStoreError)


def test_the_database_of_another_program_that_crashed_is_not_even_recovered(store, opened, tmp_path):
    store.unlink()
    db = apsw.Connection(str(tmp_path / "foreign.db"))
    db.execute("CREATE TABLE t (x); PRAGMA cache_size=1; BEGIN; INSERT INTO t SELECT zeroblob(9000)")
    db.execute("INSERT INTO t SELECT x FROM t, (SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3)")
    shutil.copy(tmp_path / "foreign.db", store)
    shutil.copy(tmp_path / "foreign.db-journal", f"{store}-journal")
    db.execute("ROLLBACK")
    db.close()
    refuses(store, opened, DamagedStoreError)
    assert Path(f"{store}-journal").exists()


@pytest.mark.parametrize("has_log", [False, True])
def test_a_newer_store_is_refused_politely_and_left_alone(has_log, store, opened, tmp_path):
    db = apsw.Connection(str(store))
    db.pragma("user_version", schema.VERSION + 1)
    if has_log:  # what a crash of the newer program leaves: its log is not ours to copy
        shutil.copy(store, tmp_path / "kept")
        shutil.copy(f"{store}-wal", tmp_path / "kept-wal")
    db.close()
    if has_log:
        shutil.copy(tmp_path / "kept", store)
        shutil.copy(tmp_path / "kept-wal", f"{store}-wal")
    error = refuses(store, opened, NewerStoreError)
    assert "upgrade muniment" in error.hint


def test_a_store_with_a_migration_that_nobody_here_knows_is_refused_and_left_alone(store, opened):
    db = apsw.Connection(str(store))
    db.execute("INSERT INTO migrations VALUES ('0099-from-the-future', '2031-01-01T00:00:00.000Z')")
    db.close()
    refuses(store, opened, NewerStoreError)


@pytest.mark.parametrize(
    "sql", ["DROP TABLE evidence", "DROP INDEX facts_key", "DELETE FROM migrations", "PRAGMA user_version=0"]
)
def test_a_store_whose_shape_is_not_what_its_record_says_is_refused_and_left_alone(sql, store, opened):
    db = apsw.Connection(str(store))
    db.execute(sql)
    db.close()
    refuses(store, opened, ShapeError)


def refuses(store: Path, opened: Callable[..., Engine], kind: type[MunimentError]) -> MunimentError:
    """Whatever is asked of it, the same error; and not a byte has moved."""
    before, files = bytes_of(store), sorted(p.name for p in store.parent.iterdir())
    for verb in (query, lambda e: add(e, children.PERSON, Statement("fact", "x")), digest):
        engine = opened()
        with pytest.raises(kind) as raised:
            verb(engine)
        assert raised.value.about == str(store)
        assert raised.value.hint
        engine.close()
    assert not verify(opened()).ok
    assert bytes_of(store) == before
    left = {p.name for p in store.parent.iterdir()} - {f"{store.name}-shm", f"{store.name}-wal"}
    assert left == set(files) - {f"{store.name}-shm", f"{store.name}-wal"}
    return raised.value


def test_from_a_damaged_store_the_transcripts_give_the_same_again(tmp_path, store, opened, project):
    found, _ = indexing.locate(adapters(), [tmp_path / "session.jsonl"])
    first, second = opened(tmp_path / "one"), opened(tmp_path / "two")
    indexing.index(first, found, named=True)
    expected = digest(first)
    first.close()
    first.path.write_bytes(halved(first.path.read_bytes()))
    with pytest.raises(DamagedStoreError):
        indexing.index(first, found, named=True)
    indexing.index(second, found, named=True)
    assert digest(second) == expected


# --- one flipped bit --------------------------------------------------------------------------------------------------


@pytest.mark.timeout(600)
def test_a_flipped_bit_in_any_page_is_found_or_changes_nothing(store, opened):
    flips(store, opened, 2)


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_many_flipped_bits_in_every_page_are_found_or_change_nothing(store, opened):
    flips(store, opened, 20)


def flips(store: Path, opened: Callable[..., Engine], each: int) -> None:
    content, dice = store.read_bytes(), random.Random(7)
    with opened() as engine:
        sound_answer, sound_digest = told(engine), digest(engine)
    owner = owners(store)
    outcomes: dict[str, int] = {}
    wrong = []
    for page in range(len(content) // PAGE):
        for turn in range(each):
            place = page * PAGE + (PAGE // 2 if turn == 0 else dice.randrange(PAGE))
            bit = 1 << dice.randrange(8)
            store.write_bytes(content[:place] + bytes([content[place] ^ bit]) + content[place + 1 :])
            try:
                outcome = fate(store, opened, sound_answer, sound_digest)
            except Exception as error:  # noqa: BLE001 - an error without a name of ours is what this looks for
                outcome = "".join(traceback.format_exception(error)[-3:])
            if outcome == "silent" and owner.get(page + 1) in SAID_ONCE:
                outcome = "digest"
            outcomes[outcome] = outcomes.get(outcome, 0) + 1
            if outcome not in ("open", "verify", "rebuild", "digest", "harmless"):
                wrong.append((outcome, page, place % PAGE, bit))
    print(f"{len(content) // PAGE} pages: {outcomes}")
    assert not wrong, "\n".join(map(str, wrong))
    assert outcomes.get("verify", 0) > 0


def owners(store: Path) -> dict[int, str]:
    """The table or index that each page belongs to."""
    db = apsw.Connection(str(store), flags=apsw.SQLITE_OPEN_READONLY)
    found = dict(db.execute("SELECT pageno, name FROM dbstat"))
    db.close()
    return found


def used(content: bytes, page: int, dice: random.Random) -> int:
    """A byte of a page that holds something, if any of a few tries does."""
    tries = [dice.randrange(PAGE) for _ in range(8)]
    return next((t for t in tries if content[page * PAGE + t]), tries[0])


def fate(store: Path, opened: Callable[..., Engine], answer: list[str], sound_digest: str) -> str:
    """Who noticed: the opening, `verify`, `verify --rebuild`, or nobody, as nothing that anybody reads was touched."""
    before = bytes_of(store)
    engine = opened()
    try:
        engine.store()
    except StoreError:
        return "open"
    try:
        if not verify(engine).ok:
            survives(engine)
            return "verify"
        if digest(engine) == sound_digest and told(engine) == answer:
            return "harmless"
        engine.close()
        return "rebuild" if found_by_rebuild(store, opened) else "silent"
    finally:
        engine.close()
        assert bytes_of(store) == before


def found_by_rebuild(store: Path, opened: Callable[..., Engine]) -> bool:
    """Does a replay of what is primary, in a copy since it mends what it finds, give something else?"""
    home = store.parents[2]
    copy = home.with_name("copy")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(home, copy)
    with opened(copy) as engine:
        return bool(verify(engine, rebuild=True).problems)


def survives(engine: Engine) -> None:
    """Questions to a damaged store may fail, but only by name."""
    for ask in (told, *(lambda e, receipt=r: read(e, receipt, 1) for r in receipts(engine))):
        with contextlib.suppress(MunimentError):
            ask(engine)


def receipts(engine: Engine) -> list[str]:
    """Every place that a receipt could name."""
    with contextlib.suppress(MunimentError):
        return [
            f"{s}:{q}"
            for s, q in engine.store().db.rows("SELECT s.id, p.seq FROM positions p JOIN sessions s ON s.n = p.session")
        ]
    return []


def told(engine: Engine) -> list[str]:
    """What a reader can see: every open row, with all it says."""
    return query(engine, "standing:any", HUGE).text.splitlines() + query(engine, "", HUGE).text.splitlines()
