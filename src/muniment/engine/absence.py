"""Why a named fact or event is not in the answer to a search: one sentence for `--why-not`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from muniment.engine import finding
from muniment.engine.core import Engine
from muniment.errors import NotFoundError
from muniment.model import receipt as receipts
from muniment.model.ids import show
from muniment.model.markers import folded
from muniment.model.receipt import event_of
from muniment.model.stored import StoredFact
from muniment.recall.found import Placed

Stems = Callable[[str], Iterable[str]]
_CLOSED = {
    "retracted": "it is retracted: it was never true",
    "expired": "it has expired",
    "hypothesis": "it is a hypothesis; --include hypothesis shows those too",
}
_SHARED, _SHOWN = 5, 40
"""Words in common that are named."""


def words_of(text: str) -> Iterable[str]:
    """The words of a text where no index is asked for them."""
    return "".join(c if c.isalnum() else " " for c in folded(text)).split()


def why_not(
    engine: Engine, named: str, words: str, ranked: Sequence[Placed], *, session: str | None = None,
    stems: Stems = words_of,
) -> str:  # fmt: skip
    """The reason, as far as it can be told. `named` is a fact's id (or its beginning) or a receipt; `ranked` is every
    candidate in order, with its fate. UsageError where `named` is neither."""
    with engine.store().reading():
        try:
            fact, event, text = _resolved(engine, named)
        except NotFoundError:
            return f"{named} is not in the store of this workspace"
        place = _place(ranked, show(fact.row.id) if fact else "", event)
        if place is not None:
            return f"{named} {_fated(ranked, place, session)}"
        if fact is not None and (closed := _closed(engine, fact)):
            return f"{named} is not in the answer: {closed}"
        return f"{named} was found by no lane: {_shared(stems(words), stems(text))}"


def _resolved(engine: Engine, named: str) -> tuple[StoredFact | None, str, str]:
    """The fact if it is one, the receipt of its event, and the words that a lane could have found."""
    if not receipts.looks_like(named):
        fact = finding.fact(engine, named)
        row = fact.row
        return fact, f"{fact.session}:{fact.seq}", f"{row.predicate} {row.topic} {row.subject.key} {row.value}"
    place = receipts.parse(named)
    found = next(iter(engine.store().messages(place.session, place.seq, place.seq)), None)
    if found is None:
        raise NotFoundError(f"no event at {named}", about=named)
    return None, f"{place.session}:{place.seq}", found.text


def _place(ranked: Sequence[Placed], id_: str, event: str) -> int | None:
    is_it = (p.id == id_ if id_ else p.id == p.receipt and event_of(p.receipt) == event for p in ranked)
    return next((n for n, it in enumerate(is_it) if it), None)


def _fated(ranked: Sequence[Placed], place: int, session: str | None) -> str:
    one = ranked[place]
    rank = f"rank {place + 1} of {len(ranked)}, score {one.score:.3g}"
    fate, _, by = one.fate.partition(":")
    return {
        "shown": f"is in the answer ({rank})",
        "earlier": f"is in an earlier part of this answer ({rank})",
        "cut": f"was cut by the budget or the limit ({rank}); a larger --budget or --cursor goes on to it",
        "near-copy": f"is a near copy of {by}, which stands for it ({rank})",
        "seen": f"was received by session {session or by or 'named'} already ({rank})",
        "superseded": f"is superseded by {by} ({rank}); --include superseded shows it too",
        "below": f"was found, but too far down to be looked at ({rank})",
    }.get(fate, f"was left out: {one.fate} ({rank})")


def _closed(engine: Engine, fact: StoredFact) -> str:
    """What its standing says, if that is what keeps it out."""
    from muniment.engine.history import why

    told = why(engine, show(fact.row.id))
    if told.standing != "superseded":
        return _CLOSED.get(told.standing, "")
    newer = [link.id for link in told.links if link.relation == "supersedes" and link.other == told.id]
    by = f" by {', '.join(newer)}" if newer else ""
    return f"it is superseded{by}; --include superseded shows it too"


def _shared(asked: Iterable[str], said: Iterable[str]) -> str:
    held = set(said)
    shared = [word for word in dict.fromkeys(asked) if word in held]
    if not shared:
        return "it shares no word with the question"
    named = ", ".join(word[:_SHOWN] for word in shared[:_SHARED])
    return f"it shares words with the question ({named}), but no lane put it among its best"
