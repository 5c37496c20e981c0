"""A law's check, and wrong versions of the product that the check has to notice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import pytest
from tests.support import Clock

from muniment.engine.asking import query
from muniment.engine.core import Engine
from muniment.errors import MunimentError

LARGE = 1_000_000


@dataclass(frozen=True)
class World:
    """What a check needs: engines over fresh folders, and their clock."""

    make: Callable[..., Engine]
    clock: Clock

    def engine(self, name: str = "project", **settings: object) -> Engine:
        """An engine; one name is one workspace, a second engine of a name is a second process."""
        return self.make(name, **settings)


Check = Callable[[World], None]
Mutate = Callable[[pytest.MonkeyPatch], None]


class Mutant(NamedTuple):
    """A small wrong change of the product, and the check that must fail under it."""

    check: Check
    mutate: Mutate


Mutants = Mapping[str, Mutant]


def rejects(check: Callable[[], None], mutate: Mutate) -> bool:
    """Does the check fail by an assertion while the mutant is in place? Any other error is the mutant's own fault."""
    with pytest.MonkeyPatch.context() as patch:
        mutate(patch)
        try:
            check()
        except AssertionError:
            return True
    return False


def replaced(target: object, name: str, wrong: object) -> Mutate:
    """The mutant that puts `wrong` in the place of `target.name`."""
    return lambda patch: patch.setattr(target, name, wrong)


def refused(act: Callable[[], object]) -> str:
    """The code of the error with which a call is refused; empty if it is not refused."""
    try:
        act()
    except MunimentError as error:
        return error.code
    return ""


def ids(engine: Engine, selector: str = "", **more: str) -> list[str]:
    """Ids of all rows of an answer."""
    return [hit.id for hit in query(engine, selector, LARGE, **more)]


def texts(engine: Engine, selector: str = "", **more: str) -> list[str]:
    """Values of all rows of an answer."""
    return [hit.text for hit in query(engine, selector, LARGE, **more)]
