"""What replies and prompts say by themselves: promises, answers and claims."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.capture.extract_cases import Session, archived, drafts

from muniment.capture.extract import promises, registry, replies, speech
from muniment.evals import said
from muniment.gate.admission import Method, Refusal, admit
from muniment.model.entity import SELF, Entity
from muniment.model.event import Origin, Role, Span
from muniment.model.fact import Draft

ROOT = Path(__file__).parents[2]
LABELS = ROOT / "benchmarks" / "talk"
ITEMS = {split: said.load([LABELS / f"{split}.jsonl"]) for split in ("dev", "test")}
ALL = [*ITEMS["dev"], *ITEMS["test"]]


def reply(text, **more):
    return archived(text, kind="reply", **more)


def prompt(text, **more):
    return archived(text, kind="prompt", **{"role": Role.USER, "origin": Origin.PERSON, **more})


def promised(event) -> list[str]:
    return [draft.literal for draft in drafts(event, only="promised")]


def answers(text) -> list[str]:
    return [draft.literal for draft in drafts(reply(text), only="answered")]


def claims(text) -> list[Draft]:
    return list(replies.asserted(reply(text), Session(())))


# --- promises


def test_an_agents_promise_is_its_sessions_and_a_persons_is_theirs() -> None:
    said_by_agent = reply("Tests are green. I'll add the migration next.")
    assert drafts(said_by_agent) == [
        Draft("promised", SELF, Span(17, 44), literal="I'll add the migration next", rung=0),
    ]
    assert drafts(prompt("I'll rotate the key tonight"), only="promised") == [
        Draft("promised", Entity("person", "me"), Span(0, 27), literal="I'll rotate the key tonight", rung=3),
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I'll run the suite and then I'll merge it.", ["I'll run the suite", "I'll merge it"]),
        ("I\u2019ll run the suite, and you can merge it.", ["I\u2019ll run the suite"]),
        ("I'm going to bisect it between v1.4 and v1.6.", ["I'm going to bisect it between v1.4 and v1.6"]),
        ("After lunch I'll look into the worker.", ["I'll look into the worker"]),
        ("Ich werde die Tests morgen erg\u00e4nzen.", ["Ich werde die Tests morgen erg\u00e4nzen"]),
        ("I'll run it to see if the lock holds.", ["I'll run it to see if the lock holds"]),
        ("I'll use UTC when discussing times.", ["I'll use UTC when discussing times"]),
    ],
)
def test_an_act_of_ones_own_that_is_to_come_is_promised(text, found) -> None:
    assert promised(reply(text)) == found


@pytest.mark.parametrize(
    "text",
    [
        "If you like, I can add a test.",
        "If it fails again, I'll revert it.",
        "Give me the name and I'll go ahead if you agree.",
        "Shall I do it? I will not touch it without a word.",
        "Should I say I'll fix it?",
        "I added the index.",
        "I would drop the cache.",
        "Maybe I'll look at it.",
        "I think I'll leave it.",
        'He wrote "I\'ll fix it" in 2019.',
        "> I'll add retries",
        "```\n# I'll remove this\n```",
        "The text is `I'll be back`.",
        "<log>I'll restart the worker</log>",
        "You should add an index.",
        "Let me check the router.",
        "I won't touch production.",
        "I'll need the key first.",
        "I'll be honest with you.",
        "We'll now prove the second case.",
        "I'll outline the steps below.",
        "The skills I will acquire matter.",
        'My letter says: "I have learnt much.\nI will acquire more."',
        "Dear [Name],\n\nI will send the report on Monday.\n\nSincerely",
        "The team says they'll migrate in May.",
    ],
)
def test_an_offer_a_condition_a_quotation_or_a_lesson_promises_nothing(text) -> None:
    assert promised(reply(text)) == []


def test_people_say_we_of_themselves_and_agents_say_it_of_a_text() -> None:
    assert promised(prompt("we'll send you the schema on Monday")) == ["we'll send you the schema on Monday"]
    assert promised(reply("We'll send the request with curl.")) == []


def test_a_plan_is_cut_after_its_first_promises() -> None:
    text = "\n".join(f"I'll write part {n}." for n in range(40))
    assert len(promised(prompt(text))) == promises.MOST


def test_the_middle_of_a_long_reply_is_a_text_and_no_promise() -> None:
    padding = "The table has three rows. " * 60
    assert promised(reply(f"{padding}I'll write the letter. {padding}")) == []
    assert promised(reply(f"{padding}I'll write the letter.")) == ["I'll write the letter"]


def test_harnesses_tools_and_injected_words_promise_nothing() -> None:
    for event in (
        reply("I'll do it.", flags=("injected",)),
        reply("I'll do it.", role=Role.HARNESS),
        reply("I'll do it.", role=Role.TOOL, origin=Origin.TOOL),
        archived("I'll do it.", kind="thinking"),
        prompt("I'll do it.", origin=Origin.HARNESS),
    ):
        assert drafts(event, only="promised") == []


# --- answers


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Yes, it retries three times. The delay is 1 s.", ["Yes, it retries three times"]),
        ("No. Safari ships it.", ["No. Safari ships it"]),
        ("**No**, nothing imports it.", ["No**, nothing imports it"]),
        ("Because the cache is thrown away.", ["Because the cache is thrown away"]),
        ("Not quite: it reads the clock.", ["Not quite: it reads the clock"]),
    ],
)
def test_a_reply_that_opens_as_answers_do_answers(text, found) -> None:
    assert answers(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "Yes, I'll do that.",
        "Yes, running it.",
        "Yes, sorry. I have added it.",
        "No problem, it is done.",
        "No unused imports are left.",
        "Yes!",
        "Exactly!",
        "> Yes, it works.",
        "Yes:\n```\nx\n```",
        "Which one do you mean?",
        "The router is in `app.py`.",
    ],
)
def test_assent_and_work_are_no_answer(text) -> None:
    assert answers(text) == []


def test_a_prompt_answers_nothing() -> None:
    assert drafts(prompt("Yes, it does so."), only="answered") == []


# --- claims


def test_a_claim_only_proposes_even_with_a_precision_that_writes() -> None:
    event = reply("`parse_date` returns None for an empty string.")
    (draft,) = claims(event.text)
    assert draft.literal == event.text.removesuffix(".")
    verdict = admit(draft, event, None, Method("said.asserted", 1, 1.0))
    assert isinstance(verdict, Refusal)
    assert verdict.proposed


def test_claims_are_measured_and_never_drawn_where_turns_come_in() -> None:
    assert drafts(reply("Yes, `f` returns 1. I'll check `g.py`."), only="asserted") == []
    assert not registry.may_write("said.asserted", 1)


@pytest.mark.parametrize(
    "text", ["`f` might return 1.", "If `f` fails, wait.", "Is `f` called?", "> `f` is slow", "Run `f`."]
)
def test_a_hedge_a_question_and_a_quotation_claim_nothing(text) -> None:
    assert claims(text) == []


# --- what holds for all


def test_the_shipped_figures_are_those_of_the_test() -> None:
    shipped = json.loads((ROOT / "src/muniment/capture/extract/said.json").read_text("utf-8"))
    assert said.measure(ITEMS["test"], said.real_spans(ALL)) == shipped


def test_whatever_may_write_is_precise_on_enough_real_spans() -> None:
    real = said.real_spans(ALL)
    for reader in registry.SAID[:2]:
        measured = registry.measured(reader.name, reader.version)
        assert measured is not None
        assert measured.precision >= said.BAR
        assert measured.interval_low >= said.BAR
        assert real[reader.predicates[0]] >= said.LEAST_REAL


def test_the_labels_stand_verbatim_and_half_of_the_turns_are_negatives() -> None:
    for item in ALL:
        for span in item["spans"]:
            assert item["text"][span["start"] : span["end"]] == span["literal"]
            assert span["predicate"] in item["labelled"]
        assert item["licence"]
        assert item["origin"]
    assert len({item["id"] for item in ALL}) == len(ALL)
    spans = Counter(s["predicate"] for item in ALL for s in item["spans"] if not s.get("optional"))
    assert spans.total() >= 150
    assert sum(not item["spans"] for item in ALL) >= len(ALL) / 3


def test_talk_without_a_sign_is_read_by_nobody() -> None:
    assert list(registry.suited(reply("The build is green."))) == []
    assert not registry.may_say("thinking", "I'll do it")
    assert not registry.may_say("reply", "we'll see what they will do")


@pytest.mark.parametrize("piece", ["<a>", "'a ", '"', "`", "I'll ", "I will I'll run and ", "Yes, "])
def test_a_turn_made_to_be_slow_is_read_up_to_a_bound(piece) -> None:
    for event in (reply("Yes, " + piece * 20_000), prompt(piece * 20_000)):
        assert all(
            draft.span.end <= speech.LOOK_AT for draft in drafts(event) if draft.predicate in ("promised", "answered")
        )


PIECES = st.sampled_from(
    "I'll run it|Yes, |. |\n|`x`|> q\n|```|\"|we will | and I'll |if |?|<a>|</a>|No. |Because ".split("|")
)


@given(st.lists(PIECES | st.text(max_size=8), max_size=14).map("".join))
def test_whatever_is_said_the_drafts_stand_verbatim(text) -> None:
    for event in (reply(text), prompt(text)):
        for reader in registry.SAID:
            for draft in reader.draw(event, Session((event,))):
                assert 0 <= draft.span.start < draft.span.end <= len(text)
                assert text[draft.span.start : draft.span.end] == draft.literal
                assert draft.literal.strip()


def test_own_words_keep_every_place() -> None:
    text = 'a `b` "cd" ```\ne\n``` f'
    assert len(speech.own_words(text)) == len(text)
    assert speech.own_words(text).endswith(" f")
