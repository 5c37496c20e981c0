"""What is right instead: `Porto, not Lisbon`, and what is stated after somebody said that something was wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from muniment.capture.extract.told import grammar, signs
from muniment.capture.extract.told.clauses import Clause
from muniment.capture.extract.told.frame import ME, PROJECT, Told
from muniment.capture.extract.told.slots import span, technologies

_OBJECTS: Final = re.compile(
    r"^\W*(?:(?:uh|um|hm+|oh|ah|well|sorry|but|and|so|hey|please|ok|okay|lol|haha)[,.\s]+)*"
    r"(?:no+(?:pe)?(?: no+)*\b(?= ?[,.!;:—-]|$| (?:we|it's|its|i'm|our|my|the|that's|that is))|nah\b|wrong\b|incorrect\b|not quite\b|not really\b|actually\b(?=[,. ]|$)|correction\b|negative\b|hold on\b|again ?:|wait\b(?=[,.]|$)"
    r"|that(?:'s| is|s) (?:wrong|not (?:right|correct|true|it|how|what|our|my|the|where|who)|incorrect|false|outdated|a (?:misunderstanding|mistake|mix-?up)|the (?:old|wrong|previous|outdated)|backwards?)|that(?: is|')n't (?:right|correct|true|how|what|our|my|the|it)|thats (?:wrong|not)"
    r"|you(?:'ve| have)? (?:got|swapped|mixed|forgot|misread|misunderstood|confused|assumed|missed|overlooked|misspelled|spelled|misspelt|wrote|called|said|used|listed|put|picked|took|keep|kept)\b"
    r"|your \w+ (?:says|said|is wrong|has|uses|assumes|assumed|lists|mentions)|(?:as )?i (?:already )?(?:said|told you|mentioned|never (?:asked|said|told|mentioned|use))|told you|(?:we're|we are|i'm|i am|it's|it is|they're|this is|that's) not\b|we (?:don't|do not) have\b|there(?:'s| is| are) no\b|(?:falsch|nein|faux|mais non|non|eso no)\b|not (?=\S+ ?[—–-]))"
)
_RESULT: Final = re.compile(
    r"\b(?:output|result|results|sum|test|tests|page|button|error|function|line|code|number|answer|count|chart|table|file|query|script|image|plot|value|column|row|layout|screen|it still|still|same|loop|class|method|variable|link|formula|response|other|example|step|build|import|last|first|second|third|login|form|menu|header|footer|modal|problem|issue|thing|part)\b"
)
_SAYS_SO: Final = re.compile(
    r"^(?:i|you|we|he|she|they) (?:said|told|mentioned|meant|mean|think|thought|asked|wanted|want|need|see|don't|didn't)\b|^(?:hmm+|you|your|let's|i'll|i'm going|maybe|perhaps|probably|just|do|then|fix|try|redo|please|look|check|read|use|make|convert|change|stop|sorry|thanks|ok|again|so|can|could|let)\b"
)
_NOT_THAT: Final = re.compile(
    r"^(?:no,? )?not (?:an? |the |my |our )?(?!sure|yet|really|quite|only|just|bad|good|working|that|this|now|too|so|a problem|great|fine|even|everything|all)[\w-]+(?: [\w-]+)?$"
)
_BLAMES: Final = re.compile(
    r"(?:and |so )?you (?:swapped|mixed|forgot|misread|misunderstood|confused|missed|overlooked|misspelled|misspelt|got (?:it|that|this|them) wrong|keep|were (?:off|wrong)|had (?:it|that|them))\b|(?:i|we)(?:'ve)? (?:said|told you|mentioned|explained) (?:this|that|it|so)|how often do i"
)
_PAIR: Final = re.compile(
    r"^\W*(?:(?:no|nope|and|but|it's|its|it is|that's|this is|i'm|we're|she's|he's|sorry|actually|wait|the \w+(?: \w+)? is|(?:we|i) (?:said|meant|mean|use))[,\s]+)*(?P<right>[\w'’./#+-]+(?: [\w'’./#+-]+){0,4}?),? (?:and )?not (?:the |a |an |in |on |at |my )?(?P<wrong>[\w'’./#+-]+(?: [\w'’./#+-]+){0,3})$"
)
_TURNED: Final = re.compile(
    r"^\W*not (?P<wrong>[\w'’./#+%-]+(?: [\w'’./#+-]+){0,2})\s?(?:[,;—–-]|but|\.)+\s?(?:it's |but )?(?P<right>[\w'’./#+%-]+(?: [\w'’./#+-]+){0,4})$"
)
_NO_PAIR: Final = re.compile(
    r"^(?:i|i'm|we|we're|it's|he's|she's|they're|that's|you're)$|\b(?:sure|yet|great|good|fine|bad|really|only|just|always|because|why|works?|working|that|this|it|enough|start|beginning|earlier|top|outset|wait|actually|ci|point|thing|nope|maybe|probably|perhaps|point|true|right|correct|wrong|yes|no|please|again|another|other|all|here|there|now|so|if|order|sort|use|put|make|write|show|give|keep|please|convert|name|call|do|does|should|could|can|would|help|explain|question|thanks|price|anymore|necessarily|much|too|idea|problem|once|ever|to)\b"
)
_HEAD: Final = re.compile(
    r"^(?:(?:it's|its|it is|that's|that is|they're|this is|she's|he's|i'm|we're on|we're|we are|we use|i said|i told you|told you(?: twice)?(?: already)?|make that|should be|the (?:right|correct) \w+ is|my name is|the name's|you forgot)(?: actually| called| named| spelled)*[:, ]+)"
)
_SMALL: Final = re.compile(r"^(?:(?:the|a|an|my|our|in|on) )?[\w'’./#+\"%-]+(?: [\w'’./#+\"%-]+){0,4}$")


def read(sentences: list[list[Clause]], told: list[Told]) -> Iterator[Told]:
    """What a turn puts right, beside what the frames have read."""
    if any(t.predicate == "corrected" for t in told):
        return
    objected = -9
    for n, sentence in enumerate(sentences[:6]):
        low = sentence[0].whole.strip(" .!?\n")
        if sentence[-1].asks and not _OBJECTS.match(low):
            continue
        pair = _pair(sentence)
        if pair is not None and (n <= 2 or objected >= 0):
            yield from _corrected(sentence[0], *pair)
            objected = n
            continue
        found = _OBJECTS.match(low)
        if found is None and n < 2 and _NOT_THAT.match(low):
            objected = n
            continue
        if found is None and n < 2 and any(_BLAMES.match(c.low) for c in sentence[1:]):
            yield from _stated(sentence[:1], told, first=0, head=1)
            objected = n
            continue
        if (
            found is not None
            and re.match(r"\W*(?:we|there)", found.group())
            and (n > 0 or len(sentence[0].low.split()) > 7)
        ):
            found = None
        if found is not None and n - objected > 0:
            objected = n
            yield from _behind(sentence, found.end(), low, told)
        elif 0 < n - objected <= 1 and n < 3:
            short = len(sentences[objected][0].whole.split()) <= 2 if objected >= 0 else False
            yield from _stated(sentence, told, first=0, head=int(short))


def _pair(sentence: list[Clause]) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """`X, not Y` in a few words: the places of both in the sentence."""
    clause = sentence[0]
    low = clause.whole
    end = len(low.rstrip(" .!?;:)\n"))
    if len(low.split()) > 12 or low.rstrip().endswith("?") or signs.is_supposed(low.strip()):
        return None
    for pattern in (_TURNED, _PAIR):
        found = pattern.match(low[:end])
        if (
            found is not None
            and not _NO_PAIR.search(found["right"])
            and not _NO_PAIR.search(found["wrong"])
            and len(found["right"]) > 1
        ):
            return found.span("right"), found.span("wrong")
    return None


def _corrected(clause: Clause, right: tuple[int, int], wrong: tuple[int, int]) -> Iterator[Told]:
    yield Told(
        "correction",
        "corrected",
        ME,
        clause.origin + right[0],
        clause.origin + right[1],
        "",
        ("project.correction",),
        wrong=(clause.origin + wrong[0], clause.origin + wrong[1]),
        near=clause.origin,
    )


def _behind(sentence: list[Clause], at: int, low: str, told: list[Told]) -> Iterator[Told]:
    """What is stated in the sentence of the objection itself."""
    yield from _stated(
        sentence,
        told,
        first=1 if len(sentence) > 1 and re.match(r"\W*(?:you|your|we|i|there|it|they|this)\b", low) else 0,
        head=at,
    )


def _stated(sentence: list[Clause], told: list[Told], *, first: int, head: int = 0) -> Iterator[Told]:
    given = 0
    for clause in sentence[first:]:
        begin = _behind_objection(clause) if clause.opens and head else 0
        if begin is None or given > 1 or _is_no_statement(clause, begin):
            continue
        if any(t.start < clause.end and clause.start < t.end for t in told):
            continue
        found = _right(clause, begin, is_behind=head > 0)
        if found is not None:
            given += 1
            yield from _put_right(clause, *found)


def _behind_objection(clause: Clause) -> int | None:
    """Where a clause goes on behind its objection; None where the objection is all of it."""
    low = clause.low
    objection = _OBJECTS.match(low)
    if objection is None:
        return 0
    if _BLAMING.match(low[: objection.end()]):
        return None
    begin = objection.end()
    sign = re.compile(r"[^:,—–]{0,32}[:,—–]\s").match(low, begin)
    begin = sign.end() if sign is not None and sign.end() < len(low) - 2 else begin
    while begin < len(low) and low[begin] in " ,.:;—–!-":
        begin += 1
    return begin


_BLAMING: Final = re.compile(
    r"\W*(?:you|your|we don't|i don't|there|we're not|i'm not|it's not|they're not|this is not|i never)"
)
_OF_DEEDS: Final = re.compile(
    r"(?:i|we)(?:'ve(?! been on)| have(?! been on)|'ll| will| can| could| would| should| might)\b"
)


def _is_no_statement(clause: Clause, begin: int) -> bool:
    rest = clause.low[begin:]
    if clause.asks or not rest.strip() or _SAYS_SO.match(rest) or signs.is_suspended(clause):
        return True
    if re.match(r"(?:i|we|he|she|they) \w+ (?:it|that|this|them)$", rest.strip()):
        return True
    if grammar.FAULTS.search(rest) or grammar.FEELINGS.search(rest) or _OF_DEEDS.match(rest):
        return True
    return re.search(r"\b(?:because|cause|since|as)$", clause.link) is not None


_EMPTY: Final = re.compile(r"(?:\w+ing|not|too|very|so|really|fine|good|ok|great|nothing|what|how|why|clear)\b")


def _right(clause: Clause, begin: int, *, is_behind: bool) -> tuple[int, int, bool] | None:
    """The place of what is right in a clause, and whether it is a few words rather than a statement."""
    low = clause.low
    lead = _HEAD.match(low[begin:])
    start = begin + (lead.end() if lead is not None else 0)
    if lead is None and _RESULT.search(low[begin : begin + 40]):
        return None
    read = grammar.statement(clause, begin)
    comma = low.find(",", start + 2)
    few = low[start : comma if comma > 0 else len(low)]
    is_few = _SMALL.match(few.strip()) is not None and not _NO_PAIR.search(few) and (read is None or comma < 0)
    if is_few and (lead is not None or is_behind):
        return start, start + len(few), True
    if read is None or read.verb in ("was", "were", "need", "want") or _EMPTY.match(low[read.rest :]):
        return None
    return None if lead is not None and _RESULT.search(low[begin:]) else (start, len(low), False)


def _put_right(clause: Clause, start: int, end: int, is_few: bool) -> Iterator[Told]:
    place = span(clause, start, end, keep_article=True)
    if place is None:
        return
    values = list(technologies(clause, start, unknown=False, plain=False)) if is_few else []
    if len(values) == 1 and values[0].end - values[0].start >= place[1] - place[0] - 4:
        (tool,) = values
        yield Told("correction", "uses", PROJECT, tool.start, tool.end, tool.topic or "", tool.tags, near=clause.start)
    yield Told("correction", "corrected", ME, *place, "", ("project.correction",), near=clause.start)
