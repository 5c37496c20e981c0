"""The lane of what was said: its scores are those of the formula, computed plainly, on small real stores."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.recall.said_oracle import Asks, Said, Word, scores, tells, word
from tests.recall.stores import looked, ranked, talked, turn
from tests.support import Clock

from muniment.engine.core import Engine, Settings
from muniment.model.scope import MARKER, workspace_of
from muniment.recall.lanes.said import SaidLane

CLOSE = 1e-9
LANE = SaidLane()
PLAIN = ("violin", "lamp", "tulip", "garden", "copper", "salad")
"""Words that stand in an index as they are."""
FILL = "zinc"


def given_turns(turns: Sequence[Said]) -> list[dict]:
    """The turns as `ingest` takes them: a speaker's name is the first of the words."""
    return [turn(t.session, t.seq, t.text, t.speaker or None, t.role) for t in turns]


def said(session: str, seq: int, text: str, speaker: str = "", role: str = "user", **more) -> Said:
    """A turn by its text; whoever speaks is a word of it."""
    tokens = tuple(f"{speaker} {text}".split() if speaker else text.split())
    return Said(session, seq, tuple(t.strip("?!.,").lower() for t in tokens), speaker, role, text, **more)


def check(engine: Engine, turns: Sequence[Said], words: str, asked: Asks) -> dict[tuple[str, int], float]:
    """The lane's scores, which have to be the formula's."""
    talked(engine, given_turns(turns))
    return same(engine, turns, words, asked)


def same(engine: Engine, turns: Sequence[Said], words: str, asked: Asks) -> dict[tuple[str, int], float]:
    found, expected = ranked(engine, LANE, words), scores(turns, asked)
    assert found.keys() == expected.keys()
    assert found == pytest.approx(expected, abs=CLOSE, rel=CLOSE)
    return found


def test_a_turn_is_worth_what_its_words_tell(engine: Engine) -> None:
    turns = [said("a", 0, "violin lamp"), said("b", 0, "lamp garden"), said("c", 0, "lamp"), said("d", 0, "copper")]
    found = check(engine, turns, "violin lamp", Asks([word("violin"), word("lamp")], [("violin", "lamp")]))
    assert sorted(found, key=found.__getitem__) == [("b", 0), ("c", 0), ("a", 0)]
    assert tells(4, 1) > tells(4, 3) > 0


def test_neighbours_lend_their_words_and_those_before_lend_more(engine: Engine) -> None:
    turns = [said("a", n, f"copper {FILL}") for n in range(9)]
    turns[4] = said("a", 4, f"violin {FILL}")
    found = check(engine, turns, "violin", Asks([word("violin")]))
    order = [seq for _, seq in sorted(found, key=found.__getitem__, reverse=True)]
    assert (order[:4], sorted(order[4:6]), order[6:]) == ([4, 5, 3, 6], [2, 7], [1])


def test_neighbours_are_the_next_turns_whatever_their_numbers(engine: Engine) -> None:
    turns = [said("a", seq, "copper" if seq != 50 else "violin") for seq in (0, 7, 50, 51, 900)]
    found = check(engine, turns, "violin", Asks([word("violin")]))
    assert len(found) == 5


def test_sessions_lend_each_other_nothing(engine: Engine) -> None:
    turns = [said("a", 0, "violin"), said("b", 0, "copper"), said("b", 1, "lamp")]
    assert set(check(engine, turns, "violin", Asks([word("violin")]))) == {("a", 0)}


def test_a_long_turn_takes_little_of_what_is_lent(engine: Engine) -> None:
    long, short = f"copper {f'{FILL} ' * 200}", "copper"
    turns = [said("a", 0, "violin"), said("a", 1, long), said("b", 0, "violin"), said("b", 1, short)]
    found = check(engine, turns, "violin", Asks([word("violin")]))
    assert 0 < found["a", 1] < found["b", 1]


def test_a_long_turn_lends_to_what_came_before_it_and_not_to_what_follows(engine: Engine) -> None:
    long = f"violin {f'{FILL} ' * 100}"
    turns = [said("a", 0, "copper"), said("a", 1, long), said("a", 2, "lamp")]
    assert set(check(engine, turns, "violin", Asks([word("violin")]))) == {("a", 0), ("a", 1)}


@pytest.mark.parametrize("words", [59, 60, 61])
def test_short_ends_at_sixty_words(engine: Engine, words: int) -> None:
    turns = [said("a", 0, f"violin {f'{FILL} ' * (words - 1)}"), said("a", 1, "copper")]
    found = check(engine, turns, "violin", Asks([word("violin")]))
    assert (("a", 1) in found) == (words <= 60)


