"""From ranked candidates to an answer: copies collapsed, the earlier part skipped, rows cut at the budget, an honest end.

Everything here is a pure function of the candidates and of what was asked: no store is opened and nothing is ranked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, tzinfo
from functools import partial
from itertools import islice, takewhile

from muniment.engine.place import mark
from muniment.recall import copies, hydrate, shares
from muniment.recall.answer import Hit
from muniment.recall.found import Explained, Finding, Placed
from muniment.views import found as rows
from muniment.views.found import Door, Piece
from muniment.views.preview import CAP

__all__ = [
    "Form",
    "Hit",
    "Choice",
    "Door",
    "Explained",
    "Finding",
    "Laid",
    "Placed",
    "abstain",
    "hit_of",
    "lay_out",
    "placed",
]

SHOWN, CUT, EARLIER, SEEN, NEAR_COPY = "shown", "cut", "earlier", "seen", "near-copy"
ALIKE = "alike"


@dataclass(frozen=True, slots=True)
class Choice:
    """One candidate as it was ranked, with all that a row says of it.

    `id` is a fact's; an event has none and is named by its receipt. A `fate` given here (`seen`, `superseded:ID`) keeps the
    candidate out of the answer and says why.
    """

    kind: str
    receipt: str
    text: str
    score: float
    lanes: Mapping[str, tuple[int, float]]
    role: str
    origin: str
    id: str = ""
    speaker: str = ""
    at: str | None = None
    standing: str = "confirmed"
    checked_at: str | None = None
    marks: tuple[str, ...] = ()
    fate: str = ""

    @property
    def name(self) -> str:
        """What names it among others: the fact's id, or the event's receipt."""
        return self.id or self.receipt


@dataclass(frozen=True, slots=True)
class Form:
    """How the answer is to be shown. `cursor` makes the handle that goes on behind so many more, the last with that name
    and, where some had to wait, so many of each source.
    """

    words: str
    cursor: Callable[..., str]
    budget: int
    forms: tuple[str, ...] = ()
    """The question's words in every form that counts as one: previews show the sentences that hold them."""
    limit: int | None = None
    zone: tzinfo = UTC
    skip: int = 0
    """How many were shown by earlier parts of this answer, the last of them with the mark `last`."""
    last: str = ""
    held: tuple[str, ...] = ()
    """How many of those came from which outside source, once some of it had to wait."""
    door: Door = Door.SHELL
    cap: int = CAP
    is_partial: bool = False
    unread: int = 0
    """Candidates behind those that were read."""


@dataclass(frozen=True, slots=True)
class Laid:
    """The answer, and what became of each candidate, in their order. `is_short`: there was room for more than was read."""

    finding: Finding
    fates: tuple[str, ...] = field(default=())
    is_short: bool = False


def lay_out(choices: Sequence[Choice], form: Form) -> Laid:
    """The choices as an answer, the best first."""
    fates = [c.fate for c in choices]
    able = [n for n, c in enumerate(choices) if not c.fate]
    grouped = copies.groups([_item(choices[n]) for n in able])
    for group in grouped:
        for other in group.others:
            fates[able[other]] = f"{NEAR_COPY}:{choices[able[group.first]].receipt}"
    listed = [(able[g.first], _marked(choices, [able[o] for o in g.others], able[g.first])) for g in grouped]
    earlier, rest, is_held = _rest(choices, listed, form)
    page = rest if form.limit is None else rest[: form.limit]
    if is_held or shares.is_crowded([c.origin for _, c in page]):
        is_held, page = True, list(islice(shares.fair(rest, lambda each: each[1].origin), form.limit))
    finding = _filled([c for _, c in page], len(rest) + form.unread, form, is_held=is_held)
    shown = {n for n, _ in page[: len(finding)]}
    for n, _ in listed:
        fates[n] = EARLIER if n in earlier else SHOWN if n in shown else CUT
    is_short = len(finding) == (len(page) if is_held and len(page) < (form.limit or 0) else len(rest))
    return Laid(finding, tuple(fates), is_short)


def _rest(
    choices: Sequence[Choice], listed: list[tuple[int, Choice]], form: Form
) -> tuple[set[int], list[tuple[int, Choice]], bool]:
    """What earlier parts of the answer showed, what is left, and whether some of that had to wait. Each source is shown
    in the order of its rank, so that numbers tell which."""
    if not form.held:
        begin = _begin(choices, [n for n, _ in listed], form)
        return {n for n, _ in listed[:begin]}, listed[begin:], False
    left = Counter({source: int(count) for source, _, count in (each.partition(":") for each in form.held)})
    left[""] = form.skip - left.total()
    earlier, rest = set(), []
    for n, choice in listed:
        source = choice.origin if choice.origin in shares.OUTSIDE else ""
        if left[source] > 0:
            left[source] -= 1
            earlier.add(n)
        else:
            rest.append((n, choice))
    return earlier, rest, True


def _held(taken: Sequence[Choice], form: Form) -> tuple[str, ...]:
    """How many came from which outside source, with those of before."""
    held = Counter({source: int(count) for source, _, count in (each.partition(":") for each in form.held)})
    held.update(c.origin for c in taken if c.origin in shares.OUTSIDE)
    return tuple(f"{source}:{count}" for source, count in sorted(held.items())) or ("web:0",)


def placed(choices: Sequence[Choice], fates: Sequence[str]) -> tuple[Placed, ...]:
    """The choices as `--explain` lists them."""
    return tuple(Placed(c.name, c.receipt, c.score, c.lanes, f) for c, f in zip(choices, fates, strict=True))


