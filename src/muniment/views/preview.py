"""One line of a text that shows why it was found, and never says the opposite of it.

The sentences that hold most of the question's words are shown; where one is too long, stretches of it stand between
ellipses. Whatever is left out of a shown sentence, its negations and hedges stay: each with the words beside it while
there is room, and in any case the last one before and the first one after every word that is shown.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from muniment.model.markers import Span, folded, markers
from muniment.views.graphemes import graphemes, snapped
from muniment.views.rows import escaped
from muniment.views.sentences import sentences

CAP = 105
"""Characters of a preview. Only where the negations and hedges of one sentence need more does it have more."""
_WORDS_READ = 64
_GAP = " … "
_LONG_WORD = 40
_WHOLE, _AROUND, _BESIDE = 3_000, 400, 60
"""A sentence up to so long is looked at whole; of a longer one so much around a word that was asked for, and around a marker."""
_NEVER = 1 << 40
_MOST_PLACES = 300
"""Places of one word that are looked at; a text that repeats a word more often is made for machines."""
_ROUNDS = 6
"""Tokens on each side of a word that was asked for before words further off get their turn."""
_LEAST = 24
"""Characters below which a piece of one more sentence tells nobody anything."""
_PIECE = re.compile(r"\S+")
_GAPS = re.compile(r"…(?: ?…)+")
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff]"
)


class Excerpt(NamedTuple):
    """What a preview shows, on one line and escaped, and how many characters of the text it does not."""

    text: str
    missing: int

    @property
    def marks(self) -> tuple[str, ...]:
        """`cut:+N` where something is missing."""
        return (f"cut:+{self.missing}",) if self.missing else ()


def preview(text: str, words: Iterable[str], cap: int = CAP) -> str:
    """The line alone."""
    return excerpt(text, words, cap).text


def excerpt(text: str, words: Iterable[str], cap: int = CAP) -> Excerpt:
    """At most `cap` characters of the text, those that hold `words` (any case, whole words; inside unspaced scripts)."""
    if len(text) <= cap:
        whole = escaped(_one_line(text))
        if len(whole) <= cap:
            return Excerpt(whole, 0)
    return _Choice(text, _sought(tuple(words)), cap).excerpt()


def _one_line(text: str) -> str:
    return " ".join(text.split())


class _Sought:
    """The words that were asked for."""

    def __init__(self, words: Iterable[str]) -> None:
        forms = sorted(dict.fromkeys(folded(w) for w in words if w.strip()), key=lambda w: (-len(w), w))
        self._forms = [(form, _UNSPACED.search(form) is not None) for form in forms[:_WORDS_READ]]

    def spans(self, text: str) -> list[Span]:
        """Where they stand, in order."""
        plain = folded(text)
        if len(plain) != len(text):  # some letter became two: places in one are none in the other
            plain = text.casefold() if len(text.casefold()) == len(text) else text
        found = [Span(at, at + len(w), w) for w, is_inside in self._forms for at in _places(plain, w, is_inside)]
        return sorted(found)


def _places(text: str, word: str, is_inside: bool) -> Iterator[int]:
    at, found = text.find(word), 0
    while at >= 0 and found < _MOST_PLACES:
        end = at + len(word)
        if is_inside or not (text[at - 1 : at].isalnum() or text[end : end + 1].isalnum()):
            found += 1
            yield at
        at = text.find(word, end)


@lru_cache(maxsize=4)
def _sought(words: tuple[str, ...]) -> _Sought:
    """The rows of one answer all ask for the same."""
    return _Sought(words)


class _Choice:
    """Which sentences are shown, and what of them."""

    def __init__(self, text: str, sought: _Sought, cap: int) -> None:
        self._text, self._sought, self._room = text, sought, cap
        self._ranges = sentences(text)
        self._spans = _shared_out(sought.spans(text), self._ranges)
        self._shown: dict[int, tuple[str, int]] = {}

    def excerpt(self) -> Excerpt:
        for n in self._order():
            self._take(n)
        parts = [self._shown[n] for n in sorted(self._shown)]
        missing = len(self._text.strip()) - sum(size for _, size in parts)
        return Excerpt(self._joined(), max(missing, 0))

    def _order(self) -> Iterator[int]:
        """The best sentence, then those that bring other words, then what stands around the best."""
        found = [{span.word for span in spans} for spans in self._spans]
        best = max(range(len(found)), key=lambda n: (len(found[n]), -self._length(n) if found[n] else 0, -n))
        yield best
        known, rest = set(found[best]), [n for n in range(len(found)) if found[n] and n != best]
        for n in sorted(rest, key=lambda n: (-len(found[n]), n))[:_WORDS_READ]:
            if found[n] - known:
                known |= found[n]
                yield n
        yield from (n for n in (best + 1, best - 1, best + 2) if 0 <= n < len(found))

    def _length(self, n: int) -> int:
        start, end = self._ranges[n]
        return end - start

    def _take(self, n: int) -> None:
        if n in self._shown:
            return
        start, end = self._ranges[n]
        room = self._room - (len(_GAP) if self._shown else 0) - self._ends_cost(n)
        whole = escaped(_one_line(self._text[start:end])) if end - start <= 4 * max(room, 0) else None
        if whole is not None and len(whole) <= room:
            self._keep(n, whole, len(self._text[start:end].strip()))
        elif not self._shown or (room >= _LEAST and self._spans[n]):
            cut = _Cut(self._text[start:end], self._spans[n], room)
            shown, size = cut.text()
            if not self._shown or len(shown) <= room:
                self._keep(n, shown, size)

    def _ends_cost(self, n: int) -> int:
        """Room for the ellipses at both ends, which may turn out not to be needed."""
        return (2 if n > 0 and not self._shown else 0) + (2 if n + 1 < len(self._ranges) and not self._shown else 0)

    def _keep(self, n: int, shown: str, size: int) -> None:
        cost = len(shown) + (len(_GAP) if self._shown else self._ends_cost(n))
        self._room -= cost
        self._shown[n] = (shown, size)

    def _joined(self) -> str:
        numbers = sorted(self._shown)
        line = "" if numbers[0] == 0 else "… "
        for n, before in zip(numbers, [None, *numbers], strict=False):
            gap = "" if before is None else " " if n == before + 1 else _GAP
            line += gap + self._shown[n][0]
        line += "" if numbers[-1] == len(self._ranges) - 1 else " …"
        return _GAPS.sub("…", line) if "……" in line or "… …" in line else line


def _shared_out(spans: list[Span], ranges: list[tuple[int, int]]) -> list[list[Span]]:
    """The spans of each range, counted from its start."""
    shares: list[list[Span]] = [[] for _ in ranges]
    starts = [start for start, _ in ranges]
    for start, end, word in spans:
        n = max(bisect_right(starts, start) - 1, 0)
        shares[n].append(Span(start - starts[n], end - starts[n], word))
    return shares


class _Token(NamedTuple):
    start: int
    end: int
    shown: str
    cost: int


class _Cut:
    """One sentence that is too long: the tokens of it that are kept."""

    def __init__(self, text: str, sought: Sequence[Span], room: int) -> None:
        near, first = _clustered(sought)
        marks = markers(text)
        self._tokens = list(_tokens(text, _stretches(text, near, first, marks)))
        starts = [t.start for t in self._tokens]
        self._marks = [self._cover(span, starts) for span in marks]
        self._mark_words = [span.word for span in marks]
        self._seeds = [self._cover(span, starts) for span in (*near, *first)]
        self._near = len(near) or 1
        self._kept = [False] * len(self._tokens)
        self._left = room - len(_GAP)

    def _cover(self, span: Span, starts: list[int]) -> tuple[int, int]:
        return max(bisect_right(starts, span.start) - 1, 0), bisect_left(starts, span.end)

    def text(self) -> tuple[str, int]:
        """What is kept, with ellipses, and how many characters of the sentence that is."""
        middle = self._seeds[0][0] if self._seeds else 0
        for mark in self._one_of_each(middle):
            self._force(mark)
        seeds = self._seeds or [(0, 1)]
        for some, rounds in (
            (seeds[: self._near], _ROUNDS),
            (seeds[self._near :], _ROUNDS),
            (seeds, len(self._tokens)),
        ):
            added = [seed for seed in some if self._add_governed(*seed)]
            self._grow(added, rounds)
            self._add_neighbours(middle)
        return self._rendered(), sum(t.end - t.start for t, kept in zip(self._tokens, self._kept, strict=True) if kept)

    # -- choosing

    def _one_of_each(self, middle: int) -> list[tuple[int, int]]:
        """Of every marker of the sentence the one that governs the middle: the last before it, else the first after."""
        nearest: dict[str, tuple[tuple[bool, int], tuple[int, int]]] = {}
        for word, mark in zip(self._mark_words, self._marks, strict=True):
            rank = (mark[0] > middle, abs(mark[0] - middle))
            if word not in nearest or rank < nearest[word][0]:
                nearest[word] = (rank, mark)
        return [mark for _, mark in sorted(nearest.values())]

    def _governing(self, token: int) -> list[tuple[int, int]]:
        at = bisect_right(self._marks, (token, len(self._tokens)))
        return self._marks[max(at - 1, 0) : at + 1]

    def _add_governed(self, start: int, end: int) -> bool:
        """Tokens together with the markers on both sides of them, if there is room for all."""
        kept, tokens = self._kept, self._tokens
        wanted = [(start, end), *self._governing(start), *(self._governing(end - 1) if end - start > 1 else ())]
        missing = {i for a, b in wanted if not kept[a] or b - a > 1 for i in range(a, b) if not kept[i]}
        left = self._left
        for i in missing:
            left -= tokens[i].cost + len(_GAP)
        if left < 0:
            return False
        for i in sorted(missing):
            self._keep(i)
        return True

    def _add_neighbours(self, middle: int) -> None:
        kept = [mark for mark in self._marks if self._kept[mark[0]]]
        for start, end in sorted(kept, key=lambda mark: (abs(mark[0] - middle), mark)):
            for i in (end, start - 1, end + 1):
                self._try(i)

    def _grow(self, edges: list[tuple[int, int]], rounds: int) -> None:
        """Every stretch by one token to the right and one to the left, again and again."""
        while edges and rounds:
            grown, rounds = [], rounds - 1
            for a, b in edges:
                right, left = self._past(b, 1), self._past(a - 1, -1)
                if self._try(right) | self._try(left):
                    grown.append((left, right + 1))
            edges = grown

    def _past(self, i: int, step: int) -> int:
        while 0 <= i < len(self._tokens) and self._kept[i]:
            i += step
        return i

    def _try(self, i: int) -> bool:
        if not 0 <= i < len(self._tokens) or self._kept[i]:
            return False
        mark = next((m for m in self._governing(i) if m[0] <= i < m[1]), None)
        return self._add_governed(*mark) if mark else self._add_governed(i, i + 1)

    def _force(self, mark: tuple[int, int]) -> None:
        for i in range(*mark):
            if not self._kept[i]:
                self._keep(i)

    def _keep(self, i: int) -> None:
        kept = self._kept
        beside = (i == 0 or kept[i - 1]) + (i == len(kept) - 1 or kept[i + 1])
        kept[i] = True
        self._left -= self._tokens[i].cost + len(_GAP) * (1 - beside)

    # -- writing

    def _rendered(self) -> str:
        parts: list[str] = []
        is_gap = False
        for i, token in enumerate(self._tokens):
            if not self._kept[i]:
                is_gap = True
                continue
            glue = " " if token.cost > len(token.shown) else ""
            parts.append((_GAP if parts else "… ") if is_gap else glue if parts else "")
            parts.append(token.shown)
            is_gap = False
        return ("".join(parts) + (" …" if is_gap else "")).strip()


def _clustered(found: Sequence[Span]) -> tuple[list[Span], list[Span]]:
    """One place of each word: those that stand closest together, and the first of every other word."""
    best, window, begin, counts = (0, 0, 0), (0, 0), 0, dict[str, int]()
    for end, span in enumerate(found):
        counts[span.word] = counts.get(span.word, 0) + 1
        while counts[found[begin].word] > 1:
            counts[found[begin].word] -= 1
            begin += 1
        score = (len(counts), found[begin].start - span.end, -begin)
        if score > best:
            best, window = score, (begin, end)
    if not found:
        return [], []
    near = {span.word: span for span in reversed(found[window[0] : window[1] + 1])}
    first = {span.word: span for span in reversed(found) if span.word not in near}
    return sorted(near.values()), sorted(first.values())


def _stretches(text: str, near: list[Span], first: list[Span], marks: list[Span]) -> list[tuple[int, int]]:
    """What of a sentence has to be looked at, token by token: of one without end, only what may be shown."""
    if len(text) <= _WHOLE:
        return [(0, len(text))]
    seeds = [*near, *first] or [Span(0, 1, "")]
    starts = [mark.start for mark in marks]
    one_of_each = {mark.word: mark for mark in reversed(marks)} | {
        mark.word: mark for mark in marks[: bisect_right(starts, seeds[0].start)]
    }
    governing = [m for seed in seeds for m in marks[max(bisect_right(starts, seed.start) - 1, 0) :][:2]]
    wanted = [(s.start - _AROUND, s.end + _AROUND) for s in seeds]
    wanted += [(m.start - _BESIDE, m.end + _BESIDE) for m in (*one_of_each.values(), *governing)]
    return _merged([(_cut_at(text, max(a, 0)), _cut_at(text, min(b, len(text)))) for a, b in wanted])


def _cut_at(text: str, at: int) -> int:
    """A place at or before `at` where the text may be cut: at a blank if there is one near."""
    blank = max(text.rfind(" ", max(at - _LONG_WORD, 0), at), text.rfind("\n", max(at - _LONG_WORD, 0), at))
    return at if at == len(text) else blank + 1 if blank >= 0 else snapped(text, at)


def _merged(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        elif start < end:
            merged.append((start, end))
    return merged


def _tokens(text: str, stretches: list[tuple[int, int]]) -> Iterator[_Token]:
    """Words with their signs; scripts without spaces, and words that are longer than any, in characters.

    What lies between two stretches is one token that nobody can afford.
    """
    at = 0
    for start, end in [*stretches, (len(text), len(text))]:
        if start > at:
            yield _Token(at, start, "", _NEVER)
        yield from _tokens_within(text, start, end)
        at = end


def _tokens_within(text: str, start: int, end: int) -> Iterator[_Token]:
    for match in _PIECE.finditer(text, start, end):
        piece, at, space = match.group(), match.start(), 1
        if len(piece) <= _LONG_WORD and (piece.isascii() or not _UNSPACED.search(piece)):
            shown = escaped(piece)
            yield _Token(at, match.end(), shown, len(shown) + space)
            continue
        for part in graphemes(piece):
            shown = escaped(part)
            yield _Token(at, at + len(part), shown, len(shown) + space)
            at, space = at + len(part), 0
