"""R60, R61: any string is a question, in any script; a row that holds it is found; an error is never no rows."""

from __future__ import annotations

import random
import string

import pytest
from tests.support import state

from muniment.engine.asking import query
from muniment.errors import MunimentError, UsageError

WORDS = (
    "AND",
    "OR",
    "NOT",
    "NEAR",
    "a:b",
    "col:x",
    '"',
    "*",
    "^",
    "-x",
    "(",
    ")",
    "{",
    "}",
    "NEAR(a b)",
    "a AND",
    "'",
    "''",
    '""',
    "\\",
    "%",
    "_",
    ";",
    "--",
    "/*",
    "😀",
    "👩‍👩‍👧",
    " ",
    "\t\n",
    "\0",
    "a\0b",
    "\ud800",
    "\udcff",
    "e\u0301",
    "\u202e",
    "x" * 10_240,
    "?",
    "a?b",
    "s:",
    "p:",
    "since:",
    "s:,",
    ",",
    ",,",
    "a,,b",
    "--flag",
    "-",
    "- -",
    "unseen:",
    "id:",
    "id:zz",
    "tag:",
    "kind:nothing",
    "session:\0",
    "path:\0",
    "o:\ud800",
    "s:[",
    "s:a[b",
    "path:[!",
    "topic:[a-",
    "as-of:",
    "p:nonsense",
    "role:nobody",
    "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
    "ﷺ" * 100,
    "\ufeff",
)
PRINTABLE = [c for c in string.printable if c.isprintable()]
SCRIPTS = {
    "latin": ("Größe", "maß"),
    "greek": ("σύστημα", "λόγος"),
    "cyrillic": ("ошибка", "кэш"),
    "arabic": ("قاعدة", "خطأ"),
    "hebrew": ("שגיאה", "מסד"),
    "devanagari": ("त्रुटि", "डेटा"),
    "bengali": ("ত্রুটি", "ডেটা"),
    "tamil": ("பிழை", "தரவு"),
    "thai": ("ข้อผิดพลาด", "ข้อ"),
    "lao": ("ຂໍ້ຜິດພາດ", "ຜິດ"),
    "khmer": ("កំហុស", "ទិន្នន័យ"),
    "burmese": ("အမှား", "ဒေတာ"),
    "han": ("数据库连接", "连接"),
    "kana": ("データベース", "ベー"),
    "hiragana": ("つながらない", "なが"),
    "hangul": ("데이터베이스", "오류"),
    "georgian": ("შეცდომა", "ბაზა"),
    "armenian": ("սխալ", "տվյալ"),
    "ethiopic": ("ስህተት", "ውሂብ"),
    "fullwidth": ("ＡＢＣ１２３", "８０９０"),
    "turkish": ("İSTANBUL", "ılık"),
    "combining": ("re\u0301sume\u0301", "na\u0308ive"),
    "mixed": ("重跑job-7后", "job-7"),
    "joined": ("build👩‍💻done", "👩‍💻"),
}
UNSPACED = ("thai", "lao", "khmer", "burmese", "han", "kana", "hiragana")


def asked(engine, text):
    """The texts of the rows; None where the question is refused, which must be by name and with the place."""
    try:
        return [h.text for h in query(engine, text, 100_000)]
    except UsageError:
        return None


@pytest.fixture
def filled(engine):
    state(engine, "plain row", "noted")
    return engine


@pytest.mark.parametrize("word", WORDS, ids=lambda w: ascii(w)[:20])
def test_no_string_is_an_accident(filled, word):
    for text in (
        word,
        f"a {word} b",
        word + word,
        f'"{word}"',
        f"row {word}",
        f"s:{word}",
        f"o:{word}",
        f"path:{word}*",
    ):
        asked(filled, text)


def test_every_printable_character_is_asked_alone_in_the_middle_and_doubled(filled):
    for sign in PRINTABLE:
        for text in (sign, f"a{sign}b", sign * 2, f"{sign}row", f"row{sign}"):
            asked(filled, text)


@pytest.mark.parametrize("seed", range(3))
def test_random_strings_raise_nothing_but_what_names_the_place(filled, seed):
    rng = random.Random(seed)
    alphabet = PRINTABLE + list("\n\t\0é日😀\u200d\u0301\ud800:,-*?\"'")
    for _ in range(1500):
        asked(filled, "".join(rng.choices(alphabet, k=rng.randint(1, 30))))


@pytest.mark.parametrize("word", [w for w in WORDS if w.strip(" \t\n\0\ufeff")], ids=lambda w: ascii(w)[:20])
def test_a_row_that_holds_the_string_is_found_by_it_in_quotes(engine, word):
    held = f"before {word} after"
    state(engine, held, "noted")
    state(engine, "something else entirely", "noted")
    quoted = '"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"'
    found = query(engine, quoted, 100_000)
    assert len(found) >= 1, word
    assert found.hits[0].text.startswith("before ")


@pytest.mark.parametrize("script", SCRIPTS)
def test_every_script_is_found_by_its_words(engine, script):
    words = SCRIPTS[script]
    for word in words:
        state(engine, f"{word} staging-7", "noted", topic=word[:1])
    for word in words:
        assert any(word in h.text for h in query(engine, f'"{word}"')), word
        assert len(query(engine, "staging-7")) == len(words)


@pytest.mark.parametrize("script", UNSPACED)
def test_scripts_without_spaces_are_found_by_any_two_characters(engine, script):
    word = SCRIPTS[script][0]
    state(engine, f"まえ{word}あと" if script in ("kana", "hiragana", "han") else f"{word}", "noted")
    for n in range(len(word) - 1):
        assert len(query(engine, f'"{word[n : n + 2]}"')) == 1, word[n : n + 2]


@pytest.mark.parametrize(
    ("written", "sought"),
    [
        ("İSTANBUL", "istanbul"),
        ("STRASSE", "strasse"),
        ("ÉCOLE", "école"),
        ("re\u0301sume\u0301", "résumé"),
        ("数据库job-7后", "job-7"),
        ("id=AB-1234;", "ab-1234"),
        ("fooBar_baz", "fooBar_baz"),
        ("a.b.c/d", "a.b.c/d"),
        ("مَرْحَبًا", "مَرْحَبًا"),
    ],
)
def test_case_marks_and_identifiers_do_not_hide_a_row(engine, written, sought):
    state(engine, f"x {written} y", "noted")
    assert len(query(engine, f'"{sought}"')) == 1


def test_a_selector_that_does_not_parse_points_at_the_place(filled):
    for text, place in (
        ('p:noted "open', 8),
        ("p:noted sinc:7d", 8),
        ("since:yesterday since:today", 16),
        ("role:nobody", 0),
    ):
        with pytest.raises(UsageError) as refused:
            query(filled, text)
        pointed = refused.value.about.splitlines()
        assert "^" in pointed[-1]
        assert pointed[-1].index("^") >= place - 1


def test_an_error_of_the_engine_is_an_error_and_never_no_rows(filled, monkeypatch):
    filled.store().db.db.close()
    with pytest.raises(MunimentError):
        query(filled, "row")
