"""Any string is a query, in any script: a planted row is found, and nothing but a selector error is ever raised."""

from __future__ import annotations

import random
import string

import pytest
from tests.support import state

from muniment.engine.asking import query
from muniment.engine.core import Engine
from muniment.model.selector import Selector, Term, Value, parse
from muniment.model.text_index import contains, indexed, phrase

BUDGET = 1_000_000

SCRIPTS = {
    # script: (row, whole words in it, pieces that a reader would look for in a script without spaces)
    "latin": ("the retry policy lives here", ("retry", "policy"), ()),
    "german": ("Straße und Übergröße", ("straße", "Übergröße", "STRASSE"), ()),
    "vietnamese": ("cơ sở dữ liệu", ("dữ", "liệu", "lieu"), ()),
    "turkish": ("Işık ve İstanbul", ("ışık", "İstanbul"), ()),
    "greek": ("βάση δεδομένων", ("βάση", "ΒΑΣΗ", "βαση"), ()),
    "cyrillic": ("база данных проекта", ("база", "ДАННЫХ"), ()),
    "armenian": ("տվյալների բազա", ("տվյալների",), ()),
    "georgian": ("მონაცემთა ბაზა", ("ბაზა",), ()),
    "hebrew": ("מסד נתונים", ("נתונים",), ()),
    "arabic": ("قاعدة البيانات", ("البيانات", "قاعدة"), ()),
    "devanagari": ("डेटाबेस नीति", ("डेटाबेस", "नीति"), ()),
    "bengali": ("তথ্য ভাণ্ডার", ("তথ্য", "ভাণ্ডার"), ()),
    "tamil": ("தரவு தளம்", ("தரவு", "தளம்"), ()),
    "amharic": ("የውሂብ ጎታ", ("የውሂብ",), ()),
    "korean": ("데이터베이스 정책", ("데이터베이스", "정책"), ()),
    "thai": ("นโยบายการลองใหม่", ("นโยบายการลองใหม่",), ("นโยบาย", "ลอง")),
    "lao": ("ນະໂຍບາຍ", ("ນະໂຍບາຍ",), ("ໂຍ",)),
    "khmer": ("គោលនយោបាយ", ("គោលនយោបាយ",), ("នយោ",)),
    "burmese": ("မူဝါဒ", ("မူဝါဒ",), ("ဝါ",)),
    "chinese": ("数据库的重试策略", ("数据库的重试策略",), ("重试", "数据", "策", "库的")),
    "japanese": ("データベースの再試行", ("データベースの再試行",), ("再試", "タベ", "の")),
    "mixed": ("重跑job-7后 then パス/src", ("job-7", "src"), ("重跑", "后", "パス")),
    "full width": ("port ８０８０ ＡＢＣ", ("８０８０", "8080", "abc"), ()),
    "emoji": ("deploy 👩‍👩‍👧‍👦 now 🏳️‍🌈", ("deploy", "👩‍👩‍👧‍👦", "🏳️‍🌈"), ()),
    "combining": ("cafe\u0301 re\u0301sume\u0301", ("café", "cafe\u0301", "cafe", "résumé"), ()),
    "rare plane": ("𠀀𠀁𠀂 test", ("𠀀𠀁𠀂",), ("𠀀𠀁", "𠀂")),
}


def quoted(text: str) -> str:
    """The text as a selector that looks for it and nothing else."""
    return Selector((Term("text", (Value(text),)),)).canonical()


def found(engine: Engine, text: str) -> set[str]:
    """Values of the rows that hold the text."""
    return {hit.text for hit in query(engine, quoted(text), BUDGET)}


@pytest.fixture
def filled(engine: Engine) -> Engine:
    for row, _, _ in SCRIPTS.values():
        state(engine, row, "noted")
    return engine


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_row_is_found_by_its_words_in_every_script(filled: Engine, script: str) -> None:
    row, words, pieces = SCRIPTS[script]
    for sought in (row, *words, *pieces):
        assert row in found(filled, sought), sought
        assert contains(row, sought), sought
    others = {r for r, _, _ in SCRIPTS.values()} - {row}
    assert not found(filled, row) & others


