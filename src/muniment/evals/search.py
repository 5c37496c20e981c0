"""`bench search`: whole searches in process, previews included, over a store of so many turns, by kind of question.

No question is asked twice, so nothing is answered from memory of an answer. `common` is made of the fifty most frequent words
that carry a topic, which stand in a large part of all turns; `rare` of the least frequent; `timed` names a person and a
month; `natural` is a question of six to twelve words as people put it; `identifier` names code, whole or by a piece.
`first_ms` is the first question of a new process's handle. Wall time is what the bars are about; processor time stands beside
it, since a shared machine takes some of the wall.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from muniment import Memory
from muniment.evals.report import Times, report, share, timed
from muniment.testing.lexicon import Dice, derive, lexicon, zipf
from muniment.testing.talk import camel, names, turns, words

CALLS = 200
"""Questions of each kind."""
WARM_UP = 10
FREQUENT = 50
BARS = {10_000: 3.0, 100_000: 10.0, 1_000_000: 50.0}
"""Milliseconds that half of all searches stay under, by the number of turns."""
_ASKS = (
    "what did {n} say about the {a} {b}", "when did {n} first mention a {a} {b}", "how many {a} did we {b} last summer",
    "where was the {a} when they {b} it", "did I ever tell you about my {a} {b} and {c}", "why do we {a} the {b} before {c}",
    "who wanted to {a} the {b} with {n}", "what is the {a} of the {b} that we {c} now",
    "which {a} was {b} for the {c} of {n}",
)  # fmt: skip
_MONTHS = "January February March April May June July August September October November December".split()


def run(size: int = 10_000, data: Path | None = None, seed: int = 1) -> dict[str, Any]:
    """Build a store of `size` turns (or take the one kept in folder `data`), ask, and report."""
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(data) if data is not None else Path(scratch)
        built = _build(root, size, seed)
        with Memory.open(root / "project", root / "home") as memory:
            parameters = {"turns": size, "calls": CALLS, "seed": seed, "bar_ms": _bar(size)}
            return report("search", parameters, built | _measure(memory, size, seed))


def _bar(size: int) -> float:
    return BARS[min((n for n in BARS if n >= size), default=max(BARS))]


def _build(root: Path, size: int, seed: int) -> dict[str, float]:
    """The store, made once, through the same door as any conversation."""
    project = root / "project"
    if project.exists():
        return {}
    project.mkdir(parents=True)
    start = time.perf_counter()
    with Memory.open(project, root / "home") as memory:
        memory.ingest(turns(size, seed))
    return {"ingested_turns_per_s": size / (time.perf_counter() - start)}


def _measure(memory: Memory, size: int, seed: int) -> dict[str, float]:
    first = timed([partial(memory.search, "what did we say about the first plan of all")])
    metrics: dict[str, float] = {}
    every = Times([], [])
    for name, ask in _kinds(size).items():
        times = timed(_calls(memory, ask, Dice(derive("search", seed, name))), WARM_UP)
        metrics |= _numbers(f"{name}_", times)
        every = Times(sorted(every.cpu + times.cpu), sorted(every.wall + times.wall))
    return _numbers("", every) | {"first_ms": first.wall[0]} | metrics


def _numbers(name: str, times: Times) -> dict[str, float]:
    tenth = times.wall[int(0.9 * len(times.wall)) :]
    return {
        f"{name}p50_ms": share(times.wall, 0.5),
        f"{name}p90_ms": share(times.wall, 0.9),
        f"{name}p99_ms": share(times.wall, 0.99),
        f"{name}worst_decile_ms": sum(tenth) / len(tenth),
        f"{name}p50_cpu_ms": share(times.cpu, 0.5),
        f"{name}p90_cpu_ms": share(times.cpu, 0.9),
    }


def _calls(memory: Memory, ask: Callable[[Dice], str], dice: Dice) -> Iterator[Callable[[], object]]:
    """Each question once."""
    asked: set[str] = set()
    while len(asked) < WARM_UP + CALLS:
        words_ = ask(dice)
        if words_ not in asked:
            asked.add(words_)
            yield partial(memory.search, words_)


# --- what is asked


def _kinds(size: int) -> dict[str, Callable[[Dice], str]]:
    people = names(size)
    return {
        "common": lambda dice: " ".join(dice.choices(words()[:FREQUENT], k=dice.between(3, 6))),
        "rare": lambda dice: " ".join(dice.choices(words()[-1500:], k=dice.between(2, 4))),
        "timed": lambda dice: (
            f"What did {dice.pick(people)} {_word(dice)} in {dice.pick(_MONTHS)} {dice.between(2021, 2025)}?"
        ),
        "natural": lambda dice: _natural(dice, people),
        "identifier": _identifier,
    }


def _natural(dice: Dice, people: list[str]) -> str:
    asked = dice.pick(_ASKS).format(n=dice.pick(people).split()[0], a=_word(dice), b=_word(dice), c=_word(dice))
    return f"{asked[0].upper()}{asked[1:]}?"


def _identifier(dice: Dice) -> str:
    pool = lexicon(0)
    name, kind = dice.pick(pool.identifiers), dice.below(4)
    if kind == 0:
        return f"{name} {dice.below(90_000)}"
    if kind == 1:
        return f"where is {camel(name)} called with {_word(dice)}"
    if kind == 2:
        return f"{dice.pick(pool.paths)} {_word(dice)}"
    return f"{name.replace('_', ' ')} {_word(dice)}"


def _word(dice: Dice) -> str:
    """A word as frequent in questions as in talk."""
    return dice.choices(words(), cum_weights=zipf(words()), k=1)[0]
