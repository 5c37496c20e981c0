"""The vectors of what is erased go with it, from the rows and from the pages that searches read."""

from __future__ import annotations

from tests.engine.test_embedding import halves, stored, turns
from tests.support import archive

from muniment.engine import embedding, forgetting
from muniment.engine.forgetting import Target

__all__ = ["halves"]


def paged(engine) -> set[int]:
    """The events that pages hold."""
    pages = [page for (page,) in engine.store().db.rows("SELECT events FROM vector_pages")]
    return {int.from_bytes(page[at : at + 8], "little") for page in pages for at in range(0, len(page), 8)}


def test_vectors_of_erased_turns_are_in_no_row_and_on_no_page(engine, person, halves):
    archive(engine, turns(40))
    embedding.turn_on(engine, "left")
    before = stored(engine)
    gone = {engine.store().events.revisions(m.uid)[0][0] for m in engine.store().messages("s1", 5, 5)}
    assert gone <= {event for _, event in before}
    secret = {code for (_, event), code in before.items() if event in gone}
    assert gone <= paged(engine)
    forgetting.erase(engine, person, Target("id", "s1:5"))
    left = stored(engine)
    assert len(left) == len(before) - 1
    assert not gone & {event for _, event in left}
    data = engine.path.read_bytes()
    assert not any(code in data for code in secret)
    assert not gone & paged(engine)
    assert len(paged(engine)) >= 32
