"""What somebody asks to be kept: `remember that ...`, `for future reference: ...`."""

from __future__ import annotations

import re
from typing import Final

from muniment.capture.extract.told import signs
from muniment.capture.extract.told.clauses import Clause

_ASK: Final = re.compile(
    r"^(?:(?:hey|hi|ok|okay|so|and|also|but|oh|btw|please|pls|plz|just|can you|could you|i need you to|i want you to|i'd like you to|you should|you must|quick|one thing|important|one more thing|things?|always|one thing to|the thing to|things to|important to)[,:!\s]+)*"
    r"(?:(?:please |pls )?(?:remember|keep in mind|bear in mind|make a (?:mental )?note|keep a note|take (?:a )?note|note(?! to self| for (?:later|next|you|the future|future))|memori[sz]e|don't forget|dont forget|do not forget|never forget|(?:store|save|log) (?:this|that)(?: somewhere)?|write (?:this )?down|jot down)"
    r"(?: (?:this|it|that|the following|for (?:later|next time|the future|future (?:sessions|reference|chats|conversations))|in (?:your )?memory|to (?:your )?memory|down|of (?:this|the fact that))){0,3}\s*(?:[:,—-]+|\bthat\b)?"
    r"|for (?:future|later|your|next|the) (?:reference|sessions|use|time|record|records|notes|memory)(?: only)?\s*[:,—-]?|for next time\s*[:,—-]?|for later\s*[:,—-]|important\s*[:—]|worth (?:knowing|remembering|noting)(?: that)?\s*[:,—-]?|you should know(?: that)?\s*[:,—-]?|something to (?:remember|know|note)\s*[:,—-]|good to know\s*[:,—-]|fyi(?: for (?:next time|later|the future))?\s*[:,—-]?|heads[- ]up\s*[:,—-]?|psa\s*[:,—-]?|(?:quick )?note(?: for (?:later|next time|you|yourself|the future|future \w+))?(?: to self)?\s*[:—-]|nota bene\s*[:,]?|nb\s*[:,]|just so you know\s*[:,—-]?|just so you're aware\s*[:,—-]?|good to know(?: for later)?\s*[:,]|important to (?:know|remember)\s*[:,]|things to (?:know|remember)\s*[:,])\s*"
)
_NOT_KEPT: Final = re.compile(
    r"^(?:the (?:edge case|semicolon|comma|tests?|import|return|bracket)s?\b|(?:to|the [\w ]{2,30}? (?:at|on|in) (?:the )?(?:end|line|top|bottom))\b|who\b|you\b(?! (?:are|can|should|must|may) )|just\b|staying\b|being\b|believe\b|i'm (?:always|here|so)\b|to\b|when\b|how\b|what\b|if\b|me\b|the (?:time|days?|last|other|previous|one)\b|we (?:talked|discussed|said|did)|you (?:said|told|did)|our (?:last|previous|conversation)|in (?:the )?next|about\b|where\b|why\b|it\b$|this\b$|that\b$|i asked|i (?:need|want) (?:to|you)\b|(?:my|the|a) (?:file|changes?|results?|output|state|progress|session|value|data|user|users|model|response|settings|draft|password)(?=$|[,;]| (?:in|to|for|from|and|between|across|so)\b)|as\b|all (?:of )?(?:this|that)|everything\b|them\b|your\b|in (?:a|the) (?:file|variable|database|db|cache|localstorage|session)\b|user\b|each\b|every\b(?= \w+ in)|\w+ (?:in|to|into) (?:a|the) (?:file|database|db|variable|cache)\b|\w+$)"
)
_ANY: Final = re.compile(r"^(?:\w+ ){0,2}?(?:note|for (?:future|later|next)|keep in mind|don't forget my|fyi)\b")
_WEAK: Final = re.compile(r"^(?:.{0,30}?\b)?(?:fyi|heads[- ]up|psa|just so you)\b")
_STATES: Final = re.compile(
    r"\b(?:is|are|isn't|aren't|was|will|won't|has|have|had|must|can|can't|cannot|should|may|never|always|only|needs?|uses?|gets?|takes?|runs?|lives?|goes|go|does|do|don't|doesn't|belongs?|expires?|means?|wants?|likes?|prefers?|starts?|ends?|closes?|opens?|works?|comes?|stays?|use|run|keep|put|send|ask|call|write|it's|there's|that's|i'm|we're|they're|\w+'s|\w+'re|\w+s)\b|=|->"
)


_MAY: Final = re.compile(
    r"\b(?:remember|mind|note|forget|reference|fyi|heads|psa|know|store|save|log|later|next time|record|memori[sz]e|important|noting|nota|nb|down|sessions|notes?)\b"
)


def may_ask(low: str) -> bool:
    """May the turn ask to keep something, by its words?"""
    return _MAY.search(low) is not None


def asked(clauses: list[Clause], at: int, text: str) -> tuple[int, int] | None:
    """The place of what is to be kept, from this clause to the end of its sentence (or of the next, after a colon)."""
    clause = clauses[at]
    found = _ASK.match(clause.low)
    if (
        found is None
        or found.end() == 0
        or re.match(r"^(?:do|did|can|could) (?:you|i|we) (?:still )?(?:remember|recall)", clause.low)
        or (not clause.opens and not re.search(r"(?:and|but|also|please|btw|hey|hi|ok|so|,)\W*$", clause.before))
    ):
        return None
    start, end = clause.start + found.end(), clause.origin + len(clause.whole.rstrip(" .!?;。！？；\n"))
    if start >= end - 2:
        follower = clauses[at + 1] if at + 1 < len(clauses) else None
        if follower is None or follower.start - end > 6:
            return None
        start, end = follower.start, follower.origin + len(follower.whole.rstrip(" .!?;\n"))
    while start < end and text[start] in " :,-—":
        start += 1
    said = text[start:end].lower()
    if clause.low[: found.end()].rstrip().endswith(",") and not re.match(
        r"(?:we|our|the|my|this|i (?!am|will|can)|all|every|on|in|for|it's|no|there|never|always|only|use)\b", said
    ):
        return None
    if clause.whole.rstrip().endswith("?") or _NOT_KEPT.match(said) or len(said.split()) < 2 or "\u2060" in said:
        return None
    if (
        signs.is_secret(said)
        or signs.is_secret(clause.whole)
        or signs.is_temporary(said)
        or _STATES.search(said) is None
    ):
        return None
    cut = re.search(
        r"[,;.]? (?:so (?:please|can|don't|do not|make)|(?:can|could|would) you|please (?:fix|write|add|make|help|show|check|update|continue))\b",
        said,
    )
    return start, start + cut.start() if cut is not None else end


_JOINED: Final = re.compile(
    r",\s+(?=(?:the |our |my |all )?[\w-]+ (?:go|goes|is|are|has|have|must|needs?|uses?|gets?|takes?|runs?|lives?|belongs?|expires?)\b(?! for\b))"
    r"|,?\s+and\s+(?=(?:only |never |always |also )?(?:is|are|speaks?|needs?|uses?|runs?|has|goes|takes?|requires?|expires?|i need|i want|we|the \w+ (?:is|are|has))\b)",
    re.IGNORECASE,
)


def pieces(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The statements of what is to be kept: two where a second one with its own verb is joined on."""
    found, at = [], start
    for cut in _JOINED.finditer(text, start, end):
        if len(text[at : cut.start()].split()) >= 3 and len(text[cut.end() : end].split()) >= 3:
            found.append((at, cut.start()))
            at = cut.end()
    return [*found, (at, end)]
