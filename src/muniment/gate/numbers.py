"""Numbers that belong to a person: cards, accounts, national ids. The checksum decides, so that other numbers stay.

Works on the image of a text (see `masks`). What has at least four digits in a row is found by a plain search for such a
run; what has not is looked for behind its name alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date

from muniment.gate.secret_runs import Spans

_DIGITS = bytes(1 if 48 <= byte < 58 else 0 for byte in range(256))
_RUN = b"\1" * 4
_WORDS = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")
_JOINS = frozenset(b" -")

_CARD = re.compile(rb"(?:4|5[1-5]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720)|6(?:011|5|4[4-9]|2)|35(?:2[89]|[3-8]))")
_AMEX, _DINERS = re.compile(rb"3[47]"), re.compile(rb"3(?:0[0-5]|[689])")
_GROUPED = re.compile(rb"\d{4}([ -])(?:\d{4}\1\d{4}\1\d{4}(?:\1\d{3})?|\d{6}\1\d{4,5})(?![\w]|[-.]\d)")
_AADHAAR = re.compile(rb"[2-9]\d{3}([ -])\d{4}\1\d{4}(?![\w]|[-. ]\d)")
_IBAN = re.compile(rb"[A-Z]{2}\d{2}(?:[A-Z0-9]{11,30}|(?: [A-Z0-9]{4}){2,7}(?: [A-Z0-9]{1,3})?)(?![A-Za-z0-9])")
_PERSONNUMMER = re.compile(rb"(?:\d{2})?(\d{6})[-+](\d{4})(?![\w]|[-.]\d)")
_NIR = re.compile(rb"[12]\d{2}(?:0[1-9]|1[0-2]|[2-9]\d)\d{10}")
_NEAR = 48
"""Bytes behind a name in which its number stands."""


def find_numbers(image: bytes, out: Spans) -> None:
    """Add the spans of all numbers whose own checksum holds."""
    classes = image.translate(_DIGITS)
    find = classes.find
    at, size = find(_RUN), len(image)
    while at >= 0:
        end = find(0, at + 4)
        end = size if end < 0 else end
        stop = end
        # Most runs are years, counts and parts of ids: they are let go by what stands around them.
        after = image[end] if end < size else 0
        before = image[at - 1] if at else 0
        if (
            end - at > 6
            or (before == 32 and 65 <= image[at - 5] <= 90)
            or 65 <= before <= 90
            or (
                after in _JOINS
                and (end - at == 6 or image[end + 1 : end + 5].isdigit() or image[end + 1 : end + 7].isdigit())
            )
            or (after == 43 and end - at == 6)
        ):
            for start, last in _judged(image, at, end):
                out.append((start, last))
                stop = max(stop, last)
        at = find(_RUN, stop)


def _judged(image: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    """What begins with, or is, the run of digits at [start, end)."""
    before, after, count = image[start - 1 : start], image[end : end + 1], end - start
    if count == 4 and (not before or before[0] not in _WORDS) and after and after[0] in _JOINS:
        yield from _grouped(image, start)
    elif count in (7, 8) and after.isalpha():
        yield from _spanish(image, start, end)
    elif count in (6, 8) and after in (b"-", b"+"):
        match = _PERSONNUMMER.match(image, start)
        if match and _is_free(image, start, match.end()) and _is_day(match[1]) and _luhn(match[1] + match[2]):
            yield match.span()
    elif count >= 11 and _is_free(image, start, end) and _is_person_s(image[start:end]):
        yield start, end
    yield from _account(image, start)


def _is_free(image: bytes, start: int, end: int) -> bool:
    """Does it stand alone, as no part of a word, an id, a fraction or a longer number?"""
    before, after = image[start - 1 : start], image[end : end + 1]
    if (before and before[0] in _WORDS) or (after and after[0] in _WORDS):
        return False
    joined_before = before in (b"-", b".", b"/") and image[start - 2 : start - 1].isalnum()
    return not joined_before and not (after in (b"-", b".") and image[end + 1 : end + 2].isalnum())


def _grouped(image: bytes, start: int) -> Iterator[tuple[int, int]]:
    """A card or an Aadhaar number as they are printed, in groups."""
    if not _is_free(image, start, start + 4) and image[start - 1 : start] in (b"-", b".", b"/"):
        return
    for pattern, holds in ((_GROUPED, _is_card), (_AADHAAR, _verhoeff)):
        match = pattern.match(image, start)
        if match and holds(_bare(match[0])):
            yield match.span()
            return


def _is_person_s(number: bytes) -> bool:
    count = len(number)
    if count == 11:
        return _pesel(number)
    if count == 15 and _NIR.fullmatch(number):
        return 97 - int(number[:13]) % 97 == int(number[13:])
    return count in (14, 15, 16) and _is_card(number)


def _is_card(number: bytes) -> bool:
    """A prefix that is issued, the length that goes with it, and the sum that Luhn gave them."""
    if len(set(number)) < 2 or not _luhn(number):
        return False
    if len(number) in (16, 19):
        return _CARD.match(number) is not None
    return (_AMEX if len(number) == 15 else _DINERS).match(number) is not None


def _luhn(number: bytes) -> bool:
    total = 0
    for place, byte in enumerate(reversed(number)):
        digit = byte - 48
        total += digit if place % 2 == 0 else digit * 2 - 9 * (digit > 4)
    return total % 10 == 0


def _pesel(number: bytes) -> bool:
    digits = [byte - 48 for byte in number]
    month = digits[2] * 10 + digits[3]
    if not 1 <= month % 20 <= 12 or not 1 <= digits[4] * 10 + digits[5] <= 31:
        return False
    return (10 - sum(w * d for w, d in zip((1, 3, 7, 9, 1, 3, 7, 9, 1, 3), digits, strict=False)) % 10) % 10 == digits[
        10
    ]


def _spanish(image: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    """DNI and NIE: the letter is the number modulo 23. An id in capitals, since hexadecimal looks alike."""
    lead = image[start - 1 : start]
    is_nie = end - start == 7 and lead in (b"X", b"Y", b"Z")
    first = start - is_nie
    if (end - start == 7) != is_nie or not _is_free(image, first, end + 1):
        return
    number = (str(b"XYZ".index(lead)).encode() if is_nie else b"") + image[start:end]
    if image[end] == b"TRWAGMYFPDXBNJZSQVHLCKE"[int(number) % 23] and len(set(number)) > 2:
        yield first, end + 1


def _account(image: bytes, at: int) -> Iterator[tuple[int, int]]:
    """An IBAN whose digits begin at a run, or one group before it."""
    for start in (at - 2, at - 5):
        if start >= 0 and image[start : start + 2].isalpha() and (start == 0 or image[start - 1] not in _WORDS):
            match = _IBAN.match(image, start)
            if match and _is_iban(_bare(match[0])):
                yield match.span()
                return


def _is_iban(account: bytes) -> bool:
    if not 15 <= len(account) <= 34:
        return False
    turned = account[4:] + account[:4]
    return int("".join(str(int(chr(byte), 36)) for byte in turned)) % 97 == 1


def _bare(number: bytes) -> bytes:
    return number.translate(None, b" -.")


def _is_day(six: bytes) -> bool:
    """Is it a day as YYMMDD, in some century? (Of who has no number yet, 60 is added to the day.)"""
    try:
        date(2000 + int(six[:2]), int(six[2:4]), int(six[4:]) - 60 * (int(six[4:]) > 60))
    except ValueError:
        return False
    return True


_D5 = ("0123456789", "1234067895", "2340178956", "3401289567", "4012395678", "5987604321", "6598710432", "7659821043",
       "8765932104", "9876543210")  # fmt: skip
_P8 = ("0123456789", "1576283094", "5803796142", "8916043527", "9453126870", "4286573901", "2793806415", "7046913258")


def _verhoeff(number: bytes) -> bool:
    check = 0
    for place, byte in enumerate(reversed(number)):
        check = int(_D5[check][int(_P8[place % 8][byte - 48])])
    return check == 0


# --- what is found by its name ----------------------------------------------------------------------------------------

_SSN = re.compile(rb"(?<![\w.-])(?!000|666|9)\d{3}([- ]?)(?!00)\d{2}\1(?!0000)\d{4}(?![\w]|[-.]\d)")
_CPF = re.compile(rb"(?<![\w.-])\d{3}\.?\d{3}\.?\d{3}-?\d{2}(?![\w]|[-.]\d)")
_FISCAL = re.compile(rb"(?<![A-Z0-9])[A-Z]{6}\d{2}[A-EHLMPR-T]\d{2}[A-Z]\d{3}[A-Z](?![A-Z0-9])")
_NAMED_IBAN = re.compile(rb"(?<![A-Za-z0-9])" + _IBAN.pattern)


def _cpf(number: bytes) -> bool:
    digits = [byte - 48 for byte in number]
    for count in (9, 10):
        total = sum((count + 1 - n) * digits[n] for n in range(count))
        if total * 10 % 11 % 10 != digits[count]:
            return False
    return len(set(digits)) > 1


def _fiscal(code: bytes) -> bool:
    odd = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23)
    values = [byte - 48 if byte < 58 else byte - 65 for byte in code[:15]]
    total = sum(odd[v] if place % 2 == 0 else v for place, v in enumerate(values))
    return total % 26 == code[15] - 65


def named(pattern: re.Pattern[bytes], holds: Callable[[bytes], bool], needle: bytes) -> Callable[..., None]:
    """A finder of the numbers that stand near behind a name, in the form of the other finders."""

    def finder(image: bytes, low: bytes, at: int, out: Spans) -> None:
        while at >= 0:
            window = image[: at + len(needle) + _NEAR]
            for match in pattern.finditer(window, at + len(needle)):
                if holds(_bare(match[0])):
                    out.append(match.span())
            at = low.find(needle, at + len(needle))

    return finder


NEEDLES = (
    (b"ssn", named(_SSN, lambda _: True, b"ssn")),
    (b"social security", named(_SSN, lambda _: True, b"social security")),
    (b"cpf", named(_CPF, _cpf, b"cpf")),
    (b"fiscale", named(_FISCAL, _fiscal, b"fiscale")),
    (b"iban", named(_NAMED_IBAN, _is_iban, b"iban")),
)
"""By the name that stands before them: what has no checksum, or no four digits in a row."""
