"""Previews: one line that shows why a text was found, and never says the opposite of it."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from muniment.model.markers import folded, markers
from muniment.views.graphemes import graphemes
from muniment.views.preview import CAP, excerpt, preview
from muniment.views.rows import escaped
from muniment.views.sentences import sentences

FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467"
TAIL = " and so on with many other words that say nothing of interest to anybody at all" * 3
ODD = st.text(
    alphabet=st.one_of(
        st.sampled_from("ab .,!?\n\t\0\\-:'’\u202e\u200d\u0301\ud800不没吗用する" + FAMILY), st.characters()
    ),
    max_size=600,
)


@pytest.mark.parametrize(
    ("text", "words", "shown"),
    [
        ("We do not use Jest" + TAIL + ".", ["jest"], ["do not use Jest"]),
        ("We don't, as I told you before" + TAIL + ", use Jest.", ["jest"], ["We don't", "use Jest"]),
        ("I think that, all told" + TAIL + ", the port is 8080.", ["port", "8080"], ["I think", "the port is 8080"]),
        ("The port is 8080" + TAIL + ", though I'm not sure.", ["port"], ["The port is 8080", "not sure"]),
        ("The port is 8080" + TAIL + ", right?", ["port"], ["The port is 8080", "right?"]),
        ("Use Jest everywhere" + TAIL + " except in billing.", ["jest"], ["Use Jest", "except in"]),
        ("Unless somebody objects" + TAIL + ", we ship.", ["ship"], ["Unless", "we ship"]),
        ("Never use these:\n- Jest\n- Mocha\n- " + TAIL + "\n- Karma.", ["karma"], ["Never use", "Karma"]),
        ("No longer true" + TAIL + ": the worker runs on node seven.", ["worker"], ["No longer", "worker"]),
        ("This was decided long ago, without a vote" + TAIL + ", by Ann.", ["ann"], ["without", "by Ann."]),
        ("Don’t use e.g. Jest" + TAIL + ".", ["jest"], ["Don’t use e.g. Jest"]),
        ("我们从来没有" + "很多别人说的话" * 30 + "使用数据库。", ["数据库"], ["没", "使用数据库"]),
        ("数据库是新的" + "很多大家说的话" * 30 + "吗？", ["数据库"], ["数据库是新的", "吗？"]),
        (
            "もちろん" + "たくさんの言葉をここに書いて" * 20 + "データベースは使わない。",
            ["データベース"],
            ["データベース", "ない"],
        ),
        ("Wir nutzen" + " das und jenes" * 20 + " Jest nicht mehr.", ["jest"], ["Jest nicht mehr."]),
    ],
)
def test_what_governs_the_shown_words_is_shown(text, words, shown):
    line = preview(text, words, 150)
    assert all(part in line for part in shown), line
    assert len(line) <= 150


def test_a_short_text_is_shown_whole_on_one_line():
    assert preview("  We use\n\n Vitest.\t", ["vitest"]) == "We use Vitest."
    assert excerpt("We use Vitest.", []).marks == ()


def test_the_sentence_with_most_of_the_words_is_shown():
    text = "Jest was first. " + "Something else here. " * 20 + "Later the billing package left Jest for Vitest. Fine."
    assert "the billing package left Jest for Vitest." in preview(text, ["jest", "billing", "vitest"])


def test_a_second_sentence_is_shown_if_it_brings_another_word():
    text = "The cache is in Redis. " + "Something else here. " * 20 + "The queue is in Kafka. Bye."
    line = preview(text, ["redis", "kafka"])
    assert line.startswith("The cache is in Redis. ")
    assert line.endswith(" … The queue is in Kafka. …")


def test_what_follows_at_once_is_shown_while_there_is_room():
    text = "Something else here. " * 20 + "We use Jest. Not any more. " + "Something else here. " * 20
    assert "We use Jest. Not any more." in preview(text, ["jest"])


def test_the_mark_says_how_much_is_missing():
    found = excerpt("We use Jest. " + "x" * 1000, ["jest"], 40)
    assert found.marks == (f"cut:+{found.missing}",)
    assert 960 <= found.missing <= 1000


def test_without_a_word_the_beginning_is_shown():
    assert preview("First this. " + "Something else here. " * 30, ["zebra"]).startswith("First this. Something")


def test_the_month_is_no_hedge_and_the_verb_is():
    assert [m.word for m in markers("It may rain in May")] == ["may"]


def test_a_marker_inside_another_word_is_none():
    assert markers("Nothing notable: nodes, knot, another, known") == [(0, 7, "nothing")]


@pytest.mark.parametrize("cluster", [FAMILY, "e\u0301", "\U0001f1e9\U0001f1ea", "\u1112\u1161\u11ab", "क्ष", "👍🏽"])
def test_what_a_reader_sees_as_one_character_is_never_torn(cluster):
    assert list(graphemes(cluster * 3)) == [cluster] * 3
    line = preview(cluster * 300, ["zebra"])
    assert re.fullmatch(f"(?:{re.escape(cluster)})+ …", line), line


@given(ODD, st.lists(ODD.filter(str.strip), max_size=5), st.integers(24, 300))
@example("\ud800" * 400, ["\ud800"], 30)
@example("not " * 400, ["not"], 30)
def test_any_text_gives_one_line_that_breaks_nothing(text, words, cap):
    found = excerpt(text, words, cap)
    line = found.text
    assert line == excerpt(text, words, cap).text
    assert not re.search("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", line)
    assert found.missing >= 0
    own = sum(len(escaped(m.word)) + 12 for m in markers(text))
    assert len(line) <= cap + own


@given(ODD)
def test_sentences_cover_the_text_in_order(text):
    ranges = sentences(text)
    assert all(a < b for a, b in ranges if text)
    assert all(b <= c for (_, b), (c, _) in pairwise(ranges))
    assert "".join("".join(text[a:b] for a, b in ranges).split()) == "".join(text.split())


@given(ODD)
def test_graphemes_are_the_text_again(text):
    parts = list(graphemes(text))
    assert "".join(parts) == text
    assert not any(unicodedata.category(p[0]) == "Mn" for p in parts[1:])


MARKS = ["not", "never", "without", "don't", "unless", "maybe", "might", "probably", "hardly", "isn’t"]


@st.composite
def sentence(draw):
    """Words that are all different, with markers among them; where each marker stands; and words to ask for."""
    count = draw(st.integers(60, 200))
    words = [f"w{n}x" for n in range(count)]
    for mark in draw(st.lists(st.sampled_from(MARKS), unique=True, max_size=6)):
        words.insert(draw(st.integers(0, len(words))), mark)
    asked = draw(st.lists(st.sampled_from([w for w in words if w not in MARKS]), min_size=1, max_size=4))
    return words, asked


@given(sentence())
def test_every_negation_and_hedge_of_a_cut_sentence_is_shown_in_its_place(drawn):
    words, asked = drawn
    line = preview(" ".join(words), asked)
    shown = [w for w in line.split() if w != "…"]
    assert [w for w in shown if w in MARKS] == [w for w in words if w in MARKS]
    places = [words.index(w) for w in shown]
    assert places == sorted(places)
    assert set(asked[:1]) & set(shown) or len(line) > CAP - 60


@given(st.lists(st.sampled_from(["not", "never", "maybe", "one", "two", "three"]), min_size=60, max_size=300))
def test_markers_that_come_again_are_shown_at_least_once(words):
    line = preview(" ".join(words), ["two"])
    assert {w for w in words if w in MARKS} <= set(line.split())


@given(sentence())
def test_no_word_is_shown_without_the_markers_on_both_sides_of_it(drawn):
    words, asked = drawn
    repeated = [*words]
    for place in (10, 30, 50):
        repeated.insert(place, "not")
    text = " ".join(f"{w}#{n}" if w in MARKS else w for n, w in enumerate(repeated))
    places = {w: n for n, w in enumerate(text.split())}
    shown = [places[w] for w in preview(text, asked).split() if w in places]
    marked = [n for w, n in places.items() if w.split("#")[0] in MARKS]
    for n in shown:
        before, after = (
            max((m for m in marked if m <= n), default=None),
            min((m for m in marked if m >= n), default=None),
        )
        assert {before, after} - {None} <= set(shown)


def test_folding_keeps_letters_and_drops_accents_case_and_width():
    assert [folded(w) for w in ("Straße", "BÉTA", "ＡＢ")] == ["strasse", "beta", "ab"]
