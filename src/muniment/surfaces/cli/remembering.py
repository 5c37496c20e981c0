"""`get`, `conflicts`, `similar`, `update`, `touch`, `success`, `failure`, `expire`, `pin`, `unpin`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from muniment.surfaces.cli import output
from muniment.surfaces.cli.invocation import Invocation
from muniment.surfaces.cli.reading import shape_of

if TYPE_CHECKING:
    from muniment.engine.comparing import Pair
    from muniment.engine.revising import Words

NOTHING_FOUND = 3
"""The exit code of a question that finds nothing, as of whatever names nothing."""


def get(run: Invocation) -> int:
    """Rows within the budget on stdout; exit code 3 where there is none."""
    from muniment.engine import getting

    words = " ".join(run.words.words)
    got = getting.get(run.engine, words, run.words.budget, run.words.limit)
    for warning in got.warnings:
        output.say(f"muniment: {warning}")
    if run.json:
        rows = [shape_of(hit) for hit in got]
        told = {"words": words, "budget": got.budget, "bytes": got.bytes, "rows": rows, "left_out": got.left_out}
        output.record({**told, "reason": got.reason, "warnings": list(got.warnings)})
    else:
        output.data(got.text)
        if got.reason or got.left_out:
            output.say(f"muniment: {got.reason or f'{got.left_out} more fit; --limit or --budget shows them'}")
    return NOTHING_FOUND if got.reason and not got.left_out else output.OK


def conflicts(run: Invocation) -> int:
    """The word first, then the pairs, then what can be done."""
    from muniment.engine import comparing

    told = comparing.conflicts(run.engine, run.words.text)
    if run.json:
        output.record(output.plain(told))
        return output.OK
    output.line(told.answer)
    for pair in told.pairs:
        output.line(row(pair))
    if told.choices:
        output.say(f"  {'; '.join(told.choices)}")
    return output.OK


def row(pair: Pair) -> str:
    """A pair as one line: in what it differs, which, what it says, how it stands."""
    from muniment.views.rows import escaped

    return "\t".join((pair.kind, pair.id, escaped(pair.text), pair.standing, f"origin:{pair.origin}", pair.receipt))


def similar(run: Invocation) -> int:
    """The word first, then what is alike, the most alike first."""
    from muniment.engine import comparing
    from muniment.views.rows import escaped

    told = comparing.similar(run.engine, run.words.text, run.words.threshold, run.words.type)
    if run.json:
        output.record(output.plain(told))
        return output.OK
    output.line(told.answer)
    for each in told.entries:
        output.line("\t".join((f"{each.score:.2f}", each.id, each.type, escaped(each.text), each.standing)))
    for type_, count in told.patterns.items():
        output.say(f"muniment: {count} of type {type_} are alike: a pattern, if a person says so")
    return output.OK


def update(run: Invocation) -> int:
    """Tags, topic, context, expiry or confidence."""
    return _revised(run, field=run.words.field, value=run.words.value)


def expire(run: Invocation) -> int:
    """From now, or from a time on."""
    return _revised(run, value=run.words.at or "")


def pinned(run: Invocation) -> int:
    """Pin or unpin, by the name of the command."""
    return _revised(run)


def noted(run: Invocation) -> int:
    """touch, success or failure, by the name of the command."""
    return _revised(run, session=run.words.session)


def _revised(run: Invocation, **more: str | None) -> int:
    from muniment.engine.revising import Words

    return revise(run, run.words.id, Words(reason=run.words.reason, **more))  # type: ignore[arg-type]


def revise(run: Invocation, id_: str, words: Words) -> int:
    """Do what the command is called to a fact, or propose it."""
    from muniment.engine import revising
    from muniment.surfaces.cli.writing import told

    return told(run, revising.revise(run.engine, run.caller(), id_, run.words.command, words))
