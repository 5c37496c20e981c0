"""Source turns beside the hits of a search: what a fact was drawn from, and the reply to a turn that only asks.

Under three caps (`recall.decoration`), and only with the bytes that the hits left of the budget.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from muniment.engine.answering import Choice, hit_of
from muniment.engine.core import Engine
from muniment.model import receipt as receipts
from muniment.model.event import Kind
from muniment.model.receipt import event_of
from muniment.model.stored import Message
from muniment.recall import hydrate
from muniment.recall.answer import Hit
from muniment.recall.decoration import CAPS, Caps, Offer, Offered, decorate
from muniment.recall.found import Finding
from muniment.views import found as rows
from muniment.views.found import Piece

_SPOKEN = frozenset({Kind.PROMPT.value, Kind.REPLY.value})
_ASKS = ("?", "\uff1f", "\u061f")


def with_turns(engine: Engine, finding: Finding, forms: Sequence[str] = (), caps: Caps = CAPS) -> Finding:
    """The answer with its source turns, each behind the last hit's row and with the mark `for:RECEIPT` of its hit."""
    if not finding.hits:
        return finding
    with engine.store().reading():
        top = max(hit.score for hit in finding.hits) or 1.0
        offered = [Offered(hit.receipt, list(_offers(engine, hit, hit.score / top))) for hit in finding.hits]
        chosen = [
            (hit, receipt)
            for hit, found in zip(finding.hits, decorate(offered, caps), strict=True)
            for receipt in found
        ]
        turns = [_turn(engine, hit, receipt, forms) for hit, receipt in chosen]
    room = finding.budget - finding.bytes
    taken, made, _ = hydrate.fill(iter(turns), (), lambda turn: turn.row, room) if room > 0 else ([], [], True)
    return replace(finding, text=_inserted(finding, made), turns=tuple(taken))


def _offers(engine: Engine, hit: Hit, share: float) -> Iterator[Offer]:
    if hit.kind == "fact":
        yield Offer(event_of(hit.receipt), share)
    elif hit.text.rstrip().endswith(_ASKS):
        reply = _reply(engine, hit.receipt)
        if reply is not None:
            yield Offer(f"{reply.session}:{reply.seq}", share)


def _reply(engine: Engine, receipt: str) -> Message | None:
    """What was said next, if somebody else said it."""
    place = receipts.parse(receipt)
    low, high = engine.store().neighbours(place.session, place.seq, 2)
    around = [m for m in engine.store().messages(place.session, low, high) if m.kind in _SPOKEN]
    asked = next((m for m in around if m.seq == place.seq), None)
    after = next((m for m in around if m.seq > place.seq), None)
    if asked is None or after is None or (after.role, after.speaker) == (asked.role, asked.speaker):
        return None
    return after


def _turn(engine: Engine, hit: Hit, receipt: str, forms: Sequence[str]) -> Hit:
    place = receipts.parse(receipt)
    message = engine.store().messages(place.session, place.seq, place.seq)[0]
    marks = (f"for:{hit.receipt}",)
    m = message
    piece = Piece(receipt, m.role, m.speaker or "", m.origin, m.at, m.text, "", marks)
    choice = Choice("event", receipt, m.text, hit.score, {}, m.role, m.origin, speaker=m.speaker or "", marks=marks)
    return hit_of(choice, rows.row(piece, forms, engine.settings.zone))


def _inserted(finding: Finding, made: Sequence[str]) -> str:
    """The rows of the turns behind those of the hits, before the end of the answer."""
    if not made:
        return finding.text
    head, last, end = finding.text.rpartition(finding.hits[-1].row + "\n")
    return head + last + "".join(f"{row}\n" for row in made) + end
