"""The verb `search` from words to an answer: what holds comes first, what is foreign is refused, and no byte goes over."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.properties.worlds import engine_at, home
from tests.recall.stores import talked, turn
from tests.support import Clock, archive, ran, replied, said, state

from muniment.engine import deliveries
from muniment.engine.core import Caller, Engine
from muniment.engine.searching import Asking, Finding, search
from muniment.engine.stating import correct, decide, supersede
from muniment.errors import BusyError, MunimentError, UsageError
from muniment.model.event import Kind, Origin, Role
from muniment.model.fact import Action
from muniment.storage.sqlite import connection
from muniment.storage.sqlite.store import Database

ALL = Asking(1_000_000, limit=10_000, floor=False)
THEMES = ("violin", "kitchen", "garden", "invoice", "salad", "copper", "lantern", "harbour")


def talk(count: int = 40) -> list[dict]:
    """A conversation of several sessions about a few things."""
    return [
        turn(f"s{n % 4}", n, f"On day {n} the {THEMES[n % 8]} and the {THEMES[n * 3 % 8]} came up, {n * 7919} times.",
             "Ana" if n % 2 else "Ben", "user", f"2026-02-{n % 27 + 1:02d}T10:00:00Z")
        for n in range(count)
    ]  # fmt: skip


def receipts(finding: Finding) -> list[str]:
    return [hit.receipt for hit in finding]


def pages(engine: Engine, words: str, how: Asking) -> Iterator[Finding]:
    """All parts of an answer."""
    while True:
        finding = search(engine, words, how)
        yield finding
        if finding.cursor is None:
            return
        how = replace(how, cursor=finding.cursor)


# --- what holds comes first


def test_the_later_of_two_values_comes_first_and_the_earlier_says_so(engine: Engine) -> None:
    talked(engine, [
        turn("a", 0, "The kitchen budget is 500 euros, the kitchen budget matters.", "Ana", at="2026-01-01"),
        turn("b", 0, "By the way, the kitchen budget is 800 euros.", "Ana", at="2026-02-01"),
        *(turn("z", n, f"Something else, number {n}.") for n in range(6)),
    ])  # fmt: skip
    found = search(engine, "What is the kitchen budget?", Asking(floor=False))
    assert receipts(found)[:2] == ["conversation.b:0", "conversation.a:0"]
    assert found.hits[1].marks == ("later:conversation.b:0",)
    assert found.hits[0].score < found.hits[1].score, "by likeness alone it would be the other way round"


def test_what_speaks_against_each_other_says_so(engine: Engine) -> None:
    talked(engine, [
        turn("a", 0, "I have integrated the payment service into the shop.", at="2026-01-01"),
        turn("b", 0, "I have never integrated the payment service into the shop.", at="2026-02-01"),
        *(turn("z", n, f"Something else, number {n}.") for n in range(6)),
    ])  # fmt: skip
    found = search(engine, "Have I integrated the payment service into the shop?", Asking(floor=False))
    marks = {h.receipt: h.marks for h in found}
    assert "against:conversation.b:0" in marks["conversation.a:0"]
    assert "against:conversation.a:0" in marks["conversation.b:0"]


@pytest.fixture
def replaced(engine: Engine, person: Caller, clock: Clock) -> tuple[str, str]:
    """(old, new) test runner."""
    old = state(engine, "Vitest", topic="test_runner").ids[0]
    clock.forward(days=1)
    return old, state(engine, "Jest", topic="test_runner").ids[0]


def test_a_superseded_fact_is_no_hit_and_its_turn_says_what_replaced_it(engine: Engine, replaced) -> None:
    old, new = replaced
    found = search(engine, "which test runner do we use, Vitest or Jest", Asking(floor=False, explain=True))
    ids = [h.id for h in found]
    assert new in ids
    assert old not in ids
    assert "Vitest" not in found.text, "the command that stated it is nobody's words"
    assert found.explained.filtered == {"superseded": 1}
    assert [p.fate for p in found.explained.placed if p.id == old] == [f"superseded:{new}"]


def test_a_superseded_fact_is_shown_where_it_is_included_behind_what_replaced_it(engine: Engine, replaced) -> None:
    old, new = replaced
    how = Asking(floor=False, include=("superseded",), explain=True)
    found = search(engine, "which test runner do we use, Vitest or Jest", how)
    ids = [h.id for h in found]
    assert ids.index(new) < ids.index(old)
    hit = found.hits[ids.index(old)]
    assert (hit.standing, hit.marks) == ("superseded", ("superseded", f"by:{new}"))
    assert f"superseded by:{new}" in hit.row
    assert found.explained.filtered == {}


@pytest.mark.parametrize("how", ["supersede", "correct"])
def test_what_a_command_put_in_its_place_is_named_too(engine: Engine, person: Caller, clock: Clock, how: str) -> None:
    old = state(engine, "pnpm", topic="manager", subject="project:web").ids[0]
    clock.forward(days=1)
    if how == "supersede":
        new = state(engine, "yarn", topic="tool", subject="project:web").ids[0]
        supersede(engine, person, old, new)
    else:
        new = correct(engine, person, old, "yarn", "a slip").ids[0]
    found = search(engine, "does web use pnpm or yarn", Asking(floor=False, include=("superseded",)))
    ids = [h.id for h in found]
    assert (old in ids) == (how == "supersede"), "what was corrected was never true"
    assert [h.id for h in found if h.kind == "event"] == [], "commands are nobody's words"
    if how == "supersede":
        assert ids.index(new) < ids.index(old)
        assert found.hits[ids.index(old)].marks == ("superseded", f"by:{new}")


def test_what_standing_left_out_is_counted_by_standing(engine: Engine, person: Caller, clock: Clock) -> None:
    taken = state(engine, "violin one", topic="a").ids[0]
    state(engine, "violin two", topic="b", expires_at="2026-03-06T00:00:00.000Z")
    state(engine, "violin three", topic="c", origin=Origin.AGENT)
    state(engine, "violin four", topic="d")
    state(engine, "copper", topic="e", origin=Origin.AGENT)
    clock.forward(days=2)
    state(engine, "violin five", topic="d")
    decide(engine, person, Action.RETRACT, taken)
    explained = search(engine, "violin", replace(ALL, explain=True)).explained
    assert explained.filtered == {"expired": 1, "hypothesis": 1, "retracted": 1, "superseded": 1}
    with_both = replace(ALL, explain=True, include=("hypothesis", "superseded"))
    assert search(engine, "violin", with_both).explained.filtered == {"expired": 1, "retracted": 1}
    assert [p.fate for p in explained.placed].count("shown") == len(search(engine, "violin", ALL))


def test_explaining_changes_no_answer(engine: Engine, replaced) -> None:
    words = "which test runner do we use"
    for how in (Asking(), Asking(300, limit=2), Asking(floor=False, include=("superseded",))):
        plain, explained = search(engine, words, how), search(engine, words, replace(how, explain=True))
        assert (explained.text, explained.hits, explained.cursor) == (plain.text, plain.hits, plain.cursor)


def test_what_was_ranked_too_far_down_is_named_by_its_receipt(engine: Engine) -> None:
    talked(engine, talk(60))
    how = Asking(limit=1, floor=False, explain=True)
    below = [p for p in search(engine, "day", how).explained.placed if p.fate == "below"]
    assert below
    assert all(p.id.startswith("conversation.s") for p in below)
    told = search(engine, "day", replace(how, explain=False, why_not=below[0].receipt)).why_not
    assert "was found, but too far down to be looked at" in told


# --- abstention


FOREIGN = "Which enzyme splits lactose in the small intestine of most mammals?"


@pytest.fixture
def chatty(engine: Engine) -> Engine:
    talked(engine, talk(60))
    return engine


def test_a_foreign_question_is_refused_with_the_reason_and_the_nearest_miss(chatty: Engine) -> None:
    talked(chatty, [turn("x", 0, "We bought a small copper lantern.")])
    found = search(chatty, FOREIGN)
    assert found.hits == ()
    assert found.reason.startswith('this store does not seem to know what is asked; no turn holds "enzyme"')
    assert found.nearest.receipt == "conversation.x:0"
    assert found.text.startswith(f"nothing found: {found.reason}; nearest: conversation.x:0")
    assert found.confidence < 0.5
    assert search(chatty, FOREIGN, Asking(floor=False)).hits[0].receipt == "conversation.x:0"


@pytest.mark.parametrize("word", THEMES)
def test_a_keyword_that_stands_in_the_store_is_never_refused(chatty: Engine, word: str) -> None:
    for words in (word, word.upper(), f"{word} enzyme"):
        assert search(chatty, words).hits, words


def test_context_is_never_refused(chatty: Engine) -> None:
    words = "We met an enzyme. It splits lactose. It lives in the small intestine of a garden."
    assert search(chatty, words).hits


def test_where_no_word_is_known_nothing_is_found_with_or_without_the_floor(chatty: Engine) -> None:
    for how in (Asking(), Asking(floor=False)):
        found = search(chatty, "enzyme", how)
        assert (found.hits, found.nearest, bool(found.reason)) == ((), None, True)


def test_what_is_asked_about_by_its_exact_name_is_not_refused(engine: Engine) -> None:
    state(engine, "violin", "noted", subject="path:src/billing.py")
    talked(engine, talk(30))
    assert search(engine, "which enzyme splits lactose in `src/billing.py` of most mammals").hits[0].kind == "fact"


# --- budgets, limits, parts


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 20_000), st.one_of(st.none(), st.integers(1, 60)), st.sampled_from(THEMES), st.booleans())
def test_never_a_byte_over_the_budget(budget: int, limit: int | None, word: str, turns: bool) -> None:
    engine = _shared()
    found = search(engine, f"{word} day", Asking(budget, limit, floor=False))
    assert found.bytes == len(found.text.encode()) <= budget
    assert len(found) <= (limit or 10)
    if budget == 0:
        assert (found.text, found.hits) == ("", ())
        assert found.cursor is not None
    if turns:
        from muniment.engine.turning import with_turns

        assert with_turns(engine, found).bytes <= budget


_OPEN: list[Engine] = []


def _shared() -> Engine:
    return _OPEN[0]


@pytest.fixture(scope="module", autouse=True)
def shared() -> Iterator[None]:
    """One store for the many questions about budgets."""
    with home() as folder, engine_at(folder, "one") as engine:
        talked(engine, talk(80))
        _OPEN.append(engine)
        yield
        _OPEN.clear()


@pytest.mark.parametrize(("budget", "limit"), [(500, None), (900, 3), (4096, 7), (20_000, 1), (100_000, None)])
@pytest.mark.parametrize(
    "words", ["violin day", "what came up and how often was it the garden?", "both violin and salad"]
)
def test_the_parts_of_an_answer_give_every_candidate_once(budget: int, limit: int | None, words: str) -> None:
    engine = _shared()
    whole = search(engine, words, replace(ALL, explain=True))
    alike = [m for h in whole for m in h.marks if m.startswith("alike:conv")]
    assert len(whole) + len(alike) == len(whole.explained.placed)
    found = [h.receipt for part in pages(engine, words, Asking(budget, limit, floor=False)) for h in part]
    assert len(found) == len(set(found))
    assert set(found) == set(receipts(whole))


def test_what_a_session_received_stays_out_and_says_so(chatty: Engine) -> None:
    first = search(chatty, "violin", Asking(limit=4, floor=False))
    deliveries.deliver(chatty, "S1", "library", "violin", [("", h.receipt) for h in first], first.bytes)
    second = search(chatty, "violin", Asking(limit=100, budget=100_000, floor=False, unseen="S1", explain=True))
    assert not set(receipts(first)) & set(receipts(second))
    assert {p.receipt for p in second.explained.placed if p.fate == "seen"} == set(receipts(first))
    whole = search(chatty, "violin", ALL)
    assert set(receipts(first)) | set(receipts(second)) == set(receipts(whole))
    assert receipts(search(chatty, "violin", Asking(limit=4, floor=False, unseen="other"))) == receipts(first)


def test_a_part_goes_on_where_the_first_question_stood_whatever_the_clock_says(chatty: Engine, clock: Clock) -> None:
    words = "what came up in February"
    whole = receipts(search(chatty, words, ALL))
    first = search(chatty, words, Asking(limit=5, floor=False))
    clock.forward(days=700)
    rest = [h.receipt for part in pages(chatty, words, Asking(limit=9, cursor=first.cursor, floor=False)) for h in part]
    assert receipts(first) + rest == whole


@pytest.mark.parametrize(
    "how", [Asking(-1), Asking(limit=0), Asking(limit=-3), Asking(include=("retracted",)), Asking(cursor="m1.x")]
)
def test_what_cannot_be_meant_is_an_error_of_use(chatty: Engine, how: Asking) -> None:
    with pytest.raises(UsageError) as caught:
        search(chatty, "violin", how)
    assert caught.value.hint or caught.value.about


# --- whose words


def test_what_a_harness_or_we_put_there_is_nobodys_turn(engine: Engine) -> None:
    note = {"role": Role.HARNESS, "origin": Origin.HARNESS, "kind": Kind.NOTE, "flags": ("injected",)}
    archive(engine, [said("s", 0, "2026-03-01 10:00", "a violin it is"), replied("s", 1, "2026-03-01 10:01", "fine"),
                     said("s", 2, "2026-03-01 10:02", "violin reminder", **note)])  # fmt: skip
    talked(engine, [
        turn("c", 0, "<muniment>the violin was sold</muniment>\nand the lamp?", "Ana"),
        turn("c", 1, "<muniment-wake>violin, violin</muniment-wake>", "Ana"),
    ])  # fmt: skip
    words = search(engine, "violin", replace(ALL, explain=True))
    said_by = {h.receipt: h.lanes.keys() for h in words}
    assert "said" in said_by["s:0"]
    assert all("said" not in lanes or ":c" not in receipt for receipt, lanes in said_by.items() if receipt != "s:0")
    assert all("sold" not in h.text for h in words)
    owners = [(s.role, s.turns) for s in engine.store().search.speakers().listed]
    assert sum(turns for _, turns in owners) == 3


def _turns_of(engine: Engine) -> list[int]:
    search(engine, "violin")
    return [s.turns for s in engine.store().search.speakers().listed]


def test_words_that_another_record_says_were_put_there_are_nobodys_from_then_on(engine: Engine) -> None:
    own = said("s", 0, "2026-03-01 10:00", "violin reminder", native_id="record-0000000000000001")
    archive(engine, [own, *ran("s", 1, "2026-03-01 11:00", "make")])
    assert _turns_of(engine) == [1]
    archive(engine, [replace(own, session="t", flags=("injected",))])
    assert _turns_of(engine) == []
    assert search(engine, "violin", ALL).hits == ()


# --- the store


@pytest.mark.parametrize("with_log", [True, False], ids=["with a log", "without one"])
@pytest.mark.parametrize("way", ["asked so", "write-protected"])
def test_a_store_that_cannot_be_written_answers_the_same_and_stays_as_it_is(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, way: str, with_log: bool
) -> None:
    talked(engine, talk())
    before = search(engine, "violin day").text
    if not with_log:
        engine.close()
    if way == "asked so":
        opened = Database.__init__
        monkeypatch.setattr(Database, "__init__", lambda self, path, **more: opened(self, path, read_only=True))
    else:
        monkeypatch.setattr(connection, "_may_write", lambda path: False)
    files = {f: f.read_bytes() for f in engine.path.parent.iterdir() if f.suffix == ".db" or f.name.endswith("-wal")}
    other = Engine(engine.workspace, engine.settings)
    assert other.store().db.read_only
    for _ in range(2):
        assert search(other, "violin day").text == before
    with pytest.raises(MunimentError), other.store().writing():
        other.store().db.run("DELETE FROM turns")
    other.close()
    assert {f: f.read_bytes() for f in files} == files


def test_a_question_after_the_file_was_opened_anew_finds_what_is_there_now(engine: Engine) -> None:
    talked(engine, talk())
    first = search(engine, "harbour trumpet", Asking(floor=False))
    assert all("trumpet" not in hit.text for hit in first)
    talked(engine, [turn("new", 0, "a trumpet in the harbour")])
    store = engine.store()
    thaw = store.db._thaw

    def anew() -> None:
        store.db._thaw = thaw
        store.db._reopen()

    store.db._thaw = anew  # as where somebody writes beside a file that is read without locks
    for _ in range(2):
        assert search(engine, "harbour trumpet", Asking(floor=False)).hits[0].receipt == "conversation.new:0"


def test_where_there_is_no_store_it_says_so(engine: Engine) -> None:
    with pytest.raises(MunimentError, match="nothing is remembered for this folder yet") as caught:
        search(engine, "violin")
    assert caught.value.code == "not_found"


def test_a_damaged_store_is_an_error_and_no_empty_answer(engine: Engine) -> None:
    talked(engine, talk(200))
    engine.store().db.upgrade_wal()
    engine.close()
    data = bytearray(engine.path.read_bytes())
    for start in range(4096, len(data), 4096):
        data[start : start + 2048] = bytes(2048)
    engine.path.write_bytes(data)
    with pytest.raises(MunimentError) as caught:
        search(engine, "violin day")
    assert caught.value.code in ("damaged_store", "damaged", "store")
    assert caught.value.hint


def test_a_store_that_somebody_keeps_to_himself_is_busy_and_not_empty(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    talked(engine, talk())
    engine.close()
    monkeypatch.setattr(connection, "_BUSY_MS", 20)
    holder = apsw.Connection(str(engine.path))
    list(holder.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; UPDATE turns SET words = words; COMMIT"))
    with pytest.raises(BusyError):
        search(engine, "violin day")
    holder.close()
    assert search(engine, "violin day").hits


def test_a_store_that_somebody_writes_to_answers_from_what_was_there(engine: Engine) -> None:
    talked(engine, talk())
    before = search(engine, "violin day").text
    other = Engine(engine.workspace, engine.settings)
    with engine.store().writing():
        engine.store().db.run("UPDATE turns SET words = 1000")
        assert search(other, "violin day").text == before
    other.close()
