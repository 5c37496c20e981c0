"""What was decided, planned for a day, or ruled out in a word: read from a clause and from the turn around it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from muniment.capture.extract.told import grammar, signs
from muniment.capture.extract.told.clauses import Clause
from muniment.capture.extract.told.frame import ME, PROJECT, Told
from muniment.capture.extract.told.slots import span, technologies

_WHO: Final = r"(?:i|we|they|both of us|my (?:wife|husband|partner) and i|(?:the|our|my) (?:\w+ )?(?:team|committee|board|group|client|family|council|jury|crew|band|management|architects?|founders|department)|everyone|management)"
_DID: Final = re.compile(
    rf"(?:^(?:\W|(?:ok|okay|so|and|also|then|well|right|in the end|finally|after [^,]{{3,60}},|yes|no|nah|fyi|update:?|final answer:?)\b)*|\b)(?:(?:{_WHO})(?:'ve|'m|'re| have| am| are| were| has)? ?)?(?:\b(?:just|now|all|both|finally|also|unanimously|eventually|recently|then)\b )*"
    r"(?P<d>decided (?:on|to|that|for|we)|chose|chosen|picked|selected|settled (?:on|for)|went (?:with|for)|gone (?:with|for)|going (?:with|for)|opted (?:for|to)|approved|adopted|signed off on|voted (?:for|to)|agreed (?:with [\w ]{2,30} )?(?:on|to|that)|committed to|standardi[sz](?:ed|ing) on|(?:went|gone|going|we're) back to|reverted to|sticking (?:with|to)|staying (?:with|on)|switching (?:from [\w.+# -]{2,30}? )?(?:over )?to|picking|choosing|taking|adopting|keeping) (?P<o>[^;]{2,})"
)
_NOT_OPTION: Final = re.compile(
    r"(?:last|yesterday|today|next|it|this|that|them|these|those|one|what|how|where|whether|if|why|you|your|my (?:phone|nose|kids|son|daughter|dog)|up|over|on the|a (?:lot|bunch|ton|couple|fight|random|few|bit|walk|break|look|nap|file|wrong|bad|lock|word|letter|number|photo|picture|screenshot|backup|seat|shower|bus|train|taxi)|the (?:wrong|first|last|kids|file|files|bus|train|call|phone|flow|steps|route|advice|plan (?:you|we|above)|\w+ you)|care|place|time|notes|part|turns|too|for (?:a|the) (?:walk|run|break|swim)|\w+ing (?:to|for|at|on|out|up|into|that|this|it)\b|to (?:see|look|ask|try|help|check|take a|sleep|wait (?:and|for)|talk|go (?:to|for|on|back)|get|start)|track|going|in mind|an eye)\b"
)
_OPTION_ENDS: Final = re.compile(
    r",(?!\d)(?! (?:and|or) )|\s(?:because|since|as (?:it|we|they|he|she|the)|due to|so (?:we|i|please|that|can)|but|thanks to|given|over|instead of|rather than|not|for now|mostly|mainly|after|which|is that|what|can you|and (?:i'm|i|we|now|it))\b|[;:(—–]| -- | - "
)
_AGAINST: Final = re.compile(
    rf"(?:^(?:\W|(?:ok|okay|so|and|also|then|well|right|nah|no|fyi)\b)*|\b)(?:(?:{_WHO})(?:'ve|'m|'re| have| am| are| has)? ?)?(?:\b(?:just|now|all|finally|also|deliberately|never)\b )*"
    r"(?P<d>turned down|turning down|rejected|rejecting|dropped|dropping|scrapped|scrapping|ditched|ditching|killed|killing|cancelled|canceled|cancelling|abandoned|abandoning|shelved|ruled out|ruling out|vetoed|passed on|said no to|done with|giving up on|gave up on|getting rid of|got rid of|moving away from|voted against|decided against|opted against|phasing out|retiring|not (?:doing|using|going with|going for|supporting|building|shipping|buying)) (?P<o>[^;]{2,})"
)
_NOT_DROPPED: Final = re.compile(
    r"(?:it|this|that|them|the (?:table|tables|database|column|file|files|line|lines|test|index|phone|ball|connection|push|request|row|rows|call|pr|commit|session|process|packet|packets|job|server|container|duplicates|last|first|second)|my|off|by|in|out|into|everything|all|some|a (?:table|column|message|line|file|process|request)|connections?|packets?|frames?|rows?|requests?)\b"
)
_OFF: Final = re.compile(
    r"^(?:\W|(?:nah|no|ok|so|and|fyi|also|well)\b)*(?P<v>[\w.#+' -]{2,40}?) (?:is|are) (?:off the table|out(?: for (?:me|us|good))?|out of the question|not an option|a no-go|a no go|dead|ruled out|history|off limits|not happening)\b"
)
_INSTEAD: Final = re.compile(
    r"^(?:\W|(?:so|and|but|ok|then|we're|i'm|we|it's|just|now)\b)*(?P<v>(?!(?:use|make|do|try|put|write|show|give|can|could|please|let)\b)[\w][\w' .+#-]{3,50}?) instead$"
)
_IT_IS: Final = re.compile(
    r"^(?:\W|(?:ok|okay|so|then|right|fine|well|and|yes|alright)\b)*(?P<v>[\w.#+ -]{2,30}?) (?:it is|wins|won|it'll be)(?:$|,| then| in the end| hands down)"
)
_FINAL: Final = re.compile(
    r"^(?:\W|(?:ok|okay|so|and|right|agreed|let's settle it|settled|the|my|our|team)\b)*(?:final (?:answer|decision|call|word|choice|verdict)|decision|verdict|agreed(?: then)?|settled|let's settle it|outcome|result of the vote|the vote|conclusion|[\w ./-]{3,40}(?: is| are|'s) (?:settled|decided|final|agreed))\b[^:]{0,50}:\s*(?P<v>[^;]{2,})"
)
_MONTH: Final = r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
_DAY: Final = re.compile(
    rf"\b(?:by|before|until|till|for|on|in|due|is|at|end of|of|to) (?:the )?(?:(?:end|beginning|start|middle|last weekend|first week|last week|first weekend|heat|summer|spring|autumn|fall) (?:of|in) )?(?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}|{_MONTH}(?: \d{{1,2}}(?:st|nd|rd|th)?)?(?:,? \d{{4}})?|q[1-4](?: \d{{4}})?|\d{{4}}-\d\d-\d\d|new year|christmas|easter|black friday|(?:mon|tues|wednes|thurs|fri|satur|sun)day the \d{1, 2}(?:st|nd|rd|th)?|summer \d{{4}}|spring \d{{4}}|(?:the )?(?:spring|summer|autumn|winter) (?:release|term|semester|season)|\d{{1,2}}(?:st|nd|rd|th))\b"
)
_STARTS: Final = re.compile(
    rf"\b(?:airs|opens|starts|ends|launches|closes|premieres|ships|lands|expires|comes out|due|is) (?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}|{_MONTH} \d{{1,2}})\b"
)
_PLANNED: Final = re.compile(
    r"\b(?:deadline|have until|have till|due|cut-?over|launch\w*|go(?:es|ing)? live|release|ship|opens?|opening|ends?|ending|starts?|expires?|closes?|closing|planned|scheduled|finish\w*|submit\w*|submission|deliver\w*|hand(?:ed)? (?:in|over)|hand-?over|manuscript|done|ready|pilot|demo|migrat\w+|move|moving|rewrit\w+|rolled? out|rollout|roll out|off (?:it|of it|heroku|aws)|freeze|exam|defen[cs]e|wedding|conference|regional|competition|race|audit|inspection|exhibition|premieres?|airs|comes out|show|concert|festival|publish\w*|print(?:er)?s?|wants|needs|must|has to|have to|should be|go away|retired?|support|open source|replace\w*|climb|season|grant|contract|lease|licen[cs]e)\b"
)
_ERRANDS: Final = re.compile(
    r"\b(?:session|appointment|meeting|call|flight|birthday|dentist|doctor|dinner|lunch|party|reminder|calendar|discussed|talked|last (?:week|month|year|night|time|spring|summer|winter|autumn)|yesterday|ago|was|were|had|did|went|got|since|version|log|logs|error|dated|published|invoice|between|weather|forecast|news)\b"
)


_PAST: Final = re.compile(
    r"\b(?!(?:planned|scheduled|need|needed|allocated|supposed|set|fixed|expected|targeted|called|speed|feed|seed|budgeted|required|hundred|embed|based|aimed|intended|reserved)\b)[a-z]+ed\b|\b(?:met|began|got|went|was|were|did|had|made|took|saw|wrote|ran|came|found|bought|sold|sent|spent|just)\b"
)


def is_past(low: str) -> bool:
    """Do the words tell of what is over?"""
    return _PAST.search(low[-160:]) is not None


_NO_MORE_USE: Final = re.compile(
    r"^(?:\W|(?:ok|okay|so|and|also|btw|fyi|no|actually|well|but)\b)*(?P<s>i|we|our \w+|the \w+)(?:'ve|'re|'m| have| are| am)? (?:now |just |finally |recently )*"
    r"(?:(?:don't|do not|dont|doesn't|does not) (?:use|run|have|need|rely on|work with|deploy (?:to|on|with)|host on) (?P<a>[^,;]{1,60}?)(?: at all)?,? (?:any ?more|any longer|these days|now)\b|no longer (?:use|uses|run|runs|have|rely on|on|work with|deploy (?:to|on|with)|host on) (?P<b>[^,;]{1,40})"
    r"|(?:stopped|quit) (?:using|running) (?P<c>[^,;]{1,40})|(?:dropped|ditched|abandoned|retired|left|removed|got rid of|moved (?:away from|off(?: of)?)|migrated (?:away from|off(?: of)?)|said goodbye to|are off|are done with|am done with|killed off) (?P<d>[^,;]{1,40}))"
)


def no_more(clause: Clause) -> Iterator[Told]:
    """A tool that is not used any more: it is avoided from now on, and that ends its use."""
    found = _NO_MORE_USE.match(clause.low)
    if found is None or clause.asks or signs.is_temporary(clause.low):
        return
    start = next(found.start(g) for g in "abcd" if found[g])
    for value in technologies(clause, start, unknown=False):
        if value.start - clause.start - start < 5:
            subject = ME if found["s"] == "i" else PROJECT
            yield Told(
                "stack",
                "avoids",
                subject,
                value.start,
                value.end,
                value.topic or "",
                value.tags,
                signs.is_hedged(clause),
                None,
                subject == ME,
                clause.start,
            )
        return


def decided(clause: Clause) -> Iterator[Told]:
    """An option taken or turned down."""
    low = clause.low
    if clause.asks or signs.is_supposed(low) or signs.is_temporary(low) or _OPEN.search(low):
        return
    for pattern in (_IT_IS, _FINAL):
        found = pattern.match(
            low if pattern is _IT_IS or not clause.opens else clause.whole[clause.start - clause.origin :].rstrip(" .!")
        )
        if found is not None and not re.match(
            r"(?:how|what|that|this|it|so|there|here|where|which|who|i|he|she|they|weird|odd|strange)\b|.*\bstill\b",
            found["v"],
        ):
            if found.end("v") > len(low):
                yield Told(
                    "decision",
                    "decided",
                    PROJECT,
                    clause.start + found.start("v"),
                    clause.start + found.end("v"),
                    "",
                    ("project.decision",),
                    signs.is_hedged(clause),
                    near=clause.start,
                )
                return
            yield from _option(clause, "decided", *found.span("v"))
            return
    found = _INSTEAD.match(low)
    if found is not None and clause.sentence > 0:
        yield from _option(clause, "decided", *found.span("v"))
        return
    found = _OFF.match(low)
    if found is not None and not re.match(
        r"(?:it|this|that|he|she|they|i|the (?:light|power|server|sun|bus|screen|site|battery))\b", found["v"]
    ):
        yield from _option(clause, "rejected", *found.span("v"))
        return
    found = _AGAINST.search(low)
    if found is not None and not _NOT_DROPPED.match(found["o"]) and _begins(low, found.start("d")):
        yield from _option(clause, "rejected", *found.span("o"))
        return
    found = _DID.search(low)
    if found is not None and not _NOT_OPTION.match(found["o"]) and _begins(low, found.start("d")):
        if re.match(r"(?:taking|keeping|picking|choosing)", found["d"]) and not re.search(
            r"\bnot\b|\bover\b|because|since|, ", low[found.start("o") :]
        ):
            return
        yield from _option(clause, "decided", *found.span("o"))


_OPEN: Final = re.compile(
    r"\b(?:haven't|hasn't|didn't|can't|cannot|couldn't|not yet|yet to|need to|needs to|trying to|have to|want to|wants to|should|before (?:i|we)|help me|once (?:i|we)|whether|would|could|might|in case|if (?:i|we|you))\b"
)


def _begins(low: str, at: int) -> bool:
    """Does the verb stand near the beginning, behind a subject or nothing?"""
    head = low[:at]
    if not head.strip(" ,.:"):
        return True
    return (
        re.search(
            rf"(?:{_WHO}(?:'ve|'m|'re| have| am| are| has| were)?|\bi'm|\bwe're|\bi've|\bwe've|\band|\bthen|,) (?:\w+ly |just |now |all |finally |also |both |then )*$",
            head,
        )
        is not None
    )


def _option(clause: Clause, predicate: str, start: int, end: int) -> Iterator[Told]:
    cut = _OPTION_ENDS.search(clause.low, start + 2, end)
    end = cut.start() if cut is not None else end
    place = span(clause, start, end)
    if place is not None and len(clause.low[place[0] - clause.start : place[1] - clause.start].split()) <= 18:
        yield Told(
            "decision",
            predicate,
            PROJECT,
            *place,
            "",
            ("project.decision",),
            signs.is_hedged(clause),
            near=clause.start,
        )


def dated(clause: Clause) -> Iterator[Told]:
    """Something that is planned for a day."""
    low = clause.low
    found = _DAY.search(low) or _STARTS.search(low)
    if found is None or clause.asks or _ERRANDS.search(low) or grammar.FAULTS.search(low) or grammar.REQUEST.match(low):
        return
    if (
        _PLANNED.search(low) is None
        or signs.is_supposed(low)
        or is_past(low[: found.start()])
        or grammar.FEELINGS.search(low)
    ):
        return
    start = max(0, low.rfind(",", 0, found.start()) + 1) if found.start() > 90 else 0
    place = span(
        clause, start, min(len(low), found.end() + 12) if len(low) - found.end() > 60 else len(low), keep_article=True
    )
    if place is not None:
        yield Told(
            "project",
            "targets",
            PROJECT,
            *place,
            "deadline",
            ("project.timeline",),
            signs.is_hedged(clause),
            near=clause.start,
        )


_NONE: Final = re.compile(
    r"(?:^|(?<=[,;:(—–])|(?<=\bso)|(?<=\band)|(?<=\breasons))\s*(?:so |and |but |with |absolutely )?(?P<v>no (?!idea|clue|luck|worries|problem|rush|need|one|matter|way|longer|errors?|output|change|difference|result|more\b|no\b|time|hurry|pressure|offen[cs]e|doubt|wonder|thanks|it|we|i|the|that|this|not|other|response|reply|effect|joke|surprise|big deal|clear|access|data|success|questions?|solution|explanations?|fix|help|yes|please|actually|wait)(?:\"[^\"]{2,20}\"|[\w\"'/.-]+)(?: (?!and\b|but\b|so\b|please\b|because\b)[\w\"'/.-]+){0,5}?)(?=\s*(?:$|[,;:.)—–]| and no | or | and | because | please| \())"
)
_LOCAL: Final = re.compile(
    r"\b(?:this one|this time|for now|here please|just the|only the|pls no|this (?:file|email|text|letter))\b"
)


def without(sentence: list[Clause], told: list[Told], *, is_styled: bool) -> Iterator[Told]:
    """`no app store`, `no tables`: ruled out in a word, where the turn tells something beside it."""
    whole, origin = sentence[0].whole, sentence[0].origin
    if (
        _LOCAL.search(whole)
        or sentence[0].asks
        or signs.is_temporary(whole)
        or grammar.FAULTS.search(whole)
        or grammar.REQUEST.match(whole)
    ):
        return
    for found in _NONE.finditer(whole):
        start, end = origin + found.start("v"), origin + found.end("v")
        if any(t.start < end and start < t.end for t in told):
            continue
        if is_styled or _STYLE.search(found["v"]):
            yield Told("preference", "avoids", "me", start + 3, end, "", ("style", "code.style"), False, near=origin)
        else:
            yield Told(
                "project",
                "requires",
                PROJECT,
                start,
                end,
                "constraint",
                ("project.constraint", "code.style"),
                False,
                near=origin,
            )


_STYLE: Final = re.compile(
    r"\b(?:emojis?|tables?|code blocks?|bullets?|bullet points|headings?|headers?|comments?|semicolons?|classes|mocks|jargon|intro\w*|summar\w+|prefix\w*|abbreviations|anglicisms|disclaimers?|exclamation\w*|apolog\w+|fluff|filler|markdown|lists?|passive|adverbs|milk|sugar|meat|nuts|gluten|mushrooms|onions|garlic|spoilers|footnotes|docstrings|ternar\w+|any|globals?|magic|inline|default exports|tests?|one-liners|metaphors|small talk)\b"
)
