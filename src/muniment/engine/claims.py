"""Which turn of the assistant a person's correction is about.

Found when it is asked for: what stands before a turn may come in after it, and nothing that is stored hangs on it.
"""

from __future__ import annotations

from muniment.capture.extract.told import claim
from muniment.model.event import Kind, Role, Span
from muniment.model.ports import Store
from muniment.model.receipt import Receipt
from muniment.model.stored import StoredFact

_AS_FAR_BACK = 40
"""Records before a correction that are looked at: calls and results stand between turns."""
_CORRECTED = "corrected"


def corrected(store: Store, fact: StoredFact) -> str | None:
    """The receipt of the claim that the turn of a fact corrects: the newest turn of the assistant before it that says
    the wrong value, or the last one where no value is named. None where the turn corrects nothing."""
    found = store.facts.facts(sorted(store.facts.of_event(fact.row.uid)))
    corrections = [f.row.context for f in found if f.row.predicate == _CORRECTED]
    event = store.archived(fact.row.uid) if corrections else None
    if event is None:
        return None
    at = claim.wrong_of(corrections[0])
    wrong = event.text[at[0] : at[1]] if at is not None else ""
    before = store.messages(fact.session, max(0, fact.seq - _AS_FAR_BACK), fact.seq - 1)
    for turn in reversed(before):
        place = claim.claim_in(turn.text, wrong) if _is_said(turn.role, turn.kind) else None
        if place is not None:
            return str(Receipt(turn.session, turn.seq, Span(*place)))
    return None


def _is_said(role: str, kind: str) -> bool:
    return role == Role.ASSISTANT and kind == Kind.REPLY
