"""R72: an extractor's version is raised: what the old one drew is withdrawn and drawn again; nothing else moves."""

from __future__ import annotations

import pytest
from tests.recipes.support import Reads, Runs, Says, Writes, read_in, transcript

from muniment.capture.extract import commands, registry
from muniment.engine import history, stating, upkeep
from muniment.engine.asking import query
from muniment.model.fact import Action


@pytest.fixture
def filled(engine, tmp_path):
    root = engine.workspace.root
    steps = [
        Says("fix it"),
        Runs("make", "ok"),
        Runs("ls -la", "x"),
        Reads(f"{root}/a.py", "1\n"),
        Writes(f"{root}/b.py", "2\n"),
    ]
    read_in(engine, transcript("claude-code", tmp_path / "t", root, steps))
    return engine


def methods(engine):
    return dict(engine.store().db.rows("SELECT method, count(*) FROM facts GROUP BY method ORDER BY method"))


@pytest.fixture
def raised(monkeypatch):
    """Version 2 of the extractor of commands, which leaves `ls` alone."""

    def only_makers(event, window):
        return [draft for draft in commands.ran(event, window) if (draft.literal or "").startswith("make")]

    def raise_it():
        monkeypatch.setattr(registry._RAN, "version", 2)
        monkeypatch.setattr(registry._RAN, "make", only_makers)
        measures = {**registry._measures(), "commands.ran@2": registry._measures()["commands.ran@1"]}
        monkeypatch.setattr(registry, "_measures", lambda: measures)

    return raise_it


def test_a_rebuild_withdraws_what_the_new_version_does_not_draw_and_no_more(filled, raised):
    before = methods(filled)
    assert before["commands.ran@1"] == 2
    ids = {h.text: h.id for h in query(filled, "", 100_000)}
    raised()
    upkeep.verify(filled, rebuild=True)
    after = methods(filled)
    assert (after.pop("commands.ran@2"), before.pop("commands.ran@1")) == (1, 2)
    assert after == before
    kept = {h.text: h.id for h in query(filled, "", 100_000)}
    assert kept == {text: id_ for text, id_ in ids.items() if text != "ls -la"}


def test_a_fact_that_a_verdict_names_stays(filled, raised, person, clock):
    doubted = query(filled, 'o:"ls -la"').hits[0].id
    stating.decide(filled, person, Action.CONFIRM, doubted, "it did")
    raised()
    upkeep.verify(filled, rebuild=True)
    assert [h.text for h in query(filled, f"id:{doubted}")] == ["ls -la"]
    assert history.why(filled, doubted).verdicts[0].action == "confirm"


def test_back_to_the_old_version_gives_the_old_facts_with_the_old_ids(filled, raised, monkeypatch):
    before = [tuple(r) for r in filled.store().transfer.digest_rows()]
    with monkeypatch.context():
        raised()
        upkeep.verify(filled, rebuild=True)
    monkeypatch.undo()
    upkeep.verify(filled, rebuild=True)
    assert [tuple(r) for r in filled.store().transfer.digest_rows()] == before
