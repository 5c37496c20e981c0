"""Full-text expressions, as the lanes write them, as conditions over the rows of the text indexes.

`"word"`, `"a phrase"`, `NEAR("a" "b", n)`, `AND`, `OR` and parentheses, with the meaning that they have in a file.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

_PART = re.compile(r'\s*("(?:[^"]|"")*"|NEAR|AND|OR|[(),]|\d+)')


class Phrase(NamedTuple):
    """Words that follow each other, or (`within`) stand at most that many words apart in any order."""

    words: tuple[str, ...]
    within: int | None = None


class Junction(NamedTuple):
    """All or any of several expressions."""

    is_all: bool
    parts: tuple[Phrase | Junction, ...]


Expression = Phrase | Junction


def parsed(text: str, words: Callable[[str], list[str]]) -> Expression:
    """The expression, its phrases cut into words as the index cuts them."""
    return _Parser([m[1] for m in _PART.finditer(text)], words).junction()


class _Parser:
    def __init__(self, tokens: list[str], words: Callable[[str], list[str]]) -> None:
        self._tokens, self._words, self._at = tokens, words, 0

    def junction(self) -> Expression:
        """`a OR b`; AND binds closer."""
        return self._joined("OR", lambda: self._joined("AND", self._atom))

    def _joined(self, word: str, part: Callable[[], Expression]) -> Expression:
        parts = [part()]
        while self._peek() == word:
            self._at += 1
            parts.append(part())
        return parts[0] if len(parts) == 1 else Junction(word == "AND", tuple(parts))

    def _atom(self) -> Expression:
        token = self._next()
        if token == "(":
            inner = self.junction()
            self._next()
            return inner
        if token == "NEAR":
            return self._near()
        return Phrase(tuple(self._words(token[1:-1].replace('""', '"'))))

    def _near(self) -> Expression:
        self._next()
        words, within = list[str](), 10
        while (token := self._next()) != ")":
            if token.isdigit():
                within = int(token)
            elif token != ",":
                words += self._words(token[1:-1])
        return Phrase(tuple(words), within)

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _next(self) -> str:
        self._at += 1
        return self._tokens[self._at - 1]


def drivers(expression: Expression) -> list[str]:
    """Words of which every match holds one."""
    if isinstance(expression, Phrase):
        return list(expression.words[:1])
    if expression.is_all:
        return drivers(expression.parts[0])
    return [word for part in expression.parts for word in drivers(part)]


def is_any_word(expression: Expression) -> bool:
    """Is a match whatever holds one of the drivers?"""
    if isinstance(expression, Phrase):
        return len(expression.words) == 1
    return not expression.is_all and all(is_any_word(part) for part in expression.parts)


def condition(expression: Expression, row: str, args: dict[str, object]) -> str:
    """The expression as a condition on the row whose number is `row`; its words go into `args`."""
    if isinstance(expression, Phrase):
        return _held(expression, row, args)
    word = " AND " if expression.is_all else " OR "
    return "(" + word.join(condition(part, row, args) for part in expression.parts) + ")"


def rows(expression: Expression, args: dict[str, object]) -> str:
    """The numbers of the rows that match, as a query over the index that `:name` names."""
    if isinstance(expression, Phrase):
        return (
            f"SELECT q0.doc {_from(expression, args)}" if expression.words else "SELECT doc FROM text_docs WHERE 1 = 0"
        )
    word = " INTERSECT " if expression.is_all else " UNION "
    return word.join(f"({rows(part, args)})" for part in expression.parts)


def _held(phrase: Phrase, row: str, args: dict[str, object]) -> str:
    if not phrase.words:
        return "1 = 0"
    return f"EXISTS (SELECT 1 {_from(phrase, args)} AND q0.doc = {row})"


def _from(phrase: Phrase, args: dict[str, object]) -> str:
    """Each word stands in the row, in one column, at places that fit those of the first."""
    tables, tests = list[str](), list[str]()
    for n, word in enumerate(phrase.words):
        name = f"w{len(args)}"
        args[name] = word
        tables.append(
            f"text_places q{n}" + (f" ON q{n}.doc = q0.doc AND q{n}.col = q0.col AND q{n}.name = q0.name" if n else "")
        )
        tests.append(f"q{n}.term = :{name}")
    fits = [_fits(phrase, n) for n in range(1, len(phrase.words))]
    if fits:
        tests.append(f"EXISTS (SELECT 1 FROM unnest(q0.places) x(at) WHERE {' AND '.join(fits)})")
    return f"FROM {' JOIN '.join(tables)} WHERE q0.name = :name AND {' AND '.join(tests)}"


def _fits(phrase: Phrase, n: int) -> str:
    if phrase.within is None:
        return f"x.at + {n} = ANY (q{n}.places)"
    reach = phrase.within + 1
    return f"EXISTS (SELECT 1 FROM unnest(q{n}.places) y(at) WHERE abs(y.at - x.at) BETWEEN 1 AND {reach})"
