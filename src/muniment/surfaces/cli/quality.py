"""`doctor --quality`: what a store holds that deserves a look, as text or as one object."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from muniment.surfaces.cli import output

if TYPE_CHECKING:
    from muniment.engine.quality import Quality, Sort
    from muniment.surfaces.cli.invocation import Invocation


def words(p: argparse.ArgumentParser) -> None:
    """What `doctor` takes."""
    told = "what is held that deserves a look: without evidence, guessed, contested, old, alike, from outside, masked"
    p.add_argument("--quality", action="store_true", help=told)


def quality(run: Invocation) -> int:
    """Print it; looking at it is no failure, whatever it shows."""
    from muniment.engine import quality as looking

    found = looking.quality(run.engine)
    if run.json:
        output.record(output.plain(found))
    else:
        for line in _lines(found):
            output.line(line)
    return output.OK


def _lines(q: Quality) -> Iterator[str]:
    yield f"without evidence  {_told(q.without_evidence)}"
    yield f"hypotheses        {_told(q.hypotheses)}{_by(q.hypotheses_by_age)}"
    yield f"contested         {len(q.contested)} pairs"
    yield from (f"                  {a} {b}" for a, b in q.contested)
    yield f"never confirmed   {_told(q.never_confirmed)}"
    yield f"alike             {sum(q.alike_by_share.values())} pairs share half of their words{_by(q.alike_by_share)}"
    yield from (f"                  {p.first} {p.second} {p.share:.2f}" for p in q.alike)
    shares = ", ".join(f"{o} {100 * share:.1f} %" for o, share in q.origins.items()) or "none"
    yield f"origins           {shares}; from outside {100 * q.outside:.1f} %"
    yield f"writes            {q.writes_per_100_turns:g} per 100 turns of a person ({q.turns} turns)"
    yield f"proposed          {sum(q.proposed.values())}{_by(q.proposed)}"
    for m in q.methods:
        low, high = m.interval
        does = "writes" if m.may_write else "proposes"
        measured = f"{m.precision:.3f} [{low:.3f}, {high:.3f}] of {m.sample}"
        yield f"method            {m.name}@{m.version} {does}: {measured}; {m.facts} facts"
    yield f"masked events     {sum(q.masks.values())}{_by(q.masks)}"
    yield f"unknown records   {sum(q.unknown.values())}{_by(q.unknown)}"


def _told(sort: Sort) -> str:
    return f"{sort.count}{f': {chr(32).join(sort.ids)}' if sort.ids else ''}"


def _by(counts: Mapping[str, int]) -> str:
    return f" ({', '.join(f'{name}: {n}' for name, n in counts.items())})" if counts else ""
