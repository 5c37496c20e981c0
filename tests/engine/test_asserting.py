"""Assertions by agents: the receipt is the quoted span, the standing a hypothesis, and words that never were are refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support import answered, archive, called, replied, said, state, values

from muniment.engine import asserting, finding, pending, receipts
from muniment.engine.asking import query
from muniment.engine.asserting import Assertion, Calling, make, resolve, untold
from muniment.engine.core import Caller
from muniment.engine.proposing import propose
from muniment.engine.upkeep import verify
from muniment.errors import NothingChangedError, RefusedError, UsageError
from muniment.model.event import Action, Kind, Origin, Role

AT = "2026-03-05 11:00"
MINE = Calling(sessions=("s",))


def assertion(quote: str, object: str = "Vitest", predicate: str = "uses", **more: object) -> Assertion:
    fields = {"subject": "project", "topic": "test_runner", **more}
    return Assertion(predicate, object=object, quote=quote, **fields)  # type: ignore[arg-type]


def talk(engine, *texts: str, session: str = "s") -> None:
    archive(engine, [said(session, n, AT, text) for n, text in enumerate(texts)])


def test_the_fact_opens_the_quoted_words(engine):
    talk(engine, "hello", "By the way: we test with Vitest here.")
    done = make(engine, assertion("we test with Vitest"), MINE)
    assert done.outcome == "stored"
    assert done.admission is not None
    record = receipts.read(engine, done.admission.ids[0])
    assert (record.text, record.verified) == ("we test with Vitest", True)
    assert record.receipt == "s:1@12-31"


def test_it_is_a_hypothesis_of_origin_agent_whatever_it_quotes(engine):
    talk(engine, "We test with Vitest here.")
    make(engine, assertion("We test with Vitest"), MINE)
    (hit,) = query(engine, "standing:hypothesis").hits
    assert (hit.text, hit.origin, hit.standing) == ("Vitest", "agent", "hypothesis")


def test_the_time_is_that_of_the_words_and_not_of_the_assertion(engine):
    talk(engine, "We test with Vitest here.")
    make(engine, assertion("We test with Vitest"), MINE)
    assert query(engine, "standing:hypothesis").hits[0].row.split("\t")[6].startswith("2026-03-05T11:00")


def test_a_quote_out_of_a_negated_sentence_closes_nothing(engine):
    state(engine, "Postgres", topic="database")
    talk(engine, "Please, don't use MySQL for this.")
    make(engine, assertion("use MySQL for this", "MySQL", topic="database"), MINE)
    assert values(query(engine, "p:uses").text) == ["Postgres"]


def test_the_object_must_stand_in_the_quote_as_words_of_its_own(engine):
    talk(engine, "Please use MySQL for this.")
    for wrong in ("SQL", "Postgres", "use it"):
        with pytest.raises(RefusedError, match="object does not stand"):
            make(engine, assertion("use MySQL for this", wrong), MINE)


def test_the_object_is_kept_as_the_words_have_it(engine):
    talk(engine, "We test\n  with VITEST here.")
    make(engine, assertion("test with vitest".replace("vitest", "VITEST"), "vitest"), MINE)
    assert values(query(engine, "standing:hypothesis").text) == ["VITEST"]


def test_words_that_are_not_there_yet_wait_and_are_found_by_the_next_look(engine):
    talk(engine, "hello")
    done = make(engine, assertion("we test with Vitest"), MINE)
    assert done.outcome == "pending"
    assert "not in the transcript of your session s yet" in done.reason
    assert resolve(engine) == []
    archive(engine, [said("s", 1, AT, "So: we test with Vitest.")])
    (resolved,) = resolve(engine)
    assert resolved.outcome == "stored"
    assert receipts.read(engine, resolved.told).receipt == "s:1@4-23"
    assert [p.state for p in untold(engine)] == ["stored"]
    assert untold(engine) == []


def own_call(seq: int, quote: str, session: str = "s", tool: str = "mcp__muniment__memory_assert"):
    args = {"predicate": "uses", "subject": "project", "object": "Vitest", "quote": quote}
    return called(session, seq, AT, f"call-{session}-{seq}", Action.OTHER, tool, args)


def test_words_that_stand_in_the_call_alone_never_were_said(engine):
    archive(engine, [said("s", 0, AT, "hello"), own_call(1, "we test with Vitest")])
    with pytest.raises(RefusedError, match="never said in your session"):
        make(engine, assertion("we test with Vitest"), MINE)


def test_words_that_come_after_the_call_do_not_count(engine):
    archive(engine, [said("s", 0, AT, "hello"), own_call(1, "we test with Vitest")])
    archive(engine, [replied("s", 2, AT, "I noted that we test with Vitest.")])
    with pytest.raises(RefusedError, match="never said in your session"):
        make(engine, assertion("we test with Vitest"), MINE)


def test_a_pending_assertion_is_refused_once_its_call_is_on_disk_without_the_words(engine):
    talk(engine, "hello")
    assert make(engine, assertion("we test with Vitest"), MINE).outcome == "pending"
    archive(engine, [own_call(1, "we test with Vitest")])
    assert [r.outcome for r in resolve(engine)] == ["refused"]
    (told,) = untold(engine)
    assert "never said" in told.told
    assert values(query(engine, "standing:hypothesis").text) == []


def test_two_live_sessions_are_ambiguous_and_said_so_until_the_call_shows_up(engine):
    talk(engine, "We test with Vitest here.", session="a")
    talk(engine, "We test with Vitest here.", session="b")
    unknown = Calling(since="2026-03-05T10:00:00.000Z")
    done = make(engine, assertion("We test with Vitest"), unknown)
    assert done.outcome == "pending"
    assert "ambiguous (a, b)" in done.reason
    archive(engine, [own_call(1, "We test with Vitest", session="b")])
    (resolved,) = resolve(engine)
    assert receipts.read(engine, resolved.told).receipt.startswith("b:0@")


def test_the_only_live_session_is_the_callers(engine):
    talk(engine, "We test with Vitest here.", session="a")
    assert make(engine, assertion("We test with Vitest"), Calling(since="2026-03-05T10:00:00.000Z")).outcome == "stored"


def test_another_sessions_words_prove_nothing(engine):
    talk(engine, "hello")
    talk(engine, "We test with Vitest here.", session="other")
    assert make(engine, assertion("We test with Vitest"), MINE).outcome == "pending"


def test_the_id_of_the_call_tells_the_session(engine):
    talk(engine, "We test with Vitest here.", session="a")
    archive(engine, [own_call(1, "We test with Vitest", session="a")])
    talk(engine, "hello", session="b")
    done = make(engine, assertion("We test with Vitest"), Calling(call_id="call-a-1", sessions=("b",)))
    assert done.outcome == "stored"


def test_what_we_injected_and_what_was_only_thought_is_nobodys_word(engine):
    archive(
        engine,
        [
            said("s", 0, AT, "we test with Vitest", flags=("injected",)),
            replied("s", 1, AT, "we test with Vitest", kind=Kind.THINKING),
            said("s", 2, AT, "we test with Vitest", role=Role.HARNESS, origin=Origin.HARNESS),
        ],
    )
    assert make(engine, assertion("we test with Vitest"), MINE).outcome == "pending"


def test_a_persons_words_are_the_better_receipt(engine):
    archive(engine, [said("s", 0, AT, "we test with Vitest"), replied("s", 1, AT, "So we test with Vitest.")])
    done = make(engine, assertion("we test with Vitest"), MINE)
    assert done.admission is not None
    assert done.admission.receipt == "s:0@0-19"


def test_what_only_a_person_can_say_is_quoted_from_a_person(engine):
    archive(engine, [said("s", 0, AT, "I prefer tabs."), replied("s", 1, AT, "You prefer spaces then.")])
    assert (
        make(engine, assertion("I prefer tabs", "tabs", "prefers", subject="user", topic=""), MINE).outcome == "stored"
    )
    with pytest.raises(RefusedError, match="prefers is drawn from person"):
        make(engine, assertion("You prefer spaces", "spaces", "prefers", subject="user", topic=""), MINE)


def test_what_a_tool_did_is_not_asserted(engine):
    talk(engine, "I ran make test.")
    with pytest.raises(RefusedError, match="what a tool did"):
        make(engine, assertion("I ran make test", "make test", "ran", subject="session", topic=""), MINE)


def test_an_unknown_predicate_and_an_empty_quote_are_refused_by_name(engine):
    with pytest.raises(UsageError, match="invents"):
        make(engine, assertion("we test with Vitest", predicate="invents"), MINE)
    with pytest.raises(UsageError, match="quote"):
        make(engine, assertion("  "), MINE)


def test_the_same_assertion_twice_says_that_nothing_changed(engine):
    talk(engine, "We test with Vitest here.")
    make(engine, assertion("We test with Vitest"), MINE)
    with pytest.raises(NothingChangedError, match="asserted already"):
        make(engine, assertion("We test with Vitest"), MINE)


def test_a_rebuild_draws_the_same_facts(engine, clock):
    talk(engine, "We test with Vitest here. I prefer tabs.")
    make(engine, assertion("We test with Vitest"), MINE)
    clock.forward(minutes=1)
    make(engine, assertion("I prefer tabs", "tabs", "prefers", subject="user", topic=""), MINE)
    target = query(engine, "standing:hypothesis").hits[0].id
    propose(engine, Caller(Origin.AGENT), target, "confirm", reason="seen twice")
    found = verify(engine, rebuild=True)
    assert found.ok, found.problems
    assert found.rebuilt_digest == found.digest


def test_a_secret_in_a_quote_is_masked_before_it_waits(engine):
    talk(engine, "hello")
    secret = "ghp_" + "A1b2C3d4E5" * 3 + "A1b2C3"
    make(engine, assertion(f"the runner is Vitest and the key is {secret}"), MINE)
    (file,) = pending.folder(engine).iterdir()
    assert secret not in file.read_text()


def test_what_waits_for_a_week_is_refused(engine, clock):
    talk(engine, "hello")
    make(engine, assertion("we test with Vitest"), MINE)
    clock.forward(days=8)
    assert [r.outcome for r in resolve(engine)] == ["refused"]


def test_a_request_to_confirm_becomes_a_proposal_and_changes_nothing(engine):
    id_ = state(engine, "Postgres", topic="database").ids[0]
    agent = Caller(Origin.AGENT, door="mcp")
    before = query(engine, "").text
    asked = propose(engine, agent, id_, "correct", claim="MySQL", reason="the compose file says so")
    assert asked.why == "a fact of origin person is not changed by origin agent"
    assert query(engine, "").text == before
    ((_, draft, reason),) = engine.store().facts.proposals()
    assert reason == f"correct {id_}: the compose file says so"
    assert '"literal": "MySQL"' in draft
    with pytest.raises(NothingChangedError, match="proposed already"):
        propose(engine, agent, id_, "correct", claim="MySQL", reason="the compose file says so")


def test_indexing_says_what_became_of_what_waited(engine, tmp_path):
    talk(engine, "hello")
    make(engine, assertion("we test with Vitest"), MINE)
    archive(engine, [own_call(1, "we test with Vitest")])
    from muniment.engine.indexing import index

    assert any("assertion refused" in note for note in index(engine, [], named=True).notes)
    assert asserting.untold(engine)


# --- evidence that nobody has to name


def looked_at(engine, id_: str) -> list[str]:
    return [c.address.place for c in engine.store().evidence.of(finding.fact(engine, id_).row.id)]


def test_words_read_out_of_a_file_lean_on_its_lines(engine):
    Path(engine.workspace.root, "app.toml").write_text("[db]\nname = 'main'\nengine = 'postgres'\n", encoding="utf-8")
    call = called("s", 0, AT, "c1", Action.READ, "Read", {"path": "app.toml"})
    archive(engine, [call, answered("s", 1, AT, "c1", "2: name = 'main'\n3: engine = 'postgres'", ok=True)])
    done = make(engine, assertion("engine = 'postgres'", "postgres", topic="database"), MINE)
    assert looked_at(engine, done.admission.ids[0]) == ["app.toml#L3"]
    assert verify(engine, rebuild=True).ok
    assert looked_at(engine, done.admission.ids[0]) == ["app.toml#L3"]


def test_a_decision_made_while_a_file_was_open_leans_on_what_was_edited_there(engine):
    Path(engine.workspace.root, "retry.py").write_text("import time\n\nDELAY = 2 ** attempt\n", encoding="utf-8")
    edit = {"path": "retry.py", "old": "DELAY = 1", "new": "DELAY = 2 ** attempt"}
    events = [
        called("s", 0, AT, "c1", Action.EDIT, "Edit", edit),
        answered("s", 1, AT, "c1", "done", ok=True),
        replied("s", 2, AT, "I decided on exponential backoff for retries."),
    ]
    archive(engine, events)
    said_so = assertion(
        "exponential backoff for retries", "exponential backoff", "decided", subject="session", topic=""
    )
    done = make(engine, said_so, MINE)
    assert looked_at(engine, done.admission.ids[0]) == ["retry.py#L3"]


def test_evidence_that_is_named_is_all_there_is(engine):
    Path(engine.workspace.root, "app.toml").write_text("engine = 'postgres'\n", encoding="utf-8")
    call = called("s", 0, AT, "c1", Action.READ, "Read", {"path": "app.toml"})
    archive(engine, [call, answered("s", 1, AT, "c1", "engine = 'postgres'", ok=True)])
    named = assertion("engine = 'postgres'", "postgres", topic="database", evidence=("app.toml",))
    done = make(engine, named, MINE)
    assert looked_at(engine, done.admission.ids[0]) == ["app.toml"]
