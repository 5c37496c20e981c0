"""`bench floor`: where the floor cuts, what other floors would do on this memory, and the setting of one's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from muniment import config
from muniment.engine import floor as floors
from muniment.errors import NothingChangedError, UsageError
from muniment.surfaces.cli import output
from muniment.surfaces.cli.invocation import Invocation

_NAMED = 10
Place = tuple[Path, Path, Path]


def bench(run: Invocation, place: Place) -> int:
    """Show what was counted; or measure and, with --apply, write what is proposed into the configuration."""
    if run.words.show:
        if run.words.apply or run.words.data or run.words.size is not None:
            raise UsageError("--show only shows what was counted", hint="give it alone", about="--show")
        return _show(run)
    from muniment.evals import floor as judging

    found = _measured(run, place)
    written = _applied(run, found) if run.words.apply else None
    found["parameters"]["written"] = None if written is None else str(written)
    if run.json:
        output.record(found)
        return output.OK
    for line in judging.lines(found):
        output.line(line)
    if written is not None:
        output.say(f"muniment: [search] floor = {found['metrics']['proposed_floor']:g} is in {written} now")
    elif "proposed_floor" in found["metrics"]:
        output.say("muniment: nothing was changed; `muniment bench floor --apply` sets the proposed floor")
    return output.OK


def _measured(run: Invocation, place: Place) -> dict[str, Any]:
    from muniment.engine import calibrating
    from muniment.evals import floor as judging

    words = run.words
    data = Path(words.data) if words.data else None
    asked, now = judging.labels(place, data), floors.in_force(run.engine)
    if now.warning:
        output.say(f"muniment: {now.warning}")
    each = calibrating.EACH if words.size is None else words.size
    gathered = calibrating.gather(run.engine, asked, judging.foreign_questions(), each)
    left_out = f"{len(gathered.known)} that this memory knows of, {gathered.unheard} of which no word stands in it"
    more = {"known": gathered.known[:_NAMED], "left_out": left_out, "labels_not_judged": gathered.unjudged}
    return judging.run(
        words.size, data, own=gathered.own, foreign=gathered.foreign, floor=now.value, shipped=floors.SHIPPED, more=more
    )


def _applied(run: Invocation, found: dict[str, Any]) -> Path:
    value = found["metrics"].get("proposed_floor")
    if value is None:
        hint = "label more questions with `muniment bench mine`, or index more sessions"
        raise UsageError("there are too few questions to set a floor by", hint=hint, about="--apply")
    if config.own_floor(run.config.home) == value:
        raise NothingChangedError(
            f"the floor is {value:g} already", hint="`muniment bench floor` measures it", about="floor"
        )
    return config.set_floor(run.config.home, value)


def _show(run: Invocation) -> int:
    found = floors.histogram(run.engine)
    if run.json:
        output.record(_counted(found))
        return output.OK
    for line in _drawn(found):
        output.line(line)
    return output.OK


def _counted(found: floors.Histogram) -> dict[str, Any]:
    from muniment.evals.report import report

    share = {"below_floor": found.below(found.floor.value) / found.total} if found.total else {}
    counts = {f"{edge:g}": count for edge, count in sorted(found.judged.items())}
    told = {"counts": counts, "width": floors.WIDTH, "is_own_floor": found.floor.is_own}
    numbers = {"floor": found.floor.value, "searches": float(found.total), "not_judged": float(found.unjudged), **share}
    return report("floor", told, numbers)


def _drawn(found: floors.Histogram) -> Iterator[str]:
    from muniment.views import histogram

    yield summary(found)
    kind = "your floor" if found.floor.is_own else "the shipped floor"
    yield from histogram.lines(found.judged, floors.WIDTH, found.floor.value, kind)


def summary(found: floors.Histogram) -> str:
    """How many searches met the floor and how many it refused, in a line."""
    kind = "configured" if found.floor.is_own else "shipped"
    share = f", {100 * found.below(found.floor.value) / found.total:.0f} % of them below" if found.total else ""
    met = f"{found.total} search{'es' * (found.total != 1)} met it{share}"
    return f"floor {found.floor.value:g} ({kind}): {met}; {found.unjudged} did not have to"
