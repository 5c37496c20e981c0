"""Review: what only proposes, grouped and ordered, so many a day, decided once, remembered and undone."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from tests.support import state, values

from muniment.engine import adding, comparing, finding, history, loading_rules, proposing, reviewing, revising, uses
from muniment.engine.asking import query
from muniment.engine.core import Caller
from muniment.engine.revising import Words
from muniment.engine.stating import Statement
from muniment.engine.upkeep import verify
from muniment.errors import ConflictError, NotFoundError, NothingChangedError, UsageError
from muniment.model.event import Origin

PERSON, AGENT = Caller(Origin.PERSON), Caller(Origin.AGENT)


def ask(engine, id_: str, action: str, **words: str) -> str:
    """An agent asks; the id of the proposal."""
    done = revising.revise(engine, AGENT, id_, action, Words(**words))
    assert done.outcome == "proposed"
    return done.ids[0]


def opened(engine) -> list[str]:
    return [p.id for p in reviewing.review(engine).proposals]


def test_the_most_pressing_stands_first_and_use_presses(engine):
    ids = [state(engine, f"thing {n}", "noted").ids[0] for n in range(3)]
    calm = ask(engine, ids[0], "pin")
    hot = ask(engine, ids[1], "correct", claim="another thing", reason="seen otherwise")
    used = ask(engine, ids[2], "correct", claim="yet another", reason="seen otherwise")
    for _ in range(6):
        uses.record(engine, ids[2], "success")
    found = reviewing.review(engine)
    assert [p.id for p in found.proposals] == [used, hot, calm]
    assert found.groups == {"correct": 2, "pin": 1}
    assert found.proposals[0].damage > found.proposals[1].damage > found.proposals[2].damage


def test_a_day_takes_so_many_decisions_and_the_next_day_as_many_again(engine, clock, monkeypatch):
    monkeypatch.setattr(reviewing, "PER_DAY", 3)
    for n in range(5):
        ask(engine, state(engine, f"thing {n}", "noted").ids[0], "pin")
    assert len(reviewing.review(engine).proposals) == 3
    for id_ in opened(engine)[:2]:
        reviewing.decline(engine, PERSON, id_)
    assert len(reviewing.review(engine).proposals) == 1
    found = reviewing.review(engine, everything=True)
    assert (len(found.proposals), found.open, found.decided_today) == (3, 3, 2)
    clock.forward(days=1)
    assert len(reviewing.review(engine).proposals) == 3


def test_a_decline_is_remembered_whoever_asks_again(engine, clock):
    id_ = state(engine, "Postgres", topic="database").ids[0]
    asked = ask(engine, id_, "retract", reason="gone")
    reviewing.decline(engine, PERSON, asked, "it is not")
    clock.forward(days=3)
    with pytest.raises(NothingChangedError, match="declined this on 2026-03-05"):
        ask(engine, id_, "retract", reason="really gone")
    assert opened(engine) == []
    assert ask(engine, id_, "suspect") in opened(engine)
    reviewing.undo(engine, PERSON, asked)
    assert asked in opened(engine)


def test_a_request_that_was_granted_may_come_again(engine, clock):
    id_ = state(engine, "Postgres", topic="database").ids[0]
    asked = ask(engine, id_, "suspect")
    reviewing.accept(engine, PERSON, asked)
    assert finding.fact(engine, id_).standing == "suspect"
    clock.forward(days=1)
    revising.revise(engine, PERSON, id_, "confirm")
    clock.forward(days=1)
    assert ask(engine, id_, "suspect") == asked
    assert opened(engine) == [asked]


def test_what_a_person_accepts_of_an_update_or_an_expiry_is_done(engine, clock):
    id_ = state(engine, "Postgres", topic="database").ids[0]
    clock.forward(hours=1)
    reviewing.accept(engine, PERSON, ask(engine, id_, "update", field="tags", value="code.sql"))
    assert engine.store().facts.tags(finding.fact(engine, id_).row.id) == ["code.sql"]
    clock.forward(hours=1)
    asked = ask(engine, id_, "expire")
    clock.forward(hours=1)
    reviewing.accept(engine, PERSON, asked)
    assert query(engine, "p:uses").hits == ()
    reviewing.undo(engine, PERSON, asked)
    assert values(query(engine, "p:uses").text) == ["Postgres"]
    assert verify(engine, rebuild=True).ok


def test_three_of_a_type_that_are_alike_propose_a_pattern_that_rests_on_them(engine, clock):
    texts = (
        "Prefers Tailwind for the landing page",
        "Prefers Tailwind on the dashboard",
        "Prefers Tailwind in the blog",
    )
    done = [adding.add(engine, PERSON, Statement("preference", text)) for text in texts]
    assert [bool(d.proposed) for d in done] == [False, False, True]
    (one,) = reviewing.review(engine).proposals
    assert (one.asks, one.text, one.predicate) == ("pattern", "Prefers Tailwind", "generalises")
    assert {ref for kind, ref in one.evidence if kind == "fact"} == {d.ids[0] for d in done}
    assert query(engine, "type:pattern").hits == ()
    clock.forward(hours=1)
    reviewing.accept(engine, PERSON, one.id)
    (row,) = query(engine, "type:pattern").hits
    assert (row.text, row.standing) == ("Prefers Tailwind", "confirmed")
    assert adding.add(engine, PERSON, Statement("preference", "Prefers Tailwind in the shop")).proposed == ""
    assert verify(engine, rebuild=True).ok


def test_similar_only_tells_and_writes_nothing(engine):
    for text in ("Prefers Tailwind for pages", "Prefers Tailwind on boards", "Prefers Tailwind in blogs"):
        state(engine, text, "prefers", type_="preference")
    told = comparing.similar(engine, "Tailwind")
    assert (told.answer, told.patterns) == ("SIMILAR_ENTRIES", {"preference": 3})
    assert opened(engine) == []
    with pytest.raises(UsageError):
        comparing.similar(engine, "Tailwind", 0.0)


def test_a_conflict_is_shown_before_the_write_and_the_writer_decides(engine):
    first = adding.add(engine, PERSON, Statement("fact", "The API port is 8080")).ids[0]
    new = Statement("fact", "The API port is 8081")
    with pytest.raises(ConflictError) as problem:
        adding.add(engine, PERSON, new, adding.How(if_clear=True))
    assert first in problem.value.about
    assert len(query(engine, "p:noted").hits) == 1
    done = adding.add(engine, PERSON, new)
    assert [(p.id, p.kind) for p in done.pairs] == [(first, "number")]
    assert len(query(engine, "p:noted").hits) == 2


@pytest.mark.parametrize(
    ("there", "new", "kind"),
    [
        (("Postgres", "uses", "database", "project"), ("MySQL", "uses", "database", "project"), "value"),
        (("ORMs", "avoids", "", "me"), ("ORMs", "prefers", "", "me"), "negation"),
        (("tabs", "prefers", "code.indent", "me"), ("spaces", "prefers", "code.indent", "project"), "narrower"),
        (("tabs", "prefers", "code.indent", "project"), ("spaces", "prefers", "code.indent", "me"), "wider"),
    ],
)
def test_the_same_question_answered_otherwise_is_a_conflict(engine, there, new, kind):
    type_ = "fact" if there[1] == "uses" else "preference"
    id_ = state(engine, there[0], there[1], topic=there[2], subject=there[3], type_=type_).ids[0]
    said = comparing.Said(new[0], new[1], finding.fact(engine, id_).row.subject, new[2])
    if new[3] != there[3]:
        kinds = {"me": ("person", "me"), "project": ("project", "project")}
        said = comparing.Said(new[0], new[1], type(said.subject)(*kinds[new[3]]), new[2])
    assert [(p.id, p.kind) for p in comparing.against(engine, said)] == [(id_, kind)]


# --- rules


def test_rules_are_proposed_with_file_line_and_commit_and_bind_nobody_until_accepted(engine):
    root = Path(engine.workspace.root)
    (root / "CLAUDE.md").write_text("# Rules\n\n- Always use tabs\n", encoding="utf-8")
    commit = _committed(root)
    (root / "CLAUDE.md").write_text("# Rules\n\n- Always use tabs\n- Never push to main\n", encoding="utf-8")
    report = loading_rules.load(engine)
    assert (report.read, report.files, len(report.ids)) == (2, {"CLAUDE.md": 2}, 2)
    found = {p.text: p for p in reviewing.review(engine).proposals}
    ((kind, tabs),), ((_, push),) = found["Always use tabs"].evidence, found["Never push to main"].evidence
    assert (kind, tabs.partition(",")[0]) == ("lines", f"CLAUDE.md#L3@git:{commit}")
    assert push.startswith("CLAUDE.md#L4@b3:")
    assert found["Never push to main"].reason == "CLAUDE.md:4@uncommitted"
    assert {p.origin for p in found.values()} == {"repository"}
    assert query(engine, "").hits == ()
    reviewing.accept(engine, PERSON, found["Always use tabs"].id)
    (row,) = query(engine, "p:requires").hits
    assert (row.text, row.standing, row.origin) == ("Always use tabs", "confirmed", "repository")
    reviewing.decline(engine, PERSON, found["Never push to main"].id)
    (root / "AGENTS.md").write_text("- Never push to main\n- Keep it short\n", encoding="utf-8")
    assert loading_rules.load(engine).known == 2
    assert [p.text for p in reviewing.review(engine).proposals] == ["Keep it short"]
    with pytest.raises(NothingChangedError):
        loading_rules.load(engine)
    assert verify(engine, rebuild=True).ok


def test_no_file_is_an_error_and_so_is_a_file_that_is_not_there(engine, tmp_path):
    with pytest.raises(NotFoundError, match="no instruction file"):
        loading_rules.load(engine)
    with pytest.raises(NotFoundError, match="no such file"):
        loading_rules.load(engine, [tmp_path / "CLAUDE.md"])


def test_a_secret_in_a_rule_is_masked_before_anything_is_kept(engine):
    secret = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    (Path(engine.workspace.root) / "CLAUDE.md").write_text(f"- Always use the token {secret}\n", encoding="utf-8")
    loading_rules.load(engine)
    assert secret not in "".join(p.text for p in reviewing.review(engine).proposals)
    assert secret.encode() not in engine.path.read_bytes()


def test_a_person_need_not_ask(engine):
    id_ = state(engine, "Postgres", topic="database").ids[0]
    assert proposing.needs_person(PERSON, "confirm", finding.fact(engine, id_)) is None
    for bad in ("nonsense", "7ZZZZZZZ"):
        with pytest.raises((NotFoundError, UsageError)):
            reviewing.accept(engine, PERSON, bad)


def _committed(root: Path) -> str:
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-C", str(root)]
    for words in (["init", "-q"], ["add", "CLAUDE.md"], ["commit", "-q", "-m", "rules"]):
        subprocess.run([*git, *words], check=True, capture_output=True)
    return subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()


def test_what_was_undone_stays_in_the_life_of_the_fact(engine, clock):
    id_ = state(engine, "the port is 8080", "noted").ids[0]
    clock.forward(hours=1)
    asked = ask(engine, id_, "correct", claim="the port is 8081", reason="the compose file says so")
    reviewing.accept(engine, PERSON, asked)
    clock.forward(hours=1)
    reviewing.undo(engine, PERSON, asked)
    told = history.why(engine, id_)
    assert [v.action for v in told.verdicts] == ["correct", "undo"]
    assert told.standing == "confirmed"
    assert told.links == ()
    assert values(query(engine, "p:noted").text) == ["the port is 8080"]
    assert values(query(engine, "p:noted", known="2026-03-05 13:30").text) == ["the port is 8081"]
    assert verify(engine, rebuild=True).ok
