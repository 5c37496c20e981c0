"""What a verb answers while memory cannot be reached: the empty value of its kind, with the reason, and never a success."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any

UNKNOWN = "UNKNOWN"
"""In the place of NO_CONFLICTS or NONE: nobody looked."""

_KINDS: Mapping[str, str] = {
    "query": "recall.answer:Answer", "list": "recall.answer:Answer", "search": "recall.found:Finding", "get": "engine.getting:Got",
    "conflicts": "engine.comparing:Conflicts", "similar": "engine.comparing:Similar", "read": "engine.receipts:Record",
    "history": "model.belief:History", "why": "model.belief:Why", "review": "engine.reviewing:Review",
    "verify": "engine.upkeep:Verification", "add": "engine.commanding:Admission", "revise": "engine.commanding:Admission",
    "update": "engine.commanding:Admission", "retract_source": "engine.commanding:Admission",
    "decide": "engine.commanding:Admission", "ingest": "engine.ingesting:IngestReport", "index": "engine.reading:IndexReport",
}  # fmt: skip


class Nothing:
    """The empty answer of verbs that have no kind of their own for it: false, without an entry, and with the reason."""

    outcome = "refused"
    ok = verified = is_partial = False
    text = ""
    rows = columns = hits = ids = ()

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def __bool__(self) -> bool:
        return False

    def __len__(self) -> int:
        return 0

    def __iter__(self) -> Iterator[Any]:
        return iter(())


def empty(verb: str, reason: str, given: Mapping[str, Any], outcome: str = "refused") -> Any:
    """The empty answer of a verb that was called with these arguments."""
    if verb == "view":
        line = f"-- memory: {reason}\n"
        return line if len(line.encode("utf-8")) <= given.get("budget", 0) else ""
    if verb not in _KINDS:
        return Nothing(reason)
    known = {
        "outcome": outcome, "reason": reason, "answer": UNKNOWN, "receipt": str(given.get("id", "")), "problems": (reason,),
        "confidence": 0.0, "notes": [reason], **given,
    }  # fmt: skip
    return _blank(_kind(_KINDS[verb]), reason, known)


@cache
def _kind(place: str) -> type[Any]:
    """The kind of answer, with room for a reason."""
    module, _, name = place.partition(":")
    kind = getattr(import_module(f"muniment.{module}"), name)
    return type(f"Absent{name}", (kind,), {"__doc__": f"{name} of a memory that cannot be reached: `reason` says why."})


def _blank(kind: type[Any], reason: str, known: Mapping[str, Any]) -> Any:
    made = object.__new__(kind)
    for field in dataclasses.fields(kind):
        object.__setattr__(made, field.name, _value(field, known))
    object.__setattr__(made, "reason", reason)
    return made


def _value(field: dataclasses.Field[Any], known: Mapping[str, Any]) -> Any:
    told = str(field.type)
    if field.name in known and (field.name != "problems" or told.startswith("tuple[str")):
        return known[field.name]
    if field.default is not dataclasses.MISSING:
        return field.default
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    if "None" in told:
        return None
    plain: Mapping[str, Any] = {"str": "", "int": 0, "float": 0.0, "bool": False}
    return plain[told] if told in plain else {} if told.startswith(("dict", "Mapping")) else ()
