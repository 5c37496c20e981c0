"""Corrections: `no, it's X, not Y`, `actually ...`, `that's wrong, ...`, `I told you ...`, `you keep writing ...`."""

from __future__ import annotations

import re
from typing import Final

from muniment.capture.extract.told.clauses import Clause

_OPENS: Final = re.compile(
    r"^(?:(?:uh|um|hm+|oh|ah|well|sorry|but|and|so|hey|again|please|ok|okay)[,.\s]+)*(?:no+(?:pe)?|nah|wrong(?: \w+)?(?=$|[.,])|wrong|incorrect|actually|correction|wait|hold on|not quite|nope|negative|that's not (?:right|correct|true|it|what (?:i|we) \w+)|that is (?:wrong|incorrect|not (?:right|correct|true))|that's (?:wrong|incorrect|false|outdated|not accurate|a mistake)|thats wrong|you're wrong|you are wrong|you got (?:that|it|this|(?:my|the|our|his|her) \w+) wrong|you've got (?:that|it|this|my \w+) wrong|you (?:misunderstood|misread|forgot|missed|confused|mixed up|overlooked)(?: that| it| this| what i said| again)?|that's the (?:old|wrong|previous|outdated|other) [\w ]{1,20}|that's not (?:our|my|the|his|her|their|a|an|how|where|who) [^,.]{1,30}|you mixed (?:that|it) up|again(?=\s*[:,])|my mistake|my bad|oops|typo|small correction|quick correction|one correction|minor correction|not true|false|mistake)\b"
    r"(?:[,.:;!—\s-]+(?:no+|actually|sorry|wait|that's (?:wrong|not right|not true|incorrect)|it's|you're wrong|again|as i said))*(?:\s+(?:about|with|on) (?:my|the|that|this|our) [\w ]{1,30}?)?[,.:;!—\s-]*"
)
_TOLD: Final = re.compile(
    r"^(?:(?:but|and|so|no|hey|again|like|look|well|sorry|ugh|oh|um)[,.\s]+)*(?:as )?(?:i|we)(?:'ve| have)?(?: already| just| literally| explicitly| clearly)* (?:told you|said|mentioned|explained|wrote|pointed out|corrected (?:you|this|that))(?: you)?(?: already| before| earlier| twice| three times| multiple times| many times| above| last time| yesterday| in the first message| a few times| \w+ times)*(?:$|[,:\s-]+(?:that )?(?!you\b))"
)
_KEEP: Final = re.compile(
    r"^(?:(?:but|and|so|no|hey|again|why do|why|ugh|please|look)[,.\s]+)*(?:do )?you (?:keep|always|constantly|kept|continue to|still|are still|'re still|keep on|again|have been) (?P<v>(?:\w+ing|use|write|add|call|put|forget|assume|suggest|end|start|give|spell|say)\b[^,;?]{2,80})"
)
_CONTRAST: Final = re.compile(
    r"(?P<right>[^,;]{1,80}?)(?:,? (?:and )?not |,? instead of |,? rather than |,? never |,? no longer |, no )(?:in |on |at |a |an |the |my |to |with |for |from |by |as )?(?P<wrong>[^,;]{1,60})$"
)
_BEFORE: Final = re.compile(
    r"^(?:it's |its |it is |they're |that's |we're |i'm )?not (?P<wrong>[^,;]{1,60}?),? (?:but|it's|its|it is|they're|we're on|we use|i'm|rather|we're|that's) (?P<right>[^,;]{1,80})$"
)
_COPULA: Final = re.compile(
    r"^(?:(?:the|my|our|his|her|their|this|that) [\w' -]{2,30}? (?:is|are|has|have|lives?|goes|runs?|needs?|uses?|means?|starts?|ends?|costs?|takes?|[a-z]+s)\b|[a-z_]+ (?:go|live|are|belong|run|use|need|have|start|end|cost|take)\b|it's|its|it is|it was|that's|that is|they're|they are|we're|we are|he's|she's|this is|i'm|i am|there (?:is|are)|there's|(?:we|i) (?!want|need|think|mean|meant|asked|ask|said|see|saw|get|got|know|tried|try|can|could|would|should|will|just|guess|like|love|wanted|thought|hope|found|told|did|was|were|had|still)[a-z]+|everything is|both)\b"
)
_SUBJECT: Final = re.compile(
    r"^(?:it's|its|it is|that's|that is|they're|they are|this is|it should be|should be|it was|the (?:right|correct) (?:one|name|answer|value|word) is|make that|i meant|rather)(?: actually| called| spelled| spelt| pronounced| written| named| just| really| supposed to be| in fact)* "
)
_NOT_RIGHT: Final = re.compile(
    r"^(?:it's|that's|its|it is|that is|this is|the|i'm|they're|there's|we're)? ?(?:the \w+ )?(?:not|still|the same|wrong|broken|fine|good|ok|okay|great|perfect|failing|fails|a bug|an error|too|very|really|so|just|because|weird|strange|better|worse|what|how|when|why|where|that|this|all|working|worked|done|nothing|cool|nice|correct|right|hard|easy|about|like|more|less|one thing|interesting|helpful|sure|happy|afraid|getting|trying|looking|stuck|thinking|curious|wondering|going|missing|empty|been|possible|impossible|clear|unclear|slow|red|green|giving|throwing|pretty|complicated|enough|out|up|a good|a great|a bad|a nice|worth)\b"
)


