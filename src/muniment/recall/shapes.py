"""The shape of a question: what kind of answer it wants, by the words it opens with and a few that it holds.

All words that readings go by stand here. They are general English; nothing is keyed to the wording of one question.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from muniment.model.english import ASKING, AUXILIARY


class Shape(StrEnum):
    """What kind of answer a question wants."""

    WHO = "who"
    WHEN = "when"
    WHERE = "where"
    HOW_MANY = "how_many"
    CURRENT_VALUE = "current_value"
    HISTORY = "history"
    PREFERENCE = "preference"
    INSTRUCTION = "instruction"
    YES_NO = "yes_no"
    LIST = "list"
    KEYWORDS = "keywords"
    OTHER = "other"


def _any(*phrases: str) -> re.Pattern[str]:
    return re.compile(r"\b(?:" + "|".join(phrases) + r")\b")


def _opens(*phrases: str) -> re.Pattern[str]:
    return re.compile(r"(?:" + "|".join(phrases) + r")\b")


_ORDERS: Final = frozenset(
    """compare count describe explain find give list name recall recommend remind search show suggest summarise summarize
    tell walk""".split()
)
"""Verbs that ask without an asking word."""
_POLITE: Final = re.compile(
    r"(?:(?:and|but|so|ok|okay|well|also|then|hey|hi|please|now|yes|no|oh|um|quick question|just)[,:]? )"
    r"|(?:(?:can|could|would|will) you (?:please |quickly |also )?(?:tell|remind|show|give|find|explain to) (?:me|us) )"
    r"|(?:(?:do|did|can) (?:you|we) (?:happen to )?(?:know|remember|recall) (?=(?:what|when|where|who|which|why|how|if)\b))"
    r"|(?:(?:please )?(?:tell|remind|show) (?:me|us) (?:again )?(?=(?:what|when|where|who|which|why|how|if)\b))"
    rf"|(?:(?:can|could|would|will) you (?:please |also )?(?=(?:{'|'.join(sorted(_ORDERS))})\b))"
    r"|(?:i (?:want|need|would like|'d like) to know )|(?:i(?:'m| am) (?:wondering|curious) |i wonder )"
)
"""What people say before they ask."""

_BEFORE: Final = "(?:use|used|have|had|run|ran|choose|chose|call|called|work|live|lived) (?:[^ ]+ )?before"

PAST: Final = _any(
    "used to", "previous(?:ly)?", "original(?:ly)?", "former(?:ly)?", "initial(?:ly)?", "earlier", "back then", "at first",
    "in the past", "no longer", "any ?more", "before (?:that|this|we|i|the|switching|moving)", "until recently", "once had",
    _BEFORE,
)  # fmt: skip
CURRENT: Final = _any(
    "now", "nowadays", "current(?:ly)?", "latest", "newest", "most recent(?:ly)?", "still", "today", "these days",
    "at the moment", "at present", "presently", "so far", "in (?:use|force|effect)", "up to date",
)  # fmt: skip
_HISTORY: Final = _any(
    "history", "timeline", "evol(?:ve|ved|ution)", "over time", "chronolog[a-z]+", "progress(?:ed|ion)", "sequence of",
    "over the (?:years|months|weeks)", "(?:what|which) order", "order in which",
    "from the (?:start|beginning)", "all the (?:times|changes)",
    "used to", "before (?:we|i) (?:switched|moved|changed)", "previously", "originally", _BEFORE,
    "how (?:has|have|had|did|do|does) (?:[^ ]+ ){1,6}(?:change|changed|develop|developed)", "what (?:has |have )?changed",
)  # fmt: skip
_PREFERENCE: Final = _any(
    "prefer(?:s|red|ence|ences)?", "favou?rites?", "dislikes?", "hates?", "enjoys?", "rather (?:have|use)", "fond of",
    "fan of", "taste in", "can't stand", "(?:do|does|did) (?:[^ ]+ ){1,3}(?:like|love|want)(?! to)", "likes?(?= best| most)",
)  # fmt: skip
_SUGGEST: Final = _opens(
    "(?:what|which|where|how) (?:[^ ]+ ){0,5}(?:would|do|can|could|should) you (?:recommend|suggest)",
    "recommend",
    "suggest",
)
_INSTRUCTION: Final = _any(
    "rules?", "conventions?", "guidelines?", "instruct(?:ed|ion|ions)?", "supposed to", "allowed to", "asked you to",
    "told you to", "(?:should|must) (?:we|i|you|they|the|all|every|each|commits?|tests?)",
    "(?:we|i|you) (?:should|must|have to|need to)",
    "how (?:do|should) (?:we|i) (?:name|format|write|commit|test|run|deploy|release|build|handle|order|review)",
    "(?:do|does) (?:we|i) (?:always|never|have to|need to)",
)  # fmt: skip
_HOW_MANY: Final = _opens(
    "(?:for |in |by |at |to )?how (?:many|much|often|long(?! ago)|old|far|big|large|tall|fast)",
    "what (?:is|was|are|were) the (?:total |average )?(?:number|amount|count|total)",
    "count (?:the|all|my|our|how)",
)
_WHEN: Final = _opens(
    "(?:since |until |till |by |from )?when", "how (?:long ago|recently|soon)",
    "(?:(?:on|at|in|by|since|until|around|during) )?(?:what|which) (?:exact |specific )?"
    "(?:time|dates?|days?|years?|months?|weeks?|hour|morning|evening|season|quarter)",
    "what (?:is|was) the (?:exact )?date",
)  # fmt: skip
_WHERE: Final = _opens(
    "(?:from |to )?where",
    "(?:(?:in|at|on|from|to|under|into|near) )?(?:what|which) (?:[^ ]+ )?(?:file|folder|directory|module|place"
    "|city|country|town|location|repo|repository|table)",
)  # fmt: skip
_WHO: Final = _opens(
    "(?:with |to |by |from |for |of )?(?:who|whom|whose)",
    "(?:with |to |by |from |for )?(?:what|which) (?:person|people|friends?|team|colleagues?|teammates?|family members?)",
)
_LIST: Final = _opens(
    "list", "name (?:all|every|the|some|[0-9a-z]+ )", "enumerate", "give (?:me )?(?:a list|all|an overview)",
    "show (?:me )?(?:all|every)",
    "(?:what|which) (?:are|were) (?:all|some|the)", "(?:what|which) (?:all|kinds?|types?|sorts?)", "(?:what|which) (?:else|other)",
    "summari[sz]e (?:all|the)",
)  # fmt: skip
_VALUE: Final = _any(
    "ports?", "versions?", "values?", "names?", "limits?", "timeouts?", "address", "urls?", "size", "status", "price", "cost",
    "deadline", "budget", "colou?r", "email", "phone", "branch", "database", "framework", "language", "defaults?", "settings?",
    "config(?:uration)?", "set to", "rate", "percentage", "score", "title", "job", "role", "model", "stack", "tool", "library",
    "package", "manager", "threshold", "region", "endpoint", "schema", "host", "level", "salary",
)  # fmt: skip
_PRESENT: Final = _opens("(?:what|which)(?:'s| is| are| do| does|(?: [^ ]+){1,4} (?:is|are|do|does|has|have|should))")
_LEADING: Final = frozenset("in on at of for from by with to about since until under into during around".split())
_NO_PLURAL: Final = ("ss", "us", "is", "ous", "news")
_FURTHEST_HEAD: Final = 5
_MOST_LEADS: Final = 4


def core(low: str) -> str:
    """A question in lower case without what people say before they ask."""
    for _ in range(_MOST_LEADS):
        match = _POLITE.match(low)
        if match is None or match.end() == len(low):
            break
        low = low[match.end() :]
    return low


def shape_of(low: str) -> Shape:
    """The shape of a question in lower case with single spaces."""
    asked = core(low)
    spoken = asked.replace("can't", "can").replace("won't", "will").replace("n't", "").replace("'", " ").split()
    if not _asks(spoken):
        return Shape.LIST if _LIST.match(asked) else Shape.KEYWORDS
    for shape, holds in _ORDER:
        if holds.match(asked) if shape in _BY_OPENING else holds.search(asked):
            return shape
    if _LIST.match(asked):
        return Shape.LIST
    if _is_current_value(asked):
        return Shape.CURRENT_VALUE
    if _has_plural_head(spoken):
        return Shape.LIST
    return Shape.YES_NO if spoken[0] in AUXILIARY else Shape.OTHER


_ORDER: Final = (
    (Shape.WHEN, _WHEN),
    (Shape.HISTORY, _HISTORY),
    (Shape.HOW_MANY, _HOW_MANY),
    (Shape.WHO, _WHO),
    (Shape.PREFERENCE, _SUGGEST),
    (Shape.WHERE, _WHERE),
    (Shape.INSTRUCTION, _INSTRUCTION),
    (Shape.PREFERENCE, _PREFERENCE),
)
_BY_OPENING: Final = frozenset({Shape.WHEN, Shape.HOW_MANY, Shape.WHO, Shape.WHERE})


def _asks(spoken: Sequence[str]) -> bool:
    """Does it ask, in words? Else it is a handful of keywords."""
    if not spoken:
        return False
    first = [word.strip(",.?!:") for word in spoken[:3]]
    if first[0] in ASKING or first[0] in AUXILIARY or (first[0] in _ORDERS and len(spoken) > 1):
        return True
    if first[0] in _LEADING and len(first) > 1 and first[1] in ASKING:
        return True
    return any(word.strip(",.?!:") in ASKING for word in spoken) or (spoken[-1].endswith("?") and len(spoken) > 3)


def _is_current_value(asked: str) -> bool:
    if not _PRESENT.match(asked):
        return False
    return CURRENT.search(asked) is not None or _VALUE.search(asked) is not None


def _has_plural_head(spoken: Sequence[str]) -> bool:
    """`which books did ...`: does the thing asked for stand in the plural, right before the verb?"""
    if spoken[0] not in {"what", "which"}:
        return False
    for at in range(2, min(len(spoken), _FURTHEST_HEAD)):
        if spoken[at] in AUXILIARY:
            head = spoken[at - 1]
            return len(head) > 3 and head.endswith("s") and not head.endswith(_NO_PLURAL)
    return False


_HELPER: Final = r"(?:has|have|had|did|does|do|are|were|is|was|can|could|would|should|will|might)"
_WANTS_MANY: Final = re.compile(
    rf"\b(?:what|which)\s+(?:(?:kinds|types|sorts)\s+of\s+\w+|(?:(?!{_HELPER}\b)[\w+-]+\s+){{0,2}}?(?!{_HELPER}\b)\w*[a-rt-z]s)"
    rf"\s+{_HELPER}\b|\bin (?:what|which) ways\b|\bboth\b|\bhow many\b|^list\b|\b(?:what|where|who|whom)\s+(?:has|have)\b"
)


def wants_many(low: str) -> bool:
    """Does a question in lower case ask for several things, which stand in several places? `What books has A read?`"""
    return _WANTS_MANY.search(low) is not None