# --- any string -----------------------------------------------------------------------------------------------------

PUNCTUATION = [c for c in string.printable if not c.isalnum()]
ODD = (
    "AND", "OR", "NOT", "NEAR", "NEAR(a b)", "a:b", "col:x", "text:x", '"', "''", "*", "^", "-x", "(", ")", "a AND",
    "{a}", "a + b", "\0", "\0\0", "a\0b", "%", "_", "a%b", "\\", "\\\\", "a\\", "\u200d", "\ufeff", "\u202e",
    "🙂", "👩‍👩‍👧‍👦", "x" * 10_240, "日" * 10_240, "a b " * 2560, "“quoted”", "½", "²", "Ⅷ", "ﬁ", "ſ", "İ", "\ud800",
    "e\u0301", "\u0301", "a\u0301\u0301b", "ab" * 99 + "*",
)  # fmt: skip


@pytest.mark.parametrize("place", ["{}", "before {} after", "{0}{0}", "x{}y"])
def test_every_printable_sign_is_a_query_and_its_row_is_found(engine: Engine, place: str) -> None:
    for n, sign in enumerate(PUNCTUATION):
        text = place.format(sign)
        if not text.strip():
            continue
        kept = state(engine, text, "noted", subject=f"project:p{n}").ids[0]
        rows = {hit.id for hit in query(engine, f"{quoted(text.strip())} s:p{n}", BUDGET)}
        assert kept in rows or _is_escaped(text), text


def _is_escaped(text: str) -> bool:
    """Signs alone are looked for on the row as it is shown: control characters and backslashes are written out."""
    return not any(c.isalnum() for c in text) and any(ord(c) < 32 or c == "\\" for c in text)


@pytest.mark.parametrize("text", ODD)
def test_odd_strings_are_queries_and_their_rows_are_found(engine: Engine, text: str) -> None:
    planted = f"planted {text} here"
    kept = state(engine, planted, "noted").ids[0]
    state(engine, "another row", "noted")
    assert kept in {hit.id for hit in query(engine, quoted(planted), BUDGET)}
    alone = query(engine, quoted(text), BUDGET)
    if any(c.isalnum() for c in text):
        assert kept in {hit.id for hit in alone}


def test_ten_thousand_random_strings_are_queries(engine: Engine) -> None:
    rng = random.Random(60)
    alphabet = string.printable + "éßñøİıŁ日本語重跑のカ한국어ไทยไทبيانות👍🏽\u200d\u0301\u202e\0\ufeff\ud800𝒜½ﬁ"
    state(engine, "a row", "noted")
    for _ in range(10_000):
        text = "".join(rng.choices(alphabet, k=rng.randint(1, 12)))
        term = Selector((Term("text", (Value(text),)),))
        assert parse(term.canonical()).terms[0].values == (Value(text),)
        query(engine, term.canonical(), 500)


def test_a_row_of_random_text_is_found_by_each_run_of_its_words(engine: Engine) -> None:
    rng = random.Random(61)
    alphabet = "abcXYZ019 \t-_.,:;/()'\"éßñøŁ日本語重跑のカ한국어ไทยبيانתו"
    for n in range(150):
        words = ["".join(rng.choices(alphabet, k=rng.randint(1, 8))).strip() for _ in range(rng.randint(1, 6))]
        row = " ".join(words).strip()
        if not row:
            continue
        kept = state(engine, row, "noted", subject=f"project:p{n}").ids[0]
        a, b = sorted((rng.randrange(len(words) + 1), rng.randrange(len(words) + 1)))
        for sought in (row, " ".join(words[a:b]).strip()):
            if any(c.isalnum() for c in sought):
                assert kept in {hit.id for hit in query(engine, f"s:p{n} {quoted(sought)}", BUDGET)}, (row, sought)
                assert contains(row, sought), (row, sought)


def test_what_the_index_is_asked_is_never_syntax() -> None:
    for text in (*ODD, *PUNCTUATION):
        asked = phrase(text)
        assert asked is None or (asked.startswith('"') and asked.count('"') % 2 == 0)
        assert "\0" not in indexed(text)
