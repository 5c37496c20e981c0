r"""Selectors: the exact way to ask, `p:decided -role:assistant since:7d path:src/billing/**`.

    selector = [term] { space term }
    term     = ["-"] [key ":"] value { "," value }     spaces are "and", commas "or", a dash "not"
    value    = quoted | bare
    quoted   = '"' { character | '\"' | '\\' } '"'     never a glob; other backslashes stand for themselves
    bare     = characters up to a space or comma       with * ** or ? a glob

- A term without a key matches the text. There `?` is a question mark (only `*` makes a glob), and a word with
  a comma at an end or two in a row is taken as written.
- A dash means "not" only right before something other than a dash, so `-` and `--flag` are text.
- A word with a colon whose head is no key is text if it looks like an address, path, time, port or `a::b`; any
  other is an error, and so is one that is nearly a key: a misspelt `since:` must not turn into a word to look for.
- `since until as-of known` take one value, once, and cannot be negated.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import tzinfo
from typing import Final

from muniment.errors import UsageError
from muniment.model.time import Instant, from_ms, to_ms

TEXT: Final = "text"
TIME_KEYS: Final = ("since", "until", "as-of", "known")
_OTHER_KEYS: Final = "s p o kind type topic tag role origin source method standing session path id unseen"
ASKING: Final = ("history", "conflicts", "similar")
"""Keys whose values ask another question: of a fact's id, or of a text."""
KEYS: Final = (*_OTHER_KEYS.split(), *ASKING, *TIME_KEYS)
CLOSED: Final = {
    "role": ("user", "tool", "assistant", "harness"),
    "origin": ("person", "tool", "model", "agent", "repository", "web", "import", "harness"),
    "source": ("told", "observed", "inferred"),
    "standing": ("confirmed", "hypothesis", "suspect", "superseded", "retracted", "expired", "any"),
    "type": tuple("event question promise decision fact preference procedure pattern ingested code".split()),
}
"""Keys whose values are checked here. Predicates are checked by the vocabulary, which knows its version."""

_SYNONYMS: Final = {
    "subject": "s",
    "predicate": "p",
    "object": "o",
    "file": "path",
    "after": "since",
    "before": "until",
}
_KEY: Final = re.compile(r"([A-Za-z][A-Za-z_-]*):")
_BARE: Final = re.compile(r"[^\s,]*")
_WORD: Final = re.compile(r"\S*")
_SPACE: Final = re.compile(r"\s*")
_QUOTED: Final = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_SHOWN: Final = 40


class SelectorError(UsageError):
    """The selector does not parse; `about` shows it with a caret under the place."""


@dataclass(frozen=True, slots=True)
class Value:
    """One alternative of a term."""

    text: str
    is_glob: bool = False


@dataclass(frozen=True, slots=True)
class Term:
    """One condition: any of the values under the key, or none of them when negated."""

    key: str
    values: tuple[Value, ...]
    negated: bool = False
    position: int = 0

    def canonical(self) -> str:
        """The term with as few quotes as it can do with."""
        head = ("-" if self.negated else "") + ("" if self.key == TEXT else f"{self.key}:")
        return head + ",".join(_written(value, self.key) for value in self.values)


@dataclass(frozen=True, slots=True)
class Selector:
    """Terms that must all hold; without terms everything open matches."""

    terms: tuple[Term, ...] = ()

    def canonical(self) -> str:
        """Text that parses to these terms again; only their positions may differ."""
        return " ".join(term.canonical() for term in self.terms)

    def get(self, key: str) -> tuple[Term, ...]:
        """The terms of a key (`text` for bare words), in order."""
        return tuple(term for term in self.terms if term.key == key)


def parse(text: str) -> Selector:
    """Read a selector; blank text has no terms. Raises SelectorError, which points at the place, and nothing else."""
    return Selector(tuple(_Reader(text).terms()))


def times(selector: Selector, now: Instant, zone: tzinfo) -> dict[str, Instant]:
    """The instants of the time terms present, in the reader's zone. Raises SelectorError for one that is not a time.

    `since` is the start of what it names, and `until` the end, exclusive: both bounds are inclusive as written, to
    be compared as `since <= at < until`. `as-of` and `known` are the last instant inside it: through that day.
    """
    return {key: _instant(term, now, zone) for key in TIME_KEYS for term in selector.get(key)}


