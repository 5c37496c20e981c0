"""A turn read as a whole: its prose, its clauses, every family's frames, and what they mean beside each other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final, NamedTuple

from muniment.capture.extract.told import (
    correction,
    decision,
    foreign,
    general,
    identity,
    lexicon,
    preference,
    procedure,
    project,
    remember,
    signs,
    stack,
)
from muniment.capture.extract.told.carve import own_prose
from muniment.capture.extract.told.clauses import Clause, clauses, lowered
from muniment.capture.extract.told.frame import ME, PROJECT, TEAM, Frame, Table, Told
from muniment.capture.extract.told.slots import span, technologies

_FAMILIES: Final[tuple[tuple[str, tuple[Frame, ...]], ...]] = (
    ("identity", identity.FRAMES),
    ("stack", stack.FRAMES),
    ("procedure", procedure.FRAMES),
    ("preference", preference.FRAMES),
    ("project", project.FRAMES),
    ("decision", decision.FRAMES),
)
_SHORTEST = 6
_LONGEST = 2_000
"""What is longer than this without a stop is no sentence that anybody says."""


def read(text: str) -> list[Told]:
    """Everything that a person's turn tells, in the order of the text."""
    if len(text) < _SHORTEST:
        return []
    prose = own_prose(text)
    low = lowered(prose)
    if signs.is_role_play(low):
        return []
    found = [clause for clause in clauses(prose) if len(clause.whole) <= _LONGEST]
    tongue = foreign.language(low)
    if tongue:
        return _sorted(_together(list(foreign.read(found, tongue))))
    acts = _Acts(remember.may_ask(low), correction.may_object(low))
    told: list[Told] = []
    for at in range(len(found)):
        told += _clause(found, at, prose, acts)
    told += list(general.read(found, told))
    return _sorted(_together([t for t in told if _tells(t, low) and not _is_weak_note(t, told, low)]))


class _Acts(NamedTuple):
    """What a turn may do at all, by its words: most turns neither ask to remember nor correct."""

    remembers: bool
    corrects: bool


def _clause(found: list[Clause], at: int, prose: str, acts: _Acts) -> Iterator[Told]:
    clause = found[at]
    if signs.is_task(clause):
        return
    kept = remember.asked(found, at, prose) if acts.remembers else None
    told = list(_table().read(clause))
    if _is_rule(found, at):
        yield Told(
            "procedure",
            "practises",
            TEAM,
            clause.start,
            clause.origin + len(clause.whole.rstrip(" .!?;")),
            "",
            ("workflow.rule",),
            near=clause.start,
        )
        return
    told += _corrected(found, at, told) if acts.corrects else []
    if kept is not None:  # the act beats the matter: a rule that is to be remembered is a note
        told = [t for t in told if t.family not in ("procedure", "project") or not kept[0] <= t.start < kept[1]]
        inside = [t for c in found[at + 1 :] if c.start < kept[1] for t in _table().read(c)]
        for start, end in remember.pieces(prose, *kept):
            if not any(t.start < end and start < t.end for t in (*told, *inside)):
                yield Told(
                    "remember", "noted", PROJECT, start, end, "", ("project.note", "workflow"), signs.is_hedged(clause)
                )
    yield from told
    yield from _reasons(found, at, told)
    yield from _announced(found, at, told)


@cache
def _table() -> Table:
    return Table(_FAMILIES)


_RULES: Final = re.compile(
    r"^(?:ok |so |btw |also )*(?:our|my|the|house|team) (?:\w+ ){0,2}?(?:rule|rules|process|workflow|convention|policy|routine|procedure|habit|release process|flow)(?: here| is simple| is)?$"
)


def _is_rule(found: list[Clause], at: int) -> bool:
    """Does the clause stand behind `our rule:`?"""
    before = found[at - 1] if at else None
    if before is None or ":" not in found[at].link or before.sentence != found[at].sentence:
        return False
    return _RULES.match(before.low) is not None and not found[at].asks


_SUBJECT_OF_IT: Final = re.compile(
    r"(?:no |not |it's|its|it is|we(?:'ll| will)?|i(?:'ll| will)?|we're|let's)?(?: going to| go with| going with| use| keep| stay with)?\s*"
)
_ANNOUNCES: Final = re.compile(
    r"(?:^|\b)(?:the |my |our |final |team |ok |so )*(?:decision|decided|verdict|conclusion|agreed|settled|final call|talked it (?:through|over)|final answer|final|team call|the call(?: was| is)?|made up my mind)\b[^:]{0,40}$"
)


