"""A store of every release opens in this one; an upgrade that is killed goes on; an older program refuses politely."""

from __future__ import annotations

import json
from pathlib import Path

import apsw
import pytest
import zstandard
from tests.faults import children
from tests.faults.checks import bytes_of, digest, facts, sound, stray
from tests.faults.old_stores.make import READ_AT
from tests.support import Clock

from muniment.engine.asking import query
from muniment.engine.stating import Statement, add
from muniment.errors import NewerStoreError, ReadOnlyStoreError, ShapeError, StoreError
from muniment.storage.sqlite import schema
from muniment.storage.sqlite.store import Database

OLD_STORES = Path(__file__).with_name("old_stores")
SECOND = (
    "ALTER TABLE meta ADD COLUMN note TEXT",
    "CREATE TABLE moods (fact BLOB PRIMARY KEY, mood TEXT NOT NULL) STRICT, WITHOUT ROWID",
    "INSERT INTO moods SELECT id, 'calm' FROM facts",
    "CREATE INDEX moods_mood ON moods (mood)",
    "UPDATE meta SET note = 'seen'",
)
THIRD = ("DROP INDEX moods_mood", "CREATE INDEX moods_by_mood ON moods (mood, fact)")
NEXT = (*schema.MIGRATIONS, ("0002-moods", SECOND), ("0003-index", THIRD))
STATEMENTS = (
    1 + len(SECOND) + 3 + 1 + len(THIRD) + 3
)  # what a killed upgrade can be killed before, from the first BEGIN


@pytest.fixture
def store(home, project, opened) -> Path:
    """A store of this release with twenty facts."""
    with opened() as engine:
        for n in range(20):
            add(engine, children.PERSON, Statement("fact", f"note {n}"))
        return engine.path


@pytest.fixture
def newer(monkeypatch) -> None:
    """The program of a later release."""
    monkeypatch.setattr(schema, "MIGRATIONS", NEXT)
    monkeypatch.setattr(schema, "VERSION", len(NEXT))


# --- stores of released programs --------------------------------------------------------------------------------------


@pytest.mark.parametrize("packed", sorted(OLD_STORES.glob("*.db.zst")), ids=lambda path: path.name)
def test_a_store_of_every_release_opens_with_the_same_facts(packed, opened):
    engine = opened(clock=Clock(READ_AT))
    engine.path.parent.mkdir(parents=True)
    engine.path.write_bytes(zstandard.decompress(packed.read_bytes()))
    known = json.loads(packed.with_name(packed.name.replace(".db.zst", ".json")).read_text(encoding="utf-8"))
    assert query(engine, "", 1 << 20).text.splitlines() == known["lines"]
    assert query(engine, "standing:superseded,retracted", 1 << 20).text.splitlines() == known["ended"]
    assert facts(engine) == known["facts"]
    sound(engine)
    add(engine, children.PERSON, Statement("fact", "said in this release"))
    sound(engine)


def test_there_is_a_store_of_every_format():
    versions = {path.name[:4] for path in OLD_STORES.glob("*.db.zst")}
    assert versions == {name[:4] for name, _ in schema.MIGRATIONS}


# --- the way up -------------------------------------------------------------------------------------------------------


@pytest.mark.timeout(300)
def test_an_upgrade_killed_before_any_of_its_statements_goes_on_when_the_store_is_opened_again(
    store, opened, born, newer
):
    with apsw.Connection(str(store)) as db:
        before = db.execute("SELECT hex(id), standing FROM facts ORDER BY id").fetchall()
    db.close()
    original = store.read_bytes()
    for at in range(1, STATEMENTS + 1):
        for each in store.parent.iterdir():
            each.unlink()
        store.write_bytes(original)
        killed = born(children.upgrades, store, NEXT, at)
        children.start([killed])
        assert killed.hear() is None, f"it was to be killed before statement {at}"
        database = Database(store)
        assert database.rows("PRAGMA user_version") == [(3,)]
        assert [r[0] for r in database.rows("SELECT name FROM migrations ORDER BY name")] == [name for name, _ in NEXT]
        assert database.rows("SELECT hex(id), standing FROM facts ORDER BY id") == before
        assert database.rows("SELECT count(*) FROM moods") == [(20,)]
        database.close()
    print(f"an upgrade was killed before each of {STATEMENTS} statements")
    assert stray(opened().settings.home) == []


def test_an_upgrade_that_is_not_killed_takes_as_many_statements_as_are_tried(store, born, newer):
    upgrade = born(children.upgrades, store, NEXT, 0)
    children.start([upgrade])
    assert upgrade.hear() >= STATEMENTS


def test_many_that_open_an_old_store_at_once_upgrade_it_once(store, born, newer):
    many = [born(children.upgrades, store, NEXT, 0) for _ in range(6)]
    children.start(many)
    assert None not in [child.hear() for child in many]
    database = Database(store)
    assert database.rows("SELECT count(*) FROM migrations") == [(3,)]
    assert database.rows("SELECT count(*) FROM moods") == [(20,)]
    database.close()


def test_an_upgrade_that_fails_leaves_the_store_as_it_was(store, monkeypatch, opened):
    broken = (*schema.MIGRATIONS, ("0002-broken", (SECOND[0], "CREATE TABLE facts (already INTEGER)")))
    before = digest(opened())
    with monkeypatch.context() as patch:
        patch.setattr(schema, "MIGRATIONS", broken)
        patch.setattr(schema, "VERSION", 2)
        with pytest.raises(StoreError):
            Database(store)
    assert digest(opened()) == before
    sound(opened())


def test_what_is_opened_to_be_read_alone_is_not_upgraded(store, newer):
    before = bytes_of(store)
    with pytest.raises(ReadOnlyStoreError, match="format 1"):
        Database(store, read_only=True)
    assert bytes_of(store) == before


# --- and back ---------------------------------------------------------------------------------------------------------


def test_an_older_program_refuses_what_a_newer_one_upgraded_and_leaves_it_alone(store, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(schema, "MIGRATIONS", NEXT)
        patch.setattr(schema, "VERSION", len(NEXT))
        Database(store).close()
    before = bytes_of(store)
    with pytest.raises(NewerStoreError, match="format 3; this program knows up to 1") as raised:
        Database(store)
    assert raised.value.hint == "upgrade muniment; the store was left as it is"
    assert bytes_of(store) == before


def test_the_shape_is_checked_against_the_tables_and_not_the_record_alone(store, newer):
    Database(store).close()
    db = apsw.Connection(str(store))
    db.execute("DROP INDEX moods_by_mood; CREATE INDEX moods_by_mood ON moods (fact)")
    db.close()
    with pytest.raises(ShapeError, match="moods_by_mood"):
        Database(store)
