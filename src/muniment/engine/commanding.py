"""A command of ours as an event, and what became of it: every write that somebody asks for goes through here."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from muniment.archive import parts
from muniment.capture.extract import own
from muniment.engine.archiving import Archiving, Archivist
from muniment.engine.core import Caller, Engine
from muniment.engine.derive import kept_by_verdict
from muniment.engine.extraction import OWN_HARNESS
from muniment.errors import MunimentError, RefusedError
from muniment.gate.admission import claim_id, fact_id
from muniment.gate.intake import name, prepare
from muniment.model.entity import Entity
from muniment.model.event import Action as CallAction
from muniment.model.event import Argument, Call, Event, Kind, Origin, Role, SessionInfo, Span, TextBuilder
from muniment.model.fact import Action, Verdict
from muniment.model.ids import hash128, show
from muniment.model.ports import Store
from muniment.model.stored import Prepared, StoredFact

if TYPE_CHECKING:
    from muniment.engine.comparing import Pair

_ROLE = {Origin.PERSON: Role.USER, Origin.IMPORT: Role.USER, Origin.TOOL: Role.TOOL}
"""Everybody else speaks as an assistant does: what a page or an agent says of a run is not the run."""


@dataclass(frozen=True, slots=True)
class Admission:
    """What became of a write: the outcome, the ids it made or changed, and what it met."""

    outcome: str
    ids: tuple[str, ...] = ()
    superseded: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    receipt: str = ""
    reason: str = ""
    warnings: tuple[str, ...] = field(default=())
    pairs: tuple[Pair, ...] = ()
    """What stands against it and was left as it is; the writer decides."""
    proposed: str = ""
    """The proposal that it gave rise to."""


class Effect(Protocol):
    """What a command must have done: asked inside its transaction, which an error undoes."""

    def demand(self, store: Store) -> None:
        """NothingChangedError if it is not so."""
        ...


def event(
    caller: Caller, place: tuple[str, int, str], at: str, command: str,
    given: Sequence[tuple[str, Mapping[str, str | None]]], *, note: str = "", tool: str = own.TOOL,
) -> Prepared:  # fmt: skip
    """A command as an event that has passed the first half of the gate. `place` is (session, seq, native id); each of the
    `given` is (content, words); where there are words they state it."""
    builder = TextBuilder()
    args: list[dict[str, Argument]] = [{"content": builder.add(content)} for content, _ in given]
    builder.add(command)
    for each, (_, words) in zip(args, given, strict=True):
        each.update({k: builder.add(v) for k, v in words.items() if v is not None})
    if note:
        args[0]["note"] = builder.add(note)
    calls = tuple(Call("", tool, CallAction.OTHER, a) for a, (_, words) in zip(args, given, strict=True) if words)
    said = [{"content": content, **words} for content, words in given]
    one = said[0] if len(said) == 1 else {"said": said}
    raw = json.dumps({"command": command, **one, "note": note}, ensure_ascii=False)
    made = Event(
        place[0], place[1], _ROLE.get(caller.origin, Role.ASSISTANT), caller.origin, Kind.COMMAND, builder.text,
        raw.encode("utf-8", "surrogatepass"), at, native_id=place[2], calls=calls,
    )  # fmt: skip
    return prepare(made, OWN_HARNESS, parts.encode, caller.vouched)


class Command:
    """One command of ours as an event, and the facts and verdicts that rest on it."""

    def __init__(
        self,
        engine: Engine,
        caller: Caller,
        command: str,
        content: str,
        words: Mapping[str, str | None],
        note: str = "",
        tool: str = own.TOOL,
    ) -> None:
        self._engine = engine
        self._caller = caller
        self.at = engine.now()
        self._session = f"{caller.door}-{engine.settings.new_name().lower()}"
        place = (self._session, 0, self._session)
        self.event = event(caller, place, self.at, command, [(content, words)], note=note, tool=tool)

    @property
    def receipt(self) -> str:
        """Where the command stands."""
        return f"{self._session}:0"

    def fact_id(self) -> bytes:
        """The id that the stated fact will have."""
        event = self.event
        call = event.calls[0]
        span = call.args["content"]
        assert isinstance(span, Span)
        words = {k: event.text[v.start : v.end] for k, v in call.args.items() if isinstance(v, Span)}
        subject = Entity(words["subject_kind"], words["subject"])
        return fact_id(event.uid, span, words["predicate"], subject, words.get("topic", ""), words["content"], own.name)

    def verdict(
        self, action: Action, target: StoredFact, about: Sequence[bytes], reason: str,
        amends: tuple[str, str] | None = None, part: bool = False,
    ) -> Verdict:  # fmt: skip
        """A verdict with this command as its receipt; on the claim of a fact, or on the fact alone where it amends that.

        `amends` is the (field, value) that it changes; with `part` it speaks of the facts in `about` and of no others.
        """
        row = target.row
        claim = claim_id(row).hex()
        draft = kept_by_verdict(self._engine.store(), target)
        kind = "part" if part else "claim" if row.key else "fact"
        on = claim
        if action == Action.AMEND:
            kind, on = "fact", row.id.hex()
            draft["claim"] = claim
        if amends is not None:
            draft["amends"] = list(map(name, amends))
        return self.decision(action, (kind, on), about, reason, draft)

    def decision(
        self, action: Action, target: tuple[str, str], about: Sequence[bytes], reason: str, draft: Mapping[str, Any]
    ) -> Verdict:  # fmt: skip
        """A verdict on anything that has a name: (kind, name in hexadecimal)."""
        kind, on = target
        return Verdict(
            hash128("verdict", action, on, self.event.uid), action.value, kind, on, " ".join(i.hex() for i in about),
            name(reason), self.event.uid, self.at, str(self._caller.origin),
            json.dumps(draft, ensure_ascii=False, sort_keys=True),
        )  # fmt: skip

    def state(self, verdicts: Sequence[Verdict] = (), effect: Effect | None = None) -> Admission:
        """`write`, and what became of the statement: looked up before the commit, so that an error means nothing is stored."""
        found: list[Admission] = []
        self.write(verdicts, effect, lambda done: found.append(_admission(self._engine, self, done)))
        return found[0]

    def write(
        self,
        verdicts: Sequence[Verdict] = (),
        effect: Effect | None = None,
        then: Callable[[Archiving], None] | None = None,
        *,
        only_proposes: bool = False,
    ) -> Archiving:
        """Archive the command, derive and decide, in one durable transaction; `then` is its last part."""
        store = self._engine.store(create=True)
        info = SessionInfo(
            self._session, OWN_HARNESS, cwd=name(self._engine.workspace.root), started_at=self.at, ended_at=self.at
        )
        sessions = {self._session: (info, info.cwd)}

        def also(done: Archiving) -> None:
            if not only_proposes:
                _unless_refused(done)
            if effect is not None:
                effect.demand(store)
            if then is not None:
                then(done)

        given = [*verdicts, *self._granted()]
        return Archivist(store).write(sessions, [self.event], durable=True, verdicts=given, also=also)

    def _granted(self) -> list[Verdict]:
        """That the proposal is accepted which asked for this command."""
        group = self._caller.grants
        if group is None:
            return []
        return [self.decision(Action.ACCEPT, ("proposal", group.hex()), [], "", {})]


def _unless_refused(done: Archiving) -> None:
    """Runs before the commit: what the gate refuses leaves nothing behind."""
    for reason in done.derived.refused:
        raise RefusedError(f"refused: {reason}", hint="nothing was written")


def _admission(engine: Engine, command: Command, done: Archiving) -> Admission:
    store = engine.store()
    ids = tuple(done.derived.stored)
    facts = store.facts.facts(ids)
    if not facts:
        raise MunimentError(
            "no fact came of the statement; nothing was stored", hint="please report this", about=command.receipt
        )
    superseded, conflicts = [], []
    for fact, other, relation in (link for i in ids for link in store.facts.links(i)):
        if relation == "supersedes" and fact in ids:
            superseded.append(show(other))
        elif relation == "contradicts" and fact in ids:
            conflicts.append(show(other))
        elif relation == "supports" and fact in ids:
            return Admission(
                "strengthened", (show(fact),), receipt=command.receipt, reason=f"says again what {show(other)} says"
            )
    outcome = "contradicts" if conflicts else "superseded" if superseded else "stored"
    receipt = f"{facts[0].session}:{facts[0].seq}@{facts[0].row.span_start}-{facts[0].row.span_end}"
    return Admission(outcome, tuple(show(i) for i in ids), tuple(superseded), tuple(conflicts), receipt)
