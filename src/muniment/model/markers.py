"""Words that turn a statement round or weaken it: negations, exceptions, conditions, hedges, and the question mark.

A preview that left one out would say the opposite of its source, and two texts that differ in one are no copies. The list is
closed and errs on the side of too many: a marker too many costs a few characters, one too few costs the truth.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

_ENGLISH = """false untrue wrong incorrect denied denies deny denying correction mistaken
    not no never none nobody nothing nowhere neither nor cannot without except unless until hardly barely
    rarely seldom scarcely anymore longer instead if unable fail fails failed refuse refused avoid
    dont doesnt didnt isnt arent wasnt werent wont cant couldnt wouldnt shouldnt havent hasnt hadnt aint nope
    maybe perhaps possibly probably presumably might may likely unlikely apparently supposedly allegedly seemingly seems
    seem unsure uncertain unclear doubt guess think thought believe suppose assume imagine hopefully almost nearly
    formerly previously imho iirc afaik"""
_OTHERS = """nicht kein keine keinen keinem keiner nie niemals ohne außer vielleicht wahrscheinlich vermutlich falls
    ne pas jamais sans sauf aucun aucune peut-être peut probablement si
    nunca jamás sin salvo excepto ningún ninguna quizás quizá tal probablemente
    não sem talvez nem exceto provavelmente non mai senza tranne forse probabilmente né
    niet geen nooit zonder misschien waarschijnlijk inte aldrig utan kanske ikke aldri uten kanskje
    nie nigdy bez może chyba nikdy možná değil yok hiç belki asla tidak bukan tanpa mungkin không chưa
    не нет ни никогда без кроме может возможно наверное вероятно если
    لا لم لن ليس غير ربما לא אין בלי אולי नहीं मत बिना शायद"""
_UNSPACED = """不 没 沒 无 無 未 非 别 別 勿 莫 否 吗 嗎 可能 也许 也許 或许 或許 大概 大約 好像 似乎 应该 應該 估计 估計 除非
    除了 如果 要是 假如 从来 以前 ない なかった なく ません ず かも たぶん おそらく でしょう だろう 思う もし らしい
    않 없 아니 못 아마 안 ไม่ อาจ"""


_ACCENTS = re.compile("[\u0300-\u036f]")


def folded(text: str) -> str:
    """Without case, accents and width, as the indexes see words."""
    if text.isascii():
        return text.lower()
    parted = unicodedata.normalize("NFKD", text).casefold()
    return unicodedata.normalize("NFC", _ACCENTS.sub("", parted))


WORDS = frozenset(folded(word) for word in f"{_ENGLISH} {_OTHERS}".split())
"""Markers that stand as words of their own."""
_INSIDE = re.compile("|".join(sorted(map(re.escape, _UNSPACED.split()), key=lambda w: (-len(w), w))))
_WORD = re.compile(r"[^\W_]+(?:['’ʼ-][^\W_]+)*")  # noqa: RUF001 - people type all three
_ENDING = re.compile(r"[^\W_](?:n['’ʼ]t)$|^n['’ʼ]", re.IGNORECASE)  # noqa: RUF001
_ASKS = re.compile(r"[?\uff1f\u061f]+")
_MONTH = re.compile(r"May(?:-|$)")


class Span(NamedTuple):
    """A stretch of the text, and the word that it is (folded)."""

    start: int
    end: int
    word: str


def markers(text: str) -> list[Span]:
    """The negations, hedges and question marks of a text, in order, none inside another."""
    found = [Span(m.start(), m.end(), "?") for m in _ASKS.finditer(text)]
    told = (m for m in _WORD.finditer(text) if _is_marker(m.group()))
    found.extend(Span(m.start(), m.end(), folded(m.group())) for m in told)
    if not text.isascii():
        found.extend(Span(m.start(), m.end(), m.group()) for m in _INSIDE.finditer(text))
    return _disjoint(sorted(found, key=lambda span: (span.start, -span.end)))


@lru_cache(maxsize=10_000)
def _is_marker(word: str) -> bool:
    if _MONTH.match(word):
        return False
    plain = folded(word)
    return plain in WORDS or bool(_ENDING.search(plain)) or ("-" in word and any(p in WORDS for p in plain.split("-")))


def _disjoint(spans: list[Span]) -> list[Span]:
    kept: list[Span] = []
    for span in spans:
        if not kept or span.start >= kept[-1].end:
            kept.append(span)
    return kept
