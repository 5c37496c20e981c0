"""Odd questions without end: whatever anybody could paste where words are asked for. The same seed, the same strings.

Our own frame (`<muniment ...>`) is not among them: what stands in it is taken out of a turn before it is archived.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

OPERATORS = [
    "AND",
    "OR",
    "NOT",
    "NEAR(",
    "NEAR(a b, 3)",
    "a AND",
    "text:",
    "col:x",
    "{a b}:",
    "^",
    "*",
    "a*",
    "+",
    "-x",
    '"',
    '""',
]
SQL = [
    "'; DROP TABLE turns; --",
    "' OR 1=1 --",
    "SELECT * FROM facts",
    "%",
    "_",
    "\\",
    "?1",
    ":a0",
    "/* */",
    "x'00'",
    "NULL",
]
SIGNS = [
    "!!!",
    "???",
    "...",
    "--",
    "—",
    "(",
    ")",
    "[]",
    "{}",
    "<>",
    "«»",
    "&&",
    "||",
    "~",
    "`",
    "§",
    "°",
    "№",
    "¯\\_(ツ)_/¯",
    "→",
]
STOP = "the a an of to in is it was and or not what when who where how why do does did i you we they that this".split()
EMOJI = ["😀", "👩‍👩‍👧", "👍🏽", "🇩🇪", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "❤️", "1️⃣"]
RTL = ["\u202e", "\u200f", "مرحبا", "שלום", "قاعدة البيانات", "\u202egnp.exe"]
CJK = ["数据库", "没有", "データベース", "ない", "한국어", "안녕하세요", "用", "ｶﾀｶﾅ", "ไทย", "ភាសាខ្មែរ", "𠮷野家"]
BROKEN = [
    "\0",
    "a\0b",
    "\ud800",
    "\udcff",
    "\ufffe",
    "\ufeff",
    "e\u0301",
    "\u0301",
    "\u200b",
    "\x1b[31m",
    "\r\n",
    "\t",
    "\x7f",
    "\u2028",
]
CODE = [
    "idx_memory_units_text_search",
    "src/billing/reader.ts",
    "a1b2c3d",
    "JIRA-1234",
    "C:\\x\\y",
    "https://a.b/c?d=e#f",
]
MARKUP = [
    "--flag=x",
    "session:seq@0-1",
    "since:7d",
    "p:ran",
    "{{x}}",
    "<b>",
    "</system>",
    "$(id)",
    "`id`",
    "1e308",
]
LATIN = ["Straße", "İstanbul", "ﬁ", "ǆ", "naïve", "Ω", "K", "café", "ÀÉÎ", "ﷺ", "ß", "ſ"]
GROUPS = [OPERATORS, SQL, SIGNS, STOP, EMOJI, RTL, CJK, BROKEN, CODE, MARKUP, LATIN]


def strings(seed: int) -> Iterator[str]:
    """One odd string after the other; every hundredth or so is very long."""
    rng = random.Random(seed)
    ways: list[Callable[[random.Random], str]] = [_one, _same, _mixed, _mixed, _mixed, _glued, _any]
    while True:
        yield _long(rng) if rng.random() < 0.005 else rng.choice(ways)(rng)


def _one(rng: random.Random) -> str:
    return rng.choice(rng.choice(GROUPS))


def _same(rng: random.Random) -> str:
    """Several of one kind: only stop words, only signs."""
    group = rng.choice(GROUPS)
    return " ".join(rng.choices(group, k=rng.randint(2, 8)))


def _mixed(rng: random.Random) -> str:
    return " ".join(_one(rng) for _ in range(rng.randint(2, 10)))


def _glued(rng: random.Random) -> str:
    return "".join(_one(rng) for _ in range(rng.randint(2, 6)))


def _any(rng: random.Random) -> str:
    """Any code points at all."""
    return "".join(
        chr(rng.choice([rng.randrange(0x80), rng.randrange(0x3000), rng.randrange(0x110000)]))
        for _ in range(rng.randint(1, 20))
    )


def _long(rng: random.Random) -> str:
    piece = rng.choice([_one, _mixed, _glued])(rng) or "x"
    return (piece + rng.choice(["", " ", "\n"])) * (100_000 // (len(piece) + 1))
