"""A rule as a line of an instruction file, and what the file asks of the memory about its lines."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Protocol


class Rule(NamedTuple):
    """One line: the fact's id, as much of it as the line shows, and the words."""

    id: str
    short: str
    text: str


class Hand(NamedTuple):
    """A line that somebody wrote: the proposal that it became, and the last word on it (open, accepted, declined)."""

    text: str
    proposal: str
    state: str


class Ruling(Protocol):
    """The memory, as far as a rules file asks it."""

    @property
    def home(self) -> str:
        """The home folder."""
        ...

    @property
    def workspace(self) -> str:
        """The id of the workspace."""
        ...

    @property
    def root(self) -> str:
        """The top folder of its work tree."""
        ...

    def rules(self) -> list[Rule]:
        """What holds now and rests on a person's word, in the order of a file."""
        ...

    def known(self, short: str) -> Rule | None:
        """The rule that a line's id names, whether it holds or not; None where no fact has it any more."""
        ...

    def successor(self, id_: str, holding: Iterable[Rule]) -> Rule | None:
        """What holds in the place of a rule that does not any more."""
        ...

    def hand(self, file: str, line: int, text: str, *, makes: bool = True) -> Hand:
        """A line that somebody wrote into the section, as a proposal; with `makes` it is made if it is not there yet."""
        ...

    def whole(self, id_: str) -> str:
        """The whole id of a fact."""
        ...