_MAY: Final = re.compile(
    r"\b(?:no+(?:pe)?|nah|not|wrong|incorrect|actually|correction|wait|hold on|negative|misunderstood|misread|mixed|forgot|missed|overlooked|confused|true|false|mistake|bad|oops|typo|again"
    r"|outdated|told|said|mentioned|explained|keep|kept|always|constantly|still|instead|rather|never|longer|meant|spelled|spelt|pronounced|you (?:used|wrote|said|put|had|typed|called|assumed|listed|set)|stop calling|isn't|aren't|old)\b"
)


def may_object(low: str) -> bool:
    """May the turn correct something, by its words?"""
    return _MAY.search(low) is not None


def opens(low: str) -> int:
    """How much of a clause only says that something was wrong; 0 where nothing does."""
    found = _OPENS.match(low)
    if found is not None and found.end() and _NO.match(low) is None:
        return found.end()
    told = _TOLD.match(low)
    return told.end() if told is not None else 0


_SPELLED: Final = re.compile(r"^(?:it's|its|it is|my name is|the name is|that's) (?:spelled|spelt|pronounced|written) ")


_DENIES: Final = re.compile(
    r"^(?:no,? )?(?:it's|it is|that's|that is|this is|they're|we're|we are|i'm|he's|she's|you're) not [^,;]{1,50}$"
)


def denies(low: str) -> bool:
    """Does the clause only say what something is not?"""
    return _DENIES.match(low) is not None


_BLAMES: Final = re.compile(
    r"you (?:used|wrote|said|put|had|typed|spelled|called it|assumed|listed|set|wrote down|entered|have) "
)


def blames(low: str) -> bool:
    """Does the clause say what the agent wrote instead?"""
    return _BLAMES.match(low) is not None


def spells(low: str) -> bool:
    """Does the clause say how a name is spelled?"""
    return _SPELLED.match(low) is not None


def kept_doing(clause: Clause) -> tuple[int, int] | None:
    """What the agent keeps doing: it shall stop."""
    found = _KEEP.match(clause.low)
    if found is None or found.group("v").startswith(
        (
            "forget",
            "breaking",
            "failing",
            "crashing",
            "stopping",
            "missing",
            "misunderstand",
            "losing",
            "say",
            "saying",
            "end up",
            "going",
            "up",
            "getting",
            "working",
            "trying",
            "doing this",
            "doing that",
            "doing it",
        )
    ):
        return None
    end = re.compile(
        r"\s(?:instead|but|when|even|although|though|and i|and it|in your|every time|all the time|again)\b|[`]$"
    ).search(clause.low, found.start("v"))
    stop = end.start() if end is not None else len(clause.low)
    return clause.start + found.start("v"), clause.start + stop


