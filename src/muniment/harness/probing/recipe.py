"""The words of a recipe: what one harness needs to be probed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Files = Mapping[str, Any]
"""Path -> content. `~/` is the probe's home, anything else its project; text as it stands, other values as JSON."""


@dataclass(frozen=True, slots=True)
class Package:
    """Where the program comes from. `program` is its path under what was installed; `node` the oldest Node that runs it,
    `python` the Python; `beside` are packages that have to lie beside it."""

    registry: str
    name: str
    version: str
    program: str
    node: int | None = None
    python: str | None = None
    beside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Setting:
    """What a recipe is filled with: the place, the stub's address, and what is to be registered.

    `hooks` has a command line for each event that is to be marked, and `mark` is the head of what marks say; `server`
    starts our tool server, `ours` is the hook of ours for each event and `wake` the text of our view: all empty where
    `muniment init` sees to them.
    """

    home: Path
    project: Path
    url: str
    mark: str
    hooks: Mapping[str, Sequence[str]]
    ours: Mapping[str, Sequence[str]] = field(default_factory=dict)
    server: Sequence[str] = ()
    wake: str = ""

    def commands(self, event: str) -> list[Sequence[str]]:
        """Every command line for an event, ours last: of several answers some harnesses keep the last."""
        return [given[event] for given in (self.hooks, self.ours) if event in given]

    @property
    def events(self) -> list[str]:
        """Every event that something is registered for."""
        return list(dict.fromkeys((*self.ours, *self.hooks)))


TOOLS, RESUMED, COMPACTED, BEHIND = "tools", "resumed", "compacted", "behind"
"""The turns of a probe: our tools are called; the session goes on; its context is full; one more."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One run of the harness: what it is asked, and whether it goes on with the last session."""

    name: str
    prompt: str
    goes_on: bool = False


Given = Callable[[Setting], Files]
Variables = Callable[[Setting], Mapping[str, str]]
Arguments = Callable[[Setting, Turn], Sequence[str]]


def straight(name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """A call of one of our tools, as most harnesses offer them: by a name that ends in ours."""
    return {"tool": f"{name}$", "args": arguments}


@dataclass(frozen=True, slots=True)
class Recipe:
    """One harness.

    `marked` are the events that the marking hook is registered for and `shape` the form of its answer; `points` are the
    marks that were seen in a request, as event or event-source, and `rules` the files whose text was. `ours` are the events
    of our own hook, `names_event` where it is told the event as an argument, `gives` the moments at which it is to give the
    view (`trusted`: in the last turn, whose command line does not override what the person trusts). `claims` is the size of
    context that makes the harness compact by itself (`claims_last`: told with the words that end a turn), `compacts` the
    prompt that asks for it; neither where it cannot be asked. `summary` is found in the request for the summary and in no
    other. `calls` is how the model calls a tool of ours. `note` is what a reader of the results has to know.
    """

    harness: str
    title: str
    package: Package
    files: Given
    variables: Variables
    arguments: Arguments
    marked: tuple[str, ...] = ()
    shape: str = "nested"
    points: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    ours: tuple[str, ...] = ()
    names_event: bool = False
    gives: tuple[str, ...] = ()
    claims: int = 0
    claims_last: bool = False
    compacts: str = ""
    summary: str = ""
    has_tools: bool = True
    calls: Callable[[str, Mapping[str, Any]], Mapping[str, Any]] = straight
    task: Mapping[str, Any] | None = None
    port: int | None = None
    seconds: int = 90
    note: str = ""
