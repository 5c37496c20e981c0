"""What held and what was believed at another time; the life of a belief; why a fact stands where it stands."""

from __future__ import annotations

import pytest
from tests.support import answered, archive, called, cells, ran, said, stamp, state, values, wrote

from muniment.engine.asking import query
from muniment.engine.history import history, why
from muniment.engine.stating import correct, decide, supersede
from muniment.errors import NotFoundError, UsageError
from muniment.model.belief import Decision, Link, Rank, Step, Support
from muniment.model.event import Origin
from muniment.model.fact import Action

JANUARY, FEBRUARY, MARCH = "2026-01-10T00:00:00.000Z", "2026-02-10T00:00:00.000Z", "2026-03-10T00:00:00.000Z"


@pytest.fixture
def three(engine, clock, person):
    """PostgreSQL in January, SQLite from February on; in March SQLite is corrected: it had been MySQL."""
    clock.set(JANUARY)
    first = state(engine, "PostgreSQL", topic="database").ids[0]
    clock.set(FEBRUARY)
    wrong = state(engine, "SQLite", topic="database").ids[0]
    clock.set(MARCH)
    right = correct(engine, person, wrong, "MySQL", "a slip of the tongue").ids[0]
    return first, wrong, right


# --- as-of ------------------------------------------------------------


def test_a_superseded_fact_is_shown_as_it_stood_with_the_end_that_came_since(engine, clock):
    clock.set(JANUARY)
    old = state(engine, "PostgreSQL", topic="database").ids[0]
    clock.set(FEBRUARY)
    state(engine, "SQLite", topic="database")
    receipt = "cli-00000000000000000000000001:0@0-10"
    row = ["uses.database", "project", "PostgreSQL", "3", "user", receipt, JANUARY, old, f"until:{FEBRUARY}"]
    assert cells(query(engine, "p:uses", as_of="2026-01-20").text) == [row]
    assert cells(query(engine, "p:uses as-of:2026-01-20").text) == [row]


def test_an_end_that_has_not_come_yet_is_not_marked(engine, clock):
    clock.set(JANUARY)
    state(engine, "PostgreSQL", topic="database", valid_until=MARCH)
    clock.set(FEBRUARY)
    assert cells(query(engine, "p:uses as-of:2026-01-20").text)[0][8] == ""
    clock.set(MARCH)
    assert cells(query(engine, "p:uses as-of:2026-01-20").text)[0][8] == f"until:{MARCH}"


def test_a_day_is_read_through_to_its_end_in_the_readers_zone(make_engine, clock):
    from datetime import timedelta, timezone

    engine = make_engine(zone=timezone(timedelta(hours=2)))
    clock.set("2026-02-10 21:59:59.999")  # the last millisecond of that day, two hours east
    state(engine, "PostgreSQL", topic="database")
    clock.set("2026-02-10 22:00")
    state(engine, "SQLite", topic="database")
    assert values(query(engine, "p:uses as-of:2026-02-10").text) == ["PostgreSQL"]
    assert values(query(engine, "p:uses as-of:2026-02-11").text) == ["SQLite"]
    assert values(query(engine, "p:uses as-of:2026-02-09").text) == []


def test_before_anything_was_said_the_answer_is_empty_and_says_so(engine, three):
    answer = query(engine, "p:uses as-of:2025-12-31")
    assert (answer.text, answer.left_out, answer.cursor) == ("", 0, None)
    assert answer.reason == "nothing that held at 2025-12-31 23:59:59+00:00 matches"
    known = query(engine, "p:uses known:2025-12-31").reason
    assert known == "nothing that was known at 2025-12-31 23:59:59+00:00 matches"


def test_a_retracted_fact_is_never_shown_as_of_the_past_but_a_superseded_one_is(engine, clock, person):
    clock.set(JANUARY)
    outdated = state(engine, "Jenkins", topic="ci").ids[0]
    wrong = state(engine, "Oracle", topic="database").ids[0]
    clock.set(FEBRUARY)
    fresh = state(engine, "Drone", topic="runner").ids[0]
    supersede(engine, person, outdated, fresh, "moved")
    decide(engine, person, Action.RETRACT, wrong, "never was")
    assert values(query(engine, "p:uses as-of:2026-01-20").text) == ["Jenkins"]
    assert values(query(engine, "p:uses standing:retracted").text) == ["Oracle"]
    assert values(query(engine, "p:uses standing:superseded").text) == ["Jenkins"]


