"""All harnesses that can be set up, and those that are on a machine."""

from __future__ import annotations

from collections.abc import Iterable

from muniment.errors import NotFoundError, UsageError
from muniment.harness.contract import Found, Harness, Machine, look
from muniment.harness.filed import FILED
from muniment.harness.hooked import HOOKED
from muniment.harness.plugged import PLUGGED

HARNESSES: dict[str, Harness] = {each.name: each for each in (*HOOKED, *PLUGGED, *FILED)}


def named(names: Iterable[str]) -> list[Harness]:
    """Those harnesses, in the order of the table. UsageError for a name that is none."""
    wanted = set(names)
    for name in sorted(wanted):
        if name not in HARNESSES:
            raise UsageError(f"unknown harness {name!r}", hint=f"harnesses: {', '.join(HARNESSES)}", about=name)
    return [each for each in HARNESSES.values() if each.name in wanted]


def detect(machine: Machine, names: Iterable[str] = ()) -> list[Found]:
    """The harnesses that are to be set up: those named, else those that show on the machine.

    NotFoundError where none is named and none shows.
    """
    if chosen := named(names):
        return [look(each, machine) or Found(each) for each in chosen]
    found = [there for each in HARNESSES.values() if (there := look(each, machine)) is not None]
    if not found:
        hint = "name one that is not installed yet: muniment init --harness NAME"
        raise NotFoundError("no harness was found on this machine", hint=hint, about="init")
    return found
