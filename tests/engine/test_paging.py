"""Pages are documents: the file wins, search finds them, a superseded one never comes back by default and stays readable."""

from __future__ import annotations

import pytest

from muniment.engine import comparing, evidence, forgetting, getting, paging, projecting, searching, upkeep, viewing
from muniment.engine.asking import query
from muniment.engine.core import Caller
from muniment.engine.forgetting import Target
from muniment.engine.receipts import read
from muniment.engine.searching import Asking
from muniment.errors import NotFoundError, NothingChangedError
from muniment.model.event import Origin

ONE, TWO = (f"0b5cf0a8-0000-4000-8000-00000000000{n}" for n in (1, 2))
PROVED = f"""---
title: Billing
uuid: {ONE}
updated: 2026-03-02
tags: [billing, data stores]
muniment:
  evidence:
    - path: src/billing.py
      commit: abc123
    - https://example.org/adr/7
---
# Billing

The billing service reads from a replica.

Writes travel through the xylophone tunnel.

```
code is no statement about kazoos
```
"""
BARE = f"""---
title: Lights
uuid: {TWO}
---
A first paragraph about lighthouses.

The trombone stands in the second.
"""


@pytest.fixture
def put(engine):
    """Writes a page and reads the folder: `put("name", text)`; without a text the file goes."""
    folder = engine.path.parent.parent.parent.parent / "project" / "memory"

    def write(name: str, text: str | None):
        path = folder / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink() if text is None else path.write_text(text, encoding="utf-8")
        return paging.index(engine)

    write.folder = folder
    return write


def found(engine, words: str, *include: str) -> str:
    return searching.search(engine, words, Asking(8192, None, None, include, False, None, True, None)).text


def sound(engine):
    checked = upkeep.verify(engine, rebuild=True)
    assert (checked.ok, checked.problems) == (True, ())


def test_a_page_with_evidence_answers_with_all_its_paragraphs(engine, put):
    put("billing", PROVED)
    assert "replica" in found(engine, "billing replica")
    assert "xylophone tunnel" in found(engine, "which tunnel do writes travel through")
    text = query(engine, "p:ingested").text
    assert "kazoos" not in text
    assert "no-evidence" not in text
    assert "tag" not in text
    assert query(engine, "tag:data-stores").text.count("ingested") == 2
    sound(engine)


def test_its_evidence_is_handed_over_as_written(engine, put):
    put("billing", PROVED)
    fact = engine.store().facts.select("f.predicate = 'ingested'", (), 1)[0]
    refs = [ref for _, ref in engine.store().facts.evidence(fact.row.id)]
    assert sorted(refs) == ["https://example.org/adr/7", "src/billing.py@abc123"]


def test_a_page_without_evidence_is_found_by_all_its_words_and_answers_with_one_paragraph(engine, put):
    put("lights", BARE)
    text = found(engine, "trombone")
    assert "lighthouses" in text
    assert "trombone" not in text.split("Next:")[0]
    assert "no-evidence" in query(engine).text
    assert "trombone" in read(engine, f"page/{TWO}:0", 0).text


def test_a_superseded_page_comes_back_only_when_asked_for_and_stays_readable(engine, put):
    put("lights", BARE)
    put("billing", PROVED.replace("updated:", f"supersedes: {TWO}\nupdated:"))
    assert "lighthouses" not in found(engine, "lighthouses")
    assert "lighthouses" not in query(engine).text
    assert "lighthouses" in found(engine, "lighthouses", "superseded")
    assert read(engine, f"page/{TWO}:0", 0).verified
    assert next(p for p in paging.look(engine).pages if p.uuid == TWO).by == ONE
    sound(engine)


def test_the_file_wins_there_and_back(engine, put, clock):
    put("lights", BARE)
    clock.forward(minutes=1)
    put("lights", BARE.replace("lighthouses", "harbours"))
    assert "harbours" in query(engine).text
    assert "lighthouses" not in query(engine).text
    clock.forward(minutes=1)
    put("lights", BARE)
    assert "lighthouses" in query(engine).text
    assert "harbours" not in query(engine).text
    clock.forward(minutes=1)
    done = put("lights", None)
    assert done.gone == 1
    assert "lighthouses" not in found(engine, "lighthouses") + query(engine).text
    assert "lighthouses" in read(engine, f"page/{TWO}:0", 0).text
    clock.forward(minutes=1)
    put("lights", BARE)
    assert "lighthouses" in query(engine).text
    sound(engine)


@pytest.mark.parametrize(
    ("status", "shown"), [("draft", "hypothesis"), ("suspect", "suspect"), ("deprecated", ""), ("stable", "")]
)
def test_the_status_of_a_page_is_its_standing(engine, put, status, shown):
    put("lights", BARE.replace("title:", f"status: {status}\ntitle:"))
    text = query(engine, "standing:any").text
    assert shown in text
    assert ("lighthouses" in query(engine).text) == (status in ("suspect", "stable", "draft"))


def test_reading_a_folder_that_did_not_change_is_an_error(engine, put):
    put("lights", BARE)
    with pytest.raises(NothingChangedError):
        paging.index(engine)
    with pytest.raises(NotFoundError):
        paging.index(engine, engine.path.parent / "nowhere")


def test_what_cannot_be_read_is_told_and_takes_nothing_with_it(engine, put):
    put("lights", BARE)
    put("odd", "---\ntitle: &a b\n---\nStill a body about anchors.\n")
    done = put("copy", BARE)
    assert any("line 2" in note for note in done.notes) or "anchors" in query(engine).text
    assert any("has the uuid of" in note for note in done.notes)
    assert "anchors" in query(engine).text


def test_an_erased_page_stays_out_and_says_so(engine, put, clock):
    put("lights", BARE)
    forgetting.erase(engine, Caller(Origin.PERSON), Target("id", f"page/{TWO}:0"))
    clock.forward(days=1)
    done = put("lights", BARE)
    assert any("erased" in note for note in done.notes)
    assert "lighthouses" not in query(engine).text


def test_evidence_of_a_page_is_checked_like_any_other(engine, put, clock):
    root = put.folder.parent
    (root / "src").mkdir()
    (root / "src" / "billing.py").write_text("replica = True\n")
    put("billing", PROVED.replace("    - path: src/billing.py\n      commit: abc123\n", "    - src/billing.py\n"))
    clock.forward(minutes=1)
    assert evidence.check(engine).states["ok"] == 1
    (root / "src" / "billing.py").write_text("replica = False\n")
    with pytest.raises(NothingChangedError):
        paging.index(engine)
    evidence.check(engine)
    assert query(engine, "p:ingested").text.count("suspect") == 2
    clock.forward(minutes=1)
    put("billing", PROVED.replace("abc123", "HEAD").replace("a replica", "the primary"))
    sound(engine)


def test_no_verb_gives_a_superseded_page_by_default(engine, put, person):
    put("lights", BARE)
    assert "lighthouses" in "".join(answers(engine))
    put("billing", PROVED.replace("updated:", f"supersedes: {TWO}\nupdated:"))
    assert "lighthouses" not in "".join(answers(engine))


def answers(engine) -> list[str]:
    """What every verb that answers says about lighthouses."""
    words = "a first paragraph about lighthouses"
    return [
        query(engine).text, query(engine, "type:ingested").text, query(engine, "lighthouses").text, found(engine, words),
        getting.get(engine, words).text, str(comparing.similar(engine, words).entries),
        str(comparing.conflicts(engine, words).pairs),
        viewing.wake(engine), viewing.timeline(engine, "today", None).text,
        projecting.text(engine, "trace", 8192, {}),
    ]  # fmt: skip