def test_a_statement_about_the_past_splits_what_was_held_before(engine, clock):
    clock.set(JANUARY)
    state(engine, "PostgreSQL", topic="database")
    clock.set(MARCH)
    state(
        engine,
        "SQLite",
        topic="database",
        valid_from="2026-02-01T00:00:00.000Z",
        valid_until="2026-02-15T00:00:00.000Z",
    )
    found = {at: cells(query(engine, "p:uses", as_of=at).text) for at in ("2026-01-20", "2026-02-05", "2026-02-20")}
    assert {at: [(r[2], r[6], r[8]) for r in rows] for at, rows in found.items()} == {
        "2026-01-20": [("PostgreSQL", JANUARY, "until:2026-02-01T00:00:00.000Z")],
        "2026-02-05": [("SQLite", "2026-02-01T00:00:00.000Z", "until:2026-02-15T00:00:00.000Z")],
        "2026-02-20": [("PostgreSQL", "2026-02-15T00:00:00.000Z", "")],
    }
    assert values(query(engine, "p:uses").text) == ["PostgreSQL"]


def test_occurrences_are_those_that_had_happened(engine):
    archive(engine, [*ran("s1", 0, "2026-03-01 10:00", "make", ""), *ran("s1", 2, "2026-03-02 10:00", "make test", "")])
    assert values(query(engine, "p:ran as-of:2026-03-01").text) == ["make"]
    assert values(query(engine, 'p:ran as-of:"2026-03-02 09:59"').text) == ["make"]
    assert values(query(engine, "p:ran as-of:2026-03-02").text) == ["make test", "make"]


def test_an_expired_fact_held_before_it_expired(engine, clock):
    clock.set(JANUARY)
    state(engine, "a freeze", "requires", expires_at=FEBRUARY)
    clock.set(MARCH)
    assert values(query(engine, "p:requires").text) == []
    assert cells(query(engine, "p:requires as-of:2026-01-20").text)[0][8] == f"until:{FEBRUARY}"
    assert values(query(engine, "p:requires as-of:2026-02-20").text) == []
    assert cells(query(engine, "standing:expired").text)[0][8] == f"expired until:{FEBRUARY}"


def test_hypotheses_are_shown_only_where_nothing_firm_held(engine, clock):
    clock.set(JANUARY)
    state(engine, "Redis", topic="cache", origin=Origin.AGENT)
    clock.set(FEBRUARY)
    state(engine, "PostgreSQL", topic="database")
    clock.set(MARCH)
    before = cells(query(engine, "p:uses as-of:2026-01-20").text)
    assert [(r[2], r[8]) for r in before] == [("Redis", "hypothesis origin:agent")]
    assert values(query(engine, "p:uses as-of:2026-02-20").text) == ["PostgreSQL"]
    assert values(query(engine, "p:uses standing:hypothesis as-of:2026-02-20").text) == ["Redis"]


def test_age_is_measured_at_the_time_asked_for(engine, clock):
    clock.set(JANUARY)
    state(engine, "PostgreSQL", topic="database")
    clock.set("2027-03-10")
    then = query(engine, "p:uses", as_of="2026-01-10 00:00").hits[0].score
    assert then == pytest.approx(4.0, abs=1e-4)
    later = query(engine, "p:uses", as_of="2026-07-09 00:00").hits[0].score
    assert later == pytest.approx(2.0, abs=1e-4)


