"""From ranked candidates to an answer: copies collapsed, the earlier part skipped, rows cut at the budget, an honest end.

Everything here is a pure function of the candidates and of what was asked: no store is opened and nothing is ranked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, tzinfo

from muniment.recall import copies, hydrate
from muniment.recall.answer import Hit
from muniment.recall.found import Explained, Finding, Placed
from muniment.views import found as rows
from muniment.views.found import Door, Piece
from muniment.views.preview import CAP

__all__ = [
    "Asked",
    "Candidate",
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
class Candidate:
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
class Asked:
    """How the answer is to be shown. `cursor` makes the handle that goes on behind so many more, the last with that name."""

    words: str
    cursor: Callable[[int, str], str]
    budget: int
    forms: tuple[str, ...] = ()
    """The question's words in every form that counts as one: previews show the sentences that hold them."""
    limit: int | None = None
    zone: tzinfo = UTC
    skip: int = 0
    """How many were shown by earlier parts of this answer, the last of them `last`."""
    last: str = ""
    door: Door = Door.SHELL
    cap: int = CAP
    is_partial: bool = False


@dataclass(frozen=True, slots=True)
class Laid:
    """The answer, and what became of each candidate, in their order."""

    finding: Finding
    fates: tuple[str, ...] = field(default=())


def lay_out(candidates: Sequence[Candidate], asked: Asked) -> Laid:
    """The candidates as an answer, the best first."""
    fates = [c.fate for c in candidates]
    able = [n for n, c in enumerate(candidates) if not c.fate]
    grouped = copies.groups([_item(candidates[n]) for n in able])
    for group in grouped:
        for other in group.others:
            fates[able[other]] = f"{NEAR_COPY}:{candidates[able[group.first]].receipt}"
    listed = [(able[g.first], _marked(candidates, [able[o] for o in g.others], able[g.first])) for g in grouped]
    begin = _begin(candidates, [n for n, _ in listed], asked)
    rest = listed[begin:] if asked.limit is None else listed[begin : begin + asked.limit]
    finding = _filled([c for _, c in rest], len(listed) - begin, asked)
    for position, (n, _) in enumerate(listed):
        fates[n] = EARLIER if position < begin else SHOWN if position < begin + len(finding) else CUT
    return Laid(finding, tuple(fates))


def placed(candidates: Sequence[Candidate], fates: Sequence[str]) -> tuple[Placed, ...]:
    """The candidates as `--explain` lists them."""
    return tuple(Placed(c.name, c.receipt, c.score, c.lanes, f) for c, f in zip(candidates, fates, strict=True))


def abstain(asked: Asked, reason: str, nearest: Candidate | None = None) -> Finding:
    """The answer where nothing is to be shown: the reason, and what came closest, as far as the budget goes."""
    row = "" if nearest is None else _row(nearest, asked)
    step = rows.next_wider(asked.words, asked.door) if nearest is not None else ""
    lines = [rows.nothing(reason, row), step] if step else [rows.nothing(reason, row)]
    text = next((t for t in _shorter(lines, reason) if hydrate.size(t) <= asked.budget), "")
    shown = None if nearest is None else hit_of(nearest, row)
    cursor = asked.cursor(0, "") if asked.budget == 0 else None
    return Finding(text, (), asked.budget, cursor=cursor, reason=reason, nearest=shown, is_partial=asked.is_partial)


def hit_of(candidate: Candidate, row: str) -> Hit:
    """A candidate as programs get it."""
    c = candidate
    return Hit(
        c.name, c.kind, c.receipt, c.text, c.score, dict(c.lanes), c.origin, c.role, c.standing, c.checked_at,
        _marks(c), row,
    )  # fmt: skip


# --- copies and places


def _item(candidate: Candidate) -> copies.Item:
    return copies.Item(candidate.text, (candidate.kind, candidate.standing, candidate.marks))


