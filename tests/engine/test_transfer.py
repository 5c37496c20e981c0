from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.support import Clock, archive, ran, said, state, wrote

from muniment.archive import parts
from muniment.engine.archiving import Archivist
from muniment.engine.asking import query
from muniment.engine.core import Caller, Engine
from muniment.engine.receipts import read
from muniment.engine.stating import correct, decide
from muniment.engine.transfer import export_jsonl, load_jsonl
from muniment.engine.upkeep import digest, verify
from muniment.errors import NewerStoreError, NotFoundError, NothingChangedError, UsageError
from muniment.gate.intake import prepare
from muniment.model.event import Event, SessionInfo
from muniment.model.fact import Action
from muniment.storage.sqlite import schema
from muniment.storage.sqlite.transfer import DERIVED, EXPORTED, LOCAL, derived_tables

DAY = "2026-03-04"
SECRET = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"


@pytest.fixture
def filled(engine: Engine, clock: Clock, person: Caller) -> Engine:
    """One of everything that is primary, with text of every sort."""
    archive(
        engine,
        [
            *ran("s1", 0, f"{DAY} 10:00", "python -m pytest -q", "...\n3 passed in 0.12s"),
            *wrote("s1/helper", 2, f"{DAY} 10:05", "src/a.py"),
            said("s1", 4, f"{DAY} 10:06", "¿por qué? 設定は\u2028どこ? \x00 \U0001f600"),
            Event("s1", 5, *_kinds(), "not UTF-8", b"\xff\xfe\x00raw", f"{DAY}T10:07:00.000Z", model="m", tokens_in=3),
        ],
        SessionInfo("s1/helper", "handmade", "1.0", parent="s1"),
    )
    clock.set("2026-03-05")
    first = state(engine, "PostgreSQL", topic="database")
    correct(engine, person, first.ids[0], "SQLite", "it never was")
    decide(engine, person, Action.RETRACT, query(engine, "p:ran").hits[0].id, "a slip")
    with engine.store().writing():
        engine.store().transfer.put_tombstone(b"\x01" * 16, f"{DAY}T00:00:00.000Z")
    return engine


def _kinds() -> tuple[object, ...]:
    from muniment.model.event import Kind, Origin, Role

    return Role.ASSISTANT, Origin.MODEL, Kind.REPLY


@pytest.fixture
def empty(make_engine: Callable[..., Engine], tmp_path: Path) -> Engine:
    """The same workspace in another home: another machine."""
    return make_engine(home=tmp_path / "elsewhere")


def exported(engine: Engine) -> bytes:
    stream = io.BytesIO()
    export_jsonl(engine, stream)
    return stream.getvalue()


def rows(data: bytes) -> list[dict[str, object]]:
    return [json.loads(line) for line in data.split(b"\n")[:-1]]


def rewritten(data: bytes, change: Callable[[list[dict[str, object]]], object]) -> io.BytesIO:
    """The export with its lines changed."""
    listed = rows(data)
    change(listed)
    return io.BytesIO(b"".join(json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in listed))


def first(listed: list[dict[str, object]], table: str) -> dict[str, object]:
    return next(row for row in listed if row.get("table") == table)


# --- round trips ------------------------------------------------------------


def test_an_export_loaded_into_an_empty_store_is_exported_to_the_same_bytes(filled: Engine, empty: Engine) -> None:
    data = exported(filled)
    report = load_jsonl(empty, io.BytesIO(data))
    assert exported(empty) == data
    assert digest(empty) == digest(filled)
    assert query(empty, "").text == query(filled, "").text
    assert report.new == {"sessions": 5, "events": 9, "positions": 9, "verdicts": 2, "tombstones": 1}
    assert report.known == 0
    assert report.facts == len(report.ids) > 0
    assert verify(empty, rebuild=True).problems == ()


def test_a_receipt_opens_in_the_store_that_was_loaded(filled: Engine, empty: Engine) -> None:
    load_jsonl(empty, io.BytesIO(exported(filled)))
    for hit in query(filled, "").hits:
        assert read(empty, hit.id).verified
    assert read(empty, "s1:4").text == "¿por qué? 設定は\u2028どこ? \x00 \U0001f600"


def test_the_first_line_tells_what_the_file_is(filled: Engine) -> None:
    head = rows(exported(filled))[0]
    assert (head["format"], head["version"], head["vocabulary"]) == ("muniment-jsonl", 1, 1)
    assert head["rows"] == {"sessions": 5, "events": 9, "positions": 9, "verdicts": 2, "tombstones": 1}
    assert head["tables"]["positions"] == ["session", "seq", "uid"]  # type: ignore[index]