def contrast(clause: Clause, start: int, *, is_objected: bool = True) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """`X, not Y`: the places of the right value and the wrong one."""
    text = clause.low[start:]
    found = _BEFORE.match(text) or _CONTRAST.match(text)
    if (
        found is None
        or clause.asks
        or "\u2060" in text
        or (start == 0 and not is_objected and not _PLAIN.match(text[found.end("right") :]))
    ):
        return None
    right, wrong = found.span("right"), found.span("wrong")
    head = _SUBJECT.match(text[right[0] : right[1]])
    begin = right[0] + (head.end() if head is not None else 0)
    if (
        begin >= right[1]
        or len(found.group("wrong").split()) > 6
        or re.match(
            r"(?:yet|sure|only|just|really|because|even|so|too|that|what|if|how|to|like|working|here|there|anymore|much|many|all|always|necessarily|exactly|quite|a problem|the other way|vice)\b",
            found.group("wrong"),
        )
    ):
        return None
    if re.match(
        r"(?:still|just|really|so|too|also|probably|maybe|now|it's|its|it is|that's|i'm|we're|they're|we are|i am|he's|she's|it)$",
        text[begin : right[1]].strip(),
    ):
        return None
    if re.match(
        r"(?:right|working|correct|good|this|that|these|those|it|them|him|her|me|you|us)\b", found.group("wrong")
    ):
        return None
    base = clause.start + start
    return (base + begin, base + right[1]), (base + wrong[0], base + wrong[1])


_PLAIN: Final = re.compile(r",? not (?:(?:a|an|the|my|in|at|on|for) )?[\w/.'-]+(?: [\w/.'-]+)?$")
_FAULT: Final = re.compile(
    r"\b(?:still|empty|fail\w*|errors?|broken|doesn't|didn't|don't|isn't|aren't|wasn't|can't|won't|nothing|wrong|missing|crash\w*|same|again|bugs?|undefined|null|fix|please|try|stop|undo|revert|remove|instead of the|sorry|mean|meant|look|looks|see|check|read|think|thought|guess|like|love|wanted|should have|asked|missed|forgot)\b"
)


_WISHES: Final = re.compile(
    r"(?:(?:and|but|so|please|just|then|well|now) )*(?:fix|try|use|look|check|do|make|put|give|read|go|run|add|remove|change|keep|revert|undo|show|see|let|let's|lets|can|could|would|should|don't|do not|never mind|nevermind|wait|stop|start|leave|move|rename|write|call|set|turn|open|take|think|continue|forget|ignore|skip|explain|tell|help|i (?:want|need|would|asked|meant for|mean)|i'd|we (?:want|should|could|need)|you (?:should|need|must|can|could|did|have|are)|thanks|thank|ok|okay|sorry|great|cool|nice|haha|lol|hmm)\b"
)


_PAST: Final = re.compile(
    r"\b(?:ago|yesterday|last (?:week|month|night)|haven't|hasn't|yet|just (?:took|went|did|got|saw))\b"
)
_NO: Final = re.compile(
    r"(?:(?:uh|um|hm+|oh|ah|well|sorry|but|and|so|hey)[,.\s]+)*no+\s+(?!it's|its|it is|that's|we|i|i'm|the|my|our|they|he|she|his|her|you|this|there|all|actually|no|wait|in|on|at)"
)


def states(low: str) -> bool:
    """Does what follows the objection say what is right, rather than complain or ask for something?"""
    if (
        len(low.split()) < 2
        or "\u2060" in low
        or _FAULT.search(low)
        or _WISHES.match(low)
        or re.search(r"\b(?:should|needs? to)\b", low)
    ):
        return False
    return _COPULA.match(low) is not None and _NOT_RIGHT.match(low) is None and _PAST.search(low) is None


def says_again(low: str) -> bool:
    """Does the clause begin with `I told you` or `I said`?"""
    return _TOLD.match(low) is not None


def may_be_right(low: str) -> bool:
    """After `I told you`: a few words that are no complaint."""
    return 0 < len(low.split()) <= 8 and _NOT_RIGHT.match(low) is None and _FAULT.search(low) is None


def value(low: str) -> int:
    """Where the right value begins: behind `it's`."""
    found = _SUBJECT.match(low)
    return found.end() if found is not None else 0
