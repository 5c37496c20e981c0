"""R33: what stands between private tags is never stored, wherever it stands and however it is closed."""

from __future__ import annotations

import pytest
from tests.recipes.support import (
    HARNESSES,
    Fetches,
    Reads,
    Replies,
    Runs,
    Says,
    Writes,
    claude_records,
    kept_bytes,
    name_of,
    read_in,
    texts,
    transcript,
    written,
)
from tests.support import state

from muniment.engine import stating
from muniment.engine.asking import query
from muniment.gate.masks import MARK

WORDS = "blue heron"
SPAN = f"<private>{WORDS}</private>"


def absent(engine):
    """The words, and each of them, are in no byte of ours."""
    for _ in range(2):
        for place, data in kept_bytes(engine.settings.home):
            assert b"heron" not in data, place
            assert b"blue" not in data, place
        engine.close()


@pytest.mark.parametrize("harness", HARNESSES)
@pytest.mark.parametrize(
    "text",
    [
        f"note: {SPAN} end",
        f"<private>outer <private>{WORDS}</private> heron</private> end",
        f"<PRIVATE>{WORDS}</Private>",
        "first\n<private>\nblue\nheron\n</private>\nlast",
        f"open <private>{WORDS}",
        f'{{"title": "{SPAN}"}}',
    ],
)
def test_it_is_masked_on_every_road(harness, text, engine, tmp_path):
    root = engine.workspace.root
    roads = [Says(text), Replies(text), Runs("env", text), Runs(text, "x"), Reads(f"{root}/n.md", text)]
    roads += [Writes(f"{root}/m.md", text), Fetches("https://example.org", text)]
    report = read_in(engine, transcript(harness, tmp_path / "t", root, roads))
    assert report.kept >= len(roads)
    assert sum(MARK in t for t in texts(engine)) >= len(roads)
    absent(engine)


def test_an_unclosed_one_reaches_to_the_end_of_its_record_and_no_further(engine, tmp_path):
    made = list(claude_records(name_of("claude-code"), engine.workspace.root, [Says("x"), Says("after")]))
    made[0]["message"]["content"] = [
        {"type": "text", "text": "a <private>blue"},
        {"type": "text", "text": "heron and on"},
    ]
    made[0]["extra"] = {"deep": ["the heron again"], "aside": "no word of it"}
    read_in(engine, written(tmp_path / f"{name_of('claude-code')}.jsonl", made))
    assert texts(engine)[0].startswith("a <private>██")
    assert texts(engine)[1] == "after"
    absent(engine)


@pytest.mark.parametrize("harness", HARNESSES)
def test_one_that_goes_over_two_records_is_masked_in_both(harness, engine, tmp_path):
    steps = [Says("start <private>blue"), Says("heron</private> end"), Says("free")]
    read_in(engine, transcript(harness, tmp_path / "t", engine.workspace.root, steps))
    said = [t for t in texts(engine) if t]
    assert [t[-4:] for t in said[-2:]] == [" end", "free"]
    absent(engine)


def test_statements_titles_and_reasons_are_masked(engine, person, clock):
    made = state(
        engine, f"keeps {SPAN} warm", "noted", topic="t", context=SPAN, tags=[SPAN.replace(" ", "")], source_url=SPAN
    )
    clock.forward(minutes=1)
    stating.correct(engine, person, made.ids[0], f"kept {SPAN}", f"because of {SPAN}")
    assert MARK in query(engine, "").text
    absent(engine)
