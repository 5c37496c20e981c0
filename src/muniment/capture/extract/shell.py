"""Command lines as data: their segments and words, and where each word stands. Nothing is run or expanded.

Covers what agents write: quotes, escapes, substitutions, redirections, here-documents, comments, `bash -lc '...'`. A
line that cannot be followed (an open quote) gives the segments before that place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from muniment.model.event import Span

LIMIT = 16_000
"""Characters of a command line that are looked at."""

_DEPTH = 2
_SHELLS = frozenset("bash sh zsh dash ksh".split())
_SCRIPT_FLAG = re.compile(r"-[a-z]*c")
_NEST = re.compile(r"\\.|'[^']*'|<<-?[ \t]*['\"\\]?([\w.-]+)['\"]?|\$\(|[\"()]", re.DOTALL)
_QUOTED = re.compile(r"[^\"\\$`]+|\\.|\$\(|[$`\"]", re.DOTALL)
_TOKEN = re.compile(
    r"(?P<space>(?:[ \t\r]|\\\r?\n)+)"
    r"|(?P<here><<-?[ \t]*['\"\\]?(?P<tag>[\w.-]+)['\"]?)"
    r"|(?P<redirect>\d*(?:&>>|&>|<<<|>>|>\||>&|<&|<>|>|<)(?:[ \t]*&?\d+(?=[\s;&|)]|$)|-)?)"
    r"|(?P<operator>&&|\|\||;;|\|&|[;|&()\n])"
    r"|(?P<single>'[^']*')"
    r"|(?P<double>\")"
    r"|(?P<dynamic>\$\(|`[^`]*`|\$)"
    r"|(?P<escape>\\.)"
    r"|(?P<plain>[^\s'\"\\`$;&|()<>]+)",
    re.DOTALL,
)


class Word(NamedTuple):
    """One word: its `value` after quoting, where that stands verbatim (`span`), and that no expansion is in it."""

    value: str
    span: Span | None
    fixed: bool


class Segment(NamedTuple):
    """One simple command, with the operators on both sides of it ("" at the ends, ";" also for a new line)."""

    words: tuple[Word, ...]
    before: str
    after: str


class _Piece(NamedTuple):
    value: str
    start: int
    end: int
    fixed: bool


class _Reader:
    """Walks over one command line. `base` is added to every span."""

    def __init__(self, text: str, base: int) -> None:
        self.text, self.base, self.pos = text, base, 0
        self.segments: list[Segment] = []
        self.words: list[Word] = []
        self.pieces: list[_Piece] = []
        self.tags: list[str] = []
        self.before = ""
        self.skip_word = False

    def read(self) -> list[Segment]:
        while self.pos < len(self.text):
            if not self._step():
                return self.segments
        self._end_segment("")
        return self.segments

    def _step(self) -> bool:
        if not self.pieces and self.text[self.pos] == "#":
            self.pos = _line_end(self.text, self.pos)
            return True
        found = _TOKEN.match(self.text, self.pos)
        if found is None:
            return False
        self.pos = found.end()
        return self._take(str(found.lastgroup), found)

    def _take(self, kind: str, found: re.Match[str]) -> bool:
        if kind == "double":
            return self._double()
        if kind in ("space", "redirect", "here", "operator"):
            self._end_word()
        if kind == "redirect":
            self.skip_word = not (found.group()[-1].isdigit() or found.group()[-1] == "-")
        elif kind == "here":
            self.tags.append(found["tag"])
        elif kind == "operator":
            self._operator(found.group())
        elif kind != "space":
            self._piece(kind, found)
        return True

    def _operator(self, written: str) -> None:
        self._end_segment(";" if written in ("\n", ";;") else written)
        if written == "\n":
            for tag in self.tags:
                self.pos = _after_here(self.text, self.pos, tag)
            self.tags.clear()

    def _piece(self, kind: str, found: re.Match[str]) -> None:
        start, end = found.span()
        if kind == "dynamic":
            self.pos = end = _closing(self.text, end) if found.group() == "$(" else end
            self.pieces.append(_Piece(self.text[start:end], start, end, False))
        elif kind == "plain":
            self.pieces.append(_Piece(found.group(), start, end, not any(c in "*?[]{}" for c in found.group())))
        else:
            start, end = (start + 1, end) if kind == "escape" else (start + 1, end - 1)
            self.pieces.append(_Piece(self.text[start:end], start, end, True))

    def _double(self) -> bool:
        parts: list[str] = []
        start, fixed, broken = self.pos, True, False
        while (found := _QUOTED.match(self.text, self.pos)) is not None:
            self.pos, piece = found.end(), found.group()
            if piece == '"':
                end = self.pos - 1 if not broken else -1
                self.pieces.append(_Piece("".join(parts), start, end, fixed))
                return True
            if piece == "$(":
                self.pos = _closing(self.text, self.pos)
                piece = self.text[found.start() : self.pos]
            fixed = fixed and piece[0] not in "$`"
            escaped = piece[0] == "\\" and piece[1:] in ('"', "\\", "$", "`", "\n")
            broken = broken or escaped
            parts.append(piece[1:].strip("\n") if escaped else piece)
        return False

    def _end_word(self) -> None:
        if self.pieces and not self.skip_word:
            self.words.append(_word(self.pieces, self.base))
        if self.pieces:
            self.skip_word = False
        self.pieces = []

    def _end_segment(self, operator: str) -> None:
        self._end_word()
        self.skip_word = False
        if self.words:
            self.segments.append(Segment(tuple(self.words), self.before, operator))
        if self.words or operator != ";":  # a new line after `&&` changes nothing
            self.before = operator
        self.words = []


def segments(text: str, base: int = 0, depth: int = 0) -> list[Segment]:
    """The simple commands of a command line, those inside `bash -c '...'` in their place; spans are moved by `base`."""
    found: list[Segment] = []
    for segment in _Reader(text[:LIMIT], base).read():
        script = _script(segment.words) if depth < _DEPTH else None
        if script is None or script.span is None:
            found.append(segment)
        else:
            found.extend(_framed(segments(script.value, script.span.start, depth + 1), segment))
    return found


def _framed(inner: list[Segment], outer: Segment) -> Iterator[Segment]:
    last = len(inner) - 1
    for index, segment in enumerate(inner):
        before = outer.before if index == 0 else segment.before
        yield Segment(segment.words, before, outer.after if index == last else segment.after)


def _script(words: tuple[Word, ...]) -> Word | None:
    if len(words) < 3 or words[0].value.rpartition("/")[2] not in _SHELLS:
        return None
    for flag, script in pairwise(words[1:]):
        if _SCRIPT_FLAG.fullmatch(flag.value):
            return script
        if not flag.value.startswith("-"):
            return None
    return None


def _word(pieces: list[_Piece], base: int) -> Word:
    whole = all(one.end == two.start for one, two in pairwise(pieces))
    span = Span(base + pieces[0].start, base + pieces[-1].end) if whole and pieces[-1].end >= 0 else None
    return Word("".join(piece.value for piece in pieces), span, all(piece.fixed for piece in pieces))


def _closing(text: str, pos: int) -> int:
    """The place after the `)` that closes a `$(` opened before `pos`; the end of the text if nothing does."""
    stack = [")"]
    while stack and (found := _NEST.search(text, pos)) is not None:
        pos, piece = found.end(), found.group()
        if stack[-1] == '"' and (piece[0] in "'<(" or piece == ")"):
            pos = found.start() + 1
        elif found[1] is not None:
            pos = _after_here(text, _line_end(text, pos) + 1, found[1])
        elif piece == stack[-1]:
            stack.pop()
        elif piece in ("(", "$(", '"'):
            stack.append('"' if piece == '"' else ")")
    return len(text) if stack else pos


def _after_here(text: str, pos: int, tag: str) -> int:
    """The place of the line end that closes a here-document whose body begins at `pos`."""
    while pos < len(text):
        end = _line_end(text, pos)
        if text[pos:end].strip() == tag:
            return end
        pos = end + 1
    return len(text)


def _line_end(text: str, pos: int) -> int:
    end = text.find("\n", pos)
    return len(text) if end < 0 else end