def _marked(candidates: Sequence[Candidate], others: list[int], first: int) -> Candidate:
    """The candidate that stands for its copies, with their number and their receipts."""
    one = candidates[first]
    if not others:
        return one
    alike = (f"{ALIKE}:+{len(others)}", *(f"{ALIKE}:{candidates[n].receipt}" for n in others))
    return replace(one, marks=(*one.marks, *alike))


def _begin(candidates: Sequence[Candidate], listed: Sequence[int], asked: Asked) -> int:
    """Where this part of the answer begins: behind the last one shown, wherever that stands now."""
    if not asked.skip:
        return 0
    last = next((n for n, c in enumerate(candidates) if c.name == asked.last), None)
    return min(asked.skip, len(listed)) if last is None else sum(n <= last for n in listed)


# --- rows and the end


def _row(candidate: Candidate, asked: Asked) -> str:
    c = candidate
    counted = tuple(m for m in _marks(c) if not m.startswith(f"{ALIKE}:") or m.startswith(f"{ALIKE}:+"))
    piece = Piece(c.receipt, c.role, c.speaker, c.origin, c.at, c.text, c.id, counted)
    return rows.row(piece, asked.forms, asked.zone, asked.cap)


def _marks(candidate: Candidate) -> tuple[str, ...]:
    standing = candidate.standing
    return candidate.marks if standing in ("confirmed", *candidate.marks) else (standing, *candidate.marks)


def _filled(listed: Sequence[Candidate], total: int, asked: Asked) -> Finding:
    """Rows first: the frame stands where it leaves room for one, the end where it leaves one."""
    room = asked.budget - hydrate.size(rows.HEAD) - 1
    taken, made, _ = hydrate.fill(iter(listed), (), lambda c: _row(c, asked), room) if room > 0 else ([], [], True)
    if not made:
        taken, made, _ = hydrate.fill(iter(listed), (), lambda c: _row(c, asked), asked.budget)
        room, head = asked.budget, ""
    else:
        head = f"{rows.HEAD}\n"
    body, shown = _closed(taken, made, total, asked, room)
    left = max(total - shown, 0)
    hits = tuple(hit_of(c, row) for c, row in zip(taken[:shown], made[:shown], strict=True))
    cursor = _cursor(taken, shown, asked) if left or asked.budget == 0 or asked.is_partial else None
    reason = None
    if asked.budget and listed and not shown:  # going on from here with the same budget would never end
        reason = f"not even the next row fits in {asked.budget} bytes; ask with a larger budget"
    return Finding(
        head + body if body else "", hits, asked.budget, left, cursor, reason, is_partial=asked.is_partial
    )  # fmt: skip


def _closed(
    taken: Sequence[Candidate], made: list[str], total: int, asked: Asked, room: int
) -> tuple[str, int]:  # fmt: skip
    """The rows with as much of an end as fits: what is left and the next step, else what is left, else nothing."""
    if not made:
        return "", 0
    step = rows.next_read((c.receipt for c in taken), asked.door)

    def end(shown: int, with_step: str) -> str:
        left = max(total - shown, 0)
        cursor = _cursor(taken, shown, asked) if left or asked.is_partial else ""
        return rows.trailer(shown, left, cursor, with_step, is_partial=asked.is_partial, limit=hydrate.COUNT_LIMIT)

    is_all = len(made) == total and not asked.is_partial
    text, shown = hydrate.close(made, lambda n: end(n, step), room)
    if (is_all and shown < len(made)) or not text.endswith(f"{step}\n"):  # no row gives way to a mere hint
        text, shown = hydrate.close(made, lambda n: end(n, ""), room)
    return text, shown


def _cursor(taken: Sequence[Candidate], shown: int, asked: Asked) -> str:
    return asked.cursor(shown, taken[shown - 1].name if shown else "")


def _shorter(lines: list[str], reason: str) -> list[str]:
    """The line with the next step, the line alone, the reason alone."""
    return ["".join(f"{line}\n" for line in lines), f"{lines[0]}\n", f"{rows.nothing(reason, '')}\n"]