def test_words_side_by_side_tell_more_in_either_order_with_one_between_at_most(engine: Engine) -> None:
    texts = ["violin lamp", "lamp violin", f"violin {FILL} lamp", f"violin {FILL} {FILL} lamp", "copper", "tulip"]
    turns = [said(f"s{n}", 0, text) for n, text in enumerate(texts)]
    asked = Asks([word("violin"), word("lamp")], [("violin", "lamp")])
    found = check(engine, turns, "violin lamp", asked)
    assert found["s0", 0] == pytest.approx(found["s1", 0], abs=CLOSE)
    without = scores(turns, Asks(asked.words))
    assert [found[f"s{n}", 0] > without[f"s{n}", 0] + 0.01 for n in range(3)] == [True, True, True]
    assert found["s2", 0] > found["s3", 0]


def test_whose_turn_it_is_counts_where_the_question_names_somebody(engine: Engine) -> None:
    turns = [said("a", 0, "violin", "Ana"), said("b", 0, "violin", "Ben"), said("c", 0, "violin Ana", "Ben")]
    asked = Asks([word("ana"), word("violin")], [("ana", "violin")], named="Ana")
    found = check(engine, turns, "Does Ana violin?", asked)
    assert found["a", 0] > found["c", 0] > found["b", 0]


def test_two_names_and_part_of_a_name_are_nobody_in_particular(engine: Engine) -> None:
    turns = [said("a", 0, "violin", "Ana"), said("b", 0, "violin", "Ben")]
    check(engine, turns, "violin Anabel", Asks([word("violin"), word("anabel")], [("violin", "anabel")]))
    same(engine, turns, "Ana Ben violin", Asks([word(w) for w in ("ana", "ben", "violin")],
                                               [("ana", "ben"), ("ben", "violin")]))  # fmt: skip


def test_in_the_first_person_a_persons_own_words_count_and_wishes_more(engine: Engine) -> None:
    turns = [
        said("a", 0, "violin copper lamp"), said("b", 0, "violin copper lamp", role="assistant"),
        said("c", 0, "always violin lamp", wishes=True), said("d", 0, "always violin lamp", role="assistant"),
    ]  # fmt: skip
    found = check(engine, turns, "what about my violin", Asks([word("violin")], is_first_person=True))
    assert found["c", 0] > found["a", 0] > found["d", 0] == found["b", 0]
    same(engine, turns, "what about a violin", Asks([word("violin")]))


def test_where_no_assistant_is_the_first_person_changes_nothing(engine: Engine) -> None:
    turns = [said("a", 0, "violin", "Ana"), said("b", 0, "never violin", "Ben", wishes=True)]
    check(engine, turns, "what about my violin", Asks([word("violin")], is_first_person=True))


def test_what_only_asks_counts_less(engine: Engine) -> None:
    turns = [said("a", 0, "is it a violin?", asks=True), said("b", 0, "it is a violin."),
             said("c", 0, f"{f'{FILL} ' * 40} violin?", asks=False)]  # fmt: skip
    found = check(engine, turns, "violin", Asks([word("violin")]))
    assert found["a", 0] < found["b", 0]


def test_a_session_that_speaks_of_it_lifts_its_turns(engine: Engine) -> None:
    spread = [said("much", n * 10, f"violin {FILL}") for n in range(3)]
    turns = [*spread, said("one", 0, f"violin {FILL}"), said("none", 0, "copper lamp")]
    found = check(engine, turns, "violin", Asks([word("violin")]))
    assert all(found["much", n * 10] > found["one", 0] for n in range(3))


def test_where_several_things_are_wanted_neighbours_lend_half(engine: Engine) -> None:
    turns = [said("a", 0, "violin"), said("a", 1, "copper"), said("b", 0, "lamp")]
    found = check(engine, turns, "both violin", Asks([word("violin")], wants_many=True))
    assert found["a", 1] < scores(turns, Asks([word("violin")]))["a", 1]


def test_words_that_keep_talk_going_weigh_less(engine: Engine) -> None:
    turns = [said("a", 0, "really copper"), said("b", 0, "violin copper"), said("c", 0, "lamp")]
    asked = Asks([word("realli", 0.3), word("violin")], [("realli", "violin")])
    talked(engine, given_turns(turns))
    same(engine, [Said("a", 0, ("realli", "copper")), *turns[1:]], "really violin", asked)


@pytest.mark.parametrize(
    ("asked", "told"), [("bought", "buy"), ("children", "child"), ("mother", "mom"), ("gardens", "garden"),
                        ("painting", "painted"), ("knives", "knife"), ("Kafé", "kafe"), ("ΒΑΣΗ", "βάση")],
)  # fmt: skip
def test_a_word_is_found_in_its_other_forms(engine: Engine, asked: str, told: str) -> None:
    talked(engine, [turn("a", 0, f"copper {told} lamp"), turn("b", 0, "copper lamp")])
    assert ("a", 0) in ranked(engine, LANE, asked)
    assert ("b", 0) not in ranked(engine, LANE, asked)


