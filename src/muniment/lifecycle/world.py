"""What a look at evidence asks of the world; the engine answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from muniment.lifecycle.spans import Pair
from muniment.model.address import UNKNOWN


class Look(NamedTuple):
    """What was found: the state, what names that which is there now, where it is if it moved, and why nobody can say."""

    state: str
    now: str = ""
    place: str = ""
    why: str = ""


class CannotLookError(Exception):
    """Nobody can say what is there: the commit is not here, a file cannot be read, a grammar is not installed."""


class World(Protocol):
    """Files, commits, databases, pages and commands, as they are now and as they were."""

    def then(self, commit: str, path: str) -> bytes | None:
        """A file as a commit has it, None if it has none; CannotLookError if the commit is not here."""
        ...

    def now(self, path: str) -> bytes | None:
        """A file as it is, None if there is none; CannotLookError if it cannot be read."""
        ...

    def is_same(self, commit: str, path: str) -> bool:
        """Is the file byte for byte what the commit has?"""
        ...

    def where(self, commit: str, path: str) -> str | None:
        """Where a file of a commit is now: its path, or where it was renamed to; None if it is gone."""
        ...

    def was_gone(self, commit: str, path: str, lines: Sequence[str]) -> bool:
        """Were lines that stand in a file now taken out of it since, and written again later? Then they did not move."""
        ...

    def pair(self, commit: str, path: str, where: str) -> Pair:
        """The lines of a file then, and of the one that it is now."""
        ...

    def holding(self, commit: str, lines: Sequence[str]) -> list[str]:
        """Files that are not as they were then and hold the first of these lines that tells anything."""
        ...

    def defining(self, commit: str, path: str, name: str) -> list[str]:
        """Files that are not as they were then, in the same language, that hold a name."""
        ...

    def table(self, database: str, name: str) -> str | None:
        """The schema of a table as text, None if there is none; CannotLookError if nobody can look."""
        ...

    def url(self, url: str) -> bytes | None:
        """What a page of the web says, None if it is gone; CannotLookError where the network is not allowed or fails."""
        ...

    def ticket(self, tracker: str, name: str) -> str | None:
        """The state of a ticket, None if there is none; CannotLookError if nobody can look."""
        ...

    def command(self, name: str) -> tuple[int, bytes]:
        """The exit and the output of a declared command; CannotLookError if none of that name is declared."""
        ...

    def page(self, uuid: str) -> str | None:
        """The version of a page of ours, None if there is none."""
        ...


def unknown(why: str) -> Look:
    """Nobody can say."""
    return Look(UNKNOWN, why=why)