def test_a_record_that_is_no_utf8_goes_as_base64_and_comes_back(filled: Engine, empty: Engine) -> None:
    data = exported(filled)
    assert [r["raw_base64"] for r in rows(data) if "raw_base64" in r] == ["//4AcmF3"]
    load_jsonl(empty, io.BytesIO(data))
    assert b"\xff\xfe\x00raw" in {raw for _, _, raw in empty.store().transfer.events()}


def test_a_file_is_exported_whole_and_private(filled: Engine, tmp_path: Path) -> None:
    target = tmp_path / "out.jsonl"
    report = export_jsonl(filled, target)
    assert target.read_bytes() == exported(filled)
    assert report.bytes == target.stat().st_size
    assert target.stat().st_mode & 0o777 == 0o600
    assert [p.name for p in tmp_path.iterdir() if "out.jsonl" in p.name] == ["out.jsonl"]


def test_two_parts_loaded_in_either_order_are_the_same_store(
    make_engine: Callable[..., Engine], tmp_path: Path
) -> None:
    events = [
        *ran("s1", 0, f"{DAY} 10:00", "make", "done"),
        *wrote("s1", 2, f"{DAY} 10:05", "src/a.py"),
        *ran("s2", 0, f"{DAY} 09:00", "ls"),
    ]
    parts_of = []
    for n in range(2):
        engine = make_engine(home=tmp_path / f"part{n}")
        archive(engine, events[n::2])
        parts_of.append(exported(engine))
    found = []
    for name, order in (("ab", parts_of), ("ba", parts_of[::-1])):
        engine = make_engine(home=tmp_path / name)
        for data in order:
            load_jsonl(engine, io.BytesIO(data))
        found.append(exported(engine))
    whole = make_engine(home=tmp_path / "whole")
    archive(whole, events)
    assert found == [exported(whole)] * 2


def test_progress_is_told_both_ways(filled: Engine, empty: Engine, tmp_path: Path) -> None:
    told: list[tuple[int, int, str]] = []
    export_jsonl(filled, tmp_path / "out.jsonl", lambda *step: told.append(step))
    assert told[-1] == (26, 26, "written")
    told.clear()
    load_jsonl(empty, tmp_path / "out.jsonl", lambda *step: told.append(step))
    assert told[0][1] == (tmp_path / "out.jsonl").stat().st_size


def test_nothing_local_leaves_the_machine(filled: Engine) -> None:
    filled.store().sources.put_skips("/home/dev/.secret/place.jsonl", [(1, "malformed", "x")])
    assert b"place.jsonl" not in exported(filled)


# --- the manifest ------------------------------------------------------------


def test_every_column_of_every_table_is_exported_derived_or_local(filled: Engine) -> None:
    db = filled.store().db
    shadows = tuple(f"{index}_" for index in schema.TEXT_INDEXES)
    for (table,) in db.rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"):
        if table in derived_tables() or table.startswith(shadows):
            assert table not in EXPORTED.keys() | LOCAL.keys()
            continue
        columns = [name for (name,) in db.rows("SELECT name FROM pragma_table_info(?)", (table,))]
        listed = [*EXPORTED.get(table, ()), *DERIVED.get(table, ()), *LOCAL.get(table, ())]
        assert sorted(columns) == sorted(listed), f"a column of {table} is in no list, or in two"


def test_what_the_manifest_promises_is_in_the_file(filled: Engine) -> None:
    listed = rows(exported(filled))
    for table, columns in listed[0]["tables"].items():  # type: ignore[attr-defined]
        row = first(listed, table)
        assert set(columns) - {"raw"} <= row.keys(), table
        stored = {"text": "text_blob", "raw": "raw_blob"}
        assert {stored.get(c, c) for c in columns} == set(EXPORTED[table])


# --- a load that is refused ------------------------------------------------------------


def test_a_load_that_adds_nothing_says_so_unless_that_is_fine(filled: Engine) -> None:
    data, before = exported(filled), digest(filled)
    with pytest.raises(NothingChangedError):
        load_jsonl(filled, io.BytesIO(data))
    report = load_jsonl(filled, io.BytesIO(data), allow_nothing=True)
    assert report.is_empty
    assert report.known == 26
    assert digest(filled) == before


@pytest.mark.parametrize("what", ["version", "vocabulary"])
def test_a_newer_file_is_refused_by_name(filled: Engine, empty: Engine, what: str) -> None:
    changed = rewritten(exported(filled), lambda listed: listed[0].__setitem__(what, 2))
    with pytest.raises(NewerStoreError, match=f"has {what} 2; this program knows up to 1"):
        load_jsonl(empty, changed)


