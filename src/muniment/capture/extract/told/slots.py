"""What fills the slots of frames: technologies, names, roles, organisations, places, phrases. All are places in the turn."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from muniment.capture.extract.told import lexicon
from muniment.capture.extract.told.clauses import Clause
from muniment.capture.extract.told.frame import Slot, Value

_TAIL: Final = re.compile(
    r"(?:[\s,;:.!)(\"'`*_-]|\u2060|\b(?:please|pls|plz|btw|by the way|fyi|thanks|thank you|thx|ty|lol|haha|though|tho|too|as well|any ?more|anyway|anyways|atm|already|again|actually|ever"
    r"|at all|period|in general|from now on|going forward|or so|or something|i think|i guess|right|ok|okay|you know|mate|man|dude|everyone|guys|all right|for me|in future|in the future|cheers|obviously|of course|if possible|if you can|for reference|for context|these days|nowadays|for sure|sorry|and|or|but|so|um|uh|then|since|because|while|which|that|who|with|for|in|on|at|to|the|a))+$"
)
_HEAD: Final = re.compile(
    r"(?:[\s,;:.\"'`*_-]|(?:a|an|the|our|my|just|only|mostly|mainly|like|basically|um|uh|really|actually|also)\b\s)+"
)
_MOST_WORDS = 32


def span(clause: Clause, start: int, end: int, *, keep_article: bool = False) -> tuple[int, int] | None:
    """A part of a clause without what clings to its ends, as a place in the turn."""
    low = clause.low
    tail = _TAIL.search(low, start, end)
    if tail is not None and tail.start() > start:
        end = tail.start()
    if not keep_article:
        head = _HEAD.match(low, start, end)
        start = head.end() if head is not None and head.end() < end else start
    while start < end and low[start] in " \t,;:.\"'`*_-\u2060":
        start += 1
    if start >= end or not any(c.isalnum() for c in low[start:end]) or "\u2060" in low[start:end]:
        return None
    return clause.start + start, clause.start + end


def phrase(
    stop: str = "", *, least: int = 1, most: int = _MOST_WORDS, keep_article: bool = False, bar: str = ""
) -> Slot:
    """A slot that takes what follows, up to words that end it. `bar`: what it may not begin with."""
    stops = re.compile(stop) if stop else None
    bars = re.compile(bar) if bar else None

    def read(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
        start = found.start("v") if "v" in found.re.groupindex else found.end()
        end = len(clause.low)
        if "v" in found.re.groupindex and found.group("v"):
            end = found.end("v")
        if bars is not None and bars.match(clause.low, start):
            return
        if stops is not None and (cut := stops.search(clause.low, start, end)) is not None:
            end = cut.start()
        place = span(clause, start, end, keep_article=keep_article)
        if place is None:
            return
        count = len(clause.low[place[0] - clause.start : place[1] - clause.start].split())
        if least <= count <= most:
            yield Value(*place)

    return read


def whole(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """The clause from where the frame begins."""
    start = found.start("v") if "v" in found.re.groupindex else found.start()
    place = span(clause, start, len(clause.low), keep_article=True)
    if place is not None:
        yield Value(*place)


def sentence(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """From the slot to the end of the sentence: a process is told in several clauses."""
    start = clause.start + (found.start("v") if "v" in found.re.groupindex else found.start())
    end = clause.origin + len(clause.whole.rstrip(" .!?;。！？；\n"))
    while start < end and clause.low[start - clause.start : start - clause.start + 1] in (" ", ":", ",", "-"):
        start += 1
    if end - start > 3 and "\u2060" not in clause.whole:
        yield Value(start, end)


# --- technologies

_CONTRAST: Final = re.compile(
    r"\b(?:instead of|rather than|and not|but not|not|over|no|never|without|isn't|aren't|unlike|don't|doesn't|from|except|because|since|so that|in order to|to replace|replacing|used to|was|were|but|vs|versus|than|nor|anymore|any more|if|unless|until|before|like|as opposed to|similar to|compatible with|can you|could you|how|why|what|when|help|error|errors|convert\w*|migrat\w*)\b"
)
_TOKEN: Final = re.compile(r"[^\s,;:()\[\]{}\"“”!?`]+")
_VERSION: Final = re.compile(
    r"(?:\s+(?:version|ver\.?|v|release|lts|edition))?\s*(?:v(?=\d))?\d+(?:\.\d+|\.x)*\w{0,3}(?:\s*(?:lts|beta|rc\d?))?(?![\w%]|\s*(?:users|times|years|months|weeks|days|hours|minutes|servers|nodes|instances|services|repos|files|people|devs|gb|mb|tb|cores|boxes|machines|of|apps|projects|pods))"
)
_UNKNOWN: Final = re.compile(
    r"(?:[A-Z][\w+#.]*[\w+#]|[A-Z]{2,})(?: [A-Z][\w+#.]*[\w+#]| \d[\w.]*\d?)*|[a-z]+[A-Z]\w*|[a-z]+\d\w*|\w+[-_.]\w+"
)
_NO_TOOL: Final = frozenset(
    "i english german french spanish chinese monday tuesday wednesday thursday friday saturday sunday january february march april may june july august"
    " september october november december it this that he she they api apis ui ux pr prs ok".split()
)
_JOINS: Final = frozenset(
    "and or with plus & + / on in using via for then , behind top of uses into through from".split()
)
_QUALIFIED: Final = re.compile(
    r"^[^,]{0,40}?\b(?:for|on|in|as) (?:the |our |my |all |most |some )?(?:(?:new|old|main|public|internal|legacy|mobile|web|desktop|customer|admin)[- ])*(back-?end|front-?end|mobile|web|desktop|e2e|end[- ]to[- ]end|integration|unit tests?|api|cli|docs|documentation|staging|production|prod|local development|local dev|development|dev|embedded|firmware|analytics|billing|search|legacy|data|ml|infra|infrastructure|scripts?|scripting|tooling|admin|ios|android|website|blog|side projects?|personal projects?|mobile app|server|client|ui|frontend|backend|edge|workers?|pipelines?|notebooks?|prototyp\w+|games?)\b"
)
_ALSO: Final = re.compile(
    r"\b(?:also|as well|too|in addition|alongside|besides|on the side|another|some|sometimes|occasionally|partly|both)\b"
)


_PASSING: Final = re.compile(
    r" (?:is|was|were|got|has been|have been) (?:thrown|removed|dropped|replaced|gone|retired|dead|out\b|banned|ripped|deleted|uninstalled)| (?:friday|box(?:es)?\b(?= testing)|meetings?|calls?|questions?|interviews?|exams?|books?|courses?|bugs?|issues?|errors?|problems?|pull requests?|exceptions?|warnings?|tutorials?|homework|assignments?|videos?|docs|documentation)\b"
)
"""What makes a name beside it no tool in use: a Zoom meeting, a React question."""


def technologies(
    clause: Clause, start: int, end: int | None = None, *, unknown: bool = True, plain: bool = True
) -> Iterator[Value]:
    """Every technology named from `start` on, up to a word that contrasts; an unknown name where a list begins.

    `plain`: may a name that is a plain word as well stand in lower case?
    """
    low = clause.low
    end = len(low) if end is None else end
    cut = _CONTRAST.search(low, start, end)
    end = cut.start() if cut is not None else end
    pos, is_due, has_named = start, True, plain
    while (token := _TOKEN.search(low, pos, end)) is not None:
        at, word = token.start(), token.group()
        known = lexicon.at(low, at, end)
        if (
            known is not None
            and not low.endswith(("called ", "named "), max(0, at - 8), at)
            and (_is_meant(clause, at, known[0], is_due=is_due and has_named) or _has_version(low, at, known[0], end))
        ):
            stop, technology = known
            version = _VERSION.match(low, stop, end)
            pos = version.end() if version is not None else stop
            if _PASSING.match(low, pos) is not None:
                is_due = False
                continue
            has_named = True
            yield Value(
                clause.start + at,
                clause.start + pos,
                _topic(clause, technology, pos),
                technology.tags,
                technology.is_personal,
            )
            while pos < end and low[pos] in "/+&|":
                pos += 1
            is_due = True
            continue
        odd = _UNKNOWN.match(clause.raw, at, end) if unknown and is_due else None
        if odd is not None and word not in _NO_TOOL and odd.end() - at > 1 and not (at == 0 and clause.opens):
            yield Value(clause.start + at, clause.start + odd.end(), "", ("tools", "code", "infra"))
            pos, is_due = odd.end(), True
            continue
        is_due = is_due and (word in _JOINS or word in _DETERMINERS)
        pos = token.end()


_DETERMINERS: Final = frozenset(
    "a an the our my plain vanilla just mostly only both self-hosted hosted managed latest good old either mainly all everything pure modern standard raw bit of little some".split()
)


def _has_version(low: str, at: int, stop: int, end: int) -> bool:
    """A plain word with a version behind it is a name."""
    return (
        stop - at > 2
        and re.compile(r" v?\d+(?:\.\d+)*\b(?! ?(?:%|times|days|hours|minutes|people|users|of))").match(low, stop, end)
        is not None
    )


def _is_meant(clause: Clause, at: int, stop: int, *, is_due: bool) -> bool:
    """A plain word is a name only where a name is due, or where it is written as one."""
    name = clause.low[at:stop]
    if name not in lexicon.PLAIN:
        return True
    if len(name) == 1:
        return is_due and clause.raw[at].isupper()
    return is_due or (clause.raw[at].isupper() and at > 0 and not clause.raw[stop + 1 : stop + 2].isupper())


def _topic(clause: Clause, technology: lexicon.Technology, stop: int) -> str:
    """The attribute; with the part of the project that is named beside it, and none where the tool comes in addition."""
    topic = technology.topic
    if not topic or _ALSO.search(clause.low):
        return ""
    found = _QUALIFIED.match(clause.low[stop:]) or _PART_OF.match(clause.low)
    return f"{topic}.{re.sub(r'[^a-z0-9]+', '-', found[1])}" if found is not None else topic


_PART_OF: Final = re.compile(
    r"^(?:\w+[,:]? ){0,3}?(?:the|our|my) (?:new |old |legacy |main )?(back-?end|front-?end|mobile app|web app|api|cli|docs|website|blog|firmware|admin panel|dashboard|data pipeline|landing page)\b(?= (?:is|are|uses|runs|was|it's|team|has))"
)


def tools(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """Technologies after the frame, names that nobody knows among them."""
    yield from technologies(clause, found.start("v") if "v" in found.re.groupindex else found.end())


def known_tools(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """Known technologies only."""
    yield from technologies(clause, found.start("v") if "v" in found.re.groupindex else found.end(), unknown=False)


def one_tool(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """The known technology that fills the slot, and no other."""
    start, end = found.span("v")
    known = lexicon.at(clause.low, start, len(clause.low))
    if known is not None and known[0] >= end - 1:
        version = _VERSION.match(clause.low, known[0])
        stop = version.end() if version is not None else known[0]
        if _is_meant(clause, start, known[0], is_due=False):
            yield Value(clause.start + start, clause.start + stop, known[1].topic, known[1].tags, personal=False)


# --- names, organisations, places

_CAPITAL: Final = re.compile(
    r"[^\W\d_a-zß-ÿ][\w'’.&-]*(?:\s+(?:(?:of|de|del|der|den|van|von|da|di|la|le|el|al|bin|the|and|&)\s+)*[^\W\d_a-zß-ÿ][\w'’&-]*)*"
)
_ORG_LOW: Final = re.compile(r"[\w&.+'-]+")
_GIVEN: Final = frozenset(
    "marcus alex sam tom tim tobias anna ana maria marie marta martin mike mark matt matthew michael jim john jon james jack jake jason josh ben bob brian carlos chris christine claire dan daniel dave david"
    " diego dmitri ed elena eli emma eric erik eva evan felix frank fred george greta hannah hans harry helen henry ian ivan jane jen jenny jess jessica joe joel julia julie kai karen karl kate katie kevin kim"
    " lars laura lea leo lena linda lisa liz lucas lucia luis luke maya max mia miguel nadia nate nick nina nora olga oliver olivia omar oscar pat patrick paul paula pedro peter phil priya rachel raj ralf ravi"
    " rob robert rosa ross roy ryan sara sarah scott sean sofia sophie stefan steve susan sven tara ted theo tina tony vera vince vlad will yuki zoe ahmed ali amir aisha fatima hassan ibrahim mohamed mohammed"
    " wei ming chen li jun kenji hiro akira sanjay anil deepa arjun neha rahul rohan vikram andrea giulia marco luca paolo giovanni francesca jose juan pablo sergio javier ines joao pierre jean luc camille chloe"
    " anouk bram ioana kofi darryl crystal jonas finn nils ingrid astrid bjorn lukas moritz katharina sabine petra uwe jürgen heike".split()
)
_NO_NAME: Final = frozenset(
    "when if later back asap tomorrow once by i i'm the a an not just so also still now currently really sure sorry here there back glad happy trying using working looking getting going running on in at from with new using java python php rust go"
    " ok okay english german french spanish monday tuesday wednesday thursday friday saturday sunday afraid aware done ready good fine great interested curious confused stuck lost tired busy linux mac windows ios android".split()
)


def _capitals(clause: Clause, start: int) -> tuple[int, int] | None:
    found = _CAPITAL.match(clause.raw, start)
    if found is None or found.group().casefold() in _NO_NAME:
        return None
    return found.start(), found.start() + len(found.group().rstrip(".'-&"))


def person_name(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """A person's name: capitalised words that are no technology, or a given name in lower case."""
    start = found.start("v")
    place = _capitals(clause, start)
    if place is None:
        word = _ORG_LOW.match(clause.low, start)
        if word is None or (word.group() not in _GIVEN and "named" not in found.re.groupindex):
            return
        place = word.span()
        if "named" in found.re.groupindex and word.group() in _NO_NAME:
            return
    name = clause.low[place[0] : place[1]]
    if name in lexicon.names() or name.split()[0] in _NO_NAME or len(name.split()) > 4:
        return
    if name.split()[0] in _NO_PERSON:
        return
    yield Value(clause.start + place[0], clause.start + place[1])