_SEALED: Final = re.compile(
    r"(?:that's|that is|it's) (?:settled|decided|final|agreed|the decision|a done deal|non-negotiable|set in stone|not up for (?:debate|discussion))\b"
)


def _announced(found: list[Clause], at: int, told: list[Told]) -> Iterator[Told]:
    """What stands behind `decision on naming:` is decided, and what stands before `that's settled`."""
    after = found[at + 1] if at + 1 < len(found) else None
    if after is not None and after.sentence == found[at].sentence and _SEALED.match(after.low) and not told:
        begin = _SUBJECT_OF_IT.match(found[at].low)
        place = span(found[at], begin.end() if begin is not None else 0, len(found[at].low))
        if place is not None and not found[at].asks:
            yield Told("decision", "decided", PROJECT, *place, "", ("project.decision",))
        return
    clause, before = found[at], found[at - 1] if at else None
    if (
        before is None
        or before.sentence != clause.sentence
        or clause.asks
        or any(t.predicate != "avoids" for t in told)
    ):
        return
    if ":" not in clause.link and not before.low.endswith("my mind"):
        return
    if _ANNOUNCES.search(before.low) and not signs.is_barred(clause):
        refused = re.match(r"(?:no|not|never|without) ", clause.low)
        begin = _SUBJECT_OF_IT.match(clause.low)
        start = clause.start + (begin.end() if begin is not None else 0)
        place = span(clause, start - clause.start, len(clause.low.split(" because ")[0]))
        if place is not None:
            yield Told("decision", "rejected" if refused else "decided", PROJECT, *place, "", ("project.decision",))


def _reasons(found: list[Clause], at: int, told: Iterable[Told]) -> Iterator[Told]:
    if any(t.predicate in ("decided", "rejected") for t in told):
        why = decision.reason(found, at)
        if why is not None:
            yield Told("because", "because", PROJECT, why.start, why.end, "", ("project.decision",))


def _corrected(found: list[Clause], at: int, told: list[Told]) -> Iterator[Told]:
    """What a clause corrects, and the state that is right by it."""
    clause = found[at]
    doing = correction.kept_doing(clause)
    if doing is not None:
        yield Told("correction", "avoids", ME, *doing, "", ("style.code", "style"))
        return
    if clause.asks:
        return
    start = correction.opens(clause.low)
    after = found[at + 1] if at + 1 < len(found) and found[at + 1].sentence == clause.sentence else None
    objected = (
        (after is not None and correction.blames(after.low))
        or start > 0
        or _follows_objection(found, at)
        or clause.low.endswith(" actually")
        or correction.spells(clause.low)
    )
    if signs.is_suspended(clause) if objected else signs.is_barred(clause):
        return
    pair = correction.contrast(clause, start, is_objected=objected)
    rest = clause.low[start:]
    if pair is not None and (objected or _IS.match(rest)):
        right, wrong = pair
        yield from _state(clause, right, told)
        yield Told("correction", "corrected", ME, *right, "", ("project.correction",), wrong=wrong)
    elif (
        objected
        and pair is None
        and (correction.states(rest) or (correction.says_again(clause.low) and correction.may_be_right(rest)))
    ):
        begin = clause.start + start + correction.value(rest)
        end = clause.end - (9 if clause.low.endswith(" actually") else 0)
        if begin >= end:
            return
        if not told:
            yield from _named(clause, start + correction.value(rest))
        yield Told("correction", "corrected", ME, begin, end, "", ("project.correction",))


_IS: Final = re.compile(
    r"(?:i meant|(?:we|i) (?:host|live|use|deploy|are|work|meet|run|store|ship|build|test|start|call|have|go)\b|it's|its|it is|they're|that's"
    r"|(?:the|my|our|his|her|their|all|every) [\w' -]{2,30}? (?:is|are|has|have|lives?|goes|go|runs?|starts?) |[\w']{2,20} (?:is|lives?|works) )"
)


def _follows_objection(found: list[Clause], at: int) -> bool:
    """Did the clause before only say that something was wrong, or what the agent keeps doing?"""
    before = found[at - 1] if at else None
    if before is None or found[at].start - before.end > 6:
        return False
    opened = correction.opens(before.low)
    return (
        0 < opened >= len(before.low.rstrip())
        or correction.kept_doing(before) is not None
        or before.low.startswith("stop calling")
    )


