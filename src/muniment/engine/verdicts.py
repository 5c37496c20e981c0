"""All verdicts of a store, by what they target: small enough to hold, needed in every settling."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from muniment.model.fact import Action, Verdict
from muniment.model.settle import Ruling

_RULING = {Action.RETRACT: "retract", Action.RESTORE: "restore", Action.CORRECT: "retract", Action.SUPERSEDE: "end"}


class VerdictBook:
    """Verdicts by target. A target is a claim or a fact, named by its 16 bytes in hexadecimal."""

    def __init__(self, verdicts: Iterable[Verdict]) -> None:
        self._by_target: dict[str, list[Verdict]] = defaultdict(list)
        self._named: set[str] = set()
        for v in verdicts:
            self.add(v)

    def add(self, verdict: Verdict) -> None:
        """One more."""
        self._by_target[verdict.target].append(verdict)
        self._named.update(w for w in (verdict.target, *verdict.value.split()) if w)

    def on(self, target: bytes) -> list[Verdict]:
        """The verdicts on a claim or fact, in the order of time and id."""
        return sorted(self._by_target.get(target.hex(), ()), key=lambda v: (v.at, v.id))

    def names(self, id_: bytes) -> bool:
        """Does any verdict name this fact?"""
        return id_.hex() in self._named

    def rulings(self, claim: bytes, value_key: str) -> list[Ruling]:
        """The verdicts on a claim as settling takes them."""
        found = []
        for v in self.on(claim):
            if v.action in _RULING:
                found.append(Ruling(v.at, _RULING[Action(v.action)], value_key, v.by))
            elif v.action in (Action.SUSPECT, Action.CONFIRM):
                found.append(Ruling(v.at, "suspect" if v.action == Action.SUSPECT else "clear", value_key, v.by))
        return found

    def is_confirmed(self, target: bytes, known: str | None = None) -> bool:
        """Was it confirmed by a person, and not suspected since?"""
        deciding = (v for v in self.on(target) if v.action in (Action.CONFIRM, Action.SUSPECT))
        last = [v for v in deciding if known is None or v.at <= known]
        return bool(last) and last[-1].action == Action.CONFIRM and last[-1].by == "person"

    def occurrence_standing(self, target: bytes, stated: str, known: str | None = None) -> str:
        """The standing of an occurrence: the last verdict decides."""
        standing = stated
        for v in self.on(target):
            if known is not None and v.at > known:
                break
            standing = _STANDING.get(v.action, standing)
        return standing


_STANDING = {
    Action.RETRACT: "retracted",
    Action.CORRECT: "retracted",
    Action.RESTORE: "confirmed",
    Action.CONFIRM: "confirmed",
    Action.SUSPECT: "suspect",
    Action.SUPERSEDE: "superseded",
}