def test_the_terms_of_a_selector_select_in_the_past_too(engine, clock):
    archive(
        engine,
        [
            *ran("s1", 0, "2026-03-01 10:00", "make deploy", "", 2),
            *wrote("s1", 2, "2026-03-01 10:01", f"{engine.workspace.root}/src/a.py"),
            *wrote("s2", 0, "2026-03-01 10:02", f"{engine.workspace.root}/src/b.py"),
        ],
    )
    clock.set(MARCH)
    at = "as-of:2026-03-02"
    assert values(query(engine, f"path:src/a.py {at}").text) == ["src/a.py"]
    assert values(query(engine, f"path:src/** session:s2 {at}").text) == ["src/b.py"]
    assert values(query(engine, f"deploy {at}").text) == ["make deploy"]
    assert values(query(engine, f"type:event -deploy -p:read {at}").text) == ["src/b.py", "src/a.py"]
    assert values(query(engine, f"type:preference {at}").text) == []
    assert values(query(engine, f'p:ran since:"2026-03-01 10:00" until:2026-03-01 {at}').text) == ["make deploy"]
    assert values(query(engine, f'p:ran since:"2026-03-01 10:01" {at}').text) == []
    with pytest.raises(UsageError, match="unknown predicate 'rann'"):
        query(engine, f"p:rann {at}")


def test_words_find_what_the_index_of_open_facts_no_longer_holds(engine, clock):
    clock.set(JANUARY)
    state(engine, "Über-Café 東京都", topic="database")
    clock.set(FEBRUARY)
    state(engine, "SQLite", topic="database")
    for words in ("cafe", '"uber cafe"', "東京", "京都", "都", "DATABASE"):
        assert values(query(engine, f"standing:superseded {words}").text) == ["Über-Café 東京都"], words
    for words in ("caf", '"cafe uber"', "東都", "sqlite"):
        assert values(query(engine, f"standing:superseded {words}").text) == [], words


# --- known ------------------------------------------------------------


def test_what_was_believed_before_a_correction_is_still_told(engine, three):
    assert values(query(engine, "p:uses", as_of="2026-02-20").text) == ["MySQL"]
    assert values(query(engine, "p:uses", known="2026-02-20").text) == ["SQLite"]
    assert values(query(engine, "p:uses", as_of="2026-02-20", known="2026-02-20").text) == ["SQLite"]
    assert values(query(engine, "p:uses", as_of="2026-01-20", known="2026-02-20").text) == ["PostgreSQL"]
    assert values(query(engine, "p:uses", known="2026-03-10").text) == ["MySQL"]


def test_known_leaves_out_what_was_said_and_decided_later(engine, clock, person):
    clock.set(JANUARY)
    wrong = state(engine, "Oracle", topic="database").ids[0]
    clock.set(FEBRUARY)
    decide(engine, person, Action.RETRACT, wrong)
    assert values(query(engine, "p:uses known:2026-01-20").text) == ["Oracle"]
    assert values(query(engine, "p:uses known:2026-02-20").text) == []
    assert values(query(engine, "standing:retracted known:2026-01-20").text) == []
    assert values(query(engine, "standing:any known:2026-01-20").text) == ["Oracle"]


def test_a_verdict_on_an_occurrence_counts_from_its_time_on(engine, clock, person):
    archive(engine, ran("s1", 0, "2026-03-01 10:00", "make", ""))
    clock.set(MARCH)
    decide(engine, person, Action.RETRACT, query(engine, "p:ran").hits[0].id)
    assert values(query(engine, "p:ran known:2026-03-05").text) == ["make"]
    assert values(query(engine, "p:ran as-of:2026-03-05").text) == []
    assert cells(query(engine, "p:ran standing:any").text)[0][8] == "retracted exit:0"


def test_a_time_may_be_given_beside_the_selector_or_in_it_but_not_both(engine, three):
    with pytest.raises(UsageError, match="as-of is given twice"):
        query(engine, "as-of:2026-01-01", as_of="2026-01-02")


# --- standings ------------------------------------------------------------


def test_any_lists_every_standing_with_its_mark(engine, three):
    found = [(r[2], r[8]) for r in cells(query(engine, "standing:any").text)]
    assert found == [("MySQL", ""), ("SQLite", "retracted"), ("PostgreSQL", f"superseded until:{FEBRUARY}")]
    left = [r[2] for r in cells(query(engine, "standing:any -standing:retracted").text)]
    assert left == ["MySQL", "PostgreSQL"]


