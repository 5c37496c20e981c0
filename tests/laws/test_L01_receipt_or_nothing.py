"""L1. A fact that cannot point at the exact event, and the span of text in it, is refused."""

from __future__ import annotations

import pytest
from tests.laws.mutants import LARGE, Check, Mutant, Mutants, World, rejects, replaced
from tests.support import archive, ran, state, wrote

from muniment.engine import receipts
from muniment.engine.asking import query
from muniment.gate import admission
from muniment.gate.admission import Method, Refusal, admit
from muniment.model.entity import Entity
from muniment.model.event import Origin, Role, Span
from muniment.model.fact import Archived, Draft

EVENT = Archived(
    b"u" * 16, "s", 0, "handmade", Role.USER, Origin.PERSON, "prompt", "We use Vitest here.", "2026-03-01T00:00:00.000Z"
)
METHOD = Method("own.state", 1, 1.0)
FILE = Entity("path", "a.py")


def draft(start: int, end: int, literal: str | None = "Vitest", **more: object) -> Draft:
    fields = {"literal": literal, **more}
    return Draft("uses", Entity("project", "project"), Span(start, end), **fields)  # type: ignore[arg-type]


def check_a_draft_must_point_at_its_words(world: World) -> None:
    assert not isinstance(admit(draft(7, 13), EVENT, None, METHOD), Refusal)
    for wrong in (
        draft(8, 14), draft(7, 12), draft(7, 400), draft(-6, 13), draft(13, 7), draft(0, 0), draft(19, 19),
        draft(7, 13, "Jest"), draft(0, 0, None, object=FILE), draft(0, 99, None, object=FILE),
        draft(7, 13, witness=b"w" * 16),
    ):  # fmt: skip
        assert isinstance(admit(wrong, EVENT, None, METHOD), Refusal), wrong


def check_every_fact_opens_its_words_and_proves_them(world: World) -> None:
    engine = _filled(world)
    hits = query(engine, "", LARGE).hits
    assert len(hits) >= 3
    for hit in hits:
        record = receipts.read(engine, hit.id)
        assert record.verified, record.problems
        assert record.receipt == hit.receipt
        assert hit.text in record.text


def check_words_that_were_changed_are_told(world: World) -> None:
    engine = _filled(world)
    store, packed = engine.store(), engine.store().events.pack(b"other words entirely")
    store.db.run("UPDATE blobs SET bytes = ?, size = 20", (packed,))
    for hit in query(engine, "p:uses", LARGE):
        try:
            proved = receipts.read(engine, hit.id).verified
        except receipts.ReceiptError:
            proved = False
        assert not proved, hit.receipt


def _filled(world: World):
    engine = world.engine()
    archive(engine, [*ran("s", 0, "2026-03-01 10:00", "make all"), *wrote("s", 2, "2026-03-01 11:00", "a.py")])
    state(engine, "Zürich 日本 👍", topic="database")
    return engine


CHECKS = (
    check_a_draft_must_point_at_its_words,
    check_every_fact_opens_its_words_and_proves_them,
    check_words_that_were_changed_are_told,
)
MUTANTS: Mutants = {
    "a receipt is not asked for": Mutant(CHECKS[0], replaced(admission, "_receipt", lambda *_: None)),
    "a span is moved by one": Mutant(
        CHECKS[1], lambda patch: patch.setattr(receipts.receipts, "parse", _moved(receipts.receipts.parse))
    ),
    "proof is taken on trust": Mutant(CHECKS[2], replaced(receipts, "proof", lambda *_: [])),
}


def _moved(parse):
    def wrong(text: str):
        found = parse(text)
        return found._replace(span=Span(found.span.start + 1, found.span.end)) if found.span else found

    return wrong


@pytest.mark.parametrize("check", CHECKS)
def test_law_holds(check: Check, world: World) -> None:
    check(world)


@pytest.mark.parametrize("mutant", MUTANTS)
def test_mutant_is_rejected(mutant: str, world: World) -> None:
    assert rejects(lambda: MUTANTS[mutant].check(world), MUTANTS[mutant].mutate)
