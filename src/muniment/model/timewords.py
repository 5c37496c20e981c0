"""The words that times are made of, and the ones that only look like it.

Running text is cut into tokens once; a reader of times looks at tokens from left to right and never back further than
one. What a word means hangs on its neighbours: `may` is a month after `in` and a verb after `you`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from muniment.model.clock import COUNTS, MONTHS, WEEKDAYS

_TOKEN: Final = re.compile(r"\d+|[^\W\d_]+|_|[^\w\s]")
_EDGE: Final = re.compile(r"[/\\_.@#$=&%-]")


class Token(NamedTuple):
    """One word, number or sign. `is_glued` when nothing stands between it and the token before."""

    low: str
    start: int
    end: int
    is_capital: bool
    is_glued: bool


def tokens(text: str) -> list[Token]:
    """The tokens of a text, and a sign of its end."""
    found, before = [], -1
    for match in _TOKEN.finditer(text):
        word = match[0]
        found.append(Token(word.lower(), match.start(), match.end(), word[0].isupper(), match.start() == before))
        before = match.end()
    found.append(Token("", len(text), len(text), False, False))
    return found


def is_loose(text: str, start: int, end: int) -> bool:
    """Does a span stand free, rather than inside a path, a name or a number?"""
    if start and (text[start - 1].isalnum() or _EDGE.match(text[start - 1])):
        return False
    tail = text[end : end + 2]
    if not tail or not (tail[0].isalnum() or _EDGE.match(tail[0])):
        return not (tail[:1] == ":" and tail[1:].isdigit())
    return tail[0] == "." and not tail[1:].isalnum()


def _spelled(full: str, stems: tuple[str, ...], extra: Iterable[str]) -> dict[str, int]:
    longs = {word: at for at, word in enumerate(full.split())}
    return longs | {stem: at for at, stem in enumerate(stems)} | {e: stems.index(e[:3]) for e in extra}


WEEKDAY: Final = _spelled(
    "monday tuesday wednesday thursday friday saturday sunday", WEEKDAYS, ("tues", "thur", "thurs")
)
MONTH: Final = _spelled(
    "january february march april may june july august september october november december", MONTHS, ("sept",)
)
SEASON: Final = {"spring": 2, "summer": 5, "autumn": 8, "fall": 8, "winter": 11}
"""The month that a season begins with, counted from 0, as north of the equator."""
COUNT: Final = COUNTS | {"couple": 2, "few": 3, "several": 4, "dozen": 12}
VAGUE: Final = frozenset({"couple", "few", "several", "dozen"})
UNIT: Final = {
    alias: unit
    for unit, aliases in {
        "s": "second seconds secs",
        "m": "minute minutes min mins",
        "h": "hour hours hr hrs",
        "d": "day days",
        "w": "week weeks wk wks",
        "mo": "month months",
        "y": "year years yr yrs",
        "weekend": "weekend weekends",
        "decade": "decade decades",
        "quarter": "quarter quarters",
    }.items()
    for alias in aliases.split()
}
SHORT: Final = {"s": "s", "m": "m", "h": "h", "d": "d", "w": "w", "mo": "mo", "y": "y"}
"""Units as they are written against their number: `3d ago`."""
PART: Final = {"morning": (5, 12), "afternoon": (12, 18), "evening": (18, 24), "night": (18, 30)}
"""The hours that a part of the day lasts; a night ends on the next day."""
FEAST: Final = {
    ("christmas", "eve"): (12, 24),
    ("christmas", "day"): (12, 25),
    ("christmas",): (12, 25),
    ("halloween",): (10, 31),
    ("new", "year", "'", "s", "eve"): (12, 31),
    ("new", "year", "'", "s", "day"): (1, 1),
    ("valentine", "'", "s", "day"): (2, 14),
}
STEP: Final = {"last": -1, "past": -1, "previous": -1, "this": 0, "current": 0, "next": 1, "coming": 1}
PORTION: Final = {
    **dict.fromkeys(("early", "beginning", "start"), 0),
    **dict.fromkeys(("mid", "middle"), 1),
    **dict.fromkeys(("late", "end"), 2),
}
NTH: Final = {w: n for n, w in enumerate("first second third fourth fifth".split())} | {"last": -1}

# --- what a word needs beside it -----------------------------------------------------------------------

# A word of these begins the next thought; a time can end before it. Before another noun it would only describe it.
_FUNCTION: Final = frozenset(
    """a about after all also although am an and are around as at because been before but by can could did do does
    for from had has have he her his how i if in into is it its like my nor of on onto or our she should since so than
    that the their them then there they this to together until was we were what when where which while who why will
    with without would you your""".split()
)
_ENDS: Final = frozenset(["", *".,;:!?)]}\"'’”»…—–|"])
_IN: Final = frozenset({"in", "during", "since", "until", "till", "before", "after", "around", "throughout", "within"})
_MORE: Final = _IN | {"by", "for", "every", "this", "last", "next", "between", "through", "~"}
# Names of people, or words with another sense; the rest of the months are months wherever they stand.
_NAMES: Final = frozenset("jan april may june august mar march dec".split())
_VERBS: Final = frozenset({"may", "march", "mar"})
_MODAL: Final = frozenset("be have not also well cause take need seem sound help go get i we you".split())
_SHORT_DAYS: Final = frozenset({"sat", "sun", "wed", "mon"})
_NOT_FRIDAYS: Final = frozenset({("black", "friday"), ("ruby", "tuesday"), ("ash", "wednesday"), ("man", "friday")})


def closes(token: Token) -> bool:
    """Can a time end before this token?"""
    return token.low in _ENDS or token.low in _FUNCTION or (token.low == "-" and not token.is_glued)


def month_stands(cue: str, word: Token, after: Token) -> bool:
    """Is a month's name without a day or a year the month, by the words beside it?"""
    if word.low not in _NAMES:
        return word.is_capital or cue in _MORE or cue == "of"
    if word.low in _VERBS and not word.is_capital:
        return cue in {"in", "during", "last", "next", "between", "early", "late", "mid"} and after.low not in _MODAL
    if cue in {"in", "during", "last", "next", "early", "late", "mid", "between", "through", "throughout"}:
        return True
    return cue in _MORE and cue not in {"for", "every"} and closes(after) and after.low not in _MODAL


def weekday_stands(cue: str, word: Token, after: Token) -> bool:
    """Is a weekday's name the day? Short forms are also words (`sat`, `sun`) and need more beside them."""
    if (cue, word.low) in _NOT_FRIDAYS:
        return False
    if len(word.low) > 4:
        return True
    if cue not in {"on", "last", "this", "next", "since", "until", "by", "before", "after", "from", "between", "to"}:
        return False
    if word.low in _SHORT_DAYS and not word.is_capital:
        return after.low.isdecimal()
    return closes(after) or after.low.isdecimal()


def season_stands(cue: str, after: Token) -> bool:
    """Is a season's name the season? `spring` and `fall` are also other things."""
    return cue in {"in", "during", "since", "for", "last", "this", "next", "over", "of", "until", "every"} and (
        closes(after) or after.is_capital
    )


def year_stands(cue: str, number: Token, after: Token) -> bool:
    """Is a bare number a year? Not when it counts what follows it."""
    is_year = len(number.low) == 4 and number.low.isascii() and "1900" <= number.low < "2100"
    if not is_year or cue not in _IN | {"by", "from", "to", "of", "between", "and", "mid", "early", "late", "through"}:
        return False
    return closes(after) or (after.is_capital and after.end - after.start > 2)
