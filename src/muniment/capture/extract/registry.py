"""All extractors, and what was measured of each."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files as package_files
from typing import Any, NamedTuple

from muniment.capture.extract import answers, commands, files, moves, promises, replies, talk, test_runs
from muniment.capture.extract.contract import Extractor, Window
from muniment.capture.extract.told.families import FAMILIES
from muniment.errors import NotFoundError
from muniment.model.event import Kind
from muniment.model.fact import Archived, Draft


@dataclass(slots=True)  # not frozen: the contract's attributes are plain ones
class Structural:
    """An extractor made of one function."""

    name: str
    version: int
    predicates: tuple[str, ...]
    make: Callable[[Archived, Window], Iterable[Draft]]

    def draw(self, event: Archived, window: Window) -> Iterable[Draft]:
        """The drafts of this event; none where a harness speaks or the words are ours."""
        return self.make(event, window) if answers.may_speak(event) else ()


def _extractor(name: str, make: Callable[[Archived, Window], Iterable[Draft]]) -> Structural:
    return Structural(name, 1, (name.rpartition(".")[2],), make)


def _told(family: str, event: Archived, window: Window) -> Iterable[Draft]:
    from muniment.capture.extract.told import drafting  # a tenth of a second of patterns: only where somebody tells

    return drafting.drafts_of(family, event, window)


_TOUCHED = _extractor("files.touched", files.touched)
_READ = _extractor("files.read", files.read)
_PREDICTED = _extractor("files.predicted_write", files.predicted_write)
_MOVED = _extractor("files.moved_by", moves.moved_by)
_RAN = _extractor("commands.ran", commands.ran)
_COMMITTED = _extractor("commands.committed", commands.committed)
_PASSED = _extractor("test_runs.passed", test_runs.passed)
_ASKED = _extractor("talk.asked", talk.asked)
_SENT = _extractor("talk.sent", talk.sent)
_CLAIMED = _extractor("talk.claimed", talk.claimed)

EXTRACTORS: tuple[Extractor, ...] = (
    _TOUCHED,
    _READ,
    _PREDICTED,
    _MOVED,
    _RAN,
    _COMMITTED,
    _PASSED,
    _ASKED,
    _SENT,
    _CLAIMED,
)
"""Those that read calls and results, measured on `benchmarks/extract`."""
TELLING: tuple[Extractor, ...] = tuple(
    Structural(f"told.{family}", 1, predicates, partial(_told, family)) for family, predicates in FAMILIES.items()
)
"""Those that read what a person tells, measured on `benchmarks/told`."""
_PROMISED = _extractor("said.promised", promises.promised)
_ANSWERED = _extractor("said.answered", replies.answered)
SAID: tuple[Extractor, ...] = (_PROMISED, _ANSWERED, _extractor("said.asserted", replies.asserted))
"""Those that read sentences of replies, measured on `benchmarks/talk`. The last is measured and never runs."""
ARE_TOLD_KEPT = False
"""Do these run where turns come in? Not before they are right often enough on turns that no rule was written on."""
_OF_CALLS: tuple[Extractor, ...] = (_TOUCHED, _READ, _PREDICTED, _MOVED, _RAN, _SENT, _CLAIMED)
_OF_RESULTS: tuple[Extractor, ...] = (_COMMITTED, _PASSED)


def draw(event: Archived, window: Window) -> Iterator[tuple[Extractor, Draft]]:
    """The drafts of all extractors, each with its extractor, in a stable order. What one raises, it raises."""
    for extractor in suited(event):
        for draft in extractor.draw(event, window):
            yield extractor, draft


def suited(event: Archived) -> Iterator[Extractor]:
    """The extractors that may make something of an event. Most are talk: they are let go after three looks."""
    if event.calls:
        yield from _OF_CALLS
    if event.results:
        yield from _OF_RESULTS if event.calls else (_MOVED, *_OF_RESULTS)
    if event.kind == Kind.PROMPT:
        yield _ASKED
        if ARE_TOLD_KEPT:
            yield from TELLING
    if may_say(event.kind, event.text):
        yield _PROMISED
        yield _ANSWERED


def may_say(kind: str, text: str) -> bool:
    """Is there a sign that a turn promises or answers? It is looked for in every turn, so it costs next to nothing."""
    if kind == Kind.REPLY:
        return promises.may_promise(text, person=False) or replies.may_answer(text)
    return kind == Kind.PROMPT and promises.may_promise(text)


class Measure(NamedTuple):
    """What was measured of one version of an extractor: pooled, and the two kinds of sample apart (n, precision)."""

    precision: float
    interval_low: float
    interval_high: float
    sample: int
    real: tuple[int, float | None]
    scripted: tuple[int, float | None]
    may_write: bool


def measured(name: str, version: int) -> Measure | None:
    """The measurement of a method, or None where there is none."""
    return _measures().get(f"{name}@{version}")


def precision(name: str, version: int) -> float:
    """The measured precision of a method. A method without a measurement is refused by name: it may not write."""
    found = measured(name, version)
    if found is None:
        raise NotFoundError(f"method {name}@{version} was not measured", hint="add a labelled sample", about=name)
    return found.precision


def may_write(name: str, version: int) -> bool:
    """Was this method measured, and is it good enough to write facts?"""
    found = measured(name, version)
    return found is not None and found.may_write


@cache
def _measures() -> Mapping[str, Measure]:
    folder = package_files(__package__ or "muniment.capture.extract")
    texts = [
        folder.joinpath(*place).read_text("utf-8")
        for place in (("methods.json",), ("said.json",), ("told", "methods.json"))
    ]
    return {name: _measure(row) for text in texts for name, row in json.loads(text).items()}


def _measure(row: Mapping[str, Any]) -> Measure:
    real, scripted = row["real"], row["scripted"]
    return Measure(
        row["precision"],
        row["interval_low"],
        row["interval_high"],
        row["sample"],
        (real["n"], real["precision"]),
        (scripted["n"], scripted["precision"]),
        row["may_write"],
    )
