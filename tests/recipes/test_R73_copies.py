"""R73: one exchange by several transcripts (resumed, forked, compacted, exported): one event, several sightings."""

from __future__ import annotations

import json
import shutil

import pytest
from tests.recipes.support import Replies, Runs, Says, claude_records, name_of, place, read_in, transcript, written

from muniment.engine import receipts
from muniment.engine.asking import query

STEPS = [Says("fix it"), Replies("ok"), Runs("make", "built")]


def forked(engine, folder, copies):
    """A Claude Code session and its forks: each begins with the same records under another session's name."""
    made = list(claude_records(name_of("claude-code"), engine.workspace.root, STEPS))
    paths = []
    for n in range(1, copies + 1):
        session = name_of("claude-code", n)
        own = [r | {"sessionId": session} for r in made]
        own.append(
            next(iter(claude_records(session, engine.workspace.root, [Says(f"on in {n}")])))
            | {"uuid": f"{n:08x}-ffff-4000-8000-000000000000"}
        )
        paths.append(written(place("claude-code", folder, n), own))
    return paths


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (2, 0, 3, 1)])
def test_an_exchange_that_four_files_hold_is_one_exchange_seen_four_times(make_engine, tmp_path, order):
    engine = make_engine(home=tmp_path / f"home{order[0]}")
    paths = forked(engine, tmp_path / "t", 4)
    for n in order:
        read_in(engine, paths[n])
    counts = engine.store().transfer.counts()
    assert counts["events"] == len(STEPS) + 1 + 4
    assert counts["positions"] == (len(STEPS) + 1) * 4 + 4
    assert len(query(engine, "p:ran")) == 1
    hit = query(engine, "p:ran").hits[0]
    assert hit.receipt.startswith(name_of("claude-code", 1))
    for n in range(1, 5):
        assert receipts.read(engine, f"{name_of('claude-code', n)}:0").text == "fix it"
    assert len(query(engine, "fix it")) == 1


def test_a_moved_copy_of_a_file_adds_no_event(engine, tmp_path):
    path = transcript("codex", tmp_path / "t", engine.workspace.root, STEPS)
    read_in(engine, path)
    before = engine.store().transfer.counts()
    (tmp_path / "backup").mkdir()
    shutil.copy(path, tmp_path / "backup")
    report = read_in(engine, tmp_path / "backup")
    assert (report.new_events, report.known_events) == (0, report.kept)
    after = engine.store().transfer.counts()
    assert (after["events"], after["positions"], after["facts"]) == (
        before["events"],
        before["positions"],
        before["facts"],
    )


def test_a_database_and_its_export_are_one_session(engine, tmp_path):
    import apsw

    path = transcript("opencode", tmp_path / "t", engine.workspace.root, STEPS)
    read_in(engine, path)
    before = engine.store().transfer.counts()["events"]
    db = apsw.Connection(str(path))
    session = name_of("opencode")
    messages = []
    for id_, data in db.execute("SELECT id, data FROM message ORDER BY id"):
        parts = [
            json.loads(d) | {"id": p, "messageID": id_, "sessionID": session}
            for p, d in db.execute("SELECT id, data FROM part WHERE message_id = ?", (id_,))
        ]
        messages.append({"info": json.loads(data) | {"id": id_, "sessionID": session}, "parts": parts})
    export = {"info": {"id": session, "directory": engine.workspace.root, "version": "1.18.33"}, "messages": messages}
    (tmp_path / "export.json").write_text(json.dumps(export))
    read_in(engine, tmp_path / "export.json")
    assert engine.store().db.rows("SELECT count(DISTINCT uid) FROM events") == [(before,)]
    assert len(query(engine, "p:ran")) == 1