def test_standing_is_told_as_of_a_time(engine, three):
    assert values(query(engine, "standing:superseded as-of:2026-01-20").text) == []
    assert values(query(engine, "standing:superseded as-of:2026-02-20").text) == ["PostgreSQL"]


def test_pages_join_to_the_whole_and_the_trailer_counts_exactly(engine, clock):
    for i in range(23):
        clock.forward(minutes=1)
        state(engine, f"rule {i}", "requires")
    clock.set(MARCH)
    whole = values(query(engine, "as-of:2026-03-06", budget=100_000).text)
    assert whole == [f"rule {i}" for i in reversed(range(23))]
    paged, answer = [], query(engine, "as-of:2026-03-06", budget=700)
    while True:
        assert answer.bytes <= 700
        paged += values(answer.text)
        assert answer.left_out == 23 - len(paged)
        if answer.cursor is None:
            break
        answer = query(engine, cursor=answer.cursor, budget=700)
    assert paged == whole


def test_budgets_are_kept_and_zero_gives_the_handle_alone(engine, three):
    whole = query(engine, "standing:any", budget=10_000)
    for budget in range(whole.bytes + 40):
        answer = query(engine, "standing:any", budget=budget)
        assert answer.bytes <= budget
        assert all(len(row) == 9 for row in cells(answer.text))
    assert query(engine, "standing:any", budget=0).left_out == 3
    assert values(query(engine, cursor=query(engine, "standing:any", budget=0).cursor).text) == values(whole.text)


def test_the_same_question_gives_the_same_bytes_in_another_process(make_engine, engine, three):
    for question in ("standing:any", "as-of:2026-02-20", "known:2026-02-20"):
        assert query(make_engine(), question).text == query(engine, question).text


# --- the life of a belief ------------------------------------------------------------


def test_a_history_tells_every_saying_and_what_was_decided(engine, three):
    first, wrong, right = three
    told = history(engine, wrong)
    decision = Decision(
        "correct", "person", MARCH, "a slip of the tongue", "cli-00000000000000000000000003:0", (right,)
    )
    corrects, supersedes = Link(right, "corrects", wrong), Link(right, "supersedes", first)
    assert (told.id, told.predicate, told.topic, told.subject, told.is_state) == (
        wrong,
        "uses",
        "database",
        "project",
        True,
    )
    assert told.steps == (
        Step(
            first, JANUARY, "user", "person", "PostgreSQL", "superseded", "cli-00000000000000000000000001:0@0-10",
            ((JANUARY, FEBRUARY),), (), (), (supersedes,), False,
        ),
        Step(
            wrong, FEBRUARY, "user", "person", "SQLite", "retracted", "cli-00000000000000000000000002:0@0-6",
            (), (), (decision,), (corrects,), True,
        ),
        Step(
            right, MARCH, "user", "person", "MySQL", "confirmed", "cli-00000000000000000000000003:0@0-5",
            ((FEBRUARY, None),), (), (), (corrects, supersedes), False,
        ),
    )  # fmt: skip


def test_a_history_is_the_same_whichever_of_its_facts_is_asked_about(engine, three):
    lives = [[(s.id, s.standing, s.intervals) for s in history(engine, id_).steps] for id_ in three]
    assert lives[0] == lives[1] == lives[2]


def test_a_history_follows_corrections_where_every_value_is_a_key_of_its_own(engine, clock, person):
    clock.set(JANUARY)
    wrong = state(engine, "two reviews", "requires").ids[0]
    state(engine, "a changelog", "requires")
    clock.set(FEBRUARY)
    right = correct(engine, person, wrong, "one review", "misread").ids[0]
    assert [s.value for s in history(engine, right).steps] == ["two reviews", "one review"]
    assert [s.value for s in history(engine, wrong).steps] == ["two reviews", "one review"]


