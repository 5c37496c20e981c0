"""Numbers of people and cards are masked where their own checksum holds, and other numbers stay."""

from __future__ import annotations

import json
from random import Random

import pytest

from muniment.gate import masks, own_rules
from muniment.gate.masks import MARK

NUMBERS = (
    "4111 1111 1111 1111",
    "4242424242424242",
    "5500-0055-5555-5559",
    "378282246310005",
    "3782 822463 10005",
    "DE89 3704 0044 0532 0130 00",
    "DE89370400440532013000",
    "12345678Z",
    "X1234567L",
    "44051401359",
    "811228-9874",
    "255081416802538",
    "2345 6789 0124",
)
NAMED = (
    "iban: GB29NWBK60161331926819",
    "SSN 123-45-6789",
    "her social security number is 123-45-6789",
    "CPF 111.444.777-35",
    "codice fiscale: RSSMRA85T10A562S",
)


@pytest.mark.parametrize("number", NUMBERS)
def test_a_number_whose_checksum_holds_is_masked_and_nothing_beside_it(number):
    text = f"take {number}, please"
    assert masks.mask(text)[0] == f"take {MARK * len(number)}, please"


@pytest.mark.parametrize("text", NAMED)
def test_what_has_no_checksum_of_note_is_masked_behind_its_name(text):
    masked, spans = masks.mask(text)
    assert len(spans) == 1
    assert masked.endswith(MARK)


@pytest.mark.parametrize("number", NUMBERS)
def test_with_another_last_digit_it_stays(number):
    last = max(i for i, char in enumerate(number) if char.isdigit())
    other = f"{number[:last]}{(int(number[last]) + 1) % 10}{number[last + 1 :]}"
    assert masks.mask(f"take {other}, please")[1] == []


@pytest.mark.parametrize(
    "text",
    [
        "1700000000000000 ns", "2026-03-05 12:00:00", "v4111.1111.1111.1111", "id-4242424242424242-x", "0x4242424242424242",
        "order 12345678A", "+49 170 1234567", "a4111111111111111", "123-45-6789", "10.4242424242424242",
    ],
)  # fmt: skip
def test_other_numbers_stay(text):
    assert masks.mask(text) == (text, [])


def test_a_card_that_stands_as_a_number_in_a_record_is_masked():
    masked = json.loads(masks.mask_record(b'{"card":4242424242424242,"n":1700000000123}'))
    assert masked == {"card": MARK * 16, "n": 1700000000123}


def test_of_ten_thousand_random_numbers_few_are_taken():
    rng = Random(3)
    numbers = [
        str(rng.randrange(10 ** (n - 1), 10**n))
        for n in (8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19)
        for _ in range(850)
    ]
    assert sum(bool(masks.find(f"value {n} end")) for n in numbers) * 100 < len(numbers)


# --- rules of the person's own ------------------------------------------------------------------------------------------


@pytest.fixture
def own():
    yield lambda *patterns: own_rules.hold("own", own_rules.compiled(patterns, ()))
    own_rules.hold("own", own_rules.Rules())


def test_a_pattern_of_one_s_own_masks_its_group_or_all_of_it(own):
    own(r"BADGE-\d{4}", r"ward (\w\d)")
    assert masks.mask("BADGE-1234 of ward B7")[0] == f"{MARK * 10} of ward {MARK * 2}"
    assert json.loads(masks.mask_record(b'{"a":["BADGE-1234"]}')) == {"a": [MARK * 10]}


def test_masking_twice_changes_nothing_with_a_pattern_that_takes_everything(own):
    own(r".+")
    masked, _ = masks.mask("one\ntwo")
    assert masks.mask(masked) == (masked, [])


@pytest.mark.parametrize("pattern", ["(", "a*", ""])
def test_a_pattern_that_cannot_be_one_is_refused_by_name(pattern):
    with pytest.raises(ValueError, match=r"finds something in nothing|no regular expression"):
        own_rules.compiled([pattern], ())


@pytest.mark.parametrize(
    ("glob", "path", "excluded"),
    [
        (".env", "/home/dev/app/.env", True), (".env", "src/.env", True), (".env", "x.env", False),
        ("secrets/**", "/home/dev/app/secrets/a/b.txt", True), ("secrets/**", "/home/dev/secrets.txt", False),
        ("/home/dev/private/**", "/home/dev/private/x", True), ("/home/dev/private/**", "/other/home/dev/private/x", False),
        ("*.pem", "keys/a.pem", True), ("**/vault/*", "/a/vault/b", True), ("vault/*", "vault/a/b", False),
    ],
)  # fmt: skip
def test_a_glob_excludes_what_it_says(glob, path, excluded):
    own_rules.hold("globs", own_rules.Rules((), (glob,)))
    try:
        assert own_rules.excludes(path) is excluded
    finally:
        own_rules.hold("globs", own_rules.Rules())