def _state(clause: Clause, right: tuple[int, int], told: list[Told]) -> Iterator[Told]:
    """`it's Fastify, not Express`: the tool that is used."""
    if not told:
        for value in technologies(clause, right[0] - clause.start, right[1] - clause.start, unknown=False):
            yield Told("correction", "uses", PROJECT, value.start, value.end, value.topic or "", value.tags)


def _named(clause: Clause, start: int) -> Iterator[Told]:
    known = lexicon.at(clause.low, start, len(clause.low))
    if known is not None:
        for value in technologies(clause, start, known[0], unknown=False):
            yield Told("correction", "uses", PROJECT, value.start, value.end, value.topic or "", value.tags)


# --- what the statements of one turn mean beside each other

_STRENGTH: Final = {
    name: number
    for number, name in enumerate(
        ("correction", "remember", "decision", "procedure", "preference", "project", "identity", "stack", "because")
    )
}
_SAME_MATTER: Final = frozenset({("procedure", "preference"), ("preference", "procedure"), ("project", "procedure"), ("procedure", "project"), ("preference", "preference"), ("procedure", "procedure"), ("project", "project"), ("identity", "identity"), ("stack", "stack"), ("decision", "decision"), ("preference", "decision"), ("decision", "preference"), ("stack", "preference"), ("preference", "stack"), ("project", "identity"), ("identity", "project"), ("procedure", "stack"), ("stack", "procedure"), ("decision", "procedure"), ("procedure", "decision"), ("decision", "project"), ("project", "decision"), ("identity", "preference"), ("preference", "identity"), ("identity", "procedure"), ("procedure", "identity"), ("correction", "preference"), ("correction", "procedure"), ("preference", "correction"), ("procedure", "correction")})  # fmt: skip


def _together(told: list[Told]) -> list[Told]:
    """One statement a place: of two families that read the same words the stronger act stays."""
    kept: list[Told] = []
    for each in sorted(told, key=lambda t: (_STRENGTH[t.family], t.start - t.end, t.start)):
        if not any(_overlaps(each, other) for other in kept):
            kept.append(each)
    return _topics(kept)


def _overlaps(one: Told, other: Told) -> bool:
    if one.start >= other.end or other.start >= one.end:
        return False
    if one.predicate == "corrected" or other.predicate == "corrected":
        return (one.start, one.end, one.predicate) == (other.start, other.end, other.predicate)
    same_span = (one.start, one.end) == (other.start, other.end) and one.predicate == other.predicate
    if one.family == other.family == "identity" and one.predicate != other.predicate:
        return same_span
    return same_span or (one.family, other.family) in _SAME_MATTER


_EMPTY: Final = re.compile(
    r"(?:correct|good|working|better|right) (?:answers?|code|results?|software)\b|(?:\w+ )?(?:that|which) (?:works?|doesn't crash|don't crash)|(?:where|what|how|why) (?:this|it|that|you)\b|when (?:this|it|that)\b|for a (?:second|minute|moment|bit)\b|(?:you|if you)\b|(?:to|on) (?:miss|waste|lose|spend|risk|sound|be|mess|hurt|offend|come|see|know|go|make|look|hear|rush|overdo)\b|its? \w+$|going$|than\b|(?:show|put|render|display|open|close|hide|place) the \w+|(?:it|explain it|make it|keep it in) |.*\b(?:this (?:one|line|call|case|test|file|loop|value)|in the (?:output|answer|result|file|response|table))$|(?:option|number|version|variant|choice|answer|plan) (?:\d|[a-d]\b)|make (?:it|sure the)\b|in (?:that|this) |(?:now )?(?:he|she|they)(?:'s|'re)?\b|(?:it|this|that|them|these|those)\b$|(?:first|second|third|last|next|new|old|current|other) \w+|(?:one|any|some|none)$|the (?:name|idea|way|look|sound|first|second|third|last) |forget$"
)
_PAST_HABIT: Final = re.compile(
    r"(?:i |we )?(?:always|never|usually|often|normally) (?:sat|went|did|had|was|were|ran|ate|wrote|came|got|made|took|saw|knew|thought|said|told|gave|found|left|felt|kept|held|met|drove|flew|grew|drew|slept|spoke|stood|swam|taught|wore|won|\w+ed)\b"
)


