"""The store of a memory.sh skill, taken over: every plain shape, each entry at its time and from its source, once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.support import values

from muniment.engine import finding, history, reviewing, taking_over
from muniment.engine.asking import query
from muniment.engine.core import Caller
from muniment.engine.upkeep import verify
from muniment.errors import NotFoundError, NothingChangedError, RefusedError, UsageError
from muniment.model.event import Origin

PERSON = Caller(Origin.PERSON)
ENTRY = {"id": "m1", "type": "fact", "content": "Alex leads payments", "source": "user", "tags": ["identity.role"]}


def load(engine, tmp_path: Path, value: object, trust: str = "conversation", caller: Caller = PERSON):
    path = tmp_path / "memory.json"
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return taking_over.load(engine, caller, path, trust, may_vouch=caller.origin == "person")


@pytest.mark.parametrize(
    "shape",
    [
        [ENTRY], {"entries": [ENTRY]}, {"memories": [ENTRY], "version": 2}, {"m1": ENTRY}, {"entries": {"m1": ENTRY}},
        {"facts": [ENTRY]}, {"fact": [ENTRY], "preference": []}, {"version": 1, "data": {"items": [ENTRY]}},
        json.dumps(ENTRY) + "\n\n", "\ufeff" + json.dumps([ENTRY]),
        [{"text": ENTRY["content"], "tags": "identity.role", "source": "user"}],
    ],
    ids=str,
)  # fmt: skip
def test_each_plain_shape_is_read(engine, tmp_path, shape):
    report = load(engine, tmp_path, shape)
    assert (report.read, report.kept, report.facts) == (1, 1, 1)
    (row,) = query(engine, "tag:identity.role").hits
    assert (row.text, row.origin, row.standing) == ("Alex leads payments", "person", "confirmed")
    assert verify(engine, rebuild=True).ok


def test_each_entry_keeps_its_time_source_confidence_and_address(engine, tmp_path):
    report = load(engine, tmp_path, [
        {"type": "fact", "content": "the port is 8080", "source": "user", "created_at": "2025-01-02T10:00:00Z"},
        {"type": "fact", "content": "the build is slow", "source": "inferred", "confidence": "uncertain"},
        {"type": "ingested", "content": "a page", "source": "web", "source_url": "https://example.org/a"},
        {"type": "fact", "content": "the disk is full", "source": "user", "confidence": 0.4, "context": "ci:2"},
        {"type": "preference", "content": "likes tabs", "source": "inferred"},
    ])  # fmt: skip
    assert (report.facts, report.proposed) == (4, 1)
    rows = {h.text: h for h in query(engine, "standing:any").hits}
    assert rows["the port is 8080"].row.split("\t")[6] == "2025-01-02T10:00:00.000Z"
    assert (rows["the build is slow"].origin, rows["the build is slow"].standing) == ("model", "hypothesis")
    assert rows["the disk is full"].standing == "hypothesis"
    assert "ci:2" in rows["the disk is full"].marks
    assert finding.fact(engine, rows["a page"].id).row.source_url == "https://example.org/a"
    (one,) = reviewing.review(engine).proposals
    assert (one.asks, one.text) == ("add", "likes tabs")


def test_what_it_had_replaced_and_corrected_is_so_here_too(engine, tmp_path):
    report = load(engine, tmp_path, {"entries": [
        {"id": "1", "content": "Alex works at A", "source": "user", "created": "2025-01-01", "superseded_by": "2"},
        {"id": "2", "content": "Alex works at B", "source": "user", "created": "2025-03-01"},
        {"id": "3", "content": "uses Jest", "source": "user", "correction": {"claim": "uses Vitest", "reason": "assumed"}},
    ]})  # fmt: skip
    assert (report.superseded, report.corrected) == (1, 1)
    assert set(values(query(engine, "p:noted").text)) == {"Alex works at B", "uses Vitest"}
    (wrong,) = query(engine, "standing:retracted").hits
    assert [v.reason for v in history.why(engine, wrong.id).verdicts] == ["assumed"]


def test_every_entry_is_counted_and_loading_again_adds_what_is_new(engine, tmp_path):
    given = [
        ENTRY,
        ENTRY,
        {"type": "joke", "content": "x"},
        {"content": " "},
        7,
        {"content": "gone", "status": "deleted"},
    ]
    report = load(engine, tmp_path, given)
    assert report.skipped == {"twice": 1, "unknown type": 1, "empty": 1, "malformed": 1, "deleted": 1}
    assert report.read == report.kept + sum(report.skipped.values()) == 6
    with pytest.raises(NothingChangedError):
        load(engine, tmp_path, given)
    again = load(engine, tmp_path, [*given, {"content": "one more"}])
    assert (again.known, again.facts) == (1, 1)


def test_nobody_but_the_owner_makes_a_persons_words_of_it(engine, tmp_path):
    with pytest.raises(RefusedError):
        load(engine, tmp_path, [ENTRY], caller=Caller(Origin.AGENT))
    load(engine, tmp_path, [ENTRY], "import", Caller(Origin.AGENT))
    (row,) = query(engine, "standing:hypothesis").hits
    assert row.origin == "import"


@pytest.mark.parametrize("text", ["", "{}", "7", "[", '"x"', '{"a": 1}', "no json"])
def test_what_is_no_store_is_said_so(engine, tmp_path, text):
    with pytest.raises((UsageError, NothingChangedError)):
        load(engine, tmp_path, text)


def test_a_file_that_is_not_there_is_said_so(engine, tmp_path):
    with pytest.raises(NotFoundError):
        taking_over.load(engine, PERSON, tmp_path / "none.json", "conversation", may_vouch=True)
