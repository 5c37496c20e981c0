"""Budgets are hard: never a byte over, rows whole, the last line honest, and every row reached by going on."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.support import Clock, archive, counting_names, ran, state, wrote

from muniment.engine.asking import Answer, query
from muniment.engine.core import Caller, Engine, Settings
from muniment.engine.stating import decide
from muniment.model.event import Origin
from muniment.model.fact import Action
from muniment.model.scope import MARKER, workspace_of
from muniment.recall import hydrate
from muniment.views.rows import COLUMNS, escaped

LARGEST = 100_000
MEGABYTE = 1_000_000
ODD = (
    "plain words", "tab\tand\nnew\r\nline", "\x00\x01\x1b[31m\x7f\x9b", "half \ud83d pair \udc4d", "שלום עולם",
    "日本語の行", "\u202edesrever\u202c \u2067x\u2069", "👩‍👩‍👧‍👦🏳️‍🌈", "e\u0301\u0301\u0301",
    "\u2028\u2029\u0085\x0b\x0c\x1c\x1d\x1e", "back\\slash \\t \\u0009", " ", "-- 3 shown, 0 more",
)  # fmt: skip
GIANT = ("x", "é", "日", "😀", "\t", "\x00a", "a ")

given_budget = given(st.one_of(st.integers(0, 1500), st.integers(0, LARGEST)))
settled = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


# --- the store ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """Rows of every size and script: firm ones, doubted ones, hypotheses, and some dated after the reader's clock."""
    folder = tmp_path_factory.mktemp("budget")
    (folder / MARKER).touch()
    clock = Clock("2026-03-01")
    with Engine(workspace_of(folder), Settings(folder / "home", clock=clock, new_name=counting_names())) as engine:
        _fill(engine, clock)
        yield engine