def glob_to_regex(value: str | Value, key: str = "path") -> re.Pattern[str]:
    """A pattern for `fullmatch`. In paths `*` and `?` stop at a slash and `**/` also matches no folder at all;
    under other keys `*` matches anything."""
    if isinstance(value, Value) and not value.is_glob:
        return re.compile(re.escape(value.text))
    return re.compile(_glob_pattern(value if isinstance(value, str) else value.text, key), re.DOTALL)


def glob_prefix(value: str | Value) -> str:
    """The literal text that every match begins with, for a range of an index."""
    if isinstance(value, Value) and not value.is_glob:
        return value.text
    return re.split(r"[*?]", value if isinstance(value, str) else value.text, maxsplit=1)[0]


# --- reading -------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Reader:
    text: str
    at: int = 0

    def terms(self) -> Iterator[Term]:
        seen: set[str] = set()
        while not self._ended():
            term = self._term()
            if term.key in TIME_KEYS and term.key in seen:
                raise self._error(f"{term.key}: is given twice", term.position)
            seen.add(term.key)
            yield term

    def _ended(self) -> bool:
        self.at = self._take(_SPACE).end()
        return self.at == len(self.text)

    def _take(self, pattern: re.Pattern[str]) -> re.Match[str]:
        match = pattern.match(self.text, self.at)
        assert match is not None, "these patterns match the empty string"
        return match

    def _term(self) -> Term:
        start = self.at
        negated = self._negation()
        key = self._key()
        values = self._word() if key == TEXT else None
        term = Term(key, values or tuple(self._values(key)), negated, start)
        if key in TIME_KEYS and (negated or len(term.values) > 1):
            raise self._error(f"{key}: takes one value and no dash", start, "join since: and until: for a range")
        return term

    def _negation(self) -> bool:
        following = self.text[self.at + 1 : self.at + 2]
        negated = self.text[self.at] == "-" and following not in ("", "-") and not following.isspace()
        self.at += negated
        return negated

    def _key(self) -> str:
        match = _KEY.match(self.text, self.at)
        if match is None:
            return TEXT
        name, following = match[1], self.text[match.end() : match.end() + 2]
        if following.startswith(":"):
            return TEXT
        if name not in KEYS:
            self._refuse_unknown(name, following)
            return TEXT
        self.at = match.end()
        return name

    def _refuse_unknown(self, name: str, following: str) -> None:
        """Raise unless the word is an address, a drive, a port and the like, so plainly text."""
        if following == "//" or following.startswith("\\") or (len(name) == 1 and following.startswith("/")):
            return
        near = _nearest(name)
        if near is None and (not name.isalpha() or following[:1].isdigit()):
            return
        meant = f"did you mean {near}: ? " if near else f"keys are {' '.join(KEYS)}. "
        hint = f'{meant}Put the word in "quotes" to look for it as text'
        raise self._error(f"unknown key {_shown(name)} at character {self.at + 1}", self.at, hint)

    def _word(self) -> tuple[Value, ...] | None:
        """A bare word whose commas do not separate anything ("well," or "a,,b"); None if they do."""
        word = self._take(_WORD)
        pieces = word[0].split(",")
        if all(pieces) or any(piece.startswith('"') for piece in pieces):
            return None
        self.at = word.end()
        return (Value(word[0], _is_glob(word[0], TEXT)),)

    def _values(self, key: str) -> Iterator[Value]:
        yield self._value(key)
        while self.text.startswith(",", self.at):
            self.at += 1
            yield self._value(key)

    def _value(self, key: str) -> Value:
        start = self.at
        value = self._quoted() if self.text.startswith('"', start) else self._bare(key)
        if not value.text and (key == TEXT or self.at == start):
            raise self._error("a value is missing", start, 'write key:value; text with spaces goes in "quotes"')
        if key in CLOSED and value.text not in CLOSED[key]:
            allowed = ", ".join(CLOSED[key])
            raise self._error(f"unknown {key} {_shown(value.text)}", start, f"{key}: takes {allowed}")
        return value

    def _bare(self, key: str) -> Value:
        word = self._take(_BARE)
        self.at = word.end()
        return Value(word[0], _is_glob(word[0], key))

    def _quoted(self) -> Value:
        match = _QUOTED.match(self.text, self.at)
        if match is None:
            raise self._error("the quote is not closed", self.at, r"inside quotes write \" for a quote and \\ for \ ")
        end = match.end()
        if end < len(self.text) and self.text[end] != "," and not self.text[end].isspace():
            raise self._error("a closing quote must be followed by a space or comma", end)
        self.at = end
        return Value(re.sub(r'\\(["\\])', r"\1", match[1]))

    def _error(self, message: str, at: int, hint: str = "") -> SelectorError:
        return SelectorError(message, hint=hint, about=_pointed(self.text, at))