_NO_PERSON: Final = frozenset(
    "google microsoft apple amazon meta facebook twitter netflix oracle ibm intel github everyone everything nobody someone anyone people what which who this that these those there here it he she they we you django"
    " maybe perhaps also then because when where why how if but and or so my our the a an all both each every some any no yes please thanks production staging main prod legal compliance security marketing sales support finance"
    " hr qa ops design product engineering management legal tests builds".split()
)


def sure_name(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """A name where the words before it say that it is one: any word will do."""
    start = found.start("v")
    place = _capitals(clause, start)
    if place is None:
        word = _ORG_LOW.match(clause.low, start)
        if word is None or word.group() in _NO_NAME:
            return
        place = word.span()
    yield Value(clause.start + place[0], clause.start + place[1])


_NO_ORG: Final = frozenset(
    "a an the home my our this that night least work it all what me once first last school something some any his her their your me you them him us one two the3 least most best".split()
)


def organisation(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """The name of a company or team: capitalised words, or one word in lower case."""
    start = found.start("v")
    place = _capitals(clause, start)
    if place is None:
        word = _ORG_LOW.match(clause.low, start)
        if word is None or word.group().rstrip(".,") in _NO_ORG or len(word.group()) < 2:
            return
        place = word.start(), word.start() + len(word.group().rstrip(".'-"))
    yield Value(clause.start + place[0], clause.start + place[1])


def place_name(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """A place: capitalised words, with what follows a comma; or up to two words in lower case."""
    start = found.start("v")
    place = _capitals(clause, start)
    if place is None:
        low = re.compile(
            r"(?:the )?([a-zà-ÿ-]{3,}(?: (?!and|but|so|for|with|where|which|right|at|now|since)[a-zà-ÿ-]{3,})?)"
        ).match(clause.low, start)
        if (
            low is None
            or low.group().split()[0] in _NO_PLACE
            or low.group(1).split()[0] in _NO_PLACE
            or "lower" not in found.re.groupindex
        ):
            return
        place = low.span(1)
    name = clause.low[place[0] : place[1]]
    if name in lexicon.names() or name in _NO_PLACE:
        return
    more = re.compile(r",\s*([A-ZÀ-Ý][\w'-]+(?: [A-ZÀ-Ý][\w'-]+)*)(?=$|,| and | so )").match(clause.raw, place[1])
    yield Value(clause.start + place[0], clause.start + (more.end() if more is not None else place[1]))


_NO_PLACE: Final = frozenset(
    "q1 q2 q3 q4 a an the my our this that it its production prod charge trouble love hurry meeting middle between contact dev staging development good bad case time need process doubt favor favour fact general school college"
    " university high theory practice python java rust javascript typescript english german french spanish monday fear hell peace harmony constant utc gmt scratch now january february march april may june july august"
    " september october november december tears town bed pain".split()
)