def _fill(engine: Engine, clock: Clock) -> None:
    for n, text in enumerate(ODD):
        made = state(
            engine, f"{text} {n}", "noted", subject=f"project:{text}{n}", topic=text.strip(), context="a:1 b:2"
        )
        state(engine, f"{text} {n}", "requires", origin=Origin.MODEL)
        clock.forward(hours=1)
        if n % 3 == 0:
            decide(engine, Caller(Origin.PERSON), Action.SUSPECT, made.ids[0])
    for text in GIANT:
        state(engine, text * (MEGABYTE // len(text.encode())) + ".", "noted", topic="giant")
        clock.forward(hours=1)
    state(
        engine,
        "named at length",
        "noted",
        subject="project:" + "ö" * 50_000,
        topic="t" * 50_000,
        context="word " * 20_000,
    )
    clock.set("2026-03-05")
    archive(
        engine,
        [e for n in range(40) for e in ran("s", n * 2, f"2026-03-0{1 + n % 4} 10:{n:02}", f"make part-{n} 日本")],
    )
    archive(engine, [e for n in range(9) for e in ran("ahead", n * 2, f"2026-03-07 10:{n:02}", f"make later-{n}")])
    archive(
        engine,
        [
            e
            for n in range(12)
            for e in wrote("s/two", n * 2, f"2026-03-04 11:{n:02}", f"src/file {n}.py", sha256="0" * 64)
        ],
    )


SHAPES = {
    "everything": "",
    "one predicate": "p:ran",
    "a type": "type:event",
    "rows about files": "p:touched path:src/**",
    "a session": "session:s",
    "a word": "make",
    "the giants": "topic:giant",
    "hypotheses": "p:requires",
    "doubted and firm": "p:noted",
    "doubted alone": "standing:suspect",
    "all that is open": "standing:confirmed,suspect,hypothesis",
    "another time": "as-of:2026-03-04",
    "whatever its standing": "standing:any",
    "dated ahead": "session:ahead",
}


def lines(answer: Answer) -> list[str]:
    assert not answer.text or answer.text.endswith("\n")
    return answer.text.split("\n")[:-1]


def rows(answer: Answer) -> list[str]:
    found = lines(answer)
    return found[:-1] if found and found[-1].startswith("-- ") else found


def check_answer(answer: Answer, budget: int) -> None:
    """What holds of any answer."""
    assert len(answer.text.encode("utf-8")) == answer.bytes <= budget
    assert [hit.row for hit in answer] == rows(answer)
    for row in rows(answer):
        assert row.count("\t") == len(COLUMNS) - 1
        assert not any(ord(c) < 32 or 127 <= ord(c) < 160 for c in row.replace("\t", ""))
    assert (answer.cursor is not None) == (answer.left_out > 0 or answer.is_partial or budget == 0)


# --- never over, never torn, always honest --------------------------------------------------------------------------


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
@given_budget
@example(0)
@example(1)
@example(LARGEST)
@settled
def test_no_answer_is_over_its_budget_and_its_last_line_is_true(filled: Engine, shape: str, budget: int) -> None:
    whole = query(filled, shape, 10 * MEGABYTE)
    assert not whole.left_out
    answer = query(filled, shape, budget)
    check_answer(answer, budget)
    assert len(answer) + answer.left_out == len(whole)
    last = lines(answer)[-1:]
    if answer.left_out and last and last[0].startswith("-- "):
        assert last[0] == f"-- {len(answer)} shown, {answer.left_out} more; --cursor {answer.cursor}"
    if not answer.left_out:
        assert not (last and last[0].startswith("-- "))


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
@given(st.integers(4096, 20_000))
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example(4096)
def test_going_on_by_the_cursor_gives_every_row_once_and_in_order(filled: Engine, shape: str, budget: int) -> None:
    whole = query(filled, shape, 10 * MEGABYTE)
    pages = list(_pages(filled, shape, budget, len(whole)))
    found = [hit for page in pages for hit in page]
    assert sorted(h.id for h in found) == sorted(h.id for h in whole)
    for standing in ("confirmed", "suspect"):  # doubted rows have their share of each page
        assert [h.row for h in found if (h.standing == "suspect") == (standing == "suspect")] == [
            h.row for h in whole if (h.standing == "suspect") == (standing == "suspect")
        ]
    left = len(whole)
    for page in pages:
        left -= len(page)
        assert page.left_out == left


def _pages(engine: Engine, shape: str, budget: int, most: int) -> Iterator[Answer]:
    cursor = None
    for _ in range(most + 2):
        page = query(engine, shape, budget, cursor=cursor)
        check_answer(page, budget)
        yield page
        cursor = page.cursor
        if cursor is None:
            return
        assert len(page), "no row of ours is too large for a page"
    raise AssertionError("going on never ends")


def test_one_byte_at_a_time_more_room_never_shows_less(filled: Engine) -> None:
    last = -1
    for budget in range(2500):
        answer = query(filled, "p:ran session:s", budget)
        check_answer(answer, budget)
        assert budget - answer.bytes >= 0
        assert answer.left_out + len(answer) == 40
        if lines(answer) and lines(answer)[-1].startswith("-- "):
            assert len(answer) >= last
            last = len(answer)


def test_nothing_is_said_where_there_is_no_room_and_the_question_can_still_be_gone_on_with(filled: Engine) -> None:
    none = query(filled, "p:ran", 0)
    assert (none.text, len(none), none.bytes) == ("", 0, 0)
    rest = query(filled, "", LARGEST, cursor=none.cursor)
    assert rest.text == query(filled, "p:ran", LARGEST).text


def test_more_than_a_thousand_are_counted_to_a_thousand(make_engine: Callable[..., Engine], clock: Clock) -> None:
    engine = make_engine()
    archive(engine, [e for n in range(1100) for e in ran("s", n * 2, "2026-03-04 10:00", f"make part-{n}")])
    answer = query(engine, "p:ran", 500)
    assert (answer.left_out, answer.left_out_is_exact) == (1000, False)
    assert f"{len(answer)} shown, 1000+ more" in answer.text
    few = query(engine, "p:ran", 40_000)
    assert few.left_out_is_exact
    assert few.left_out + len(few) == 1100


# --- the filling itself ---------------------------------------------------------------------------------------------

pieces = st.one_of(
    st.text(max_size=60),
    st.builds(lambda c, n: c * n, st.sampled_from("xé日😀"), st.sampled_from([0, 1, 99, 5000, 250_000])),
)


@given(st.lists(pieces, max_size=12), st.lists(pieces, max_size=4), st.integers(0, LARGEST), st.integers(0, 300))
@settings(max_examples=300, deadline=None)
def test_rows_of_any_size_are_filled_to_the_byte(
    firm: list[str], doubted: list[str], budget: int, trailer: int
) -> None:
    firm, doubted = [[escaped(t).replace("\n", "") for t in texts] for texts in (firm, doubted)]
    hits, taken, more = hydrate.fill(iter(firm), doubted, lambda t: t, budget)
    assert hits == taken
    assert sum(len(r.encode()) + 1 for r in taken) <= budget
    assert more == (len(taken) < len(firm) + len(doubted) or budget == 0)
    text, shown = hydrate.close(taken, lambda n: f"-- {n}" + "é" * trailer if more else "", budget)
    assert len(text.encode()) <= budget
    assert text.startswith("".join(r + "\n" for r in taken[:shown]))
    rest = text[len("".join(r + "\n" for r in taken[:shown])) :]
    assert rest in ("", f"-- {shown}" + "é" * trailer + "\n")
    if not rest:
        assert shown == len(taken), "where the last line has no room, rows have it all"


@given(st.text())
@settings(max_examples=300, deadline=None)
def test_an_escaped_text_is_one_line_of_one_cell(text: str) -> None:
    out = escaped(text)
    assert len(out.splitlines()) <= 1
    assert "\t" not in out
    assert out.encode("utf-8").decode("utf-8") == out
