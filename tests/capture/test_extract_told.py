"""What people tell in their own turns: what is drawn, what is not, and whose words may be drawn from."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.capture.extract_cases import archived, drafts
from tests.support import every_family_writes

from muniment.capture.extract import registry
from muniment.capture.extract.told import carve, foreign, lexicon, reading
from muniment.engine import telling
from muniment.errors import UsageError
from muniment.model.entity import KINDS
from muniment.model.event import Origin, Role
from muniment.model.vocabulary import VOCABULARY

ALL = (
    "Hey, I'm Marcus. I'm a senior engineer at Stripe working on a payments dashboard. "
    "We use React with TypeScript and I prefer Tailwind for styling."
)


@pytest.fixture(autouse=True)
def _writing(monkeypatch) -> None:
    every_family_writes(monkeypatch)


def told(text, role="user", previous=""):
    return telling.extract(text, role, previous)


def found(text, predicate=None):
    return [e.literal for e in told(text) if predicate is None or e.predicate == predicate]


def test_one_message_gives_a_fact_for_each_thing_that_it_tells() -> None:
    got = {(e.predicate, e.literal): e for e in told(ALL)}
    assert set(got) == {
        ("named", "Marcus"),
        ("is", "senior engineer"),
        ("member_of", "Stripe"),
        ("building", "payments dashboard"),
        ("uses", "React"),
        ("uses", "TypeScript"),
        ("prefers", "Tailwind for styling"),
    }
    assert got["named", "Marcus"].tags == ("identity.name",)
    assert got["is", "senior engineer"].topic == "job"
    assert got["member_of", "Stripe"].topic == "employer"
    assert got["uses", "TypeScript"].topic == "language"
    assert got["uses", "React"].topic.startswith("framework")
    assert {e.scope for e in got.values() if e.predicate in ("named", "is", "member_of", "prefers")} == {"person"}
    assert {e.scope for e in got.values() if e.predicate in ("uses", "building")} == {"workspace"}
    assert {e.outcome for e in got.values()} == {"confirmed"}


def test_every_literal_stands_verbatim_at_its_span() -> None:
    for each in told(ALL):
        assert ALL[slice(*each.span)] == each.literal


def test_a_correction_gives_the_right_value_in_the_topic_of_the_wrong_one_and_names_the_claim() -> None:
    previous = "I formatted it. Then I linted everything with flake8. All is clean."
    got = {e.predicate: e for e in told("No, we use Ruff, not Flake8", previous=previous)}
    assert got["uses"].literal == "Ruff"
    assert got["uses"].topic == found_topic("We use Flake8.")
    assert got["corrected"].literal == "we use Ruff"
    assert previous[slice(*got["corrected"].corrects)] == "Then I linted everything with flake8."


def found_topic(text: str) -> str:
    (only,) = told(text)
    return only.topic


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("We use Jest.", "We use Vitest."),
        ("We use MySQL", "We use Postgres 15"),
        ("our CI runs on Jenkins", "we moved to CircleCI"),
    ],
)
def test_alternatives_share_a_topic(one, other) -> None:
    assert found_topic(one) == found_topic(other) != ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("We use pytest.", "We use Vitest."),
        ("We lint with ruff", "We lint with eslint"),
        ("we use postgres for the backend", "we use sqlite for the mobile app"),
        ("We use Postgres.", "We use Redis."),
    ],
)
def test_what_lives_side_by_side_has_topics_of_its_own(one, other) -> None:
    assert found_topic(one) != found_topic(other)


def test_two_values_of_one_topic_in_one_turn_end_neither() -> None:
    assert {e.topic for e in told("We use Postgres and MongoDB.")} == {""}
    assert {e.topic for e in told("We also use Postgres.")} == {""}


NOTHING = [
    "rename the function to load_all",
    "use tabs in this file",
    "format this as a table",
    "should we use Redis?",
    "do you prefer tabs?",
    "if we were using Python, what would break?",
    "suppose I were a vegan, what would I eat?",
    "let's say we use Kafka. how many brokers?",
    "you are a pirate called Ned. I live on a ship and I prefer rum.",
    "pretend I'm the CEO of Acme and I hate meetings",
    "Write a story where the hero says I work at Google and I live in Paris",
    "my boss prefers tabs",
    "the docs say we use Redis",
    "he said he prefers calls",
    "they use Oracle over there",
    "I'm debugging the login",
    "I'm tired and the build is red",
    "we use SQLite for now",
    "for this test we use a mock server with Postgres",
    "thanks, great, I love it!",
    "I like that",
    "translate: I never eat meat and I live in Rome",
    "Please translate this:\n\nWir benutzen Postgres und ich heiße Anna.",
    "> I prefer tabs over spaces\n\nwhat do you make of this comment?",
    "```\n# we use Redis\nI prefer vim\n```",
    "2024-05-05 12:00:01 ERROR we use MySQL 5.7\n2024-05-05 12:00:02 INFO my name is worker",
    'Traceback (most recent call last):\n  File "a.py", line 3, in x\nValueError: we use Python 2',
    "remember my password is hunter2",
    "remember to run the tests",
    "what do you remember about me?",
    "I used to use Vim",
    "we were on Jenkins back then",
    "I always get this error",
    "I'd like you to add a button",
    "I hate this bug",
    "that's wrong, fix it",
    "no, that still fails",
    "forget that",
    "Fix the type error on line 42",
    "",
    "ok",
]


@pytest.mark.parametrize("text", NOTHING)
def test_what_does_not_last_gives_nothing(text) -> None:
    assert told(text) == []


def test_words_around_a_paste_count_and_the_paste_does_not() -> None:
    text = "We're on Django.\n\n```\nI prefer Flask, we use MySQL\n```\n\nwhy is it slow?"
    assert found(text) == ["Django"]


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ("I think we use Postgres", "Postgres"),
        ("we're probably on Kotlin 1.9", "Kotlin 1.9"),
        ("why is the build of our Rails app so slow?", "Rails"),
        ("can you be more concise?", "more concise"),
    ],
)
def test_what_is_hedged_implied_or_asked_of_style_once_is_a_hypothesis(text, literal) -> None:
    (only,) = told(text)
    assert (only.literal, only.outcome) == (literal, "hypothesis")
    assert only.confidence < 0.6


@pytest.mark.parametrize(
    ("text", "predicate", "literal"),
    [
        ("from now on answer in German", "prefers", "answer in German"),
        ("please stop adding comments to every line", "avoids", "adding comments to every line"),
        ("don't use any in typescript", "avoids", "any in typescript"),
        ("before I push anything I run the tests", "practises", "before I push anything I run the tests"),
        ("we never deploy on fridays", "practises", "never deploy on fridays"),
        ("we decided to go with gRPC", "decided", "gRPC"),
        ("we're not going to use microservices", "rejected", "microservices"),
        ("remember that the staging db is wiped every night", "noted", "the staging db is wiped every night"),
        ("all customer data has to stay in Germany", "requires", "has to stay in Germany"),
        ("our deadline is March 3rd", "targets", "March 3rd"),
        ("we're migrating from MySQL to Postgres", "migrating", "from MySQL to Postgres"),
        ("Wir nutzen Postgres.", "uses", "Postgres"),
        ("Nous utilisons Symfony pour notre projet", "uses", "Symfony"),
        ("Usamos Laravel en el proyecto", "uses", "Laravel"),
        ("我们用的是 Postgres", "uses", "Postgres"),
    ],
)
def test_the_plain_ways_to_say_a_thing_are_drawn(text, predicate, literal) -> None:
    assert literal in found(text, predicate)


def test_a_reason_is_kept_with_its_decision() -> None:
    text = "We chose SQLite because the devices are offline half the day"
    assert found(text, "because") == ["the devices are offline half the day"]


@pytest.mark.parametrize("origin", [o for o in Origin if o is not Origin.PERSON])
def test_only_a_persons_own_turn_is_drawn_from(origin, monkeypatch) -> None:
    monkeypatch.setattr(registry, "ARE_TOLD_KEPT", True)
    event = archived("We use Vitest and I prefer tabs.", role=Role.USER, origin=origin, kind="prompt")
    assert [d for d in drafts(event) if d.predicate != "asked"] == []


def test_injected_words_are_nobodys(monkeypatch) -> None:
    monkeypatch.setattr(registry, "ARE_TOLD_KEPT", True)
    event = archived("We use Vitest.", role=Role.USER, origin=Origin.PERSON, kind="prompt", flags=("injected",))
    assert drafts(event) == []


def test_a_named_speaker_is_the_subject_of_what_he_says_of_himself(monkeypatch) -> None:
    monkeypatch.setattr(registry, "ARE_TOLD_KEPT", True)
    event = archived("I live in Oslo", role=Role.USER, origin=Origin.PERSON, kind="prompt", speaker="Ada")
    (draft,) = drafts(event, only="located_in")
    assert draft.subject == ("person", "Ada")


def test_nothing_of_a_private_span_or_a_secret_is_drawn() -> None:
    assert "Rome" not in str(found("I live in <private>Rome</private> and we use Vitest."))
    assert found("note: the token is ghp_0123456789abcdefghijABCDEFGHIJ012345 ok") == []


def test_an_unknown_role_is_refused_by_name() -> None:
    with pytest.raises(UsageError, match="narrator"):
        told("We use Vitest.", role="narrator")


def test_every_reader_of_turns_was_measured_and_writes_only_from_eight_in_ten_on() -> None:
    for extractor in registry.TELLING:
        measure = registry.measured(extractor.name, extractor.version)
        assert measure is not None, extractor.name
        assert measure.may_write == (measure.precision >= 0.8), extractor.name
        assert set(extractor.predicates) <= set(VOCABULARY)


def test_a_name_is_listed_once_and_finds_its_kind() -> None:
    for name, technology in lexicon.names().items():
        at = lexicon.at(name, 0, len(name))
        assert at is not None, name
        assert at[1] == technology


def test_the_prose_has_the_length_of_the_turn() -> None:
    for text in NOTHING:
        assert len(carve.own_prose(text)) == len(text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("We use the Postgres database for all of it", ""),
        ("Ich möchte bitte, dass du mir das auf Deutsch erklärst", "de"),
        ("Est-ce que tu peux m'expliquer la fonction s'il te plaît", "fr"),
        ("Por favor explica la función que está en el archivo", "es"),
        ("请帮我解释一下这个函数", "zh"),
    ],
)
def test_the_language_of_a_turn_is_told_by_its_small_words(text, name) -> None:
    assert foreign.language(text.lower()) == name


SAID = """I we use my our is are prefer don't always never Postgres React tabs, not because remember that : ? . - ``` > it's no
actually decided building deadline March must the a in for now if you keep stop like hate from to and"""
WORDS = st.lists(st.sampled_from(SAID.split()), max_size=30).map(" ".join)


@settings(max_examples=300, deadline=None)
@given(WORDS | st.text(max_size=200))
def test_any_text_is_read_without_an_error_and_all_is_verbatim(text) -> None:
    assert len(carve.own_prose(text)) == len(text)
    first = reading.read(text)
    assert first == reading.read(text)
    for each in first:
        assert 0 <= each.start < each.end <= len(text)
        assert text[each.start : each.end].strip()
    event = archived(text, role=Role.USER, origin=Origin.PERSON, kind="prompt")
    for extractor in registry.TELLING:
        for draft in extractor.draw(event, None):
            assert draft.predicate in extractor.predicates
            assert draft.subject.kind in KINDS
            assert draft.subject.kind in VOCABULARY[draft.predicate].subjects
            assert draft.literal == text[draft.span.start : draft.span.end]
