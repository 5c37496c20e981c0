"""`extract`: what would be drawn from one turn, one JSON object a line."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

from muniment.errors import UsageError
from muniment.surfaces.cli import output
from muniment.surfaces.cli.invocation import Invocation

if TYPE_CHECKING:
    from muniment.engine.telling import Extract

_LONGEST = 4 << 20


def extract(run: Invocation) -> int:
    """What the extractors would make of a turn; nothing where there is nothing to keep, and nothing is kept."""
    from muniment.engine import telling

    text = _stdin() if run.words.text == "-" else run.words.text
    for found in telling.extract(text, run.words.role, run.words.previous):
        if run.json:
            output.record(asdict(found))
        else:
            output.line(output.shown(_row(found)))
    return output.OK


def _row(found: Extract) -> str:
    key = f"{found.predicate}.{found.topic}" if found.topic else found.predicate
    return f"{key}  {found.subject}  {found.literal}  [{found.outcome}, {found.scope}, {', '.join(found.tags)}]"


def _stdin() -> str:
    text = sys.stdin.read(_LONGEST + 1)
    if len(text) > _LONGEST:
        raise UsageError("the turn is longer than 4 MiB", hint="give the person's own words", about="-")
    return text
