"""The closed, versioned vocabulary: which predicates exist and how each behaves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from muniment.errors import UsageError

VERSION = 1


@dataclass(frozen=True, slots=True)
class Predicate:
    """One verb. `single`: one value per (subject, topic) holds at a time; `topic_single`: only where a topic is given."""

    name: str
    type: str
    state: bool = False
    single: bool = False
    topic_single: bool = False
    by: str = "any"
    world: bool = False
    subjects: tuple[str, ...] = ()
    object_kind: str | None = None
    """Entity kind of the value, or None for a literal."""
    means: str = ""

    def is_single(self, topic: str) -> bool:
        """Does one value hold at a time under this topic?"""
        return self.single or (self.topic_single and bool(topic))


def _occurrence(name: str, type_: str, by: str, subject: str, object_kind: str | None, means: str) -> Predicate:
    return Predicate(name, type_, by=by, subjects=tuple(subject.split()), object_kind=object_kind, means=means)


def _state(name: str, values: str, subject: str, object_kind: str | None, means: str, **more: object) -> Predicate:
    fields: dict[str, object] = {"type": "fact", "by": "any", "world": False, **more}
    return Predicate(
        name,
        state=True,
        single=values in ("one", "one per topic"),
        topic_single=values == "topic",
        subjects=tuple(subject.split()),
        object_kind=object_kind,
        means=means,
        **fields,  # type: ignore[arg-type]
    )


_ANY = "person project team session agent path tool host repo machine org page topic"

_TABLE = (
    _occurrence("touched", "event", "tool", "session", "path", "wrote the file"),
    _occurrence("read", "event", "tool", "session", "path", "read the file"),
    _occurrence("predicted_write", "event", "agent", "session", "path", "a write was asked for and no result seen yet"),
    _occurrence("ran", "event", "tool", "session", None, "ran a command"),
    _occurrence("passed", "event", "tool", "session", None, "a recognised test run and its counts"),
    _occurrence("committed", "event", "tool", "session", "commit", "made a commit"),
    _occurrence("moved_by", "event", "tool", "path", None, "was renamed or moved"),
    _occurrence("sent", "event", "agent", "agent session", None, "a message to another agent or a person"),
    _occurrence("claimed", "event", "agent", "agent session", None, "took ownership of work"),
    _occurrence("asserted", "event", "model", "agent session", None, "a factual claim of the assistant"),
    _occurrence("asked", "question", "any", "person agent session", None, "asked something"),
    _occurrence("answered", "question", "any", "person agent session", None, "answered it"),
    _occurrence("promised", "promise", "any", "person agent session", None, "undertook to do something"),
    _occurrence("decided", "decision", "any", "session project person", None, "the option taken"),
    _occurrence("rejected", "decision", "any", "session project person", None, "the option turned down"),
    _occurrence("because", "decision", "any", "decision session project", None, "the reason of a decision"),
    _occurrence("corrected", "event", "person", "person", None, "what was wrong and what is right"),
    _state("named", "one", "person machine", None, "is called"),
    _state("located_in", "one", "person machine", None, "is in a place"),
    _state("speaks", "one", "person machine", None, "speaks a language"),
    _state("is", "one per topic", _ANY, None, "has the attribute that the topic names"),
    _state("member_of", "one per topic", "person team", None, "belongs to"),
    _state("uses", "topic", "project person team", None, "uses a tool", world=True),
    _state("version_of", "one", "tool project", None, "has the version", world=True),
    _state("runs_on", "many", "project team", None, "runs on a host"),
    _state("depends_on", "many", "project team", None, "depends on"),
    _state("owns", "many", "project team person", None, "owns"),
    _state("requires", "many", "project", None, "constraint or rule of the project"),
    _state("targets", "one per topic", "project", None, "deadline or goal"),
    _state("building", "many", "person project", None, "is building"),
    _state("migrating", "many", "person project", None, "is migrating"),
    _state("prefers", "topic", "person project", None, "prefers", type="preference", by="person"),
    _state("avoids", "topic", "person project", None, "avoids", type="preference", by="person"),
    _state("practises", "many", "person team", None, "works this way", type="procedure"),
    _state("noted", "many", _ANY, None, "free text"),
    _state("generalises", "many", "person project", None, "a pattern of three or more", type="pattern"),
    _occurrence("ingested", "ingested", "import", "page path", None, "text taken in from a source"),
)

VOCABULARY: Mapping[str, Predicate] = {p.name: p for p in _TABLE}

TYPES = ("event", "question", "promise", "decision", "fact", "preference", "procedure", "pattern", "ingested")

DEFAULT_PREDICATE: Mapping[str, str] = {
    "fact": "noted",
    "preference": "prefers",
    "procedure": "practises",
    "pattern": "generalises",
    "ingested": "ingested",
    "decision": "decided",
}
"""The predicate of `add TYPE` when none is given."""

OPPOSITE: Mapping[str, str] = {"prefers": "avoids", "avoids": "prefers"}
"""Separate keys, but the same value under both is a conflict."""
ENDED_BY: Mapping[str, tuple[str, ...]] = {"prefers": ("avoids",), "avoids": ("prefers", "uses"), "uses": ("avoids",)}
"""What a later statement of the same value ends: who no longer uses a tool avoids it, whatever it is for."""


def predicate(name: str) -> Predicate:
    """The predicate of that name; an unknown one is refused by name."""
    found = VOCABULARY.get(name)
    if found is None:
        raise UsageError(
            f"unknown predicate {name!r}", hint="known predicates: " + ", ".join(sorted(VOCABULARY)), about=name
        )
    return found


def predicates_of(type_: str) -> tuple[str, ...]:
    """The predicates of one type, in the order of the table."""
    return tuple(p.name for p in _TABLE if p.type == type_)
