"""Sentences and clauses of a person's prose, each with its place and what can be said of it as a whole."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

_SENTENCE = re.compile(
    r"(?:[^.!?\n\x1e;。！？；…]|\.(?=[\w/\\])|(?<=\b[a-z]\.[a-z])\.|(?<=\betc)\.(?= [a-z,])|(?<=\b(?:vs|Dr|Mr|Ms|St|Jr))\.|(?<=\bMrs)\.|!(?=[=\w])|\?(?=[\w=&]))+[.!?;。！？；…]*"
)
_START: Final = (
    r"(?:i|i'm|im|i've|ive|i'd|i'll|we|we're|we've|we'd|we'll|my|our|ours|it's|its|it|this|that's|thats|that|there's|there|they|he|she|you|your|you're|please|pls|plz"
    r"|don't|dont|do not|never|always|let's|lets|stop|no|actually|just|can|could|would|should|how|what|why|where|which|when|whenever|if|use|keep|make|give|write|help|show|tell"
    r"|is|are|does|do|remember|note|the|so|everything|everyone|nothing|also|now i|now we|now you|now it|and|but|plus|because|since|as|for|in|on|from|before|after|first|then|only)"
)
_BREAK = re.compile(
    r"(?:,|:|—|–|\s-{1,2})\s*(?:(?:and|but|so|or|then|plus|also|because|since|cause|cuz|though|although|while|however|yet)\s+)?"
    r"|\s(?P<word>and|but|so|cause|cuz|because|since|plus|then|though|although|while|whereas)(?:\s(?:uh|um|like|also|basically|yeah|currently))*\s+"
)
_AFTER_SIGN = re.compile(rf"{_START}\b")
_AFTER_WORD = re.compile(
    r"(?:i|i'm|im|i've|ive|i'd|we|we're|we've|my|our|it's|it|there's|there|they|he|she|you|please|pls|don't|dont|never|always|let's|can|could|would|should|how|what|why|is|are|the|everything|nobody|now i|now we)\b"
)
_SOMEBODY = re.compile(
    r"(?:[,:]|\sand|,\sand)\s(?=[A-Z][a-zà-ÿ]+ (?:does|is (?!a\b)|handles|runs|owns|leads|works|takes|looks after|maintains)\b)"
)
_RUNS_ON = re.compile(
    r"(?P<before>[\w']+)\s(?=(?:i work (?:at|for|as|in)|i live in|we use|we're using|i'm a|i use|my name is|we deploy|we run on|i prefer|i always|can you|could you)\b)"
)
_BINDS = frozenset(
    "like that what how when if where which as than think know say said why who since because guess once before after while".split()
)
_ASKS = re.compile(
    r"^(?:(?:and|so|but|also|ok|okay|hmm+|well|then|now|hey|hi|please|pls|uh|um|quick question|btw|anyway)[,:\s]+)*"
    r"(?:can|could|would|will|should|shall|may|might|do|does|did|is|are|am|was|were|has|have|had|isn't|aren't|don't (?:you|we|i)|doesn't|won't|wouldn't|shouldn't|couldn't"
    r"|what|what's|whats|how|how's|why|where|which|when|who|whose|any (?:idea|ideas|tips|chance|way|thoughts|advice|suggestions))\b",
    re.IGNORECASE,
)
_WH = re.compile(
    r"^(?:\W*(?:and|so|but|ok|okay|hmm+|well|then|hey|hi)\W+)*(?:what|how|why|where|which|who|whose|should|could|would|can|does|do (?:you|we|i|they)|did|(?:is|are|was|were|does|did|will) (?:it|there|this|that|these|those|the|you|we|they|i|he|she|my|our|[a-z]+ [a-z]+ (?:always|never|ever|better|worse|or)))\b",
    re.IGNORECASE,
)
_HOW_WE = re.compile(r"^(?:\W|(?:ok|so|and|context|background)\b)*how (?:we|i|they|it|things|this|the \w+)\b")
_MOST_CLAUSES = 120
RULE: Final = "~rule"
"""Stands among the words of a clause whose sentence says that something holds from now on or always."""
_RULES = re.compile(
    r"\b(?:always|every time|from now on|from here on|future|going forward|in general|generally|by default|as a rule|at all times|starting now)\b"
)


@dataclass(slots=True)
class Clause:
    """One clause: its words as written and in lower case, its place, and what holds of it."""

    start: int
    end: int
    raw: str
    low: str
    sentence: int
    opens: bool
    """Is it the first of its sentence?"""
    asks: bool = False
    before: str = ""
    """The clauses before it in its sentence, in lower case."""
    whole: str = ""
    """Its sentence in lower case."""
    origin: int = 0
    """Where its sentence begins."""
    link: str = ""
    """The word that joins it to the clause before it."""
    words: frozenset[str] = field(default_factory=frozenset)
    barred: bool | None = None
    hedged: bool | None = None
    """What `signs` says of it, once somebody asked."""
    stated: tuple[object, ...] = ()
    """The statement that the grammar read in it, once somebody asked."""
    lead: int = -1
    """How much of it only leads in (`and`, `btw`, `I think`); -1 until somebody asks."""


_WORDS = re.compile(r"[^\W_]+(?:'[^\W_]+)?")


def lowered(text: str) -> str:
    """Lower case of the same length: a letter whose small form is longer stays."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def clauses(text: str) -> Iterator[Clause]:
    """The clauses of a text in order."""
    count = 0
    for number, found in enumerate(_SENTENCE.finditer(text)):
        sentence = found.group()
        if not sentence.strip():
            continue
        for clause in _of_sentence(sentence, found.start(), number):
            yield clause
            count += 1
        if count > _MOST_CLAUSES:
            return


