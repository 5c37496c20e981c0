from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import pytest
from tests.support import Clock, answered, archive, called, ran, said, state, wrote

from muniment.engine.asking import query
from muniment.engine.core import Caller, Engine
from muniment.engine.stating import decide
from muniment.engine.upkeep import Verification, digest, doctor, verify
from muniment.errors import NotFoundError
from muniment.model.event import Action, Kind, Origin, Role, SessionInfo
from muniment.model.fact import Action as Decision
from muniment.storage.sqlite import mounts

DAY = "2026-03-04"


@pytest.fixture
def filled(engine: Engine, clock: Clock, person: Caller) -> Engine:
    """A little of everything: calls with results, a question, states that end each other, a verdict."""
    events = [
        *ran("s1", 0, f"{DAY} 10:00", "python -m pytest -q", "...\n3 passed in 0.12s"),
        *wrote("s1", 2, f"{DAY} 10:05", "src/a.py"),
        said("s1", 4, f"{DAY} 10:06", "why is `load` called twice?"),
        *ran("s2", 0, f"{DAY} 11:00", "git status", "clean"),
    ]
    archive(engine, events)
    for day, value in (("2026-03-01", "PostgreSQL"), ("2026-03-02", "SQLite")):
        clock.set(day)
        state(engine, value, topic="database")
    clock.set("2026-03-05")
    decide(engine, person, Decision.RETRACT, query(engine, "p:ran").hits[0].id, "a slip")
    return engine


@contextmanager
def by_hand(engine: Engine) -> Iterator[apsw.Connection]:
    """The file as another program sees it, with nothing to stop it."""
    engine.close()
    db = apsw.Connection(str(engine.path))
    db.execute("PRAGMA foreign_keys = OFF")
    yield db
    db.close()


def damage(engine: Engine, *statements: str) -> None:
    with by_hand(engine) as db:
        for statement in statements:
            db.execute(statement)


def texts(found: Verification) -> str:
    return "\n".join(f"{p.part}: {p.about}: {p.text}" for p in found.problems)


# --- digest ------------------------------------------------------------


def test_a_sound_store_verifies_and_a_rebuild_gives_the_same_digest(filled: Engine) -> None:
    plain, rebuilt = verify(filled), verify(filled, rebuild=True)
    assert plain.ok
    assert plain.problems == ()
    assert rebuilt.ok
    assert plain.digest == rebuilt.digest == rebuilt.rebuilt_digest == digest(filled)
    assert plain.counts["events"] == 10
    assert plain.counts["facts"] == rebuilt.counts["facts"] > 5


def test_the_digest_does_not_tell_in_which_order_things_came(
    make_engine: Callable[..., Engine], tmp_path: Path
) -> None:
    events = [
        *ran("s1", 0, f"{DAY} 10:00", "make"),
        *wrote("s1", 2, f"{DAY} 10:05", "src/a.py"),
        *ran("s2", 0, f"{DAY} 11:00", "ls"),
    ]
    forwards, backwards = make_engine(home=tmp_path / "one"), make_engine(home=tmp_path / "other")
    archive(forwards, events)
    archive(backwards, events[::-1])
    assert forwards.path != backwards.path
    assert digest(forwards) == digest(backwards)


def test_the_digest_changes_with_every_event_and_every_verdict(filled: Engine, person: Caller) -> None:
    seen = {digest(filled)}
    archive(filled, [said("s3", 0, f"{DAY} 12:00", "and now?")])
    seen.add(digest(filled))
    decide(filled, person, Decision.SUSPECT, query(filled, "p:uses").hits[0].id, "is it?")
    seen.add(digest(filled))
    assert len(seen) == 3


def test_progress_is_told_while_it_works(filled: Engine) -> None:
    told: list[tuple[int, int, str]] = []
    verify(filled, rebuild=True, progress=lambda done, total, what: told.append((done, total, what)))
    assert "deriving" in {what for _, _, what in told}
    assert told[-1] == (10, 10, "settled")


def test_a_store_that_is_not_there_is_named_as_such(engine: Engine) -> None:
    with pytest.raises(NotFoundError):
        verify(engine)


# --- damage to what is primary ------------------------------------------------------------