BROKEN: dict[str, tuple[Callable[[list[dict[str, object]]], object], str]] = {
    "no export": (lambda listed: listed[0].update(format="mem"), "line 1: it is not a muniment export"),
    "a header without counts": (lambda listed: listed[0].pop("rows"), "line 1: the header does not say"),
    "a line missing": (lambda listed: listed.pop(), "is not whole: it has 0 of 1 rows of tombstones"),
    "a line too many": (lambda listed: listed.append(listed[-1]), "it has 2 of 1 rows of tombstones"),
    "an unknown table": (lambda listed: listed[3].update(table="wishes"), "line 4: no such table: 'wishes'"),
    "an unknown column": (lambda listed: listed[1].update(colour="red"), "line 2: a row of sessions with unknown"),
    "a column missing": (
        lambda listed: first(listed, "events").pop("role"),
        r"line 7: a row of events without \['role'\]",
    ),
    "an unknown origin": (
        lambda listed: first(listed, "events").update(origin="god"),
        "line 7: 'god' is not a valid Origin",
    ),
    "words changed": (
        lambda listed: first(listed, "events").update(text="forged"),
        "line 7: the event is not what its content",
    ),
    "a time of another form": (lambda listed: first(listed, "verdicts").update(at="today"), "at is no time: 'today'"),
    "a number that is a text": (lambda listed: first(listed, "positions").update(seq="1"), "seq is no number: '1'"),
    "an id that is no hexadecimal": (lambda listed: first(listed, "positions").update(uid="xyz"), "non-hexadecimal"),
    "a position of nothing": (
        lambda listed: first(listed, "positions").update(uid="00" * 16),
        "an event that is not there",
    ),
    "a position in no session": (lambda listed: first(listed, "positions").update(session="?"), r"'\?' is not known"),
    "a verdict of no known action": (
        lambda listed: first(listed, "verdicts").update(action="bless"),
        "is not a valid Action",
    ),
    "rows out of order": (lambda listed: listed.insert(1, listed.pop()), "may name it"),
    "two raw records": (lambda listed: first(listed, "events").update(raw="a", raw_base64="YQ=="), "raw record once"),
    "half a surrogate pair": (lambda listed: first(listed, "sessions").update(agent="\ud800"), "agent is no text"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_file_that_is_not_sound_is_refused_whole_naming_the_line(filled: Engine, empty: Engine, name: str) -> None:
    change, complaint = BROKEN[name]
    listed = rows(exported(filled))
    change(listed)
    stream = io.BytesIO(b"".join(json.dumps(row).encode() + b"\n" for row in listed))
    archive(empty, ran("s9", 0, f"{DAY} 10:00", "make"))
    before = exported(empty)
    with pytest.raises(UsageError, match=complaint):
        load_jsonl(empty, stream)
    assert exported(empty) == before


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"[]\n", b"{", b"\xff\xfe", b'{"format":"muniment-jsonl"}\n', b"[" * 100_000]
)
def test_what_is_no_export_at_all_is_refused_at_its_first_line(empty: Engine, data: bytes) -> None:
    with pytest.raises(UsageError, match="line 1"):
        load_jsonl(empty, io.BytesIO(data))
    with pytest.raises(NotFoundError):
        empty.store()


# --- masks ------------------------------------------------------------


def unmasked(engine: Engine, event: Event) -> None:
    """Archive an event as a program did that did not know this kind of secret."""
    prepared = prepare(event, "handmade", parts.encode)
    from muniment.gate.intake import content_hash

    p = prepared
    content = content_hash(p.role, p.origin, p.kind, p.at, event.text, p.parts)
    old = prepared._replace(text=event.text, raw=event.raw, masks=0, content_hash=content)
    info = SessionInfo(event.session, "handmade")
    Archivist(engine.store(create=True)).write({event.session: (info, None)}, [old], durable=False)


def test_what_todays_rules_mask_is_masked_when_it_is_loaded(engine: Engine, empty: Engine) -> None:
    event = said("s1", 0, f"{DAY} 10:00", f"is {SECRET} still good?", native_id="record-00000000000001")
    unmasked(engine, event)
    report = load_jsonl(empty, io.BytesIO(exported(engine)))
    assert report.masked == 1
    assert SECRET.encode() not in exported(empty)
    assert read(empty, "s1:0").text == f"is {'█' * len(SECRET)} still good?"
    assert verify(empty, rebuild=True).problems == ()


@pytest.mark.parametrize("masked_first", [True, False])
def test_a_store_that_has_the_unmasked_record_gets_the_masked_one_in_its_place(
    engine: Engine, empty: Engine, masked_first: bool
) -> None:
    event = said("s1", 0, f"{DAY} 10:00", f"is {SECRET} still good?", native_id="record-00000000000001")
    steps = [lambda: archive(empty, [event]), lambda: unmasked(empty, event)]
    for step in steps if masked_first else steps[::-1]:
        step()
    archive(engine, [event])
    assert digest(empty) == digest(engine)
    assert exported(empty) == exported(engine)
    assert SECRET.encode() not in empty.path.read_bytes()
    assert [h.text for h in query(empty, "").hits] == [f"is {'█' * len(SECRET)} still good?"]
    assert verify(empty).ok