def _of_sentence(sentence: str, offset: int, number: int) -> Iterator[Clause]:
    is_question = sentence.rstrip().endswith(("?", "？"))
    low = lowered(sentence)
    pieces = list(_pieces(sentence, low))
    last, rule = 0, (RULE,) if _RULES.search(low) else ()
    asking = _first_question(low, pieces, is_question)
    for index, (start, end) in enumerate(pieces):
        raw = sentence[start:end]
        yield Clause(
            offset + start, offset + end, raw, low[start:end], number, index == 0, asks=asking is not None and index >= asking,
            before=low[:start], whole=low, origin=offset, link=low[last:start].strip(_EDGE), words=frozenset((*_WORDS.findall(low[start:end]), *rule)),
        )  # fmt: skip
        last = end


def _pieces(sentence: str, low: str) -> Iterator[tuple[int, int]]:
    start = 0
    for at, end in _cuts(sentence, low):
        if at > start:
            yield from _trimmed(sentence, start, at)
        start = max(start, end)
    yield from _trimmed(sentence, start, len(sentence))


def _cuts(sentence: str, low: str) -> list[tuple[int, int]]:
    """Where a sentence is cut: at a sign or a joining word before a new beginning, before `Ana does`, and where speech runs on."""
    found = []
    for cut in _BREAK.finditer(low):
        begins = _AFTER_SIGN if cut["word"] is None else _AFTER_WORD
        if begins.match(low, cut.end()) is not None and not low.startswith("just", max(0, cut.start() - 4)):
            found.append(cut.span())
    found += [cut.span() for cut in _SOMEBODY.finditer(sentence)]
    found += [(cut.end() - 1, cut.end()) for cut in _RUNS_ON.finditer(low) if cut["before"] not in _BINDS]
    return sorted(found)


_EDGE = " \t\r\n,;:.!?-–—*•()[]。！？，；…\u2060"


def _trimmed(sentence: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while (
        start < end
        and sentence[start] in _EDGE
        and not (sentence[start] == "." and sentence[start + 1 : start + 2].isalpha())
    ):
        start += 1
    while end > start and sentence[end - 1] in _EDGE:
        end -= 1
    if start < end:
        yield start, end


def _first_question(low: str, pieces: list[tuple[int, int]], is_question: bool) -> int | None:
    """From which clause on a sentence asks. Words before a question that state something are stated all the same."""
    for index, (start, end) in enumerate(pieces):
        if (_ASKS if is_question else _WH).match(low[start:end]):
            if not is_question and ":" in low[start : end + 3] and _HOW_WE.match(low[start:end]):
                continue
            return index
    return len(pieces) - 1 if is_question else None
