"""R59: two workspaces with the same texts on purpose: nothing of one is seen, changed or counted from the other."""

from __future__ import annotations

import inspect

import pytest
from tests.recipes.support import Runs, Says, read_in, transcript
from tests.support import state

from muniment import Memory
from muniment.engine import history, receipts, stating, upkeep, viewing
from muniment.engine.asking import query
from muniment.errors import MunimentError, NotFoundError
from muniment.model.fact import Action

SAME = ("the build needs tool 4.2", "PostgreSQL", "tabs")


@pytest.fixture
def both(make_engine, tmp_path):
    """Ours and another's workspace with equal texts, and one row that only the other has."""
    ours, other = make_engine("ours"), make_engine("other")
    for engine in (ours, other):
        for n, text in enumerate(SAME):
            state(engine, text, "noted", topic=f"t{n}")
    state(other, "only theirs", "noted")
    steps = [Says("foreign prompt"), Runs("foreign command", "x")]
    read_in(other, transcript("claude-code", tmp_path / "t", other.workspace.root, steps))
    return ours, other


def everything(engine):
    """All that the store of an engine holds."""
    return [list(row) for row in engine.store().transfer.digest_rows()]


VERBS = {
    "read": lambda e, p, i: receipts.read(e, i),
    "history": lambda e, p, i: history.history(e, i),
    "why": lambda e, p, i: history.why(e, i),
    "confirm": lambda e, p, i: stating.decide(e, p, Action.CONFIRM, i),
    "suspect": lambda e, p, i: stating.decide(e, p, Action.SUSPECT, i),
    "retract": lambda e, p, i: stating.decide(e, p, Action.RETRACT, i),
    "restore": lambda e, p, i: stating.decide(e, p, Action.RESTORE, i),
    "correct": lambda e, p, i: stating.correct(e, p, i, "mine now", "because"),
    "supersede": lambda e, p, i: stating.supersede(e, p, i, query(e, "").hits[0].id),
    "supersede by theirs": lambda e, p, i: stating.supersede(e, p, query(e, "").hits[0].id, i),
}


@pytest.mark.parametrize("verb", VERBS)
def test_an_id_of_another_s_row_is_unknown_to_every_verb(both, person, verb):
    ours, other = both
    before = everything(ours), everything(other)
    for hit in query(other, "theirs").hits + query(other, "p:ran").hits:
        for name in (hit.id, hit.id[:8]):
            with pytest.raises(NotFoundError):
                VERBS[verb](ours, person, name)
        if verb == "read":
            with pytest.raises(MunimentError):
                receipts.read(ours, hit.receipt)
    assert (everything(ours), everything(other)) == before


@pytest.mark.parametrize(
    "question",
    [
        "",
        "p:noted",
        "theirs",
        "foreign",
        "*",
        "s:*",
        "session:*",
        "best match words",
        "path:**",
        "standing:any",
        "as-of:2030-01-01",
        "id:0000",
        "role:tool",
        "origin:person",
        "known:2030-01-01",
    ],
)
def test_no_question_reaches_another_s_rows(both, question):
    ours, other = both
    try:
        texts = {h.text for h in query(ours, question, 1_000_000)}
    except MunimentError:
        return
    assert texts <= set(SAME)
    theirs = {h.id for h in query(other, question, 1_000_000)}
    assert not theirs & {h.id for h in query(ours, question, 1_000_000)}


def test_a_hundred_foreign_matches_do_not_push_out_our_own(both):
    ours, other = both
    for n in range(100):
        state(other, f"best match words {n}", "noted")
    state(ours, "best match words of ours", "noted")
    assert [h.text for h in query(ours, "best match words", 400)] == ["best match words of ours"]


def test_views_counts_and_checks_speak_of_our_own_only(both):
    ours, other = both
    for text in (viewing.wake(ours, 100_000), viewing.timeline_text(ours, "2026-03-05")):
        assert "theirs" not in text
        assert "foreign" not in text
    assert ours.store().transfer.counts()["facts"] == len(SAME)
    assert other.store().transfer.counts()["facts"] > len(SAME)
    assert upkeep.verify(ours).ok


def test_a_cursor_of_another_workspace_gives_our_rows_or_none(both):
    ours, other = both
    cursor = query(other, "p:noted", 300).cursor
    assert cursor is not None
    assert {h.text for h in query(ours, "", cursor=cursor)} <= set(SAME)


def test_no_verb_of_the_library_takes_a_workspace(both):
    """A handle is bound to one workspace for life: there is no argument by which a call could leave it."""
    for name, verb in inspect.getmembers(Memory, inspect.isfunction):
        if name.startswith("_"):
            continue
        assert not {"workspace", "scope", "user", "tenant"} & set(inspect.signature(verb).parameters), name


def test_the_same_words_in_two_places_are_two_facts(both):
    ours, other = both
    assert not {h.id for h in query(ours, "p:noted", 100_000)} & {h.id for h in query(other, "p:noted", 100_000)}
