"""All verdicts of a store, by what they target: small enough to hold, needed in every settling."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from muniment.engine import drafts
from muniment.engine.drafts import Kept
from muniment.gate.admission import claim_id
from muniment.model.fact import Action, Verdict
from muniment.model.settle import Ruling, outranks
from muniment.model.stored import FactRow

_RULINGS: Mapping[str, tuple[str, ...]] = {
    Action.RETRACT: ("retract",),
    Action.CORRECT: ("retract",),
    Action.RESTORE: ("restore", "clear"),
    Action.SUSPECT: ("suspect",),
    Action.CONFIRM: ("clear",),
    Action.SUPERSEDE: ("end",),
}


class VerdictBook:
    """Verdicts by target. A target is a claim or a fact, named by its 16 bytes in hexadecimal; a proposal; a command.

    What a command decided that was undone by `known` (None: ever) is left out.
    """

    def __init__(self, verdicts: Iterable[Verdict], known: str | None = None) -> None:
        self._by_target: dict[str, list[Verdict]] = defaultdict(list)
        self._by_event: dict[bytes, list[Verdict]] = defaultdict(list)
        self._by_witness: dict[bytes, set[bytes]] = defaultdict(set)
        self._claims: dict[bytes, list[bytes]] = defaultdict(list)
        self._moved: dict[str, set[bytes]] = defaultdict(set)
        self._narrowed: dict[str, set[bytes]] = defaultdict(set)
        self._narrowing: dict[bytes, set[bytes]] = defaultdict(set)
        self._voided: list[Verdict] = []
        self._undone: dict[str, list[Verdict]] = defaultdict(list)
        self._actions: set[str] = set()
        given = list(verdicts)
        undone = {v.target: v for v in given if v.action == Action.UNDO and (known is None or v.at <= known)}
        for v in given:
            undo = undone.get(v.uid.hex()) if undone else None
            if undo is not None and outranks(undo.by, v.by):
                self._voided.append(v)
                self._undone[v.target] += [v, undo]
            else:
                self._add(v)

    def _add(self, verdict: Verdict) -> None:
        self._by_target[verdict.target].append(verdict)
        self._actions.add(verdict.action)
        if verdict.action == Action.AMEND:
            self._note_move(verdict)
        if verdict.action == Action.NARROW and (wide := drafts.fact_of(verdict)) is not None:
            for narrow in verdict.value.split():
                self._narrowed[narrow].add(wide)
                self._narrowing[wide].add(bytes.fromhex(narrow))
        uid = drafts.uid_of(verdict)
        if uid is not None:
            self._by_event[uid].append(verdict)
            witness = drafts.witness_of(verdict)
            if witness is not None:
                self._by_witness[witness].add(uid)

    def _note_move(self, verdict: Verdict) -> None:
        """A fact that was given another topic keeps what was decided about the claim that it was."""
        claim, uid = drafts.claim_of(verdict), drafts.uid_of(verdict)
        if claim is not None:
            self._claims[bytes.fromhex(verdict.target)].append(claim)
            self._moved[claim.hex()].update([uid] if uid is not None else [])

    def has(self, action: Action) -> bool:
        """Does any verdict in force do this?"""
        return action in self._actions

    def voided(self, by: Iterable[Verdict]) -> list[Verdict]:
        """The verdicts that these undid."""
        targets = {v.target for v in by if v.action == Action.UNDO}
        return [v for v in self._voided if v.uid.hex() in targets]

    def told_of(self, target: bytes) -> list[Verdict]:
        """Every verdict on a claim or fact for who reads its life: with those that were undone, and what undid them."""
        return [*self.on(target), *self._undone.get(target.hex(), ())]

    def in_force(self, verdicts: Iterable[Verdict]) -> list[Verdict]:
        """Those of them that were not undone."""
        gone = {v.id for v in self._voided}
        return [v for v in verdicts if v.id not in gone]

    def moved_from(self, target: str) -> frozenset[bytes]:
        """The events of facts that made this claim under another topic."""
        return frozenset(self._moved.get(target, ()))

    def claims(self, row: FactRow) -> tuple[bytes, ...]:
        """The claim that a fact makes, and those that it made before its topic was amended."""
        return (
            tuple(dict.fromkeys((claim_id(row), *self._claims.get(row.id, ())))) if self._claims else (claim_id(row),)
        )

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
        seen, listed = set(), sorted(self._by_event.get(uid, ()), key=lambda v: (v.at, v.id))
        accepted = {v.value for v in listed if v.action == Action.ACCEPT and v.by == "person"}
        for verdict in listed:
            kept = drafts.decode(verdict)
            if kept is not None and kept.fact not in seen:
                seen.add(kept.fact)
                yield kept._replace(is_accepted=kept.fact.hex() in accepted)

    def rulings(self, claim: bytes, value_key: str) -> list[Ruling]:
        """The verdicts on a claim as settling takes them."""
        return [
            Ruling(v.at, kind, value_key, v.by, _refs(v)) for v in self.on(claim) for kind in _RULINGS.get(v.action, ())
        ]

    def is_confirmed(self, target: bytes, known: str | None = None) -> bool:
        """Was it confirmed by a person, and not doubted since?"""
        deciding = [v for v in self._in_force(target, known) if v.action in _CONFIRMING]
        return bool(deciding) and deciding[-1].action == Action.CONFIRM and deciding[-1].by == "person"

    def is_pinned(self, row: FactRow) -> bool:
        """Is it to stand first in every view? Only a person says so."""
        if Action.PIN not in self._actions:
            return False
        pins = [v for c in self.claims(row) for v in self.on(c) if v.action in _PINS and v.by == "person"]
        return bool(pins) and max(pins, key=lambda v: (v.at, v.id)).action == Action.PIN

    def unsure_since(self, row: FactRow, known: str | None = None) -> str:
        """When it was last said that a claim is less sure than it looked, by who may say so of this fact; empty if never."""
        if Action.UNSURE not in self._actions:
            return ""
        said = [v for c in self.claims(row) for v in self.on(c) if v.action == Action.UNSURE]
        return max((v.at for v in said if (known is None or v.at <= known) and outranks(v.by, row.origin)), default="")

    def is_narrowed(self, row: FactRow, known: str | None = None) -> bool:
        """Was it said to hold in a narrower scope than its words, by who may say so of it?"""
        if Action.NARROW not in self._actions:
            return False
        said = (v for c in self.claims(row) for v in self.on(c) if v.action == Action.NARROW)
        return any(
            row.observed_at <= v.at and (known is None or v.at <= known) and outranks(v.by, row.origin) for v in said
        )

    def narrowed_by(self, fact: bytes) -> list[bytes]:
        """The facts whose scope this one narrows."""
        return sorted(self._narrowed.get(fact.hex(), ()))

    def narrowing(self, fact: bytes) -> frozenset[bytes]:
        """The facts that narrow this one."""
        return frozenset(self._narrowing.get(fact, ()))

    def decided(self, group: bytes) -> Verdict | None:
        """The last word on a proposal: accepted or declined, and not undone."""
        return next((v for v in reversed(self.on(group)) if v.by == "person"), None)

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


_CONFIRMING = (Action.CONFIRM, Action.SUSPECT, Action.UNSURE)
_PINS = (Action.PIN, Action.UNPIN)
PART = "part"
"""The kind of target of a verdict that speaks of some facts of a claim alone: those that its value names."""


def _refs(v: Verdict) -> frozenset[bytes]:
    return frozenset(map(bytes.fromhex, v.value.split())) if v.target_kind == PART else frozenset()


_STANDING = {
    Action.RETRACT: "retracted",
    Action.CORRECT: "retracted",
    Action.RESTORE: "",  # as it was said
    Action.CONFIRM: "confirmed",
    Action.SUSPECT: "suspect",
    Action.SUPERSEDE: "superseded",
    Action.UNSURE: "hypothesis",
}