_OF_FEELING: Final = re.compile(
    r"\b[a-z] ?(?:>=|<=|==?|<|>)|\b(?:feels?|reminds me|makes? me|great time|have fun|miss (?:them|him|her|you)|worried|won't know|regretful|^(?:never|always) \w+s$|^after (?:the last|trying|getting|reading|seeing|looking|a (?:lot|while|few))|how (?:do|can|should) (?:i|we)|^(?:and |but )?every time (?:i|you|we|it)\b(?!.{8,}\b(?:i|we) )|(?:we|i) (?:all |both |just )?(?:gathered|tried|went|had|got|did|was|were))\b"
)


_WEAK_NOTE: Final = re.compile(
    r"\b(?:(?:small|quick|side|just a|another) )?(?:note|fyi|heads[- ]up|psa|so you know|reminder)(?: that)?\W*$"
)


def _is_weak_note(one: Told, told: list[Told], low: str) -> bool:
    """Is it only announced (`fyi`, `small note`) and tells something by itself?"""
    if one.family != "remember" or _WEAK_NOTE.search(low[max(0, one.start - 26) : one.start]) is None:
        return False
    return any(t.family in _MATTERS_MORE and one.start <= t.start < one.end for t in told)


_MATTERS_MORE: Final = frozenset("identity stack decision preference procedure project".split())


_OF_ONE_PART: Final = re.compile(
    r"(?:\W|(?:and|so|but|ok|also|then|now|please)\b)*(?:the|this|that|each|every|your|my|any) (?:[\w-]+ )?(?:functions?|loops?|buttons?|rows?|columns?|fields?|methods?|class|variables?|pages?|forms?|modals?|headers?|footers?|inputs?|lists?|arrays?|strings?|outputs?|values?|tests?|parser|regex|quer(?:y|ies)|scripts?|endpoints?|responses?|images?|titles?|texts?|links?|icons?|menus?|tables?|cells?|divs?|components?|code|sum|total|result|answer|reply|summary|translation|essay|tweet|caption|headline|abstract|numbers?|lines?|paragraphs?|sentences?|letters?|emails?|slides?|charts?|figures?|labels?|dialogs?|windows?|dropdown|sidebar|navbar|logo|animation|user|password|id|key|index|array|object|model|param\w*|argument|return|constructor|hook|migration|test case|assertion|cron|job) (?:must|has to|have to|needs? to|should|shall|may|can|cannot|can't|never|always|only)\b"
)
_OF_BILLS: Final = re.compile(r"\b(?:invoice|bill|rent|package|parcel|payment|flight|appointment|meeting)\b")
_IS_QUOTED: Final = re.compile(r"\b(?:says?|said|thinks?|told|claims?|insists?|keeps? saying)\b")


def _tells(one: Told, low: str) -> bool:
    """Is the value more than a word of the moment, the obvious, or what was once?"""
    value = low[one.start : one.end]
    if one.family == "project" and one.predicate == "requires":
        return not value.startswith("going to ") and _OF_ONE_PART.match(low[one.near : one.end]) is None
    if one.predicate == "targets" and _OF_BILLS.search(low[one.near : one.start]) is not None:
        return False
    if one.family == "identity":
        return _IS_QUOTED.search(value) is None
    if one.family == "correction":
        return re.match(r"(?:goodbye|yes|no|hello|thanks|nothing|sorry)\b", value) is None
    if one.family == "decision":
        return (
            re.match(
                r"(?:then|now|with \w+|it|so)$|(?:these|those|your|yours|this|that|the same)\b|with [a-z]+ |(?:to )?take a (?:break|nap|walk|look|rest|day off|bath|shower|step back)|.* here$",
                value,
            )
            is None
        )
    if one.family == "preference":
        return _EMPTY.match(value) is None and not (one.predicate == "avoids" and value.startswith("to "))
    return not (one.family == "procedure" and (_PAST_HABIT.match(value) or _OF_FEELING.search(value)))


def _topics(told: list[Told]) -> list[Told]:
    """Two values of one topic in one turn hold together: then neither ends the other."""
    seen: dict[tuple[str, str, str], set[tuple[int, int]]] = {}
    for t in told:
        if t.topic:
            seen.setdefault((t.predicate, t.subject, t.topic), set()).add((t.start, t.end))
    return [
        t._replace(topic="")
        if t.topic and len(seen[t.predicate, t.subject, t.topic]) > 1 and t.predicate == "uses"
        else t
        for t in told
    ]


def _sorted(told: list[Told]) -> list[Told]:
    return sorted(told, key=lambda t: (t.start, t.end, t.predicate))