def test_an_occurrence_is_its_own_history(engine, clock, person):
    archive(engine, ran("s1", 0, "2026-03-01 10:00", "make", ""))
    id_ = query(engine, "p:ran").hits[0].id
    decide(engine, person, Action.SUSPECT, id_, "the log was edited")
    told = history(engine, id_)
    assert not told.is_state
    assert [(s.value, s.standing, s.intervals, s.marks) for s in told.steps] == [("make", "suspect", (), ("exit:0",))]
    decided = told.steps[0].verdicts
    assert [(v.action, v.by, v.at, v.reason) for v in decided] == [("suspect", "person", clock(), "the log was edited")]


def test_an_unknown_fact_has_no_history(engine, three):
    with pytest.raises(NotFoundError, match="no fact 7777"):
        history(engine, "7777")
    with pytest.raises(UsageError, match="not an id"):
        why(engine, "a:1")


# --- why ------------------------------------------------------------


def test_why_names_receipt_witness_method_and_every_number(engine, clock):
    clock.set("2026-03-08 10:00:01")
    archive(engine, ran("s1", 0, "2026-03-01 10:00", "pytest", "1 passed in 0.1s"))
    told = why(engine, query(engine, "p:ran").hits[0].id)
    assert (told.receipt, told.witness, told.method) == ("s1:0@5-11", "s1:1", "commands.ran@1")
    assert told.precision_interval is not None
    assert told.precision_interval[0] >= 0.8
    assert told.sample > 100
    assert (told.role, told.origin, told.authority) == ("tool", "tool", 2)
    assert (told.standing, told.said_at, told.marks) == ("confirmed", "2026-03-01T10:00:01.000Z", ("exit:0",))
    week = 7 * 86_400_000
    assert (told.rank.role_weight, told.rank.rung, told.rank.age_ms, told.rank.half_life_ms) == (0.8, 1, week, week)
    assert told.rank.score == pytest.approx(0.8 * told.rank.precision, abs=1e-4)
    assert told.rank.score == pytest.approx(query(engine, "p:ran").hits[0].score, abs=1e-9)


def test_why_names_supports_and_who_speaks_for_a_fact(engine, clock, person):
    clock.set(JANUARY)
    guess = state(engine, "PostgreSQL", topic="database", origin=Origin.AGENT).ids[0]
    clock.set(FEBRUARY)
    said_so = state(engine, "PostgreSQL", topic="database").ids[0]
    clock.set(MARCH)
    receipt = "cli-00000000000000000000000001:0@0-10"
    told = why(engine, said_so)
    assert told.supports == (Support(guess, JANUARY, "assistant", "agent", receipt),)
    assert (told.shown_by, told.intervals, told.newest_at) == (None, ((JANUARY, None),), FEBRUARY)
    assert Link(guess, "supports", said_so) in told.links
    assert why(engine, guess).shown_by == said_so


def test_why_tells_that_a_person_raised_the_rung(engine, clock, person):
    clock.set(JANUARY)
    guess = state(engine, "PostgreSQL", topic="database", origin=Origin.AGENT).ids[0]
    assert why(engine, guess).rank.rung == 0
    clock.set(FEBRUARY)
    decide(engine, person, Action.CONFIRM, guess, "seen it")
    told = why(engine, guess)
    assert (told.standing, told.stated) == ("confirmed", "hypothesis")
    assert told.rank == Rank(0.5, 3, 1.0, 0, 180 * 86_400_000, told.rank.key, pytest.approx(2.0, abs=1e-5))
    assert [(v.action, v.reason, v.about) for v in told.verdicts] == [("confirm", "seen it", (guess,))]


def test_why_says_that_a_file_is_no_longer_what_it_was(engine):
    events = [
        called("s1", 0, "2026-03-01 10:00", "c1", "read", "Read", {"path": f"{engine.workspace.root}/a.txt"}),
        answered("s1", 1, "2026-03-01 10:01", "c1", "hello", ok=True, sha256="0" * 64),
        said("s1", 2, "2026-03-01 10:02", "thanks"),
    ]
    archive(engine, events)
    told = why(engine, query(engine, "p:read").hits[0].id)
    assert told.marks == ("stale:outside",)
    assert told.said_at == stamp("2026-03-01 10:01")