PRIMARY_DAMAGE = {
    "a text that is not what its address says": (
        "UPDATE blobs SET blake3 = zeroblob(32) WHERE n = (SELECT text_blob FROM events LIMIT 1)",
        "is not what its hash says",
    ),
    "a frame that does not open": (
        "UPDATE blobs SET bytes = x'00112233' WHERE n = (SELECT raw_blob FROM events LIMIT 1)",
        "cannot be read",
    ),
    "a blob that is gone": ("DELETE FROM blobs WHERE n = (SELECT text_blob FROM events LIMIT 1)", "is missing"),
    "an event given to somebody else": (
        "UPDATE events SET origin = 'person' WHERE origin = 'tool'",
        "not what its content hash says",
    ),
    "an event at another time": (
        "UPDATE events SET at = '2020-01-01T00:00:00.000Z' WHERE n = 1",
        "not what its content hash says",
    ),
    "an event that is gone": ("DELETE FROM events WHERE n = 1", "seen at s1:0 but not archived"),
    "an event that was seen nowhere": ("DELETE FROM positions WHERE seq = 4", "archived but seen in no session"),
    "a session that is gone": ("DELETE FROM sessions WHERE id = 's2'", "refers to a row of sessions"),
    "a verdict of an event that is not there": (
        "UPDATE verdicts SET uid = zeroblob(16)",
        "gave a verdict but is not archived",
    ),
}


@pytest.mark.parametrize("name", PRIMARY_DAMAGE)
def test_damage_to_primary_rows_is_found_and_nothing_is_replayed_from_them(filled: Engine, name: str) -> None:
    statement, complaint = PRIMARY_DAMAGE[name]
    damage(filled, statement)
    found = verify(filled)
    assert not found.ok
    assert complaint in texts(found)
    with by_hand(filled) as db:
        before = list(db.execute("SELECT id FROM facts"))
    rebuilt = verify(filled, rebuild=True)
    assert not rebuilt.ok
    assert rebuilt.rebuilt_digest is None
    assert "nothing was replayed" in texts(rebuilt)
    assert not any(p.repaired for p in rebuilt.problems)
    with by_hand(filled) as db:
        assert list(db.execute("SELECT id FROM facts")) == before


def test_a_file_cut_short_is_reported_and_left_as_it_is(filled: Engine) -> None:
    filled.close()
    filled.path.write_bytes(filled.path.read_bytes()[:5000])
    found = verify(filled)
    assert not found.ok
    assert "cut short" in texts(found)
    assert filled.path.stat().st_size == 5000