def _nearest(name: str) -> str | None:
    lower = name.lower()
    if lower in _SYNONYMS:
        return _SYNONYMS[lower]
    from difflib import get_close_matches  # errors alone need it

    return next(iter(get_close_matches(lower, KEYS, 1, 0.7)), None)


def _is_glob(text: str, key: str) -> bool:
    return "*" in text or ("?" in text and key != TEXT)


def _instant(term: Term, now: Instant, zone: tzinfo) -> Instant:
    from muniment.model.expression import parse_instant, parse_until  # bounds alone need it

    try:
        if term.key == "since":
            return parse_instant(term.values[0].text, now, zone)
        end = parse_until(term.values[0].text, now, zone)
    except UsageError as error:
        written = term.canonical()
        about = _pointed(written, len(term.key) + 1)
        raise SelectorError(f"{term.key}: {error.message}", hint=error.hint, about=about) from None
    return end if term.key == "until" else from_ms(to_ms(end) - 1)


# --- writing -------------------------------------------------------------------------------------------


def _written(value: Value, key: str) -> str:
    if value.is_glob or not _needs_quotes(value.text, key):
        return value.text
    escaped = value.text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _needs_quotes(text: str, key: str) -> bool:
    if not text or text[0] == '"' or _is_glob(text, key) or re.search(r"[\s,]", text):
        return True
    if key != TEXT:
        return text[0] == ":"  # `key::` would be text
    return text[0] == "-" or _KEY.match(text) is not None


def _shown(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "...")


def _pointed(text: str, at: int) -> str:
    """The text near a place, on one line, and a caret below it."""
    left, right = max(0, at - _SHOWN), at + _SHOWN
    before = ("…" if left else "") + _printable(text[left:at])
    after = _printable(text[at:right]) + ("…" if right < len(text) else "")
    return f"{before}{after}\n{' ' * sum(_columns(each) for each in before)}^"


def _printable(text: str) -> str:
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in text)


def _columns(character: str) -> int:
    from unicodedata import east_asian_width  # errors alone need it

    return 2 if east_asian_width(character) in "WF" else 1


# --- globs ---------------------------------------------------------------------------------------------
#
# Several stars make a plain translation try every way to share the text out among them, which takes time without
# bound. A literal after a star may as well be taken at the first place where it fits: any later place leaves the rest
# a shorter text to match. So all gaps but the last are atomic, and only the last has to reach a given end.


def _glob_pattern(text: str, key: str) -> str:
    if key != "path":
        return _segments(re.sub(r"\*+", "*", text), ".", is_last=True)
    pieces = re.split(r"((?:(?<![^/])\*{2,}/)|\*{2,})", text)
    last = len(pieces) - 1
    parts = [_segments(pieces[0], "[^/]", is_last=last == 0)]
    for at in range(1, last, 2):
        gap = "(?:|.*?/)" if pieces[at].endswith("/") else ".*?"
        rest = gap + _segments(pieces[at + 1], "[^/]", is_last=at + 1 == last)
        parts.append(rest if at + 1 == last else f"(?>{rest})")
    return "".join(parts)


def _segments(text: str, single: str, *, is_last: bool) -> str:
    """The pattern of a piece without `**`."""
    first, *others = (_literal(part, single) for part in re.split(r"\*", text))
    gaps = [f"(?>{single}*?{part})" for part in others]
    if others and is_last:
        gaps[-1] = f"{single}*{others[-1]}"
    return first + "".join(gaps)


def _literal(text: str, single: str) -> str:
    return single.join(re.escape(part) for part in text.split("?"))
