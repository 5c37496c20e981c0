"""All verdicts of a store, by what they target: small enough to hold, needed in every settling."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from muniment.engine import drafts
from muniment.engine.drafts import Kept
from muniment.model.fact import Action, Verdict
from muniment.model.settle import Ruling, outranks

_RULINGS: Mapping[str, tuple[str, ...]] = {
    Action.RETRACT: ("retract",),
    Action.CORRECT: ("retract",),
    Action.RESTORE: ("restore", "clear"),
    Action.SUSPECT: ("suspect",),
    Action.CONFIRM: ("clear",),
    Action.SUPERSEDE: ("end",),
}


class VerdictBook:
    """Verdicts by target. A target is a claim or a fact, named by its 16 bytes in hexadecimal."""

    def __init__(self, verdicts: Iterable[Verdict]) -> None:
        self._by_target: dict[str, list[Verdict]] = defaultdict(list)
        self._by_event: dict[bytes, list[Verdict]] = defaultdict(list)
        self._by_witness: dict[bytes, set[bytes]] = defaultdict(set)
        for v in verdicts:
            self.add(v)

    def add(self, verdict: Verdict) -> None:
        """One more."""
        self._by_target[verdict.target].append(verdict)
        uid = drafts.uid_of(verdict)
        if uid is not None:
            self._by_event[uid].append(verdict)
            witness = drafts.witness_of(verdict)
            if witness is not None:
                self._by_witness[witness].add(uid)

    def on(self, target: bytes) -> list[Verdict]:
        """The verdicts on a claim or fact, in the order of time and id."""
        return sorted(self._by_target.get(target.hex(), ()), key=lambda v: (v.at, v.id))

    def speaks_of(self, uid: bytes) -> bool:
        """Does any verdict speak of a fact of this event, or of one that rests on it?"""
        return uid in self._by_event or uid in self._by_witness

    def resting_on(self, uid: bytes) -> frozenset[bytes]:
        """The events of kept facts that this event witnesses, whether it still answers them or not."""
        return frozenset(self._by_witness.get(uid, ()))

    def kept(self, uid: bytes) -> Iterator[Kept]:
        """The facts of an event that verdicts speak of, as the earliest verdict on each has it."""
        seen = set()
        for verdict in sorted(self._by_event.get(uid, ()), key=lambda v: (v.at, v.id)):
            kept = drafts.decode(verdict)
            if kept is not None and kept.fact not in seen:
                seen.add(kept.fact)
                yield kept

    def rulings(self, claim: bytes, value_key: str) -> list[Ruling]:
        """The verdicts on a claim as settling takes them."""
        return [Ruling(v.at, kind, value_key, v.by) for v in self.on(claim) for kind in _RULINGS.get(v.action, ())]

    def is_confirmed(self, target: bytes, known: str | None = None) -> bool:
        """Was it confirmed by a person, and not suspected since?"""
        deciding = [v for v in self._in_force(target, known) if v.action in (Action.CONFIRM, Action.SUSPECT)]
        return bool(deciding) and deciding[-1].action == Action.CONFIRM and deciding[-1].by == "person"

    def occurrence_standing(self, target: bytes, stated: str, known: str | None = None) -> str:
        """The standing of an occurrence: the last verdict decides."""
        last = next((v for v in reversed(self._in_force(target, known)) if v.action in _STANDING), None)
        return _STANDING[Action(last.action)] or stated if last is not None else stated

    def _in_force(self, target: bytes, known: str | None) -> list[Verdict]:
        """The verdicts by then, without those that would overrule one of an authority above theirs."""
        found: list[Verdict] = []
        for v in self.on(target):
            if (known is None or v.at <= known) and (not found or outranks(v.by, found[-1].by)):
                found.append(v)
        return found


_STANDING = {
    Action.RETRACT: "retracted",
    Action.CORRECT: "retracted",
    Action.RESTORE: "",  # as it was said
    Action.CONFIRM: "confirmed",
    Action.SUSPECT: "suspect",
    Action.SUPERSEDE: "superseded",
}