def test_a_page_overwritten_is_reported_by_name_of_the_file(filled: Engine) -> None:
    with by_hand(filled) as db:
        db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        root = next(iter(db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'positions'")))[0]
    with filled.path.open("r+b") as file:
        file.seek((root - 1) * 4096)
        file.write(b"\xff" * 512)
    found = verify(filled)
    assert not found.ok
    assert "file" in {p.part for p in found.problems}


def test_a_table_of_another_shape_is_reported(filled: Engine) -> None:
    damage(filled, "DROP INDEX lines_all")
    found = verify(filled, rebuild=True)
    assert not found.ok
    assert "lines_all is missing" in texts(found)


# --- damage to what is derived ------------------------------------------------------------


DERIVED_DAMAGE = {
    "a fact removed": "DELETE FROM facts WHERE predicate = 'ran' AND literal = 'git status'",
    "a fact that says something else": "UPDATE facts SET literal = 'rm -rf /' WHERE literal = 'git status'",
    "a fact with another span": "UPDATE facts SET span_start = span_start + 1 WHERE predicate = 'ran'",
    "a fact with another hash of its words": "UPDATE facts SET text_hash = zeroblob(16) WHERE predicate = 'ran'",
    "a fact with another standing": "UPDATE facts SET standing = 'confirmed' WHERE standing <> 'confirmed'",
    "a fact of somebody else": "UPDATE facts SET origin = 'model' WHERE predicate = 'uses'",
    "a fact invented": """INSERT INTO facts SELECT 999, randomblob(16), subject, predicate, topic, object, 'forged',
        'forged', key, uid, witness, span_start, span_end, method, rung, stated, standing, role, origin, observed_at,
        valid_from, valid_until, anchor_sha256, text_hash, expires_at, weight, context, source_url FROM facts
        WHERE predicate = 'uses' LIMIT 1""",
    "an interval removed": "DELETE FROM intervals",
    "an interval longer than it was": "UPDATE intervals SET valid_to = NULL",
    "a line removed": "DELETE FROM lines WHERE predicate = 'uses'",
    "a line that says something else": "UPDATE lines SET line = replace(line, 'SQLite', 'Oracle')",
    "a line in another band": "UPDATE lines SET band = 2 WHERE predicate = 'uses'",
    "a line of nothing": "UPDATE lines SET fact = 12345 WHERE predicate = 'uses'",
    "a line twice": """INSERT INTO lines SELECT 999, fact, id, predicate, type, is_state, subject, object, topic,
        session, role, origin, method, rung, band, rank_key, from_ms, until_ms, is_plan, is_pinned, anchor, line FROM lines
        WHERE predicate = 'uses'""",
    "entities removed": "DELETE FROM entities",
    "an entity renamed": "UPDATE entities SET key = 'src/b.py' WHERE key = 'src/a.py'",
    "a link removed": "DELETE FROM links",
    "a link to nothing": "INSERT INTO links VALUES (zeroblob(16), zeroblob(16), 'supports')",
    "a tag of nothing": "INSERT INTO tags VALUES (zeroblob(16), 'code.python')",
    "an event shown elsewhere": "UPDATE shown SET seq = seq + 1",
    "an event shown nowhere": "DELETE FROM shown WHERE seq = 4",
    "an event shown twice over": "INSERT INTO shown VALUES (zeroblob(16), 1, 1, 1)",
    "calls removed": "DELETE FROM calls",
    "a call of nothing": "INSERT INTO calls VALUES ('call', zeroblob(16), 0)",
    "a time in the order of a session": "UPDATE positions SET order_at = '2020-01-01T00:00:00.000Z'",
    "the text of facts not indexed": "INSERT INTO fact_text (fact_text) VALUES ('delete-all')",
    "the text of events not indexed": "DELETE FROM said_text WHERE rowid = (SELECT event FROM turns LIMIT 1)",
    "a text indexed of nothing": "INSERT INTO fact_text (rowid, text) VALUES (999, 'forged')",
}


@pytest.mark.parametrize("name", DERIVED_DAMAGE)
def test_damage_to_derived_rows_is_found_and_a_rebuild_mends_it(filled: Engine, name: str) -> None:
    sound, answer = digest(filled), query(filled, "").text
    damage(filled, DERIVED_DAMAGE[name])
    found = verify(filled)
    rebuilt = verify(filled, rebuild=True)
    assert rebuilt.ok
    assert rebuilt.problems
    assert all(p.part == "derived" and p.repaired for p in rebuilt.problems)
    assert rebuilt.rebuilt_digest == sound
    assert found.ok is (not found.problems)
    again = verify(filled, rebuild=True)
    assert again.problems == ()
    assert again.digest == again.rebuilt_digest == sound
    assert query(filled, "").text == answer


UNSEEN_WITHOUT_REBUILD = {"a fact removed", "an entity renamed", "a link removed"}
"""Damage that leaves rows which fit together: only drawing them again shows it."""


@pytest.mark.parametrize("name", sorted(DERIVED_DAMAGE.keys() - UNSEEN_WITHOUT_REBUILD))
def test_most_damage_is_found_without_a_rebuild(filled: Engine, name: str) -> None:
    damage(filled, DERIVED_DAMAGE[name])
    found = verify(filled)
    assert not found.ok
    assert {p.part for p in found.problems} == {"derived"}


def test_verify_without_rebuild_writes_nothing(filled: Engine) -> None:
    filled.close()
    with by_hand(filled) as db:
        db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    before = filled.path.read_bytes()
    verify(filled)
    doctor(filled)
    filled.close()
    assert filled.path.read_bytes() == before


def test_many_problems_of_one_kind_are_counted_not_listed(engine: Engine) -> None:
    archive(engine, [e for n in range(40) for e in ran("s1", 2 * n, f"{DAY} 10:{n:02}", f"make {n}")])
    damage(engine, "UPDATE facts SET text_hash = zeroblob(16)")
    found = verify(engine)
    assert len(found.problems) == 21
    assert found.problems[-1].text == "20 more of this kind"


# --- doctor ------------------------------------------------------------


def lights(engine: Engine) -> dict[str, bool]:
    return {light.name: light.ok for light in doctor(engine).lights}


def test_all_four_lights_are_on_over_a_store_in_use(filled: Engine) -> None:
    found = doctor(filled)
    assert lights(filled) == {"installed": True, "reachable": True, "storing": True, "recalled": True}
    assert found.ok
    assert found.counts["events"] == 10
    assert {h.name: h.events for h in found.harnesses} == {"handmade": 7, "muniment": 3}
    assert found.store_bytes > 0
    assert found.journal == "wal"
    assert found.warnings == ()


def test_without_a_store_only_the_first_light_is_on(engine: Engine) -> None:
    assert lights(engine) == {"installed": True, "reachable": False, "storing": False, "recalled": False}


def test_a_store_without_facts_is_not_said_to_recall(engine: Engine) -> None:
    engine.store(create=True)
    found = doctor(engine)
    assert [light.ok for light in found.lights] == [True, True, True, False]
    assert found.lights[3].detail == "there is nothing to recall yet"


def test_a_store_that_another_process_holds_is_not_said_to_store(
    filled: Engine, make_engine: Callable[..., Engine]
) -> None:
    impatient = make_engine(lock_timeout=0.05)
    with filled.store().writing():
        found = doctor(impatient)
    assert [light.ok for light in found.lights] == [True, True, False, True]


def test_a_damaged_store_puts_out_its_lights_and_is_not_touched(filled: Engine) -> None:
    filled.close()
    filled.path.write_bytes(b"not a database at all")
    assert lights(filled) == {"installed": True, "reachable": False, "storing": False, "recalled": False}
    assert filled.path.read_bytes() == b"not a database at all"


def test_a_receipt_that_does_not_hold_puts_out_the_last_light(filled: Engine) -> None:
    damage(filled, "UPDATE blobs SET blake3 = randomblob(32)")
    found = doctor(filled)
    assert not found.lights[3].ok
    assert "not what its hash says" in found.lights[3].detail


def test_unknown_records_and_newer_versions_make_a_line_of_drift(engine: Engine) -> None:
    unknown = {"role": Role.HARNESS, "origin": Origin.HARNESS, "kind": Kind.UNKNOWN}
    events = [
        said("s1", n, f"{DAY} 10:00", f"{{{n}}}", flags=(f"unknown:{'telemetry' if n % 3 else 'hologram'}",), **unknown)
        for n in range(46)
    ]
    archive(engine, events, SessionInfo("s1", "claude-code", "99.0.1"), harness="claude-code")
    found = doctor(engine).harnesses[0]
    assert found.unknown == {"hologram": 16, "telemetry": 30}
    assert found.drift == "46 records of 2 unknown types; this version is newer than checked"


def test_a_known_version_without_unknown_records_is_no_drift(engine: Engine) -> None:
    info = SessionInfo("s1", "claude-code", "2.1.197")
    archive(engine, ran("s1", 0, f"{DAY} 10:00", "make"), info, harness="claude-code")
    assert doctor(engine).harnesses[0].drift is None


def test_a_file_that_others_may_read_is_named(filled: Engine) -> None:
    filled.path.chmod(0o644)
    assert doctor(filled).warnings == (f"{filled.path} can be read by others (mode 0644)",)


def test_methods_are_listed_with_what_was_measured_of_them(engine: Engine) -> None:
    methods = {m.name: m for m in doctor(engine).methods}
    assert methods["commands.ran"].sample > 0
    assert 0.8 <= methods["commands.ran"].precision <= 1
    assert all(m.precision >= 0.8 for m in methods.values() if m.may_write)
    assert not methods[
        "told.preference"
    ].may_write  # what writes on the turns that it was written for may not on others


# --- file systems ------------------------------------------------------------

MOUNTS = """/dev/sda1 / ext4 rw,relatime 0 0
server:/export /home/dev/far\\040away nfs4 rw,vers=4.2 0 0
tmpfs /home/dev/far\\040away/near tmpfs rw 0 0
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/etc/hosts", "ext4"),
        ("/home/dev/far away", "nfs4"),
        ("/home/dev/far away/a/b.db", "nfs4"),
        ("/home/dev/far away/near/b.db", "tmpfs"),
        ("/home/dev/far awayish/b.db", "ext4"),
    ],
)
def test_the_file_system_of_a_path_is_that_of_the_nearest_mount(path: str, kind: str) -> None:
    assert mounts.mount_type(Path(path), MOUNTS) == kind


def test_on_a_network_file_system_no_write_ahead_log_is_used_and_doctor_says_why(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mounts, "mount_type", lambda path, table=None: "nfs4")
    archive(engine, ran("s1", 0, f"{DAY} 10:00", "make"))
    found = doctor(engine)
    assert found.ok
    assert found.journal == "delete"
    assert found.wal_bytes == 0
    assert len(found.warnings) == 1
    assert "network file system (nfs4)" in found.warnings[0]
    assert verify(engine, rebuild=True).ok


def test_results_that_come_before_their_calls_leave_nothing_to_mend(engine: Engine) -> None:
    call = called("s1", 0, f"{DAY} 10:00", "c1", Action.RUN, "Bash", {"command": "make"})
    archive(engine, [answered("s1", 1, f"{DAY} 10:01", "c1", "done", ok=True, exit_code=0)])
    archive(engine, [call])
    assert verify(engine, rebuild=True).problems == ()
    assert [h.text for h in query(engine, "p:ran").hits] == ["make"]
