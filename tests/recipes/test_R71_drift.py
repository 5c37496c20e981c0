"""R71: known records with a new type, new or missing keys, other shapes: raw is kept, the known parts are used."""

from __future__ import annotations

import copy
import json
import random

import pytest
from tests.recipes.support import (
    HARNESSES,
    RECORDS,
    Fetches,
    Reads,
    Replies,
    Runs,
    Says,
    Writes,
    name_of,
    place,
    read_in,
    texts,
    transcript,
    written,
)

from muniment.engine import upkeep

STEPS = [
    Says("fix it"),
    Replies("ok"),
    Runs("make", "built"),
    Reads("/r/a.py", "1\n"),
    Writes("/r/b.py", "2\n"),
    Fetches("https://example.org", "page"),
]
LINEWISE = HARNESSES[:3]
ODD = (
    None,
    True,
    7,
    3.5,
    "text",
    [],
    {},
    [None],
    [[]],
    {"a": {"b": {}}},
    -1,
    10**30,
    float("inf"),
    "\ud800",
    "x" * 5000,
    [1, "2", {"3": 4}],
)


def records(harness, root):
    return list(RECORDS[harness](name_of(harness), root, STEPS))


def raw_records(engine):
    store = engine.store()
    return [store.events.blob(r[0])[0] for r in store.db.rows("SELECT raw_blob FROM events")]


def paths_in(value, prefix=()):
    """The place of every value in a record."""
    if prefix:
        yield prefix
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in children:
        yield from paths_in(inner, (*prefix, key))


def changed(record, path, odd):
    """A record with something else in that place; nothing at all there where `odd` is the mark itself."""
    made = copy.deepcopy(record)
    inner = made
    for key in path[:-1]:
        inner = inner[key]
    if odd is ODD:
        del inner[path[-1]]
    else:
        inner[path[-1]] = odd
    return made


def named_anew(record, n):
    """The record with a name of its own, if it has a name at all."""
    name = next((key for key in ("uuid", "id") if isinstance(record.get(key), str)), None)
    return record | {name: f"{n:08x}-eeee-4000-8000-000000000000"} if name else record


@pytest.mark.parametrize("harness", LINEWISE)
def test_a_new_type_is_kept_raw_and_counted_by_its_name(harness, engine, tmp_path):
    made = records(harness, engine.workspace.root)
    key = "payload" if harness == "codex" else "data"
    new = copy.deepcopy(made[-1]) | {"type": "novelty"}
    read_in(engine, written(place(harness, tmp_path), [*made, new]))
    flags = [r[0] for r in engine.store().db.rows("SELECT flags FROM events WHERE kind = 'unknown'")]
    assert flags == ["unknown:novelty"]
    assert any(json.loads(raw) == new for raw in raw_records(engine)), key


@pytest.mark.parametrize("harness", LINEWISE)
def test_new_keys_change_nothing(harness, make_engine, tmp_path):
    plain, more = make_engine(home=tmp_path / "a"), make_engine(home=tmp_path / "b")
    made = records(harness, plain.workspace.root)
    read_in(plain, written(place(harness, tmp_path / "1"), made))
    read_in(
        more, written(place(harness, tmp_path / "2"), [r | {"futureKey": {"deep": [1, "x"]}, "v": 99} for r in made])
    )
    assert texts(plain) == texts(more)
    assert plain.store().transfer.counts()["facts"] == more.store().transfer.counts()["facts"]


@pytest.mark.parametrize("harness", LINEWISE)
def test_any_value_of_any_record_may_be_anything(harness, make_engine, tmp_path):
    """Every place of every record, each with an odd value there: read in, kept or counted, and nothing raised."""
    rng = random.Random(3)
    engine = make_engine()
    made = records(harness, engine.workspace.root)
    bent = [changed(r, path, odd) for r in made for path in paths_in(r) for odd in rng.sample([*ODD, ODD], 4)]
    named = [named_anew(record, n) for n, record in enumerate(bent)]
    path = written(place(harness, tmp_path), [made[0], *named])
    report = read_in(engine, path)
    assert report.read == len(bent) + 1
    kept = [json.loads(raw) for raw in raw_records(engine)]
    assert len(kept) == report.kept
    assert all(
        record in kept or record.get("type") == "session.start" for record in named if "\ud800" not in str(record)
    )
    assert upkeep.verify(engine).ok


@pytest.mark.parametrize("harness", LINEWISE)
def test_any_value_may_be_anything_in_all_combinations(harness, make_engine, tmp_path):
    for n, odd in enumerate([*ODD, ODD]):
        engine = make_engine(home=tmp_path / f"home{n}")
        made = records(harness, engine.workspace.root)
        bent = [changed(r, path, odd) for r in made for path in paths_in(r)]
        assert read_in(engine, written(place(harness, tmp_path / str(n)), [made[0], *bent])).read == len(bent) + 1
        engine.close()


def test_an_opencode_row_may_hold_anything(make_engine, tmp_path):
    import apsw

    rng = random.Random(4)
    engine = make_engine()
    path = transcript("opencode", tmp_path, engine.workspace.root, STEPS)
    db = apsw.Connection(str(path))
    parts = list(db.execute("SELECT id, message_id, session_id, data FROM part"))
    count = 0
    for id_, message, session, data in parts:
        record = json.loads(data)
        for where in paths_in(record):
            for odd in rng.sample([*ODD, ODD], 4):
                count += 1
                text = json.dumps(changed(record, where, odd))
                row = (f"{id_}{count:06d}", message, session, 1772704800000 + count, 1772704800000 + count, text)
                db.execute("INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)", row)
    for table in ("message", "session"):
        db.execute(f"UPDATE {table} SET time_updated = 'soon'")
    db.close()
    report = read_in(engine, path)
    assert report.read == count + len(parts)
    assert upkeep.verify(engine).ok


@pytest.mark.parametrize("harness", LINEWISE)
def test_numbers_as_strings_and_lists_as_strings_are_read_where_that_is_plain(harness, engine, tmp_path):
    made = records(harness, engine.workspace.root)
    if harness == "claude-code":
        made[0]["message"]["content"] = ["fix", {"type": "text", "text": "it"}]
    bent = json.loads(json.dumps(made).replace('"isSidechain": false', '"isSidechain": "false"'))
    report = read_in(engine, written(place(harness, tmp_path), bent))
    assert report.kept == report.read - report.skipped.total()
    assert any("fix" in t for t in texts(engine))