def test_all_forms_of_a_word_count_as_one(engine: Engine) -> None:
    turns = [said("a", 0, "buy lamp"), said("b", 0, "bought lamp"), said("c", 0, "buy bought"), said("d", 0, "zinc")]
    both = Word(lambda token: token in ("buy", "bought"), forms=("buy", "bought"))
    check(engine, turns, "bought", Asks([both]))


def test_scripts_without_spaces_are_found_by_pairs_and_by_lone_characters(engine: Engine) -> None:
    texts = {"a": "喝茶", "b": "茶和喝", "c": "的了", "d": "山水"}
    tokens = {"a": ("喝茶", "茶"), "b": ("茶和", "和喝", "喝"), "c": ("的了", "了"), "d": ("山水", "水")}
    talked(engine, [turn(s, 0, text) for s, text in texts.items()])
    turns = [Said(s, 0, words) for s, words in tokens.items()]  # as the index has them
    lone = [Word(lambda t: t.startswith("喝"), 0.4), Word(lambda t: t.startswith("茶"), 0.4)]
    asked = Asks([word("喝茶"), word("茶"), *lone], [("喝茶", "茶")])
    found = same(engine, turns, "喝茶", asked)
    assert found["a", 0] > found["b", 0]


def test_characters_that_are_grammar_find_nothing_by_themselves(engine: Engine) -> None:
    talked(engine, [turn("a", 0, "的山"), turn("b", 0, "山的水")])
    assert ranked(engine, LANE, "的了") == {}


def test_what_stands_nowhere_is_told(engine: Engine) -> None:
    talked(engine, [turn("a", 0, "violin lamp")])
    words = looked(engine, LANE, "violin trumpet").words
    assert words is not None
    assert words.unknown == ("trumpet",)
    assert words.best_share == pytest.approx(tells(1, 1) / (tells(1, 1) + tells(1, 0)), abs=CLOSE)
    assert ranked(engine, LANE, "trumpet") == {}


# --- any small store ------------------------------------------------------------


LENGTHS = st.sampled_from((1, 2, 3, 8, 59, 60, 61, 90))
SPEAKERS = st.sampled_from((("", "user"), ("", "assistant"), ("Ana", "user"), ("Ben", "user")))


@st.composite
def conversations(draw: st.DrawFn) -> list[Said]:
    """A few turns of a few sessions, of a few words in any number and place."""
    turns = []
    for session in draw(st.sampled_from(("a", "ab", "abc"))):
        for seq in sorted(draw(st.sets(st.integers(0, 9), min_size=1, max_size=7))):
            speaker, role = draw(SPEAKERS)
            length = draw(LENGTHS)
            told = draw(st.lists(st.sampled_from(PLAIN), min_size=0, max_size=min(length, 6)))
            texts = draw(st.permutations([*told, *[FILL] * (min(length, 8) - len(told))])) + [FILL] * (length - 8)
            asks = draw(st.booleans())
            is_short = length <= 30
            text = " ".join(texts) + ("?" if asks else "")
            turns.append(said(session, seq, text, speaker, role, asks=asks and is_short))
    return turns


@settings(max_examples=40, deadline=None)
@given(
    conversations(),
    st.lists(st.sampled_from(PLAIN), min_size=1, max_size=4, unique=True),
    st.sampled_from(("", "my", "Ana", "both")),
)
def test_scores_are_those_of_the_formula(turns: list[Said], words: list[str], lead: str) -> None:
    with tempfile.TemporaryDirectory() as folder, made(Path(folder)) as engine:
        names = {t.speaker for t in turns}
        asked_words = ["ana", *words] if lead == "Ana" else words
        pairs = list(itertools.pairwise(asked_words))
        asked = Asks(
            [word(w) for w in asked_words], pairs, "Ana" if lead == "Ana" and "Ana" in names else "",
            lead == "my", lead == "both",
        )  # fmt: skip
        check_given(engine, turns, f"{lead} {' '.join(words)}", asked)


def check_given(engine: Engine, turns: Sequence[Said], words: str, asked: Asks) -> None:
    talked(
        engine,
        [{**g, "text": g["text"] + ("?" if t.asks else "")} for g, t in zip(given_turns(turns), turns, strict=True)],
    )
    same(engine, turns, words, asked)


def made(folder: Path) -> Engine:
    """An engine over an empty folder."""
    (folder / "project").mkdir()
    (folder / "project" / MARKER).touch()
    return Engine(workspace_of(folder / "project"), Settings(folder / "home", clock=Clock()))
