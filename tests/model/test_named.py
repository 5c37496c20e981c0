"""What a text names exactly, and the words that look as if they named something."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.model.named import named, pieces


def _told(text: str) -> list[str]:
    return [f"{each.kind}={each.text}" for each in named(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # paths
        ("what does src/billing/reader.ts do?", ["path=src/billing/reader.ts"]),
        ("see src/billing/reader.ts:12:4.", ["path=src/billing/reader.ts"]),
        ("open README.md, ./run.sh and ~/notes.txt", ["path=README.md", "path=./run.sh", "path=~/notes.txt"]),
        ("in /etc/hosts or docs/", ["path=/etc/hosts", "path=docs/"]),
        (r"copy C:\work\a.txt now", [r"path=C:\work\a.txt"]),
        ("both a.py,b.py (and c.py)", ["path=a.py", "path=b.py", "path=c.py"]),
        ("in src/日本/読む.py there", ["path=src/日本/読む.py"]),
        ("touch src/**/test_*.py", ["path=src/**/test_*.py"]),
        ("under src/billing we", ["path=src/billing"]),
        # identifiers
        ("who calls getUserName?", ["identifier=getUserName"]),
        ("drop idx_memory_units_text_search", ["identifier=idx_memory_units_text_search"]),
        ("Foo::bar and std::vec::Vec", ["identifier=Foo::bar", "identifier=std::vec::Vec"]),
        ("call pkg.mod.func() and reader()", ["identifier=pkg.mod.func"]),
        ("is MAX_RETRIES in use", ["identifier=MAX_RETRIES"]),
        ("pass --dry-run or $HOME", ["identifier=--dry-run", "identifier=$HOME"]),
        ("we use s3 and blake3 here", ["identifier=s3", "identifier=blake3"]),
        ("encoded as UTF-8", ["identifier=UTF-8"]),
        ("what is `reader` for", ["identifier=reader", "quoted=reader"]),
        ("on 127.0.0.1:8080", ["identifier=127.0.0.1:8080"]),
        ("the @scope/pkg package", ["identifier=@scope/pkg"]),
        # commits
        ("revert a1b2c3d", ["commit=a1b2c3d"]),
        ("revert 0123456789abcdef0123456789abcdef01234567", ["commit=0123456789abcdef0123456789abcdef01234567"]),
        ("the commit 1234567 broke it", ["commit=1234567"]),
        ("the commit defaced", ["commit=defaced"]),
        # tickets
        ("see ABC-123 and #45", ["ticket=ABC-123", "ticket=#45"]),
        ("closes owner/repo#7", ["ticket=owner/repo#7"]),
        # addresses
        ("go to https://example.com/a?b=c,d.", ["url=https://example.com/a?b=c,d"]),
        ("is example.com up", ["url=example.com"]),
        ("mail jane.doe@example.com!", ["email=jane.doe@example.com"]),
        # versions
        ("upgrade to v1.2.3 from 1.2.0-rc1", ["version=v1.2.3", "version=1.2.0-rc1"]),
        ("we run Python 3.11", ["name=Python", "version=3.11"]),
        ("since version 2.0 only", ["version=2.0"]),
        # quotations
        ('he said "retry twice" and left', ["quoted=retry twice"]),
        ("the phrase 'use yarn' fell", ["quoted=use yarn"]),
        ("a title “The Long Way” here", ["quoted=The Long Way", "name=Long Way"]),
        ("we don't and can't say", []),
        # names
        ("What did John Doe tell Caroline?", ["name=John Doe", "name=Caroline"]),
        ("Caroline went to Paris. She met Dr. Smith.", ["name=Caroline", "name=Paris", "name=Dr. Smith"]),
        ("about John F. Kennedy and the Bank of America", ["name=John F. Kennedy", "name=Bank of America"]),
        ("Melanie's painting and Mel’s dog", ["name=Melanie", "name=Mel"]),
        ("did Jean-Luc meet O'Brien", ["name=Jean-Luc", "name=O'Brien"]),
        ("does the API speak HTTP", ["name=API", "name=HTTP"]),
        ("what did April say", ["name=April"]),
        ("is Ludwig van Beethoven on", ["name=Ludwig van Beethoven"]),
        ("move to New York", ["name=New York"]),
        ("who is Łukasz Żak", ["name=Łukasz Żak"]),
    ],
)
def test_what_is_named_is_found(text: str, expected: list[str]) -> None:
    assert sorted(_told(text)) == sorted(expected)


@pytest.mark.parametrize(
    "text",
    [
        *["and/or", "his/her work", "24/7", "1/2 of it", "n/a", "km/h", "yes/no", "input/output", "he/she"],
        *["e.g. this", "i.e. that", "done.Then we go", "3.14 is pi", "wait...", "10k rows", "3pm", "8th try", "5gb"],
        *["the defaced page", "effaced", "1234567", "20260101", "feedbac", "a well-known state-of-the-art thing"],
        *["What is it?", "When was that?", "Tell me more", "Please compare them", "I am here", "I'm here, I said"],
        *["Running late. Sadly so. Finished it.", "In June we met", "on Monday", "in Q3", "WHY IS THE BUILD BROKEN"],
        *[
            "- First\n- Then",
            "ok. Then what",
            "He said: Yes",
            "why did we reject yarn",
            "#",
            "@",
            "--",
            "''",
            '""',
            "``",
        ],
    ],
)
def test_what_names_nothing_is_left_alone(text: str) -> None:
    assert _told(text) == []


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("getUserName", "get user name"),
        ("HTTPServer", "http server"),
        ("parseJSON", "parse json"),
        ("idx_memory_units_text_search", "idx memory units text search"),
        ("src/billing/reader.ts", "src billing reader ts"),
        ("dry-run", "dry run"),
        ("Foo::bar", "foo bar"),
        ("pkg.mod.func", "pkg mod func"),
        ("v2Reader", "v2 reader"),
        ("MAX_RETRIES", "max retries"),
        ("__init__", "init"),
        ("ÜberGröße", "über größe"),
        ("plain", "plain"),
        ("___", ""),
        ("", ""),
    ],
)
def test_a_name_falls_into_its_words(word: str, expected: str) -> None:
    assert " ".join(pieces(word)) == expected


PARTS = st.sampled_from(
    ["src/", "a.py", "_", "getName", "::", ".", "#12", "A-1", '"', "'", "`", "“", "”", " ", "John", "Of", "of", "v1.2",
     "a1b2c3d", "@", "http://", "\\", "(", ")", ",", "’s", "\n", "日本", "É"]
)  # fmt: skip
TEXTS = st.text() | st.lists(PARTS, max_size=20).map("".join)


@given(TEXTS)
def test_any_text_gives_spans_that_hold_what_they_say(text: str) -> None:
    found = named(text)
    assert all(text[each.start : each.end] == each.text != "" for each in found)
    assert found == sorted(found)
    free = [each for each in found if each.kind != "quoted"]
    assert all(one.end <= other.start for one, other in pairwise(free))


@given(TEXTS)
def test_the_pieces_of_a_word_are_in_it(word: str) -> None:
    assert all(piece in word.lower() or not word.isascii() for piece in pieces(word))
