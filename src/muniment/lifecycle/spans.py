"""Where cited lines are in another version of their file: by content, so that an edit elsewhere does not matter."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import cached_property
from typing import NamedTuple

from muniment.model.ids import hash128

LEAST_NEAR, LEAST_FAR = 20, 40
"""Letters and digits that a block needs to be known again: elsewhere in its file, and in another (as git has it for blame)."""
_SMALL = 400_000
"""Pairs of lines to which they are compared one by one where no line is the only one of its kind."""


class Span(NamedTuple):
    """Lines from `first` to `last`, counted from 1."""

    first: int
    last: int


def lines_of(data: bytes) -> list[str]:
    """The lines of a file, whatever ends them; no line for the end of the file."""
    lines = data.decode("utf-8", "surrogateescape").replace("\r\n", "\n").split("\n")
    return lines[:-1] if lines and not lines[-1] else lines


def mark(lines: Sequence[str]) -> str:
    """What names these lines by their content."""
    return hash128("lines", "\n".join(lines).encode("utf-8", "surrogateescape")).hex()


def weight(lines: Sequence[str]) -> int:
    """How much there is in lines to know them by."""
    return sum(c.isalnum() for line in lines for c in line)


def marked(lines: Sequence[str], size: int, wanted: str, near: int) -> Span | None:
    """The lines with that content, the ones nearest to line `near`."""
    starts = sorted(range(len(lines) - size + 1), key=lambda i: (abs(i + 1 - near), i))
    found = next((i for i in starts if mark(lines[i : i + size]) == wanted), None)
    return None if found is None else Span(found + 1, found + size)


class Pair:
    """Two versions of a file. What is costly is worked out once, and only where it is asked for."""

    def __init__(self, old: Sequence[str], new: Sequence[str]) -> None:
        self.old = old
        self.new = new

    def kept(self, span: Span) -> Span | None:
        """Where lines of the old version stayed, further up or down; None if they are not there as they were."""
        found = self._map[span.first - 1 : span.last]
        is_whole = bool(found) and min(found) >= 0 and found[-1] - found[0] == len(found) - 1
        return Span(found[0] + 1, found[-1] + 1) if is_whole else None

    def put(self, span: Span) -> Span | None:
        """Where the same lines are that did not stay, put where none were that did."""
        block, own = self.old[span.first - 1 : span.last], range(span.first - 1, span.last)
        for start in _starts(block, self._new_text):
            rows = range(start - 1, start - 1 + len(block))
            is_new = all(self._is_free(n) or self._back[n] in own for n in rows)
            if is_new and self._grown(self.old, span, start) >= LEAST_NEAR:
                return Span(start, start + len(block) - 1)
        return None

    def follow(self, span: Span) -> Span | None:
        """Where lines of the old version are in the new one, whether they stayed or were put there."""
        return self.kept(span) or self.put(span)

    def carried(self, lines: Sequence[str], span: Span) -> Span | None:
        """Where lines of another file were put into the new version of this one, with what stood around them."""
        block = lines[span.first - 1 : span.last]
        for start in _starts(block, self._new_text):
            rows = range(start - 1, start - 1 + len(block))
            if all(map(self._is_free, rows)) and self._grown(lines, span, start) >= LEAST_FAR:
                return Span(start, start + len(block) - 1)
        return None

    def now(self, span: Span) -> list[str]:
        """What stands in the place of lines that are not there any more."""
        first, last = self._around(span)
        return list(self.new[first:last])

    def place(self, span: Span) -> Span:
        """The lines of the new version that stand in the place of old ones; empty ones end before they begin."""
        first, last = self._around(span)
        return Span(first + 1, last)

    def _around(self, span: Span) -> tuple[int, int]:
        before = next((m for m in reversed(self._map[: span.first - 1]) if m >= 0), -1)
        after = next((m for m in self._map[span.last :] if m >= 0), len(self.new))
        return before + 1, max(after, before + 1)

    def _is_free(self, row: int) -> bool:
        """Is a line of the new version none that stayed? Of empty ones and brackets nobody can tell."""
        return row not in self._back or not weight([self.new[row]])

    def _grown(self, lines: Sequence[str], span: Span, start: int) -> int:
        """How much there is in a block that was moved, together with what went with it on both sides."""
        found = weight(lines[span.first - 1 : span.last])
        for step, old, new in ((-1, span.first - 2, start - 2), (1, span.last, start + span.last - span.first)):
            i, j = old, new
            while found < LEAST_FAR and 0 <= i < len(lines) and 0 <= j < len(self.new) and lines[i] == self.new[j]:
                if not self._is_free(j):
                    break
                found += weight([lines[i]])
                i, j = i + step, j + step
        return found

    @cached_property
    def _new_text(self) -> str:
        return "\n" + "\n".join(self.new) + "\n"

    @cached_property
    def _map(self) -> list[int]:
        """For each line of the old version its place in the new one, from 0; -1 if it is gone."""
        found = [-1] * len(self.old)
        _match(self.old, self.new, (0, len(self.old), 0, len(self.new)), found)
        return found

    @cached_property
    def _back(self) -> dict[int, int]:
        return {new: old for old, new in enumerate(self._map) if new >= 0}


def _starts(block: Sequence[str], text: str) -> list[int]:
    """The numbers of the lines at which a block begins."""
    wanted, at = "\n" + "\n".join(block) + "\n", 0
    found, line, counted = [], 1, 0
    while (at := text.find(wanted, at)) >= 0:
        line += text.count("\n", counted, at)
        counted = at
        found.append(line)
        at += 1
    return found


_Box = tuple[int, int, int, int]


def _match(a: Sequence[str], b: Sequence[str], whole: _Box, found: list[int]) -> None:
    """Lines that stayed: equal ends, then lines that are the only ones of their kind, and again between those."""
    todo = [whole]
    while todo:
        low, high, start, end = todo.pop()
        while low < high and start < end and a[low] == b[start]:
            found[low] = start
            low, start = low + 1, start + 1
        while low < high and start < end and a[high - 1] == b[end - 1]:
            high, end = high - 1, end - 1
            found[high] = end
        if low == high or start == end:
            continue
        anchors = _anchors(a, b, (low, high, start, end))
        if anchors:
            todo.extend(_between(anchors, (low, high, start, end), found))
        elif (high - low) * (end - start) <= _SMALL:
            for i, j, n in SequenceMatcher(None, a[low:high], b[start:end], autojunk=False).get_matching_blocks():
                found[low + i : low + i + n] = range(start + j, start + j + n)


def _between(anchors: Sequence[tuple[int, int]], box: _Box, found: list[int]) -> list[_Box]:
    low, high, start, end = box
    boxes = []
    for i, j in (*anchors, (high, end)):
        boxes.append((low, i, start, j))
        if i < high:
            found[i] = j
        low, start = i + 1, j + 1
    return boxes


def _anchors(a: Sequence[str], b: Sequence[str], box: _Box) -> list[tuple[int, int]]:
    """Lines that stand once in each, as many as keep their order."""
    low, high, start, end = box
    once_a, once_b = Counter(a[low:high]), Counter(b[start:end])
    places = {b[j]: j for j in range(start, end) if once_b[b[j]] == 1}
    pairs = [(i, places[a[i]]) for i in range(low, high) if once_a[a[i]] == 1 and a[i] in places]
    return _longest(pairs)


def _longest(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest run of pairs that rises in both, by piles."""
    tops: list[int] = []
    piles: list[int] = []
    before = [-1] * len(pairs)
    for n, (_, j) in enumerate(pairs):
        at = bisect_left(tops, j)
        before[n] = piles[at - 1] if at else -1
        if at == len(tops):
            tops.append(j)
            piles.append(n)
        else:
            tops[at], piles[at] = j, n
    run, n = [], piles[-1] if piles else -1
    while n >= 0:
        run.append(pairs[n])
        n = before[n]
    return run[::-1]
