from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.capture.extract_cases import Session, archived, call, drafts, result

from muniment.capture.extract import registry
from muniment.errors import NotFoundError
from muniment.evals import extract
from muniment.model.event import Action, Call, Origin, Result, Role, Span
from muniment.model.vocabulary import VOCABULARY

ROOT = Path(__file__).parents[2]
LABELS = ROOT / "benchmarks" / "extract" / "labels.jsonl"
METHODS = json.loads((ROOT / "src/muniment/capture/extract/methods.json").read_text("utf-8"))
ITEMS = [json.loads(line) for line in LABELS.read_text("utf-8").splitlines()]


def test_the_shipped_measurements_are_those_of_the_labelled_sample() -> None:
    assert extract.measure(LABELS) == METHODS


def test_every_method_is_precise_enough_to_write_on_a_sample_that_is_large_enough() -> None:
    assert {f"{e.name}@{e.version}" for e in registry.EXTRACTORS} == set(METHODS)
    for name, row in METHODS.items():
        assert row["precision"] >= extract.BAR, name
        assert row["sample"] >= 25, name
        assert row["recall"] >= 0.9, name


def test_the_labels_hold_lines_that_only_look_like_facts() -> None:
    assert sum(1 for item in ITEMS if item["id"].startswith("no-")) >= 50


def test_nothing_in_the_labels_names_a_place_on_somebodys_machine() -> None:
    places = re.compile(r"(?<![\w.$}*-])/(?:root|home/(?!dev\b)\w+|Users/(?!dev\b)\w+)/")
    assert [item["id"] for item in ITEMS if places.search(json.dumps(item))] == []


@pytest.mark.parametrize("item", ITEMS, ids=[f"{item['source']}-{item['id']}" for item in ITEMS])
def test_every_draft_of_the_sample_stands_verbatim_in_its_event(item) -> None:
    events = extract.events_of(item)
    for event in events:
        for extractor, draft in registry.draw(event, extract.Calls(events)):
            assert_verbatim(event, extractor, draft)


def assert_verbatim(event, extractor, draft) -> None:
    text = event.text[draft.span.start : draft.span.end]
    assert 0 <= draft.span.start < draft.span.end <= len(event.text)
    assert text.strip()
    assert (draft.literal is None) != (draft.object is None)
    assert text == (draft.literal if draft.object is None else draft.object.key)
    assert draft.predicate in extractor.predicates
    predicate = VOCABULARY[draft.predicate]
    assert draft.subject.kind in predicate.subjects
    assert (draft.object.kind if draft.object is not None else None) == predicate.object_kind
    assert draft.context == " ".join(draft.context.split())


def test_drawing_twice_gives_the_same() -> None:
    for item in ITEMS:
        assert Counter(extract.drawn(item)) == Counter(extract.drawn(item))


SPANS = st.builds(Span, st.integers(-2, 80), st.integers(-2, 80))
ARGUMENTS = st.dictionaries(
    st.sampled_from("command cwd path to content patch prompt active append".split()),
    st.one_of(SPANS, st.none(), st.booleans(), st.integers()),
)
IDS = st.sampled_from("abc")
CALLS = st.lists(st.builds(Call, IDS, st.just("tool"), st.sampled_from(Action), ARGUMENTS), max_size=3)
CODES = st.none() | st.integers(-1, 2)
RESULTS = st.lists(st.builds(Result, IDS, SPANS, st.none() | st.booleans(), CODES, CODES), max_size=3)
LINES = st.sampled_from(
    [
        "pytest -q",
        "git commit -m x && mv a b",
        "1 passed in 0.1s",
        "[main 1a2b3c4] x",
        " rename {a => b} (9%)",
        "*** Add File: a\n+x",
        "--- a/x\n+++ b/y\n@@ -1 +1 @@",
        "# pass 1",
        "> quote",
        "```",
        "<a>",
        "<<EOF",
    ]
)
TEXTS = st.lists(LINES | st.text(max_size=20), max_size=6).map("\n".join)
EVENTS = st.builds(
    archived,
    TEXTS,
    name=st.sampled_from("xyz"),
    role=st.sampled_from(Role),
    origin=st.sampled_from(Origin),
    kind=st.sampled_from(["prompt", "call", "result"]),
    calls=CALLS.map(tuple),
    results=RESULTS.map(tuple),
    flags=st.sampled_from([(), (), ("injected",)]),
    cwd=st.sampled_from([None, "/r/w"]),
    root=st.sampled_from([None, "/r"]),
)


@settings(max_examples=300)
@given(st.lists(EVENTS, min_size=1, max_size=3))
def test_any_events_are_drawn_from_without_an_error_and_all_is_verbatim(events) -> None:
    window = Session(tuple(events))
    for event in events:
        found = list(registry.draw(event, window))
        assert found == list(registry.draw(event, window))
        for extractor, draft in found:
            assert_verbatim(event, extractor, draft)
        if event.role is Role.HARNESS or "injected" in event.flags:
            assert found == []


def test_events_that_are_talk_call_no_extractor() -> None:
    assert [list(registry.suited(archived("hello", kind=kind))) for kind in ("reply", "thinking")] == [[], []]


def test_the_words_of_the_harness_and_our_own_give_nothing_in_either_event() -> None:
    made = call("run", {"command": "pytest"})
    assert drafts(call("write", {"path": "a", "content": "x"}, flags=("injected",)), result("ok")) == []
    assert drafts(made, result("1 passed in 0.1s", flags=("injected",))) == []
    harness = call("run", {"command": "pytest"}, role=Role.HARNESS)
    assert drafts(harness, result("1 passed in 0.1s")) == []
    ours = call("run", {"command": "pytest"}, flags=("injected",))
    assert drafts(ours, result("1 passed in 0.1s")) == []
    for extractor in registry.EXTRACTORS:
        assert list(extractor.draw(ours, Session((ours, result("ok"))))) == []


def test_a_method_that_was_not_measured_is_refused_by_name() -> None:
    assert registry.precision("files.touched", 1) >= 0.8
    assert registry.may_write("files.touched", 1)
    assert not registry.may_write("files.touched", 999)
    with pytest.raises(NotFoundError, match=r"files\.nothing@1"):
        registry.precision("files.nothing", 1)


def test_the_interval_is_the_one_of_wilson() -> None:
    assert extract.wilson(0, 0) == (0.0, 1.0)
    assert extract.wilson(25, 25) == (0.8668, 1.0)
    assert extract.wilson(8, 10) == (0.4902, 0.9433)


def test_the_command_prints_the_table_and_writes_nothing_unasked(capsys) -> None:
    extract.main(["--labels", str(LABELS)])
    out = capsys.readouterr().out
    assert "files.touched@1" in out
    assert extract.measure(LABELS) == METHODS
