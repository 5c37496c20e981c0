"""What a person likes and wants: tastes, style, what an agent shall always or never do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from muniment.capture.extract.told import lexicon, signs
from muniment.capture.extract.told.clauses import Clause
from muniment.capture.extract.told.frame import ME, Frame, Value, frame
from muniment.capture.extract.told.slots import phrase, sentence, span

_STOP: Final = r",\s(?=like\b|with\b|especially\b|e\.g|for\b|as\b|since\b|at least\b|not\b|particularly\b|such\b|instead\b|it\b|mainly\b|mostly\b|to\b)|\s(?:over|rather than|instead of|as opposed to|compared to|to the|because|since|cause|cuz|but|so (?:i|we|that|please|can|don't)|when it comes|whenever|unless|if|while|which|so|than|and (?:i|i'm|we|can|please|never|don't|it|that|my)|can you|could you|how|what|do you|due to|given|considering|thanks to|for clarity|to maintain|to keep|to avoid|to ensure|as it|as they|as i|as this|like (?:my|the)|—)\b|\s[-–(]\s?|;"
_DEICTIC: Final = re.compile(
    r"^(?:this|that|it|these|those|him|her|them|how|what|where|your|the (?:idea|way|new|look|last|first|second|third|result|answer|suggestion|approach|option|plan|design|direction|fact|sound|one|color|colour|name|title|part|structure|version|format of this)|you|to\b|if\b|when\b|one\b|option\b|number\b|both\b|either\b|all of\b|some of\b|everything\b|working on this|(?:a|the) (?:few|couple)|\d\b)"
)
_LIKE: Final = r"(?:really |also |quite |generally |personally |usually |always |definitely |kind of |kinda |sort of |much |strongly |actually |still |mostly |tend to |do |very much |honestly |absolutely |just |typically |normally |truly |would |rather |would much |'d |'d much |would always |maybe |probably )*"
_STYLE: Final = r"(?:answers?|repl(?:y|ies)|responses?|explanations?|messages?|summar(?:y|ies)|outputs?|comments?|commit messages?|docstrings?|text|wording|tone|it|things|everything|code|functions?|variables?|names|paragraphs?|sentences?|emails?|feedback|code samples?|examples?|code snippets?)"
_HOW: Final = r"(?:short(?:er)?|warmer|colder|plainer|kinder|nicer|softer|blunter|clearer|calmer|brief(?:er)?|concise|terse|to the point|succinct|simple|simpler|more (?:concise|brief|direct|detailed|formal|casual|technical|verbose|precise|specific|critical|honest|terse|thorough|informal|succinct|explicit|careful|friendly|blunt)|a (?:bit|little|lot|tad) (?:more|shorter|briefer|simpler|nicer|blunter|friendlier|warmer|plainer) ?\w*|direct|blunt|formal|informal|casual|friendly|plain|honest|critical|detailed|thorough|high[- ]level|under \S+ (?:words|lines|sentences)|verbose|minimal|tight|neutral|polite|dry|short and \w+|dense)"


_WISH: Final = re.compile(r"^(?:if|that|you|it|to|not to|for you|we|not)\b")


def _liked(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """`I prefer X`; `I'd prefer if you ...` is a wish of the moment."""
    rest = clause.low[found.start("v") :]
    if re.match(r"(?:if|that) you ", rest) and _is_general(clause):
        yield from phrase(_STOP)(clause, _at(clause, found.start("v") + rest.index("you ") + 4))
        return
    if _WISH.match(rest) and not re.match(
        r"(?:not )?(?:to (?:have|keep|write|do|work|be|avoid|start|read|see|use|type|run|split|go|travel|eat|book|fly|sit)\b|that you (?:always|never)|you (?:to always|to never)|not to (?:use|have|see))",
        rest,
    ):
        return
    if re.search(r"\b(?:i'd|i would|we'd|we would) (?:much |rather )?prefer", found.group()) and re.match(
        r"(?:if|that|to|you|it|the|this|not)\b", rest
    ):
        return
    yield from phrase(
        _STOP,
        bar=r"(?:its|their|your|his|her|this|that|it|the (?:first|second|third|last|former|latter|other|new) (?:one|option|version|approach)|option|number)\b",
    )(clause, found)


def _fond(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """`I like X` in general: not of this answer, not a wish, not `I like it`."""
    rest = clause.low[found.start("v") :]
    tail = found.group().rstrip()
    if tail.endswith((" when", "when you", " if", "if you")):
        yield from phrase(r"[;:]")(clause, found)
        return
    if _DEICTIC.match(rest) or re.search(r"\b(?:would|'d) ", found.group()):
        return
    if not rest or re.match(r"(?:i|so|but|and|because)\b", rest):
        return
    yield from phrase(_STOP, bar=_DEICTIC.pattern)(clause, found)


def _rather(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    if not re.match(
        r"(?:not\b.{0,10}\b(?:this|that|today|now)|this|that|it\b|wait|do (?:it|this|that)|fix|leave (?:it|this)|start with|talk about)",
        clause.low[found.start("v") :],
    ):
        yield from phrase(_STOP)(clause, found)


def _disliked(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    rest = clause.low[found.start("v") :]
    if rest.startswith("you to ") and _is_general(clause):
        yield from phrase(_STOP)(clause, _at(clause, found.start("v") + 7))
        return
    if re.match(
        r"(?:this|that|it|these|those|them|to\b(?! (?:use|see|read|write|scroll|click|wait))|how|my|the (?:idea|way|look|result|new|last|first|sound|bug|error|fact)|him|her|you to|any (?:of|changes|problems|issues)|anything|a new|when i|bothering|being (?:here|stuck|sick))\b",
        rest,
    ):
        return
    if re.search(r"\bdon't (?:really |particularly )?(?:want|need)|dont want", found.group()) and not _is_general(
        clause
    ):
        return
    if re.search(r"\b(?:bug|error|issue|ticket|problem|deadline)s?\b", rest) and not _is_general(clause):
        return
    yield from phrase(_STOP)(clause, found)


def _at(clause: Clause, pos: int) -> re.Match[str]:
    """An empty match at a place."""
    found = _EMPTY.match(clause.low, pos)
    assert found is not None
    return found


_EMPTY: Final = re.compile("(?P<v>)")


def _annoying(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    if not re.match(r"(?:this|that|it|he|she|they|what|which|the (?:bug|error|build|test))\b", clause.low):
        yield from phrase()(clause, found)


_GENERAL: Final = re.compile(
    r"\b(?:from now on|always|never|in general|generally|ever|ever again|going forward|in (?:the )?future|by default|every time|each time|anywhere|everywhere|at all|any more|anymore|in (?:any|all|every)|as a rule|period|please stop|whenever|when(?:ever)? you|unless i (?:ask|say|tell)|unless asked|without asking|if i (?:don't|didn't) ask|again|any of (?:the|my|our))\b"
)
_LOCAL: Final = re.compile(
    r"\b(?:this|that|these|those|it|here|above|below|yet|now|him|her|line \d+|today|first|the (?:function|file|test|tests|bug|error|class|method|variable|line|script|page|button|table|schema|migration|migrations|component|endpoint|header|footer|title|section|paragraph|email|letter|list|build|branch|pr|commit|query|config|folder|directory|old|new|existing|current|other|same|rest|public|api|database|db|ui|logic|behaviour|behavior|code|signature|docs|readme|text|ending|intro|chart|diagram|image|default|output|result|server|deploy|deployment)|about|worry|know|think|understand|have (?:a|any|the|time|access|to)|want|need|get (?:it|why|what|how|this|the)|see (?:why|how|what|any|the|it)|remember|mind|care|really|like|believe|touch|change|delete|remove|rename|forget|bother|panic|hesitate|let me|run|start (?:yet|coding|now)|implement|fix|push|merge|commit (?:yet|anything)|commit)\b"
)
_AGENT_VERBS: Final = re.compile(
    r"^(?:use|using|add|adding|write|writing|give me|giving|show me|show|include|including|suggest|suggesting|put|start (?:every|your|with|answers|messages)|starting|end (?:every|your|with|answers|messages)|assume|apologi[sz]\w+|explain(?: things| basic| what)?|explaining|repeat|repeating|summari[sz]e|summari[sz]ing|ask me|call me|wrap|abbreviate|generate|create|leave|mix|sugarcoat|sugar-coat|hand-?wave|truncate|abbreviat\w+|pad|over-?engineer|overcomplicate|overuse|hardcode|hard-code|catch|swallow|comment|mock|import|prefix|nest|inline|log|print|be so|be (?!afraid|scared|worried|shy|sorry|too hard)|talk|speak|answer|respond|reply|recommend|tell me|congratulate|praise|flatter|send|quote|translate|capitali[sz]e|indent|name|make (?:up|functions|classes|every)|skip|return|throw|install|introduce|rely on|guess|invent|propose|offer|restate|default to|refer to|say|do (?:bullet|tables|emoji|one-liners)|bullet|emoji|any|emojis|semicolons|nested|deeply|abbreviations|jargon|raw|global|magic|inline|default exports|passive|filler)\b"
)


def _is_general(clause: Clause) -> bool:
    return _GENERAL.search(clause.low) is not None or _GENERAL.search(clause.whole) is not None


def _stopped(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    rest = found.group("v")
    if re.match(
        r"(?:here|it|there|now|that|at|when|before|after|if|once|\w+ing (?:it|this|that|the (?:server|service|container|process|job|app|script|build))\b|(?:server|service|container|process|job|app|script|build|timer|music|running|working|the)\b|[\w-]+$(?<!ing)(?<!s))",
        rest,
    ):
        return
    place = span(clause, found.start("v"), found.end("v"))
    if place is not None:
        yield Value(*place)


_WORK: Final = re.compile(
    r"\b(?:before|after|until|unless|without (?:running|asking|testing|reviewing|checking|a review|approval)|on (?:fridays?|mondays?|weekends?|tuesdays?|wednesdays?|thursdays?|saturdays?|sundays?|main|master|the main branch)|to (?:main|master|prod|production)|directly to|force[- ]push|in production)\b"
)


def is_order_of_work(low: str) -> bool:
    """Is a rule about the order of work rather than about how things shall look?"""
    return (
        _WORK.search(low) is not None
        and re.match(
            r"(?:run|test|lint|commit|push|deploy|merge|release|ship|rebase|squash|tag|branch|open|create|ask|check|back ?up|update|bump|format|build|review|write (?:a |the )?tests?|verify|migrate|pull|fetch|force|touch|edit|drop|delete|read|confirm|start|wait|get|let|do|make (?:a|sure)|show me|stage|document|regenerate|re-run|rerun)\b",
            low,
        )
        is not None
    )


def general_when(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """`use tables when comparing things`: an order for every such time, not for one."""
    if _ONE_TIME.search(found.group("v")) is None and not clause.asks:
        yield from phrase(r"[;]", most=24)(clause, found)


_ONE_TIME: Final = re.compile(
    r"\b(?:this|that|the (?:user|button|page|form|file|test|request|response|server|input|script|function|error|app|value|list|array|string|token|key|connection|game|player|timer|modal|component|window)|it|a (?:user|request)|user|clicked|pressed|clicking|pressing|submitting|hovering|loading|done|finished|ready|fails|happens)\b"
)


def _never(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    rest = clause.low[found.start("v") :]
    if (
        _goes_on(clause)
        or is_order_of_work(rest)
        or re.match(r"(?:\w+ )?(?:it|that|this|them|these|those)\b|(?:off|on|in|to|with|at|from)\b", rest)
        or re.match(
            r"(?:give up|quit|stop|lose|look back|be (?:afraid|scared)|underestimate|sleeps|dies|lies|mind|heard|seen|had|been|knew|tried|used|worked|thought|mentioned|said|understood|got|happened|fails|works|a|an|the|once|in my life|did|learned|written|wrote|played|attended|took|taken|done|met|happens|gets|did|that)\b",
            rest,
        )
    ):
        return
    yield from phrase(
        r"[;:]|\s[-–(]|,\s(?:it|i|we|that|they|because|the)\b|\s(?:because|since|cause|but|so that)\b", most=24
    )(clause, found)


def _goes_on(clause: Clause) -> bool:
    """Does it only go on with what is said of somebody: `they cheer me up and always ...`?"""
    return (
        not clause.opens
        and re.search(r"\b(?:you|they|he|she|it|who|which|that|we|i)(?:'re|'s|'ve)?\b", clause.before) is not None
        and re.search(r"\b(?:want|need|like|prefer|please|should|must)\b", clause.before) is None
    )


def _do_not(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    rest = clause.low[found.start("v") :]
    verb = found.group().split()[-1] if found.group().split() else ""
    used = verb in ("use", "using", "avoid")
    if (_LOCAL.search(rest) and not _is_general(clause)) or not (used or _AGENT_VERBS.match(rest)):
        return
    if is_order_of_work(rest) or re.match(r"(?:it|this|that|the (?:same|word|term)\b)", rest):
        return
    if (
        not _is_general(clause)
        and re.match(
            r"(?:include|add|write|create|return|generate|import|print|make|install|say|send|name|show|leave|skip|put|log|mention|call)\b",
            rest,
        )
        and not re.search(
            r"\b(?:emojis?|comments?|semicolons?|docstrings?|apolog\w+|explanations?|summar\w+|intro\w*|disclaimers?|boilerplate|filler|fluff|emoji|preamble|prints?|console\.log|any|type assertions?|abbreviations|bullet points|bullets|markdown|headers|headings|exclamation\w*|todos?|me the (?:whole|entire|full)|whole file|entire file)\b",
            rest,
        )
    ):
        return
    yield from phrase(
        r"[;:]|\s[-–(]|,\s(?:it|i|we|that|they|because|the|just)\b|\s(?:because|since|cause|but|so that|unless)\b",
        most=24,
    )(clause, found)


_NO_MORE_OF: Final = re.compile(
    r"(?:questions?|time|errors?|issues?|problems?|bugs?|ideas?|help|changes|news|luck|info\w*|space|memory|data|results?|rows?|items?|than|\d|column|files?|room|money|coffee|work|needed|required)\b"
)
_MANNER: Final = re.compile(
    r"\b(?:emojis?|comments?|apolog\w+|explanations?|summar\w+|intro\w*|disclaimers?|filler|fluff|preambles?|bullet\w*|markdown|headers|headings|exclamation\w*|small talk|pleasantries|smileys|jargon|essays|questions)\b"
)


def _no_more(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    rest = found.group("v")
    known = lexicon.at(clause.low, found.start("v"), len(clause.low))
    if (
        known is not None
        and len(rest.split()) <= 3
        and known[0] - found.start("v") >= len(rest.split("-")[0].rstrip()) - 1
        and "-only" not in rest
        and re.search(r"\b(?:for|in|on) ", rest) is None
    ):
        yield Value(clause.start + found.start("v"), clause.start + known[0], None, ("tools", "code", "project"))
        return
    is_style = re.search(
        r"^(?:need for )?(?:[\w-]+ ){0,2}?(?:mocks?|ads|libs|libraries|dependencies|deps|frameworks|hacks|shortcuts|spoilers|macros|args|arguments|third[- ]party \w+|external \w+|cookies|trackers|javascript|js|emojis?|comments?|semicolons?|docstrings?|apolog\w+|explanations?|summar(?:y|ies)|intros?|introductions?|disclaimers?|boilerplate|filler|fluff|preambles?|prints?|abbreviations|bullet points|bullets|bullet lists|markdown|headers|headings|exclamation\w*|todos?|jargon|small talk|pleasantries|smileys|oxford commas?|code comments|inline styles|any types?|magic numbers|one-liners|classes|default exports|global state|globals|lambdas|ternar\w+|essays|walls of text|follow-up questions|closing questions|sugarcoating|sugar-coating|placeholders|trailing whitespace|disclaimers?|tables|passive voice|em dashes|buzzwords|metaphors|analogies)\b",
        rest,
    )
    is_more = "more" in found.group().split()[:4] and _NO_MORE_OF.match(rest) is None
    if is_style is not None or is_more:
        for value in phrase(r"[;:]|\s[-–(]|\s(?:because|since|but|so)\b", most=12)(clause, found):
            yield value if _MANNER.search(rest) else value._replace(tags=("project.constraint", "code.style", "style"))


def _always(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    rest = clause.low[found.start("v") :]
    if (
        _goes_on(clause)
        or is_order_of_work(rest)
        or re.match(
            r"(?:full of|here|there for|such|make (?:us|me|you|her|him|them)|cheer|try something|believe|love|loves|look forward|be there|be here|remember (?:to be|that you)|a |the |an |been|the same|fails|works|gets|wanted|had|have|thought|happens|crashes|in |on |that|this|so |there|returns|has|is|was|wondered|loved|liked|good|nice|hard|possible|true|false|throws|shows|appears|be (?:a|the|there)|be$)",
            rest,
        )
    ):
        return
    if not re.match(r"(?:\w+ly )?[a-z]+\b", rest) or re.match(r"\w+ing\b", rest):
        return
    yield from phrase(
        r"[;]|\s[-–(]|,\s(?:it|i|we|that's|they|because|the)\b|\s(?:because|since|cause|but|so that)\b", most=28
    )(clause, found)


_TELLS: Final = re.compile(
    r"(?:i|we|it|they|he|she|this|that|the|is|are|do|does|what|how|my|our|if we|there)\b(?! (?:want|prefer|expect|need you|would like you|'d like you))"
)


def _from_now(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    rest = clause.low[found.start("v") :]
    if clause.asks or (_TELLS.match(rest) and not re.match(r"(?:i|we) (?:want|prefer|expect)", rest)):
        return
    if found.group().rstrip().endswith(":") and "," in rest:
        yield from _each(clause, found)
        return
    if re.match(r"(?:never|don't|do not|no|stop|avoid)\b", rest):
        stripped = re.compile(r"(?:never|don't|do not|no more|no|stop|avoid)(?: ever)? ").match(
            clause.low, found.start("v")
        )
        if stripped is not None:
            return
    yield from phrase(
        r"[;]|\s[-–(]|,\s(?:it|i|we|that's|they|because)\b|\s(?:because|since|cause|but|so that)\b", most=30
    )(clause, found)


def _each(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """The items of a list behind a colon."""
    pos = found.start("v")
    for part in clause.low[pos:].split(","):
        place = span(clause, pos, pos + len(part))
        pos += len(part) + 1
        if place is not None and len(part.split()) <= 8:
            yield Value(*place)


def _told(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """An order that holds from now on."""
    if not signs.is_temporary(clause.low) and not is_order_of_work(found.group("v")):
        yield from phrase(r"[;]", most=30)(clause, found)


_RULED_BEFORE: Final = re.compile(
    r"^(?:please |so |and |ok(?:ay)?,? |also )*(?:from now on|from here on(?: out)?|in (?:the )?future|going forward|starting now|in general|as a (?:general )?rule|by default|always|every time|generally)[,:]?\s*$"
)
_RULED_AFTER: Final = re.compile(
    r"^[\s,.!-]*(?:please )?(?:always|from now on|going forward|in (?:the )?future|every time|in general|at all times|by default|ok\? always)[\s.!]*$"
)


def _ordered(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """An order in a clause of its own, with `from now on` or `always` in the one before or behind it."""
    after = clause.whole[clause.end - clause.origin :]
    if (_RULED_BEFORE.match(clause.before) or _RULED_AFTER.match(after)) and not is_order_of_work(found.group("v")):
        yield from phrase(r"[;]", most=30)(clause, found)


def ruled_wish(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """`I want you to ..., always`."""
    after = clause.whole[clause.end - clause.origin :]
    if _RULED_AFTER.match(after) or _GENERAL.search(clause.low):
        yield from phrase(_STOP)(clause, found)


def _noun_ruled(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """`commit messages in the imperative, always`: a thing by itself with `always` behind it."""
    after = clause.whole[clause.end - clause.origin :]
    if clause.opens and _RULED_AFTER.match(after) and not _SPOKEN_OF.search(clause.low):
        yield from phrase()(clause, found)


_SPOKEN_OF: Final = re.compile(
    r"\b(?:i|we|you|they|he|she|it|this|that|is|are|was|were|fails|works|has|have|does|do|can|will|thanks|yes|no|not)\b|'"
)


_ORDERS: Final = re.compile(
    r"(?:,| )\s*(?:please |just |always |only |never |don't |do not |i want |i'd like |i like |i prefer |you should |you must |make sure |first )*(?:show|give|use|write|keep|add|include|explain|answer|put|don't|never|always|just|only|start|end|format|skip|leave|cite|ask|list|mention|prefer|name|follow|stick|wrap|convert|be|tell|highlight|return|avoid|make|assume|show|double-check|check|say|send)\b"
)


def _when_you(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """`when you show me code just show the diff`: a rule for the agent."""
    text = found.group("v")
    if (
        re.match(
            r"(?:when|whenever|every time|any ?time|each time|if) (?:you(?:'re)? (?:\w+ly )?(?:show|write|writing|generate|answer|explain|suggest|give|make|edit|create|review|change|propose|reply|respond|name|add|refactor|comment|summari[sz]e|use|list|quote|cite|send|translate|draft|recommend|format|are (?:unsure|not sure|writing|done|showing)|don't know|aren't sure|aren't certain|finish|code|produce|present|describe|compare)|i ask (?:for|about|you|how|what|a)|writing|showing|generating|answering|explaining|editing|refactoring|naming|giving|suggesting|reviewing|creating|i (?:paste|send|share|say|type|give you)|we (?:talk|chat|speak))",
            text,
        )
        is None
    ):
        return
    if clause.asks and not re.search(r"\balways\b", clause.low):
        return
    whole = clause.whole[clause.start - clause.origin :]
    if _ORDERS.search(whole) is None or re.match(
        r"if (?:i|you) (?:ask|give|can|could|have|want|need|don't mind)", text
    ):
        return
    yield from _sentence_from(clause, found)


def _sentence_from(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    for value in sentence(clause, found):
        if value.end - value.start < 220:
            yield value


def _asked_style(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """How to answer, asked for without `from now on`: of the answers, not of one text."""
    if re.search(
        r"\b(?:this|that|the (?:function|paragraph|email|letter|title|text|code|class|intro|essay|section|button|page|summary|second|first|last|file|sentence|script|post|tweet|message|story|poem)|paragraph|for the (?:email|letter|readme))\b",
        clause.low,
    ):
        return
    if (
        re.match(
            r"(?:make|keep) (?:it|things|everything|code|functions?|names|sentences?|emails?|paragraphs?|text)\b",
            found.group().split(maxsplit=1)[0] + " " + found.group("v"),
        )
        and not _is_general(clause)
        and not re.search(r"\bkeep it (?:short|brief|concise|to the point)", clause.low)
    ):
        return
    yield from phrase(r"[;]|\s[-–(]|\s(?:because|since|but|so|and (?:then|the))\b", most=14)(clause, found)


def _over(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    both = clause.low[found.start("v") :]
    if (
        re.search(
            r"\b(?:is|are|was|i|we|you|so|hand|over (?:the|our|a|my|to|there|here|and|time|http|ssh|it|all|again|night))\b",
            both,
        )
        is None
        and not clause.asks
        and len(both.split()) <= 9
    ):
        yield from phrase()(clause, found)


def _wants_all(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    if re.match(
        r"(?:answers?|repl\w+|responses?|code|comments?|commit messages?|explanations?|functions?|tests?|files?|names?|variables?|summaries|examples?)\b",
        found.group("v"),
    ):
        yield from phrase(_STOP)(clause, found)


# --- what a preference is about

_MATTERS: Final = (
    (
        r"\b(?:english|german|french|spanish|italian|portuguese|dutch|polish|chinese|japanese|russian|british|american)\b",
        "style.language",
    ),
    (
        r"\b(?:short\w*|brief\w*|concise\w*|long|longer|lines|words|length|terse|verbos\w+|chatty|wordy|to the point|detail\w*|summar\w+|succinct|walls? of text|fluff|filler|preamble|boilerplate|diff|whole file|entire file|full file)\b",
        "style.length",
    ),
    (
        r"\b(?:bullets?|bullet points|tables?|lists?|markdown|headings?|headers?|format\w*|prose|emojis?|citation\w*|apa|celsius|metric|code blocks?|syntax highlight\w*|paragraphs?|diagrams?|units?|iso dates?|24h)\b",
        "style.format",
    ),
    (
        r"\b(?:tone|formal\w*|casual\w*|friendly|blunt|direct|polite|apolog\w+|enthusias\w+|sugar\S*|praise|flatter\w*|honest\w*|question|explain\w*|analog\w+|examples?|answers?|repl\w+|respon\w+|smileys?|exclamation\w*|why before)\b",
        "style.tone",
    ),
    (r"\b(?:type hints?|types?|any|typed|typing|generics|interfaces?)\b", "code.types"),
    (r"\b(?:tests?|tdd|mocks?|coverage|fixtures?)\b", "code.tests"),
    (r"\b(?:comments?|docstrings?|documentation)\b", "code.comments"),
    (
        r"\b(?:code|functions?|class\w*|tabs?|spaces|semicolons?|quotes|exports?|imports?|variables?|names?|naming|indent\w*|async|await|callbacks?|loops?|orms?|sql|components?|hooks?|snake_case|camelcase|returns?|lambdas?|patterns?|modules?|inherit\w+|composition|properties|getters|setters|attributes|const|let|var|globals?|exceptions?|libraries|dependenc\w+|frameworks?|scripts?)\b",
        "code.style",
    ),
    (
        r"\b(?:commits?|branch\w*|merge\w*|rebas\w+|squash\w*|prs?|pull requests?|deploy\w*|review\w*|ci|release\w*)\b",
        "workflow",
    ),
)


def matter(low: str) -> tuple[str, tuple[str, ...]]:
    """The topic and tags of a preference, by what its words are about."""
    known = lexicon.at(low, 0, len(low))
    if known is not None and known[0] >= len(low) - 12:
        return (f"tools.{known[1].topic}" if known[1].topic else ""), known[1].tags
    for pattern, topic in _MATTERS:
        if re.search(pattern, low):
            return topic if topic != "workflow" else "", (topic, topic.split(".", maxsplit=1)[0])
    return "", ("style.taste", "style")


FRAMES: Final[tuple[Frame, ...]] = (
    frame("prefer prefers favor favour", rf"\b(?:i|we) {_LIKE}(?:prefer|favou?r)(?: to (?:use|have|see|get|keep|work with|write|read|go with))?(?: using| having| seeing| it when| it if| when)? (?P<v>)", _liked, "prefers", subject=ME),
    frame("preferred preference favorite favourite go-to", r"\bmy (?:\w+ )?(?:preferred|favou?rite|go-to|default) (?:[\w']+ ){1,6}?(?:is|are)(?: to)?(?: always)? (?P<v>)", phrase(_STOP), "prefers", subject=ME),
    frame("preference preferences", r"\b(?:my|our|strong|personal) preferences?(?: here| overall| in general)?(?: is| are|:| would be)(?: to| for)? (?P<v>)", phrase(_STOP), "prefers", subject=ME),
    frame("like love enjoy adore likes", rf"{{START}}(?:i|we) {_LIKE}(?:like|love|enjoy|adore) (?:it (?:best |better |most |a lot |when |if )+(?:you |we |people )?|to see |seeing |to have |having |to keep |keeping |to use |using |the way (?=\w+ (?:does|do|handles|is))|when (?:you |people |code |the code )?)?(?P<v>)", _fond, "prefers", subject=ME),
    frame("rather sooner", r"\b(?:i'd|i would|we'd|we would|id) (?:much |really |always |honestly )?(?:rather|sooner) (?:have |see |use |get |keep |read |you )?(?P<v>)", _rather, "prefers", subject=ME),
    frame("fan", r"\b{IM} (?:more of )?(?:a |an )?(?:big |huge |massive |real )?(?:fan of|sucker for) (?P<v>)", phrase(_STOP, bar=r"(?:this|that|it|your|the idea)\b"), "prefers", subject=ME),
    frame("learner thinker", r"\b{IM} (?:more of |very much |definitely |still )*an? (?P<v>[\w/ -]{2,40} (?:person|guy|girl|kind of person|learner|thinker))(?=$|,|\s(?:so|and|but)\b)", phrase(), "prefers", subject=ME),
    frame("fan", r"\b(?:{IM}|i am|we're) (?:really |definitely )*(?:not (?:really )?(?:a )?(?:big |huge )?fan of|no fan of) (?P<v>)", phrase(_STOP, bar=r"(?:this|that|it|your|the idea)\b"), "avoids", subject=ME),
    frame("hate dislike detest despise loathe avoid stand like want bear abhor", rf"\b(?:i|we) {_LIKE}(?:hate|dislike|detest|despise|loathe|abhor|can't stand|cannot stand|can't bear|don't like|do not like|don't (?:really |particularly )?(?:like|enjoy|want|care for|need)|dont like|dont want|avoid|try to avoid)(?: it when you| it when| to see| seeing| having| using| to use| when you| when)? (?P<v>)", _disliked, "avoids", subject=ME),
    frame("don't never do dont", r"{START}(?:we|our team) (?:don't|do not|dont|never)(?: really| ever)? (?:use|have|allow|support|like|want|do) (?P<v>)", _disliked, "avoids", subject=ME),
    frame("never dont don't do", r"{START}i (?:never|don't|do not|dont)(?: really| ever)? (?:use|write|like|do|want|use any|eat|drink|watch|read|wear) (?P<v>)", _disliked, "avoids", subject=ME),
    frame("allergic peeve peeves", r"\b(?:my |one of my |a )?(?:biggest )?pet peeves?(?: of mine)?(?: is| are|:) (?P<v>)", phrase(_STOP), "avoids", subject=ME),
    frame("drives drive annoys annoying bothers", r"^(?P<v>[^,;]{4,60}?) (?:drives? me (?:nuts|crazy|mad|up the wall|insane)|annoys? me|bothers? me|(?:is|are) a pet peeve of mine)", _annoying, "avoids", subject=ME),
    frame("stop quit", r"{START}(?:could you |can you |would you |will you |you (?:need to|should|must|can) |try to |i need you to |i want you to |i'd like you to )?(?:please |pls |just )*(?:stop|quit) (?:with )?(?:the |all the |this |your )?(?P<v>\w+ing\b[^,;]{0,80}|\w[^,;]{2,60})", _stopped, "avoids", subject=ME, in_question=True),
    frame("never", r"{START}(?:you (?:should|must|can|may) |please |pls |and )*never(?: ever)? (?:again )?(?P<v>)", _never, "avoids", subject=ME),
    frame("don't dont do not avoid refrain no need", r"{START}(?:you (?:should|must|can) )?(?:please |pls |just |and )*(?:don't|dont|do not|avoid|refrain from|no need to|you don't (?:need|have) to|there's no need to)(?: ever| always| just| using| use)? (?P<v>)", _do_not, "avoids", subject=ME),
    frame("no", r"^(?:\w+[,:] )?(?:and |so |but |please |pls |also |just )*(?:absolutely )?no (?:more )?(?P<v>(?:need for )?[a-z][^,;]{2,50})", _no_more, "avoids", subject=ME),
    frame("always", r"{START}(?:you (?:should|must|can) |please |pls |i (?:want|need|would like|'d like) (?:you|it|them|answers|everything) to |make sure (?:you |to )?|be sure to |try to |and |so )*always (?P<v>)", _always, "prefers", subject=ME),
    frame("from in future going going-forward starting general default ever", r"{START}(?:please |so |and )?(?:from now on|from here on(?: out)?|in (?:the )?future|going forward|starting now|from today on|henceforth|in general|as a (?:general )?rule|by default|from this point on|for all future \w+|for the rest of (?:this|the|our) (?:chat|conversation|project)|for future \w+|in every (?:answer|reply|response)|in all (?:your )?(?:answers|replies|responses)|every time)[,:]?\s+(?P<v>)", _from_now, "prefers", subject=ME, guarded=False),
    frame("rule from future forward general always everywhere default time every", r"^(?:please |pls |just |so |and |also |ok |but )*(?P<v>(?:use|write|keep|make|give|answer|reply|respond|show|put|add|include|call|format|explain|start|end|send|ask|be|speak|stick|prefix|name|leave|skip|drop|link|cite|quote|wrap|sort|prefer|return|tell|address|talk|default|comment|document|spell|mark|use|indent|limit|assume|convert|list|sign)\b[^;]{3,160}?),? (?:from now on|from here on(?: out)?|in (?:the )?future|going forward|in general|always|everywhere|by default|every time|each time|every single time|at all times|as a rule|for the rest of (?:this|the) \w+)\b", _told, "prefers", subject=ME, guarded=False, in_question=True),
    frame("want need expect like i'd id we'd", r"{START}(?:i|we)(?: want| need| expect| would like|'d like|d like) (?:you to |all |to have |to see )*(?P<v>[^;]{3,90}?),? (?:from now on|going forward|in (?:the )?future|in general|at all times|by default|every time)\b", phrase(), "prefers", subject=ME, guarded=False),
    frame("drop lose skip cut ditch omit spare leave", r"{START}(?:can you |could you |would you |you can |please |pls |just |maybe )*(?:drop|lose|skip|cut|ditch|omit|leave out|spare me|cut out|go easy on|ease up on)(?: the| all| all the| your| those)* (?P<v>(?:emojis?|preambles?|intros|introductions|disclaimers?|apologies|fluff|filler|summar(?:y|ies)|comments|explanations?|small talk|pleasantries|bullet points|bullets|headings|headers|exclamation marks|jargon|flattery|praise|caveats|emoji|markdown|recaps?|closing questions?)\b)", phrase(), "avoids", subject=ME, weak=True, in_question=True),
    frame("~rule", r"^(?P<v>[a-z][\w' -]{6,60}?)(?:,? (?:please|pls))?$", _noun_ruled, "prefers", subject=ME),
    frame("~rule", r"^(?:please |pls |just |so |and |ok )*(?P<v>(?:use|write|keep|make|give|answer|reply|respond|show|put|add|include|call|format|explain|start|end|send|ask|be|speak|stick|prefix|name|leave|skip|drop|link|cite|quote|wrap|sort|return|tell|address|talk|default|comment|document|spell|mark|indent|limit|convert|list|sign|challenge|question)\b[^;]{3,160})", _ordered, "prefers", subject=ME, guarded=False),
    frame("when whenever if", r"{START}(?P<v>(?:when|whenever|every time|any ?time|each time|if) (?:you|i|we|i'm|you're|writing|showing|generating|answering|explaining|editing|refactoring|naming|giving|making|changing|suggesting|reviewing|creating)\b[^;]{4,140})", _when_you, "prefers", subject=ME, guarded=False),
    frame("keep make", rf"{{START}}(?:can you |could you |would you |would you mind |please |pls |just |and |so |but |maybe |try to |let's )*(?:keep(?:ing)?|make|making) (?P<v>(?:your |the |all |all your |my |code |any )*{_STYLE} (?:a bit |a little |as |very |really |nice and |pretty |super |much |more |always )*{_HOW}\b[^,;]{{0,40}})", _asked_style, "prefers", subject=ME, weak=True, in_question=True),
    frame("be sound more less", rf"{{START}}(?:can you |could you |would you |please |pls |just |and |so |but |maybe |try to |you (?:can|could|should) |try |i (?:want|need|'d like|would like) you to |you don't have to )*(?:be|sound) (?:a bit |a little |way |much |so |somewhat |slightly )*(?P<v>{_HOW})", _asked_style, "prefers", subject=ME, weak=True, in_question=True),
    frame("less fewer", r"{START}(?:can you |could you |would you |please |pls |maybe |try |just |be |a bit |a little |use |with |way |much |you could |you can |write |to |it |make |keep |your |answers |replies |explanations |everything )*(?:less|fewer) (?P<v>(?:chatty|wordy|verbose|formal|technical|detailed|enthusiastic|cheerful|preachy|repetitive|text|emojis?|words|fluff|details?|prose|explanations?|explaining|comments|bullet points|bullets|jargon|code|theory|examples|chatter|apologies|apologizing|boilerplate|filler|exclamation marks?|questions|small talk|hedging|marketing\w*|markdown|headings|headers|bold|caveats|disclaimers|padding|sugar|salesy|robotic|stiff|dry|bubbly|flowery|academic|condescending|patronizing|patronising|of (?:a |an |the )?\w+(?: \w+)?)\b)", phrase(most=6), "avoids", subject=ME, weak=True, in_question=True),
    frame("more fewer shorter longer simpler briefer", r"^(?:please |pls |and |but |a bit |a little |maybe |ok |much |way |also )*(?P<v>(?:more|shorter|longer|simpler|briefer) (?:text|emojis?|words|fluff|detail|details|prose|explanations?|comments|bullet points|bullets|jargon|code|theory|examples|chatter|apologies|apologizing|boilerplate|answers|replies|responses|filler|exclamation marks))", phrase(), "prefers", subject=ME, weak=True, in_question=True),
    frame("answer reply respond speak write talk explain", r"{START}(?:can you |could you |please |pls |just |and |always |you can )*(?P<v>(?:answer|reply|respond|speak|talk|write back|explain|write)(?: to)?(?: me| everything| all| it)?(?: always| only)? (?:plainer|simpler|slower|in (?:english|german|french|spanish|italian|portuguese|dutch|polish|chinese|japanese|russian|korean|plain english|simple english|british english|american english|simple terms|layman's terms|bullet points|full sentences|prose|markdown|plain text))\b[^,;]{0,30})", _asked_style, "prefers", subject=ME, weak=True, in_question=True),
    frame("use bullets bullet tables examples", r"{START}(?:can you |could you |please |pls |just |maybe )*(?P<v>use (?:more |fewer |less |simpler |plain |short |shorter )*(?:bullet points|bullets|simple words|plain language|metric units|celsius|british spelling|american spelling|short sentences|tables|analogies|examples|emojis|headings|headers|plain english|simple language|simpler words|markdown))\b", phrase(), "prefers", subject=ME, weak=True, in_question=True),
    frame("ask check warn tell", r"{START}(?P<v>(?:always )?(?:ask|check with|warn|tell|consult) me (?:first )?(?:before|when|whenever|if) (?:you )?[^;]*\b(?:any|every|each|ever|anything|add|install|delete|change)\b[^;]*)", phrase(r"[;]", most=24), "prefers", subject=ME),
    frame("guide guidelines conventions rules", r"{START}(?:our|the|my) (?:style guide|coding guidelines|guidelines|coding conventions|conventions|code style|house style|style rules|coding rules)(?: here)? (?:asks? for|says?|requires?|wants?|prefers?|is|are|demands?|calls? for)(?: to use| that we use)? (?P<v>)", phrase(_STOP), "prefers", subject="project"),
    frame("over", r"^(?:always |please |for me |i say |it's |give me )*(?P<v>[\w -]{2,30}) over [\w -]{2,30}?(?: any day| always| please| every time| for me| all day)?$", _over, "prefers", subject=ME),
    frame("want need expect", r"\bi (?:always|only|just|generally) (?:want|need|expect) (?:you to |to see |to have )?(?P<v>)", phrase(_STOP, bar=r"(?:to|a|an|this|that|it|one|some|help|know|my)\b"), "prefers", subject=ME),
    frame("want", r"\bi (?:want|expect|need) (?:all |every |your |our )(?P<v>[^;]{4,100})", _wants_all, "prefers", subject=ME),
    frame("explain treat call assume address talk", r"{START}(?:you can |please |just |always )*(?P<v>(?:assume (?:i|that i)|treat me|explain (?:things|everything|stuff|it all|concepts)(?: to me)?|talk to me|address me)\b[^,;]{3,80})", phrase(_STOP), "prefers", subject=ME),
    frame("tabs spaces semicolons indentation indent", r"{START}(?:we|i) (?:always )?(?:use|indent with) (?P<v>(?:tabs|spaces|\d spaces|two spaces|four spaces|single quotes|double quotes|snake_case|camelcase|kebab-case|no semicolons|trailing commas|named exports|default exports|early returns|guard clauses|type hints|functional components|composition|british english|american english|british spelling|metric|celsius|the metric system|24h time|iso dates)\b[^,;]{0,40})", phrase(_STOP), "prefers", subject="project"),
    frame("short shorter brief plain simple concise direct honest detailed terse long", r"{START}(?P<v>(?:short|shorter|brief|plain|simple|concise|direct|honest|detailed|terse|long|longer) (?:answers?|replies|explanations?|sentences?|examples|summaries|responses|messages|english|language|paragraphs|words))(?: please| pls| only| only please| thanks)?(?=$|,)", phrase(), "prefers", subject=ME, weak=True, in_question=True),
    frame("want need expect like prefer", r"{START}(?:i|we) (?:want|need|expect|like|prefer) (?P<v>(?!to\b|it\b|this\b|that\b|a\b|an\b)[^;]{3,60} (?:on|in|for|with|behind|around|after|before|per|of) (?:every|all|any|each) [^;]{3,40})", phrase(_STOP), "prefers", subject=ME),
    frame("when whenever", r"{START}(?P<v>(?:use|write|give|show|add|include|prefer|put|explain|cite|draw|keep|say|tell|ask|list|start|end|avoid|skip|leave) [^;]{3,80} when(?:ever)? (?:you|we|i|\w+ing)\b[^;]{2,60})", general_when, "prefers", subject=ME),
    frame("codebase project repo team code", r"{START}(?:in (?:this|our) (?:codebase|project|repo|team|code),? )?we (?:avoid|discourage|ban|forbid|don't allow|shy away from|stay away from|try to avoid) (?P<v>)", phrase(_STOP), "avoids", subject="project"),
    frame("avoid discourage ban forbid", r"{START}(?:in (?:this|our) (?:codebase|project|repo|team|code),? )?we (?:avoid|discourage|ban|forbid) (?P<v>)", phrase(_STOP), "avoids", subject="project"),
    frame("never", r"{START}i never want (?:to see |you to |to have )?(?P<v>)", phrase(_STOP), "avoids", subject=ME),
    frame("in for", r"{START}(?:in|for) (?:my |our |the )?[\w.#+-]+(?: \w+)?,? (?:i|we) (?:always |only |usually )?(?:want|like|prefer|go for|favou?r) (?P<v>)", _liked, "prefers", subject=ME),
    frame("appreciate", r"{START}i (?:really |always |would |do )*appreciate (?:it )?(?:when|if) you (?P<v>)", phrase(_STOP), "prefers", subject=ME),
    frame("~rule", r"{START}(?:i|we) (?:want|need|expect) you to (?P<v>[^;]{3,80}?)(?:,? (?:always|in general|every time|from now on))?$", ruled_wish, "prefers", subject=ME),
    frame("prefer", r"^(?:please |and |so )*prefer (?P<v>)(?!this|that|it\b)", phrase(r"\s(?:to|over|because)\b|,", most=12), "prefers", subject=ME),
    frame("only", r"^(?:please |and |so )*only (?P<v>(?:metric|imperial|celsius|english|german|french|spanish|plain|short|markdown|python|typescript|free|open[- ]source|vegan|vegetarian|gluten[- ]free|local|official|primary|peer[- ]reviewed)[\w -]{0,30})(?: please| pls)?$", phrase(), "prefers", subject=ME),
    frame("answers answer replies code comments responses explanations messages emails names", r"^(?:please |and |so )*(?P<v>(?:all )?(?:your )?(?:answers|replies|responses|explanations|code comments|comments|commit messages|variable names|emails|docs) (?:in|as|under|without|with) (?!the\b)[^,;]{3,40})(?: please| pls| only)*(?=$|,)", phrase(), "prefers", subject=ME, weak=True),
    frame("keep", r"{START}(?:let's |please |can we |can you )?keep (?:a |the |things |the conversation |it )?(?P<v>(?:casual|formal|friendly|neutral|professional|light|informal|polite|serious|relaxed|dry)(?: tone| and \w+)?)(?= |$|,)", phrase(most=4), "prefers", subject=ME, weak=True, in_question=True),
    frame("brief concise short terse direct blunt", r"{START}(?:please )?be (?P<v>(?:brief|concise|short|terse|direct|blunt|honest|critical|precise)) (?:from here on|from now on|in general|always|with me)", phrase(), "prefers", subject=ME),
)  # fmt: skip
