"""R43: a background session of ours, and what we put before a model, are never captured as anybody's words."""

from __future__ import annotations

import pytest
from tests.recipes.support import HARNESSES, Replies, Runs, Says, found_in, read_in, texts, transcript

from muniment.capture.transcripts.contract import OWN_SESSION
from muniment.engine.asking import query

OWN = f"{OWN_SESSION} pass=1>\nSummarise: the user prefers tabs.\n</muniment-background>"
INJECTED = "<muniment rows=1>\nuses.database\tproject\tMySQL\t3\n</muniment>"


@pytest.mark.parametrize("harness", HARNESSES)
def test_a_background_session_is_skipped_by_its_tag_and_counted(harness, engine, tmp_path):
    path = transcript(
        harness, tmp_path / "t", engine.workspace.root, [Says(OWN), Replies("It prefers tabs."), Runs("ls", "x")]
    )
    report = read_in(engine, path)
    assert report.skipped["own"] >= 3
    assert [t for t in texts(engine) if "tabs" in t] == []
    assert len(query(engine, "", 100_000)) == 0


@pytest.mark.parametrize("harness", HARNESSES)
def test_what_we_put_before_a_model_is_nobody_s_statement(harness, engine, tmp_path):
    steps = [Says(f"{INJECTED}\n"), Runs("muniment query p:uses", INJECTED), Says("and now?")]
    read_in(engine, transcript(harness, tmp_path / "t", engine.workspace.root, steps))
    rows = query(engine, "", 100_000)
    assert [h.text for h in rows] == ["and now?"]


def test_what_our_own_passes_leave_in_the_watched_places_moves_no_count(engine, tmp_path):
    home = tmp_path / "home"
    transcript("claude-code", home / ".claude/projects/x", engine.workspace.root, [Says("one"), Runs("make", "ok")])
    before = found_in(engine, home)
    for n in range(2, 12):
        transcript(
            "claude-code", home / ".claude/projects/x", engine.workspace.root, [Says(OWN), Replies(f"pass {n}")], n
        )
    after = found_in(engine, home)
    assert (before.kept, after.kept, after.new_events, after.facts) == (3, 0, 0, 0)
    assert after.skipped["own"] == 20