def abstain(form: Form, reason: str, nearest: Choice | None = None) -> Finding:
    """The answer where nothing is to be shown: the reason, and what came closest, as far as the budget goes."""
    row = "" if nearest is None else _row(nearest, form)
    step = rows.next_wider(form.words, form.door) if nearest is not None else ""
    lines = [rows.nothing(reason, row), step] if step else [rows.nothing(reason, row)]
    text = next((t for t in _shorter(lines, reason) if hydrate.size(t) <= form.budget), "")
    shown = None if nearest is None else hit_of(nearest, row)
    cursor = form.cursor(0, "") if form.budget == 0 else None
    return Finding(text, (), form.budget, cursor=cursor, reason=reason, nearest=shown, is_partial=form.is_partial)


def hit_of(choice: Choice, row: str) -> Hit:
    """A candidate as programs get it."""
    c = choice
    return Hit(
        c.name, c.kind, c.receipt, c.text, c.score, dict(c.lanes), c.origin, c.role, c.standing, c.checked_at,
        _marks(c), row,
    )  # fmt: skip


# --- copies and places


def _item(choice: Choice) -> copies.Item:
    return copies.Item(choice.text, (choice.kind, choice.standing, choice.marks))


def _marked(choices: Sequence[Choice], others: list[int], first: int) -> Choice:
    """The candidate that stands for its copies, with their number and their receipts."""
    one = choices[first]
    if not others:
        return one
    alike = (f"{ALIKE}:+{len(others)}", *(f"{ALIKE}:{choices[n].receipt}" for n in others))
    return replace(one, marks=(*one.marks, *alike))


def _begin(choices: Sequence[Choice], listed: Sequence[int], form: Form) -> int:
    """Where this part of the answer begins: behind the last one shown, wherever that stands now."""
    if not form.skip:
        return 0
    last = next((n for n, c in enumerate(choices) if mark(c.name) == form.last), None)
    return min(form.skip, len(listed)) if last is None else sum(n <= last for n in listed)


# --- rows and the end


def _row(choice: Choice, form: Form) -> str:
    c = choice
    counted = tuple(m for m in _marks(c) if not m.startswith(f"{ALIKE}:") or m.startswith(f"{ALIKE}:+"))
    piece = Piece(c.receipt, c.role, c.speaker, c.origin, c.at, c.text, c.id, counted)
    return rows.row(piece, form.forms, form.zone, form.cap)


def _marks(choice: Choice) -> tuple[str, ...]:
    standing = choice.standing
    return choice.marks if standing in ("confirmed", *choice.marks) else (standing, *choice.marks)


def _filled(listed: Sequence[Choice], total: int, form: Form, *, is_held: bool) -> Finding:
    """Rows first: the frame stands where it leaves room for one, the end where it leaves one."""
    room = form.budget - hydrate.size(rows.HEAD) - 1
    taken, made, _ = hydrate.fill(iter(listed), (), lambda c: _row(c, form), room) if room > 0 else ([], [], True)
    if not made:  # rows before the frame; but what came from outside never without it
        able = takewhile(lambda c: c.origin not in shares.OUTSIDE, listed)
        taken, made, _ = hydrate.fill(able, (), lambda c: _row(c, form), form.budget)
        room, head = form.budget, ""
    else:
        head = f"{rows.HEAD}\n"
    if is_held:  # what was shown is told by numbers, in every handle of this answer
        form = replace(form, cursor=partial(_cursor_held, taken, form))
    body, shown = _closed(taken, made, total, form, room)
    left = max(total - shown, 0)
    hits = tuple(hit_of(c, row) for c, row in zip(taken[:shown], made[:shown], strict=True))
    cursor = _cursor(taken, shown, form) if left or form.budget == 0 or form.is_partial else None
    reason = None
    if form.budget and listed and not shown:  # going on from here with the same budget would never end
        reason = f"not even the next row fits in {form.budget} bytes; ask with a larger budget"
    return Finding(
        head + body if body else "", hits, form.budget, left, cursor, reason, is_partial=form.is_partial
    )  # fmt: skip


def _closed(
    taken: Sequence[Choice], made: list[str], total: int, form: Form, room: int
) -> tuple[str, int]:  # fmt: skip
    """The rows with as much of an end as fits: what is left and the next step, else what is left, else nothing."""
    if not made:
        return "", 0
    step = rows.next_read((c.receipt for c in taken), form.door)

    def end(shown: int, with_step: str) -> str:
        left = max(total - shown, 0)
        cursor = _cursor(taken, shown, form) if left or form.is_partial else ""
        return rows.trailer(
            shown, left, cursor, with_step, is_partial=form.is_partial, limit=hydrate.COUNT_LIMIT, door=form.door
        )

    is_all = len(made) == total and not form.is_partial
    text, shown = hydrate.close(made, lambda n: end(n, step), room)
    if (is_all and shown < len(made)) or not text.endswith(f"{step}\n"):  # no row gives way to a mere hint
        text, shown = hydrate.close(made, lambda n: end(n, ""), room)
    return text, shown


def _cursor(taken: Sequence[Choice], shown: int, form: Form) -> str:
    return form.cursor(shown, taken[shown - 1].name if shown else "")


def _cursor_held(taken: Sequence[Choice], form: Form, shown: int, last: str) -> str:
    return form.cursor(shown, last, _held(taken[:shown], form))


def _shorter(lines: list[str], reason: str) -> list[str]:
    """The line with the next step, the line alone, the reason alone."""
    return ["".join(f"{line}\n" for line in lines), f"{lines[0]}\n", f"{rows.nothing(reason, '')}\n"]
