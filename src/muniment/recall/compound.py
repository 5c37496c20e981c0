"""Compound questions and the questions they are made of.

    What did A say about X and how did B react to Y?     two questions
    When and where did A meet B?                          one thing, asked twice
    compare A and B / A vs B / both A and B               one question about each
    several sentences                                     one question each

Only what the grammar shows is taken apart; everything else stays whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from muniment.model.english import ASKING, AUXILIARY, NEGATION, STOP

MOST_PARTS: Final = 6
"""More sentences than this are a text, of which those that ask are taken."""

_ASKING: Final = "|".join(sorted(ASKING))
_AUXILIARY: Final = "|".join(sorted(AUXILIARY - {"may", "might", "doing", "done", "having", "being", "been", "be"}))
_SUBJECT: Final = (
    "i|you|he|she|it|we|they|the|an?|this|that|these|those|my|our|his|her|its|their|your|there|any|all|(?-i:[A-Z])[^ ]*"
)
"""What stands after an auxiliary where it asks: `and did the build pass`, not `and is planning`."""
_SENTENCE: Final = re.compile(r"(?<=[?!;])\s+|(?<=[^\W\d_]{3}[.])\s+(?=[A-Z])|\n+")
_TITLE: Final = re.compile(r"\b(?:Mrs|Prof|etc|Jr|Sr|Inc|Ltd|vs)\.$")
_NEXT: Final = re.compile(
    rf",? (?:and|or|but|then|and then|and also|as well as),? (?=(?:also )?(?:(?:in|on|at|to|by|with|for|since|from) )?"
    rf"(?:{_ASKING})\b \S|(?:{_AUXILIARY}) (?:{_SUBJECT}) \S)",
    re.IGNORECASE,
)
_TWICE: Final = re.compile(rf"({_ASKING})(?:, ({_ASKING}))?,? (?:and|or) ({_ASKING}) (.+)", re.IGNORECASE)
_COMPARE: Final = re.compile(
    r"(?:.{0,80}?\b)?(?:compare|(?:difference|differences|choose|decide|choice|trade-?offs?)(?: there)?(?: is| are)? between)"
    r" (?:the )?(.{1,80}?) (?:and|with|to|against|or|versus) (.+)",
    re.IGNORECASE,
)
_VERSUS: Final = re.compile(r"(.*\S) (?:vs\.?|versus) (\S.*)", re.IGNORECASE)
_BOTH: Final = re.compile(r"(.*)\bboth (?:the )?(\S.{0,60}?) and (\S.*)", re.IGNORECASE)
_SHARED: Final = re.compile(r"(.*?)\b([A-Z][\w'-]{0,40}) and ([A-Z][\w'-]{0,40}) (both|each)? ?(.*)")
_COMMON: Final = re.compile(r"\b(?:both|in common|each|share|shared|alike)\b", re.IGNORECASE)
_CUTS: Final = frozenset(
    "for in on at by with of about as when while regarding concerning during since to from".split()
)
_ON_FORM: Final = frozenset("answer be format include keep limit mention only please reply respond use".split())
"""What a sentence about the form of an answer begins with."""
_LONGEST_NAME: Final = 4


def parts_of(text: str) -> tuple[str, ...]:
    """The questions that a text is made of, in order, each once; none when it says nothing."""
    return tuple(dict.fromkeys(part for sentence in asked_sentences(text) for part in _of_sentence(sentence)))


def asked_sentences(text: str) -> list[str]:
    """The sentences of a question that say what is asked; not those that only say how to answer."""
    pieces = [" ".join(piece.split()) for piece in _joined_titles(_SENTENCE.split(text))]
    asks_at = next((at for at, piece in enumerate(pieces) if piece.endswith("?")), len(pieces))
    pieces = [p for at, p in enumerate(pieces) if _has_content(p) and not (at > asks_at and _is_on_form(p))]
    if len(pieces) > MOST_PARTS:
        pieces = [piece for piece in pieces if piece.endswith("?")][:MOST_PARTS] or [" ".join(text.split())]
    return pieces


def _is_on_form(sentence: str) -> bool:
    return not sentence.endswith("?") and sentence.split(" ", 1)[0].lower().rstrip(",") in _ON_FORM


def _joined_titles(pieces: list[str]) -> Iterator[str]:
    held = ""
    for piece in pieces:
        held = f"{held} {piece}" if held else piece
        if not _TITLE.search(held[-8:]):
            yield held
            held = ""
    if held:
        yield held


def _has_content(piece: str) -> bool:
    words = re.findall(r"[^\W_]+", piece.lower())
    return any(word not in STOP and word not in NEGATION for word in words)


def _of_sentence(sentence: str) -> list[str]:
    if match := _TWICE.fullmatch(sentence):
        return [f"{asking} {match[4]}" for asking in match.groups()[:3] if asking]
    clauses = _clauses(sentence)
    return [part for clause in clauses for part in _pair(clause) or [clause]]


def _clauses(sentence: str) -> list[str]:
    """Cut before an asking word or an auxiliary after `and`; both sides have to say something."""
    cuts = [match.span() for match in _NEXT.finditer(sentence)]
    found, start = [], 0
    for begin, end in cuts:
        if _has_content(sentence[start:begin]) and _has_content(sentence[end:]):
            found.append(sentence[start:begin].rstrip(" ,"))
            start = end
    found.append(sentence[start:])
    return found if len(found) <= MOST_PARTS else [sentence]


def _pair(clause: str) -> list[str]:
    """One question about each of two things that are compared, or named by `both`."""
    body, end = clause.rstrip("?!. "), clause[len(clause.rstrip("?!. ")) :].strip()
    for reader in (_compared, _versus, _both, _shared):
        if pair := reader(body):
            return [" ".join(f"{part}{end}".split()) for part in pair]
    return []


def _compared(body: str) -> list[str]:
    match = _COMPARE.fullmatch(body)
    if match is None:
        return []
    second, tail = _cut(match[2])
    return [f"{match[1]} {tail}".strip(), f"{second} {tail}".strip()]


def _cut(text: str) -> tuple[str, str]:
    """A thing and what is said of it after a preposition."""
    words = text.split(" ")
    at = next((i for i, word in enumerate(words) if i and word.lower() in _CUTS), len(words))
    return " ".join(words[:at]), " ".join(words[at:])


def _versus(body: str) -> list[str]:
    match = _VERSUS.fullmatch(body)
    if match is None:
        return []
    before, after = match[1].split(" "), match[2].split(" ")
    first = _tail_name(before)
    second = _head_name(after, len(first))
    head, tail = " ".join(before[: len(before) - len(first)]), " ".join(after[len(second) :])
    return [f"{head} {' '.join(each)} {tail}" for each in (first, second)]


def _tail_name(words: list[str]) -> list[str]:
    size = 0
    while size < min(len(words), _LONGEST_NAME) and not _is_light(words[len(words) - 1 - size]):
        size += 1
    return words[len(words) - max(size, 1) :]


def _head_name(words: list[str], size: int) -> list[str]:
    """As many words as its counterpart has, names as a whole, and no function words."""
    stop = 0
    while stop < len(words) and not _is_light(words[stop]):
        stop += 1
        is_run = stop < len(words) and words[stop - 1][:1].isupper() and words[stop][:1].isupper()
        if stop >= size and not is_run:
            break
    return words[: max(stop, 1)]


def _is_light(word: str) -> bool:
    low = word.lower().strip(",:;")
    return low in STOP or low in NEGATION or word.endswith((",", ":"))


def _both(body: str) -> list[str]:
    match = _BOTH.fullmatch(body)
    if match is None:
        return []
    words = match[3].split(" ")
    if words[0].lower() == "the":
        words = words[1:]
    second = _head_name(words, len(match[2].split(" "))) if words else []
    tail = " ".join(words[len(second) :])
    return [f"{match[1]}{each} {tail}" for each in (match[2], " ".join(second))] if second else []


def _shared(body: str) -> list[str]:
    """`What do Ana and Ben have in common?`"""
    match = _SHARED.fullmatch(body) if _COMMON.search(body) else None
    if match is None:
        return []
    return [f"{match[1]}{name} {match[5]}" for name in (match[2], match[3])]
