"""What was taken or turned down, and for which reason."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from muniment.capture.extract.told import lexicon
from muniment.capture.extract.told.clauses import Clause
from muniment.capture.extract.told.frame import Frame, Value, frame
from muniment.capture.extract.told.slots import known_tools, phrase, technologies

_WHY: Final = r"\b(?:because|since|cause|cuz|as (?:it|we|the|they|that|our|i)\b|due to|given (?:that|the|our|how)|for (?:its|their|the sake|performance|simplicity|clarity|now\b)|thanks to|so that|so (?:we|that|please|i|can|the)\b|but|after|which|to (?:avoid|keep|save|make|get|reduce|be able|have|maximi[sz]e|focus|ensure|maintain|help|prevent|improve|allow|simplify|stay)\b|saving|and (?:i|we|i'm|it|now|the|then|not|want|need|can)\b|can you|could you|what|how|over|instead of|rather than|in favou?r of|, not)\b"
_STOP: Final = rf",\s(?!and\b|or\b)|\s{_WHY}|[;:]|\s[-–—(]"
_WHO: Final = r"(?:i|we|i've|we've|the team|my team|our team|my (?:wife|husband|partner) and i|my co-?founder and i|i have|we have|they and i|me and \w+|management and i)"
_ADV: Final = r"(?: finally| already| just| now| also| recently| ultimately| eventually| both| all| then| actually| officially| deliberately| unanimously| kind of| kinda| finally just)*"


_OPEN: Final = re.compile(
    r"\b(?:haven't|have not|hasn't|didn't|did not|can't|cannot|couldn't|not yet|yet to|need to|needs to|trying to|have to|want to|should|before (?:i|we)|if|help me|once (?:i|we)|until|still|whether|would|could|might|in case)\b"
)
_EMPTY: Final = re.compile(
    r"^(?:my dreams|everything else|the (?:\w+ )?(?:agenda|plan|list|steps|schedule|suggestions?|advice|tips) (?:you|we|above)|[\w ]{0,30}\byou (?:suggested|said|mentioned|gave|proposed)|(?:for )?a (?:run|walk|break|nap|coffee|swim|ride|hike|drink|stroll)\b|yet|in (?:\w+|the meeting)$|last|yesterday|today|this|that|it|what|whether|if|which|how|between|where|when|nothing|something|on|to (?:talk|ask|try (?:it|this|that)|look|see|check|give|take a|write to|come|start (?:with|by)|wait|message|post|share|read|learn|do (?:it|this|that)|go (?:ahead|on|to)|meet|call|get (?:started|some|help)|help|work on)|a bit|anything|already|the (?:first|second|third|last|latter|former) (?:one|option)|option|number|your|you|one|them|him|her|me|us|ahead|back|home|out|up|for it|with it|there|through|over|into|deeper|further|the next|next|\d+$)\b"
)


def _taken(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    head = clause.low[: found.start("v")]
    rest = clause.low[found.start("v") :]
    if _OPEN.search(head) or _EMPTY.match(rest) or clause.asks:
        return
    if re.match(r"(?:not|against)\b", rest):
        return
    yield from _options(clause, found)


def _options(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """The option: a phrase up to its reason."""
    place = next(iter(phrase(_STOP, most=20, bar=r"(?:not|against)\b")(clause, found)), None)
    if place is not None:
        yield place._replace(topic="", tags=_tags(clause.low[place.start - clause.start : place.end - clause.start]))


def _tags(low: str) -> tuple[str, ...]:
    known = lexicon.at(low, 0, len(low))
    return ("project.decision", *(known[1].tags if known is not None else ()))


_IS_OPTION: Final = re.compile(
    r"(?:option|the (?:\w+ ){0,2}(?:approach|option|plan|version|design|route|solution|idea|library|one)|plain|pure|vanilla|self-hosted|a (?:monolith|monorepo|single)|an? \w+ (?:approach|architecture|solution)|two|one)\b"
)


def _going(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """`we go with SQLite`: of something with a name, or of an option spelt out."""
    rest = clause.low[found.start("v") :]
    if _EMPTY.match(rest) or _OPEN.search(clause.low[: found.start("v")]) or clause.asks:
        return
    named = next(iter(technologies(clause, found.start("v"))), None)
    lets = re.search(r"\blet'?s\b", found.group()) is not None
    if (
        named is not None
        or (not lets and len(rest.split()) > 1)
        or (lets and _IS_OPTION.match(rest) and not rest.startswith("option"))
    ):
        yield from _options(clause, found)


def _lets(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """`let's use Postgres for this`: only of something with a name."""
    if re.search(r"\b(?:here|this (?:time|one|function|file|test))\b", clause.low):
        return
    named = next(iter(technologies(clause, found.start("v"), unknown=False)), None)
    if named is not None and named.start - clause.start - found.start("v") < 6:
        yield named._replace(topic="", tags=("project.decision", *named.tags), personal=False)


def _it_is(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    start = found.start("v")
    known = lexicon.at(clause.low, start, found.end("v"))
    is_named = known is not None or clause.raw[start].isupper()
    if is_named and not re.match(r"(?:here|what|how|this|that|so|there|where|which|i|as|like)\b", clause.low[start:]):
        yield from phrase()(clause, found)


def _refused(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    rest = clause.low[found.start("v") :]
    if (
        _EMPTY.match(rest)
        or clause.asks
        or re.match(
            r"(?:quit|discuss|give up|let|be|have|work|help|fix|let|lie|get|make|hurt|break|know|see|understand|need|change|do|happen|matter|fit|able|finish|ask|argue|tell|say|give|go|come|start|stop|wait|worry|bother|pretend|touch|be able|lie|miss|forget|that|so|a good|well|bad|here|there|sure|happy|good)\b",
            rest,
        )
    ):
        return
    place = next(iter(phrase(_STOP, most=16)(clause, found)), None)
    if place is not None:
        yield place._replace(topic="", tags=_tags(clause.low[place.start - clause.start : place.end - clause.start]))


def _dropped(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    rest = clause.low[found.start("v") :]
    lets = re.search(r"\blet'?s\b", found.group()) is not None
    named = next(iter(technologies(clause, found.start("v"), unknown=False)), None)
    if (
        _EMPTY.match(rest)
        or clause.asks
        or (
            lets
            and named is None
            and not re.search(r"\b(?:idea|for good|entirely|altogether|completely|plan|approach)\b", rest)
        )
    ):
        return
    if re.match(
        r"(?:the (?:table|database|column|file|line|test|index|phone|ball|kids?|first|last|second)|a (?:table|column|message|line)|my|off|by|in|out|into|everything|all|some)\b",
        rest,
    ):
        return
    place = next(
        iter(phrase(_STOP + r"|\s(?:idea|for good|entirely|altogether|completely)\b", most=14)(clause, found)), None
    )
    if place is not None:
        yield place._replace(topic="", tags=_tags(clause.low[place.start - clause.start : place.end - clause.start]))


def only_named(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """`it's Postgres only`."""
    for value in technologies(clause, found.start("v"), found.end("v"), unknown=False):
        yield value._replace(topic="", tags=("project.decision", *value.tags), personal=False)


def _won(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """`pnpm won`: only of a tool."""
    for value in technologies(clause, found.start("v"), found.end("v"), unknown=False):
        yield value._replace(topic="", tags=("project.decision", *value.tags), personal=False)


def only_known(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """A tool that is taken."""
    for value in technologies(clause, found.start("v"), unknown=False):
        yield value._replace(topic="", tags=("project.decision", *value.tags), personal=False)


_REASON: Final = re.compile(r"\b(?:because of|because|due to|since|thanks to|given that)\s+(?P<v>)")


def reason(clauses: list[Clause], at: int) -> Value | None:
    """The reason that stands in the clause of a decision or in the one after it."""
    own = _REASON.search(clauses[at].low)
    if own is not None:
        return next(iter(phrase(r";", least=2, keep_article=True)(clauses[at], own)), None)
    after = clauses[at + 1] if at + 1 < len(clauses) else None
    if (
        after is not None
        and after.sentence == clauses[at].sentence
        and not after.asks
        and re.search(r"\b(?:because|since|cause|cuz|as)$", after.link)
    ):
        return next(iter(phrase(r";", least=2, keep_article=True)(after, re.compile(r"^").search(after.low))), None)  # type: ignore[arg-type]
    return None


FRAMES: Final[tuple[Frame, ...]] = (
    frame("decided decide settled opted agreed chose chosen picked pick selected voted committed concluded resolved elected landed", rf"(?:\b{_WHO}{_ADV} |^(?:ok(?:ay)?,? |so |and |then |alright,? |well,? |right,? )*)(?:decided|settled|opted|agreed|voted|committed|concluded|resolved|elected|landed)(?: \w+ (?:ago|week|night|meeting))?(?: yesterday| today| last \w+| together| internally| unanimously| in the meeting)?(?: to (?:go (?:with|for|ahead with)|use|adopt|pick|choose|take|keep|stay with|stick (?:with|to)|move to|switch to|build on|build with|build it (?:with|in|on)|do|have)| on(?: using| going with)?| for| in favou?r of| upon| that(?: we| i)?(?:'ll| will| should| would)?(?: use| go with| stick with| stay with| keep)?| we(?:'ll| will)(?: use| go with)?| to)? (?P<v>)", _taken, "decided", "", "project.decision"),
    frame("chose chosen picked selected choose went adopted ended", rf"(?:\b(?:{_WHO}|and|in the end)|^(?:in the end,? |ok,? |so,? |finally,? )?(?=chose |picked |went with |opted for |settled on )){_ADV} ?(?:chose|chosen|picked|selected|went (?:with|for)|adopted|opted for|settled on|ended up (?:with|going with|choosing|picking|using))(?: to)? (?P<v>)", _taken, "decided", "", "project.decision"),
    frame("doing going go stick sticking stay staying keep keeping", r"(?:{START}|\b)(?:so |then |ok |decided: ?)?(?:we|i|we're|i'm|we'll|i'll|we will|i will|let's|lets)(?: definitely| now| then| just| gonna| going to| both| will)* ?(?:go(?:ing)? (?:with|ahead with)|stick(?:ing)? (?:with|to)|stay(?:ing)? (?:with|on)|settle on|settling on|doing(?= \w+$)|build(?:ing)? (?:this |it )?(?:on|with)) (?P<v>)", _going, "decided", "", "project.decision"),
    frame("let's lets use", r"{START}(?:let's|lets)(?: just| all| please)* (?:use|do|keep|standardi[sz]e on|build (?:it |this )?(?:with|on|in)) (?P<v>)", _lets, "decided", "", "project.decision"),
    frame("decision decided verdict call choice settled conclusion resolved final", r"{START}(?:the |my |our |final |a )?(?:final |team |team's )?(?:decision|decided|verdict|choice|settled|conclusion|final call|resolution|call|final(?=:))(?: made| is made| on \w+| here| from the meeting)?(?:\s*[:—-]+\s*| is (?:to (?:use|go with|keep|stay with) |that we(?:'ll| will)? (?:use|go with) )?)(?:we(?:'ll| will| are going to|'re going to)? |i(?:'ll| will| am going to) )?(?:go with |use |keep |stay with |going with |to use |to go with )?(?P<v>)", _taken, "decided", "", "project.decision"),
    frame("it", r"(?:^|, so )(?:ok(?:ay)?,? |so |then |alright,? |right,? |fine,? |well,? )*(?P<v>[\w.#+ -]{2,30}) it is(?: then| now)?$", _it_is, "decided", "", "project.decision"),
    frame("leaning tempted inclined", r"{START}(?:{IM}|{WERE}|i'm|we're)(?: currently| now| still| strongly| kind of| really| slightly)* (?:leaning towards?|leaning to|tempted to (?:use|go with|say yes to|pick|choose)|inclined to (?:use|go with|pick)|learning towards?|probably going with|most likely going with) (?P<v>)", _options, "decided", "", "project.decision", weak=True),
    frame("final", r"\b(?P<v>[\w.#+ -]{2,40}) (?:is|are) (?:the final (?:choice|decision|pick)|what we(?:'re| are) going with|what we (?:decided on|chose|picked|settled on)|the one we (?:chose|picked)|our final (?:choice|pick))", phrase(), "decided", "", "project.decision"),
    frame("not won't never isn't aren't against no wont", r"{START}(?:{WE}|we|i|we're|i'm|we've|i've)(?:'ve|'re|'m)?(?: definitely| deliberately| finally| also| now)* ?(?:will not|won't|wont|are not going to|aren't going to|am not going to|'re not going to|not going to|are never going to|will never|decided (?:against|not to)|decided we(?:'re| are| will| won't)? ?(?:not )?(?:use|going with)?|opted not to|chose not to|chosen not to|elected not to|agreed not to|voted against|not going with|are not going with|aren't going with|not doing|are not doing|not using)(?: be)?(?: use| using| adopt| adopting| go with| going with| do| doing| have| support| supporting| introduce| migrate to| move to| add| adding| build| building)? (?P<v>)", _refused, "rejected", "", "project.decision"),
    frame("drop dropped dropping reject rejected ruled rule ditch ditched ditching scrapped scrap abandoned abandon discarded dismissed skip skipped skipping killed kill declined turned passed shelved vetoed", r"{START}(?:(?=(?:scrapped|dropped|ditched|rejected|abandoned|ruled out) )|let's|lets|we|i|we've|i've|we're|we are|we have|i have|the team|so we|we also|i also)(?: definitely| also| finally| already| just| have| officially| both| deliberately| are| can)* ?(?:drop(?:ped|ping)?|reject(?:ed)?|rul(?:ed|e|ing) out|ditch(?:ed|ing)?|scrap(?:ped|ping)?|abandon(?:ed|ing)?|discarded|dismissed|killed|kill|declined|turned down|passed on|shelved?|shelving|vetoed|skipped|skipping|said no to|moved away from|got rid of|get rid of|threw out|gave up on) (?:the idea of |the idea to |on )?(?P<v>)", _dropped, "rejected", "", "project.decision"),
    frame("out off", r"^(?:so |ok |and )*(?P<v>[\w.#+ -]{2,30}) (?:is|are) (?:out|off the table|out of the question|ruled out|not an option|a no-go|a no go)(?: for us| for good)?(?=$|,)", phrase(), "rejected", "", "project.decision"),
    frame("won't not", r"{START}(?:we|i) (?:won't|will not|wont|are not|aren't|'re not) (?:do|be doing|doing|offer|ship|shipping|offering|go for) (?P<v>)", _refused, "rejected", "", "project.decision"),
    frame("not no", r"^(?:we're |we are )?not (?:doing|using|supporting|building|going with|shipping|adopting) (?P<v>)", _refused, "rejected", "", "project.decision"),
    frame("only", r"{START}(?:from now on |going forward,? |in v\d |for v\d )?(?:it's|we use|we do|we support|we go) (?P<v>[\w.#+-]+(?: [\w.#+-]+)?) only\b", only_named, "decided", "", "project.decision"),
    frame("won wins", r"{START}(?P<v>[\w.#+-]{2,30}) (?:won|wins)(?: in the end| the vote| hands down)?$", _won, "decided", "", "project.decision"),
    frame("no yes", r"{START}(?:the team|management|we|the client|legal|my boss|everyone|i) (?:said|say|voted) no to (?P<v>)", phrase(r",|\s(?:because|so|since)\b", most=10), "rejected", "", "project.decision"),
    frame("plan", r"{START}(?:the|our|my) (?:current )?plan is to (?:use|stay on|stay with|go with|keep|move to|stick with|build on|run on|buy) (?P<v>)", _taken, "decided", "", "project.decision"),
    frame("rejected declined", r"^(?:ok |so )*(?:rejected|declined|dropped|ruled out)\s*[:—-]\s*(?P<v>)", phrase(_STOP, most=12), "rejected", "", "project.decision"),
    frame("chosen picked approved accepted", r"^(?:ok |so )*(?:chosen|picked|approved|accepted)\s*[:—-]\s*(?P<v>)", phrase(_STOP, most=12), "decided", "", "project.decision"),
    frame("decided agreed settled", r"{START}(?:it's|it has|it was|this was|that was|it got)(?: been| finally| just)* (?:decided|agreed|settled) (?:that |to |on )(?P<v>)", _taken, "decided", "", "project.decision"),
    frame("against", r"^(?:ok |so |we |i |and )*(?:decided|opted|voted|came down|advised) against (?P<v>)", _refused, "rejected", "", "project.decision"),
    frame("scrapping dropping ditching killing retiring sunsetting", r"^(?:ok |so |we're |we are |and )*(?:scrapping|dropping|ditching|killing|retiring|sunsetting) (?P<v>)", _refused, "rejected", "", "project.decision"),
    frame("done off leaving ditching", r"{START}(?:{IM}|{WERE}) (?:done with|leaving|ditching|quitting|getting rid of|dropping) (?P<v>)", known_tools, "rejected", "", "project.decision"),
    frame("everything all", r"{START}(?:everything|all of it|all of that) (?:moves|goes|is moving|is going|will move) to (?P<v>)", only_known, "decided", "", "project.decision"),
)  # fmt: skip
