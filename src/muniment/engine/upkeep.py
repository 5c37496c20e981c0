"""The verbs that prove a store: `digest` names what it holds, `verify` checks all of it and can replay what is derived.

`doctor`, which looks around, is in `health` and offered here too.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from itertools import islice

from muniment.engine.checking import DERIVED, FILE, MOST, PRIMARY, Checks, Problem
from muniment.engine.core import Engine
from muniment.engine.health import Doctor, HarnessHealth, Light, MethodHealth, doctor
from muniment.engine.rebuilding import differences, replay
from muniment.errors import MunimentError, StoreError
from muniment.model.ids import hash_rows
from muniment.model.ports import Store

__all__ = [
    "Doctor",
    "HarnessHealth",
    "Light",
    "MethodHealth",
    "Problem",
    "Progress",
    "Verification",
    "digest",
    "doctor",
    "verify",
]

Progress = Callable[[int, int, str], None]
"""Called with (steps done, steps in all, what is being done)."""


@dataclass(frozen=True, slots=True)
class Verification:
    """What `verify` found.

    `ok`: nothing is wrong with the store as it is left; what a rebuild mended is listed as `repaired`. `digest` is that
    of the store as it was found (empty if it cannot be read), `rebuilt_digest` that of what its primary rows give.
    """

    ok: bool
    digest: str
    problems: tuple[Problem, ...] = ()
    counts: dict[str, int] = field(default_factory=dict)
    rebuilt_digest: str | None = None


class _Undo(Exception):
    """Leaves the transaction of a rebuild so that nothing of it stays; carries the result out."""

    def __init__(self, result: Verification) -> None:
        super().__init__()
        self.result = result


def digest(engine: Engine) -> str:
    """A hash over events, verdicts and what was drawn from them: equal wherever the same set was seen, in any order."""
    store = engine.store()
    with store.reading():
        return hash_rows(store.transfer.digest_rows())


def verify(engine: Engine, *, rebuild: bool = False, progress: Progress | None = None) -> Verification:
    """Check everything; with `rebuild` also replay all that is derived, in one transaction, and compare.

    The primary rows decide. Where they are damaged nothing is replayed. Where they are sound, what was replayed is
    kept, and every difference to what was stored is reported as repaired: a second rebuild finds none. Should two
    replays of the same rows, in opposite orders, not agree, then the program is at fault and the store is left as it
    was.
    """
    try:
        store = engine.store()
        return _rebuilt(store, progress) if rebuild else _checked(store, progress)
    except StoreError as error:
        return Verification(False, "", (Problem(FILE, error.about, error.message),))


def _checked(store: Store, progress: Progress | None) -> Verification:
    with store.reading():
        store.begin_batch()
        checks = Checks(store, _steps(progress))
        problems = (*checks.primary(), *checks.derived())
        return Verification(not problems, _digest(store), problems, _counts(store))


def _rebuilt(store: Store, progress: Progress | None) -> Verification:
    try:
        with store.writing():
            return _replayed(store, progress)
    except _Undo as undo:
        return undo.result


def _replayed(store: Store, progress: Progress | None) -> Verification:
    store.begin_batch()
    checks = Checks(store, _steps(progress))
    damage, problems = checks.primary(), checks.derived()
    before = _digest(store)
    if damage:
        reason = Problem(PRIMARY, "rebuild", "nothing was replayed, since what it would be drawn from is damaged")
        raise _Undo(Verification(False, before, (*damage, *problems, reason), _counts(store)))
    after = _replay(store, progress)
    if after != before:
        problems += _differing(store)
        _prove(store, before, after, problems, progress)
    left = checks.derived() if problems else []
    if left:
        raise _Undo(Verification(False, before, (*problems, *left), _counts(store), after))
    return Verification(True, before, tuple(p._replace(repaired=True) for p in problems), _counts(store), after)


def _replay(store: Store, progress: Progress | None, *, backwards: bool = False) -> str:
    replay(store, progress or (lambda *_: None), backwards=backwards)
    return hash_rows(store.transfer.digest_rows())


def _prove(store: Store, before: str, after: str, problems: list[Problem], progress: Progress | None) -> None:
    """What differs from the stored rows must at least not depend on the order of work."""
    again = _replay(store, progress, backwards=True)
    if again != after:
        fault = Problem(
            DERIVED, "rebuild", "two replays do not agree; the store was left as it was: please report this"
        )
        raise _Undo(Verification(False, before, (*problems, fault), _counts(store), after))


def _differing(store: Store) -> list[Problem]:
    """The first rows that differ from those of before, which a second reader still sees."""
    try:
        with (
            closing(store.second()) as old,
            old.reading(),
        ):
            return [Problem(DERIVED, about, text) for about, text in islice(differences(old, store), MOST)]
    except (MunimentError, ValueError, TypeError) as error:
        return [Problem(DERIVED, "rebuild", f"the digest differs; the rows cannot be told: {error}")]


def _digest(store: Store) -> str:
    """The digest, or nothing where damage makes it unreadable: then the checks have said so."""
    try:
        return hash_rows(store.transfer.digest_rows())
    except (MunimentError, ValueError, TypeError):
        return ""


def _counts(store: Store) -> dict[str, int]:
    try:
        return store.transfer.counts()
    except MunimentError:
        return {}


def _steps(progress: Progress | None) -> Callable[[str], None]:
    """Checks tell only their names; which is enough to see that something is going on."""
    return (lambda name: progress(0, 0, f"checking {name}")) if progress is not None else (lambda _: None)
