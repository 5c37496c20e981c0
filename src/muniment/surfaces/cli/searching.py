"""`search`: questions in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from muniment.engine import searching, turning
from muniment.errors import UsageError
from muniment.surfaces.cli import output
from muniment.surfaces.cli.invocation import Invocation
from muniment.surfaces.cli.reading import deliver, shape_of

if TYPE_CHECKING:
    from muniment.engine.answering import Explained, Finding

NOTHING_FOUND = 3
"""The exit code of a search that found nothing, as of whatever names nothing."""


def search(run: Invocation) -> int:
    """Rows within the budget on stdout, or the one line that says that nothing was found, with exit code 3."""
    words = run.words
    asked = " ".join(words.words)
    if words.cursor and asked.strip():
        raise UsageError("a cursor holds its words already", hint="give one of the two", about=words.cursor[:40])
    if not words.cursor and not words.words:
        raise UsageError("no words to search for", hint="`muniment search WORDS`, or --cursor", about="search")

    def ask(budget: int) -> Finding:
        how = searching.Asking(
            budget, words.limit, words.cursor, words.include, words.explain, words.why_not, not words.no_floor,
            words.unseen, without=words.without or (), fusion=words.fusion or "weighted",
        )  # fmt: skip
        finding = searching.search(run.engine, asked, how)
        return turning.with_turns(run.engine, finding, (asked or "").split()) if words.turns else finding

    finding, text = _markdown(ask, words.budget) if words.md and not run.json else _rows(ask, words.budget)
    if run.json:
        output.record(_shape(finding, asked))
    else:
        output.data(text)
        _print_more(run, finding)
        _remarks(finding, text, words.budget)
    deliver(run, (*finding.hits, *finding.turns), asked, finding.bytes)
    return NOTHING_FOUND if finding.reason and not finding.left_out and words.budget else output.OK


def _rows(ask: Callable[[int], Finding], budget: int) -> tuple[Finding, str]:
    finding = ask(budget)
    return finding, finding.text


def _markdown(ask: Callable[[int], Finding], budget: int) -> tuple[Finding, str]:
    """A list is longer than its rows, so as many rows are asked for as the list has room for: its cursor stays true."""
    from muniment.views import found

    room = budget
    while True:
        finding = ask(room)
        shown = (*finding.hits, *finding.turns)
        rows = {hit.row for hit in shown}
        end = [line for line in finding.text.splitlines() if line not in rows and line != found.HEAD]
        text = found.listing((hit.row for hit in shown), "\n".join(end))
        size = len(text.encode())
        if size <= budget or room == 0:
            return finding, text if size <= budget else ""
        room = min(room - 1, room * budget // size)


def _print_more(run: Invocation, finding: Finding) -> None:
    """What was asked for beside the answer itself; the budget is the answer's."""
    if finding.explained is not None:
        from muniment.views import explaining

        output.data(("\n" if finding.text else "") + explaining.render(finding.explained, run.config.zone))
    if finding.why_not is not None:
        output.line(("\n" if finding.text or finding.explained else "") + output.shown(finding.why_not))


def _remarks(finding: Finding, text: str, budget: int) -> None:
    """What the text had no room to say: a cut answer must never look like a whole one."""
    for warning in finding.warnings:
        output.say(f"muniment: {warning}")
    if finding.reason and (not text or finding.left_out):
        output.say(f"muniment: {finding.reason}")
    if finding.cursor and budget == 0:
        output.say(f"-- --cursor {finding.cursor}")
    elif finding.cursor and f"--cursor {finding.cursor}\n" not in text.replace("\\", ""):
        many = f"{finding.left_out} more did not fit" if finding.left_out else "there may be more"
        output.say(f"muniment: {many}; --cursor {finding.cursor}")


def _shape(finding: Finding, asked: str) -> dict[str, Any]:
    return {
        "words": asked, "budget": finding.budget, "bytes": finding.bytes, "rows": [shape_of(hit) for hit in finding],
        "left_out": finding.left_out, "cursor": finding.cursor, "reason": finding.reason,
        "nearest": shape_of(finding.nearest) if finding.nearest else None, "confidence": finding.confidence,
        "partial": finding.is_partial, "warnings": list(finding.warnings),
        "explained": _explained(finding.explained) if finding.explained else None, "why_not": finding.why_not,
        "doubt": finding.doubt, "turns": [shape_of(turn) for turn in finding.turns],
    }  # fmt: skip


def _explained(account: Explained) -> dict[str, Any]:
    placed = [
        {"id": p.id, "receipt": p.receipt, "score": p.score, "lanes": output.plain(p.lanes), "fate": p.fate}
        for p in account.placed
    ]
    return {
        "shape": account.shape, "parts": list(account.parts), "terms": list(account.terms),
        "unknown": list(account.unknown), "ranges": output.plain(account.ranges),
        "weights": output.plain(account.weights), "placed": placed, "filtered": output.plain(account.filtered),
        "signals": output.plain(account.signals), "signal": account.signal, "floor": account.floor,
        "is_own_floor": account.is_own_floor,
    }  # fmt: skip
