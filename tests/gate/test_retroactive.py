"""R32: a rule that comes late reaches all that is stored already, and a second run finds nothing."""

from __future__ import annotations

import json

import pytest
from tests.recipes.support import Fetches, Reads, Runs, Says, kept_bytes, read_in, transcript
from tests.support import state

from muniment.engine import (
    deliveries,
    loading_rules,
    masking,
    pending,
    receipts,
    reviewing,
    stating,
    transfer,
    upkeep,
    viewing,
)
from muniment.engine.asking import query
from muniment.engine.core import Engine
from muniment.errors import NothingChangedError
from muniment.gate import own_rules
from muniment.gate.masks import MARK
from muniment.model.fact import Action

BADGE = "badge heron-77315"
PART = "heron-77315"


@pytest.fixture
def late():
    """A rule that is not there when things are stored; `late()` adds it, and it is gone after the test."""
    yield lambda pattern=r"heron-\d{5}", paths=(): own_rules.hold(
        "late", own_rules.compiled([pattern] if pattern else [], paths)
    )
    own_rules.hold("late", own_rules.Rules())


def leaks(engine: Engine, word: str = PART) -> list[str]:
    """Where the word still lies."""
    engine.close()
    return [place for place, data in kept_bytes(engine.settings.home) if word.encode() in data]


@pytest.fixture
def filled(engine: Engine, person, clock, tmp_path):
    """A store in which the word stands in every kind of row, and in files beside it."""
    root = engine.workspace.root
    steps = [
        Says(f"my {BADGE} opens the lab"),
        Runs("whoami", f"{BADGE}\nok"),
        Reads(f"{root}/b.txt", BADGE),
        Says("I use Zig."),
    ]
    read_in(engine, transcript("claude-code", tmp_path / "t", root, steps))
    made = state(
        engine,
        BADGE,
        "noted",
        topic="door",
        context=f"ctx {PART}",
        source_url=f"https://x.example/{PART}",
        tags=["a.b"],
    )
    clock.forward(minutes=1)
    stating.decide(engine, person, Action.CONFIRM, made.ids[0], f"because of {PART}")
    clock.forward(minutes=1)
    stating.decide(engine, person, Action.SUSPECT, made.ids[0], "is it so?")
    deliveries.record(engine, deliveries.Delivery("s", "library", f"where is {PART}", ("x",), (), 1))
    pending.put(
        engine, pending.Pending(pending.Assertion("noted", "project", PART, f"has {PART}"), engine.now(), ("s",))
    )
    return engine


def test_looking_names_what_would_be_covered_and_changes_nothing(filled, late):
    before = upkeep.digest(filled)
    late()
    told = masking.look(filled)
    assert not told.applied
    assert len(told.events) >= 4
    assert told.facts
    assert told.verdicts
    assert len(told.files) == 2
    assert upkeep.digest(filled) == before


def test_after_it_the_bytes_are_in_no_file_of_ours(filled, late):
    assert leaks(filled)
    late()
    report = masking.apply(filled)
    assert report.applied
    assert leaks(filled) == []
    assert upkeep.verify(filled, rebuild=True).problems == ()


def test_receipts_still_open_and_verdicts_still_hold(filled, late):
    before = {hit.receipt for hit in query(filled, "", 100_000)}
    late()
    report = masking.apply(filled)
    answer = query(filled, "p:noted", 10_000)
    assert [hit.standing for hit in answer] == ["suspect"]
    assert MARK * len(PART) in answer.hits[0].text
    assert answer.hits[0].id in dict(report.facts).values()
    assert all(receipts.read(filled, hit.id).verified for hit in query(filled, "", 100_000))
    assert {hit.receipt for hit in query(filled, "", 100_000)} == before


def test_a_second_run_finds_nothing_and_says_so(filled, late):
    late()
    masking.apply(filled)
    assert masking.look(filled).is_empty
    with pytest.raises(NothingChangedError):
        masking.apply(filled)


def test_views_and_exports_show_the_mask_alone(filled, late, tmp_path):
    late()
    masking.apply(filled)
    transfer.export_jsonl(filled, tmp_path / "all.jsonl")
    shown = [viewing.wake(filled), query(filled, "", 100_000).text, (tmp_path / "all.jsonl").read_text()]
    assert not any(PART in text for text in shown)


def test_what_agents_proposed_is_covered_too(engine, late, tmp_path):
    rules = tmp_path / "project" / "AGENTS.md"
    rules.write_text(f"- Always wear the {BADGE} in the lab.\n")
    loading_rules.load(engine, [rules])
    assert reviewing.review(engine).proposals
    late()
    masking.apply(engine)
    assert leaks(engine) == []


def test_a_file_that_is_excluded_later_loses_its_content_and_keeps_its_name(engine, late, tmp_path):
    root = engine.workspace.root
    secret = "the otter sleeps at noon"
    read, cat = Reads(f"{root}/vault/plan.txt", secret), Runs(f"cat {root}/vault/plan.txt", secret)
    steps = [read, cat, Fetches("https://example.org/p", "another otter")]
    read_in(engine, transcript("claude-code", tmp_path / "t", root, steps))
    late(None, ["vault/**"])
    assert masking.look(engine).events
    masking.apply(engine)
    assert leaks(engine, "otter sleeps") == []
    assert leaks(engine, "another otter")
    assert any("vault/plan.txt" in hit.row for hit in query(engine, "p:read", 10_000))


def test_a_rule_of_a_newer_program_is_swept_in_like_one_s_own(engine, monkeypatch, tmp_path):
    """A number that is masked today was kept by the program of yesterday."""
    from muniment.gate import secret_finders

    card = "4111 1111 1111 1111"
    with monkeypatch.context() as yesterday:
        yesterday.setattr(secret_finders.numbers, "find_numbers", lambda *_: None)
        read_in(engine, transcript("codex", tmp_path / "t", engine.workspace.root, [Says(f"pay with {card} please")]))
    assert leaks(engine, card)
    assert len(masking.look(engine).events) >= 1
    masking.apply(engine)
    assert leaks(engine, card) == []


def test_the_journal_stays_lines_of_json(filled, late):
    late()
    masking.apply(filled)
    for line in deliveries.path_of(filled).read_bytes().splitlines():
        assert isinstance(json.loads(line), dict)
    assert pending.listed(filled)[0].assertion.object == MARK * len(PART)
