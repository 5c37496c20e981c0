"""`query`, `list`, `read`, `history`, `why`: the commands that only look."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from muniment.engine import asking
from muniment.errors import UsageError
from muniment.surfaces.cli import output
from muniment.surfaces.cli.invocation import Invocation

if TYPE_CHECKING:
    from muniment.engine import receipts
    from muniment.engine.answering import Hit


def query(run: Invocation) -> int:
    """Rows within the budget: exactly these bytes on stdout, the rest on stderr."""
    words = run.words
    selector = " ".join(words.selector)
    if words.cursor and selector.strip():
        raise UsageError("a cursor holds its selector already", hint="give one of the two", about=words.cursor[:40])

    def ask(budget: int) -> asking.Answer:
        return asking.query(run.engine, selector, budget, as_of=words.as_of, known=words.known, cursor=words.cursor)

    if words.md and not run.json:
        answer = _markdown(ask, words.budget)
    else:
        answer = ask(words.budget)
        _answer(run, answer, selector)
    deliver(run, answer, selector, answer.bytes)
    return output.OK


def deliver(run: Invocation, hits: Iterable[Hit], asked: str, size: int) -> None:
    """Note in the journal what the session that was named is given; without one, nothing."""
    if run.words.session is None:
        return
    from muniment.engine import deliveries

    rows = [("" if hit.kind == "event" else hit.id, hit.receipt) for hit in hits]
    for warning in deliveries.deliver(run.engine, run.words.session, "cli", asked, rows, size):
        output.say(f"muniment: {warning}")


def listed(run: Invocation) -> int:
    """Everything of one type."""
    selector = f"type:{run.words.type}"
    return _answer(run, asking.query(run.engine, selector, run.words.budget), selector)


def _answer(run: Invocation, answer: asking.Answer, selector: str) -> int:
    if run.json:
        output.record(_shape(answer, selector))
        return output.OK
    output.data(answer.text)
    return _remarks(answer, answer.text, run.words.budget)


def _markdown(ask: Callable[[int], asking.Answer], budget: int) -> asking.Answer:
    """A list is longer than its rows, so as many rows are asked for as the list has room for: its cursor stays true."""
    from muniment.views import markdown

    room = budget
    while True:
        answer = ask(room)
        last = answer.text.splitlines()[-1:]
        trailer = last[0] if last and len(answer.text.splitlines()) > len(answer) else ""
        text = markdown.listing((hit.row for hit in answer), trailer)
        size = len(text.encode())
        if size <= budget or room == 0:
            shown = text if size <= budget else ""
            output.data(shown)
            _remarks(answer, shown, budget)
            return answer
        room = min(room - 1, room * budget // size)


def _remarks(answer: asking.Answer, text: str, budget: int) -> int:
    """What the text had no room to say: a cut answer must never look like a whole one."""
    if answer.reason:
        output.say(f"muniment: {answer.reason}")
    if answer.cursor and budget == 0:
        output.say(f"-- --cursor {answer.cursor}")
    elif answer.cursor and not _plain(text).endswith(f"--cursor {answer.cursor}"):
        many = f"{answer.left_out}{'' if answer.left_out_is_exact else '+'} more did not fit"
        output.say(f"muniment: {many if answer.left_out else 'there may be more'}; --cursor {answer.cursor}")
    return output.OK


def _plain(text: str) -> str:
    """The text as it was before Markdown: no cursor holds a backslash of its own."""
    return text.replace("\\", "").rstrip("\n")


def shape_of(hit: Hit) -> dict[str, object]:
    """A hit as `--json` prints it."""
    return {
        "id": hit.id, "kind": hit.kind, "receipt": hit.receipt, "text": hit.text, "score": hit.score,
        "lanes": {lane: list(found) for lane, found in hit.lanes.items()}, "origin": hit.origin, "role": hit.role,
        "standing": hit.standing, "checked_at": hit.checked_at, "marks": list(hit.marks), "row": hit.row,
    }  # fmt: skip


def _shape(answer: asking.Answer, selector: str) -> dict[str, object]:
    rows = [shape_of(hit) for hit in answer]
    return {
        "selector": selector, "budget": answer.budget, "bytes": answer.bytes, "rows": rows, "left_out": answer.left_out,
        "left_out_is_exact": answer.left_out_is_exact, "cursor": answer.cursor, "reason": answer.reason,
        "partial": answer.is_partial,
    }  # fmt: skip


def read(run: Invocation) -> int:
    """The exact words behind a receipt, with a head that says whether they are proved."""
    from muniment.engine import receipts

    words = run.words
    record = receipts.read(run.engine, words.what, words.context, cursor=words.cursor)
    if run.json:
        output.record(_opened(record))
    else:
        _print(record)
    return 1 if words.verify and not record.verified else output.OK


def _print(record: receipts.Record) -> None:
    output.line(f"receipt   {record.receipt}")
    if record.fact:
        output.line(f"fact      {record.fact}")
        for address, state in record.evidence:
            output.line(f"evidence  {output.shown(address)}: {state}")
        if not record.is_checkable:
            output.line("evidence  none: nothing is named that would tell when it is over")
    if record.source:
        output.line(f"source    {record.source}{'' if record.source_is_there else ' (gone; the archive holds it)'}")
    output.line(f"verified  {'yes: every hash holds' if record.verified else 'NO: ' + '; '.join(record.problems)}")
    for turn in record.turns or ():
        cut = " (cut)" if turn.is_cut else ""
        mark = "▶ " if turn.is_subject else ""
        named = f"{output.shown(turn.speaker)}, " if turn.speaker else ""
        head = f"{named}{turn.role}, {turn.kind}, origin {turn.origin}, {turn.at or 'no time'}"
        output.line(f"\n{mark}[{head}] {turn.receipt}{cut}")
        output.line(output.shown(turn.text))
    output.line(f"\n{output.shown(record.text)}")
    if record.cursor is not None:
        output.say(f"-- more: --cursor {record.cursor}")


def _opened(record: receipts.Record) -> dict[str, object]:
    turns = [
        {
            "receipt": t.receipt, "role": t.role, "origin": t.origin, "kind": t.kind, "at": t.at, "text": t.text,
            "speaker": t.speaker, "cut": t.is_cut, "subject": t.is_subject,
        }
        for t in record.turns
    ]  # fmt: skip
    return {
        "receipt": record.receipt, "fact": record.fact, "text": record.text, "verified": record.verified,
        "problems": list(record.problems), "turns": turns, "source": record.source,
        "source_is_there": record.source_is_there, "cursor": record.cursor, "evidence": output.plain(record.evidence),
        "is_checkable": record.is_checkable,
    }  # fmt: skip


def history(run: Invocation) -> int:
    """The life of the belief that a fact belongs to."""
    from muniment.engine.history import history as tell
    from muniment.views import story

    told = tell(run.engine, run.words.id)
    if run.json:
        output.record(output.plain(told))
    else:
        output.data(story.history(told, run.config.zone))
    return output.OK


def why(run: Invocation) -> int:
    """The account of one fact."""
    from muniment.engine.history import why as tell
    from muniment.views import story

    told = tell(run.engine, run.words.id)
    if run.json:
        output.record(output.plain(told))
    else:
        output.data(story.why(told, run.config.zone))
    return output.OK
