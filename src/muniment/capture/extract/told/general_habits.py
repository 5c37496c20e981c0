"""What is done again and again, whenever something happens or to every thing of a kind, read from the grammar of a clause."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from muniment.capture.extract.told import drawing, grammar, signs
from muniment.capture.extract.told.clauses import Clause
from muniment.capture.extract.told.frame import ME, TEAM, Told
from muniment.capture.extract.told.grammar import Statement, Subject

_REGULAR: Final = re.compile(
    r"\b(?:every (?:\w+ ){0,2}?(?:day|night|morning|evening|week|month|year|quarter|sprint|release|monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekday|weekend|time|shift|spring|autumn|winter|summer|season|other \w+|second \w+|hour|class|lesson|semester|term)|each (?:day|night|morning|evening|week|month|year|sprint|release|time|shift|season)|(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)days|on weekends|weekly|daily|nightly|monthly|yearly|quarterly|twice a \w+|once a \w+|(?:two|three|four|\d+) times a \w+|at (?:dawn|dusk|night|noon|midnight|the end of (?:the|each|every) \w+)|in the (?:morning|evening)s?|before (?:i|we|any|every|each|it|anything|they)\b|after (?:every|each|any)|first thing|always|usually|normally|typically|after (?:lunch|work|dinner|school|breakfast)|before (?:lunch|work|bed|dinner|breakfast|school)|at lunch|by hand|whenever|only (?:after|once|when|from|on|via|through|by|with|if)|straight from|once (?:a|the|it|all)|until (?:a|the|all|it|someone|somebody)|unless|as soon as|without (?:a|an|two|approval|review)|with two|by two|in pairs|per (?:site|file|feature|ticket|release|customer|week|sprint|day))\b"
)
_PASSIVE: Final = re.compile(
    r"^(?:gets?|is|are|has to be|have to be|must be|happens?|goes|go|comes?|needs?|need|requires?|starts?|ends?|lands?|waits?|stays?|runs?|closes?|opens?|merges?|ships?|leaves?|passes|takes?)$"
)
_DOES: Final = re.compile(
    r"\b(?:am|are|is|was|were|be|need|want|know|think|see|get|got|guess|mean|hope|wonder|feel|believe|understand|remember|forget|have (?:a|an|the|no|to|some|two|three|problems|trouble)|can|could|would|should|might|will|say|find|try|look|love|like|hate|prefer|learn|show)\b"
)
_EVENTS: Final = re.compile(
    r"\b(?:deploy\w*|releas\w+|merg\w+|review\w*|branch\w*|commit\w*|migration\w*|backup\w*|deployment\w*|pr|prs|pull requests?|tickets?|bugs?|invoices?|orders?|samples?|patients?|students?|lessons?|exams?|drafts?|manuscripts?|articles?|issues?|hotfix\w*|incidents?|changes|features?|builds?|tests?|releases?|reports?|data|files|payments?|refunds?|bookings?|shipments?|deliveries|animals|sheep|cows|plants|seedlings|medication|meds|meals|dough|bread|keys|leads|contracts?|quotes|minutes|notes|photos|recordings|logs|experiments?|runs|results|meetings?|standups?|retros?|sprints?|on-?call|handovers?|shifts?|applications|requests|complaints|returns|specimens|books|titles|proofs|covers|translations|subtitles|posts|newsletters|emails|mails|letters|texts|documents)\b"
)
_CONDITION: Final = re.compile(
    r"^(?:\W|(?:and|also|so|but|ok|then|here|btw|fyi)\b)*(?P<v>(?:whenever|when|every time|each time|any ?time|before|after|once|as soon as|if|for (?:each|every|any)|on (?:each|every)) (?!you\b|this\b|that\b|it\b|(?:i|we) (?:understand|remember|recall|read|see)\b|i (?:click|press|run|try|open|start|call|type|hover|scroll|log|save|build|compile|execute|import|load|use|do|set|add|was|were|get (?:an?|the) error)\b|we (?:click|press|run|try|call|were|had|are)\b|the (?:user|button|page|form|test|server|input|script|app|request|response|window|modal)\b|all\b|the first\b)"
    r"[^;:?]{4,90}?(?:, ?| )(?:then )?(?:i|we|someone|somebody|nobody|no one|everyone|whoever \w+ \w+|one of us|two of us|both of us|two people|it (?:gets|goes|has|needs|must)|(?:the|an?) (?:\w+ )?(?:on-?call|reviewer|author|lead|manager|owner|nurse|tech|clerk|cook|driver|foreman|supervisor|editor|teacher|team|shift|vet|doctor|sub|lab|front desk|second \w+))\b(?! (?:get|see|have (?:an?|no)|am|was|were|had|would|could|can't|don't|need|want|think|notice|find|feel|lose|end up)\b) \w+[^?;]*)$"
)
_NO_RULE: Final = re.compile(
    r"\b(?:would|could|were|had|'d|might|will you|yesterday|today|tomorrow|this (?:week|time|morning)|again|\d{4})\b|\b(?:i|we) (?:\w+ed|got|did|went|ran|made|saw|took|wrote|found)\b"
)
_QUANTIFIED: Final = re.compile(
    r"^(?:\W|(?:and|also|so|but|ok|then|here|btw|fyi)\b)*(?P<v>(?:every|each|all|any|no|nobody|nothing|only|everybody|everyone|whoever)\b[\w' /.-]{0,50}? (?:needs?|must|gets?|requires?|goes|go|has to|have to|leaves?|may|merges?|deploys?|touch(?:es)?|starts?|passes|waits?|signs?|reviews?|commits?|writes?|takes?|stays?|lives?|ships?|is (?:reviewed|approved|signed|checked|kept|stored|logged|done|written|made)|are (?:reviewed|approved|signed|checked|kept|stored|logged|done|written|made))\b \S[^;?]*)$"
)
_NO_QUANTITY: Final = re.compile(
    r"\b(?:every time|all (?:tests?|of it|good|this|that|right|the (?:tests?|same))|works?|no (?:idea|one knows|matter)|nothing (?:works|happens|helps|changes|gets (?:printed|logged|saved|rendered|returned))|takes (?:forever|ages|long|\d)|only (?:happens|when|if|the (?:first|last))|error|returns?|prints?)\b"
)


def ruled(clause: Clause) -> Iterator[Told]:
    """`whenever i get a new lens i shoot the wall`, `every PO over 5k needs two signatures`."""
    whole = clause.whole[clause.start - clause.origin :].rstrip(" .!;\n")
    found = _CONDITION.match(whole)
    if (
        found is not None
        and not _NO_RULE.search(found["v"])
        and not grammar.FAULTS.search(found["v"])
        and not grammar.FEELINGS.search(found["v"])
        and "?" not in clause.whole
    ):
        cut = re.search(
            r",? (?:so (?:please|can|do|don't|make|just|give|write)|can you|could you|please|help me|but)\b", found["v"]
        )
        end = found.start("v") + (cut.start() if cut is not None and cut.start() > 25 else len(found["v"]))
        yield Told(
            "procedure",
            "practises",
            TEAM if " we " in f" {whole} " else ME,
            clause.start + found.start("v"),
            clause.start + end,
            "",
            ("workflow.rule",),
            signs.is_hedged(clause),
            near=clause.start,
        )
        return
    found = _AT_TIMES.match(whole)
    if (
        found is not None
        and not _NO_RULE.search(found["v"])
        and not grammar.is_passing(found["v"])
        and "time" not in found["v"].split()[:3]
        and "?" not in clause.whole
    ):
        cut = re.search(r",? (?:so (?:please|can|do|make)|can you|could you|please|help me|but|takes)\b", found["v"])
        end = found.start("v") + (cut.start() if cut is not None else len(found["v"]))
        yield Told(
            "procedure",
            "practises",
            TEAM if " we " in f" {whole} " else ME,
            clause.start + found.start("v"),
            clause.start + end,
            "",
            ("workflow.habit",),
            signs.is_hedged(clause),
            near=clause.start,
        )
        return
    found = _QUANTIFIED.match(clause.low)
    if (
        found is not None
        and not _NO_QUANTITY.search(found["v"])
        and not grammar.is_passing(found["v"])
        and "you" not in clause.words
    ):
        yield from drawing.one(
            clause, "procedure", "practises", *found.span("v"), TEAM, "", "workflow.rule", "project.constraint"
        )


_AT_TIMES: Final = re.compile(
    r"^(?:\W|(?:and|also|so|but|ok|btw)\b)*(?P<v>(?:every|each|once an?|twice an?|three times an?) (?:\w+ ){1,2}?(?:the|we|i|a|an|one|our|my|somebody|someone|whoever|nobody|everyone)\b (?!get\b|see\b|have to\b|need\b|forget\b|feel\b|try\b|run (?:it|this))[^;?]{8,})$"
)


def habitual(clause: Clause) -> Iterator[Told]:
    """What is done as a habit, by us or by itself."""
    low = clause.low
    if (
        grammar.REQUEST.match(low)
        or grammar.FAULTS.search(low.replace("still", "").replace("bug", ""))
        or grammar.FEELINGS.search(low)
    ):
        return
    read = grammar.statement(clause)
    if read is None or re.search(r"\b(?:yesterday|today|tomorrow|just now|right now)\b", low):
        return
    if read.subject in (Subject.ME, Subject.US):
        yield from _we_do(clause, read)
    elif read.subject in (Subject.THING, Subject.OURS):
        yield from _gets_done(clause, read)


_OF_TRADE: Final = re.compile(
    r"(?:bill|charge|vote|ship|invoice|sell|log|store|count|measure|name|number|sort|group|tag|label|version|archive|meet|pair|share|rotate|split|report|publish|print|pack|deliver|order|sign|call|cut|price|quote|round|track|train|teach|serve|grow|make|bake|brew|rent|buy|pay|accept|offer|cover|score|grade|mark|prescribe|book|schedule|batch|label|index|encrypt|replicate|deploy|release|merge|review|test|lint)"
)


def _we_do(clause: Clause, read: Statement) -> Iterator[Told]:
    low = clause.low
    verb = read.verb
    if _DOES.match(verb) or verb.startswith(("have", "must", "can")):
        return
    if re.match(
        r"(?:don't|do not|dont) (?:know|think|want|need|understand|see|have|get|like|care|mind|remember|believe|use|work)\b",
        verb,
    ):
        return
    behind = clause.whole[clause.end - clause.origin :]
    if re.match(r"(?:that|it|this|so|them)\b", low[read.rest :]):
        return
    whole = clause.whole
    regular = (
        _REGULAR.search(low) is not None
        or re.match(r"\W*(?:always|every time|without exception|no exceptions)\b", behind) is not None
        or (
            re.match(r"\W*(?:on|every|each|before|after|when|once|at the)\b", whole) is not None
            and _REGULAR.search(whole[: clause.start - clause.origin]) is not None
        )
    )
    if (
        not regular
        and read.subject is Subject.US
        and _OF_TRADE.fullmatch(verb)
        and not grammar.is_passing(low)
        and len(low[read.rest :].split()) >= 2
        and not re.match(r"(?:the|this|that|these|it|out|up|into)\b", low[read.rest :])
    ):
        yield from drawing.one(
            clause, "procedure", "practises", read.start, len(low), TEAM, "", "workflow.practice", "project.context"
        )
        return
    if not regular and not (
        read.subject is Subject.US and (read.is_denied or re.search(r"\b(?:tend to|don't|never)\b", low[: read.rest]))
    ):
        return
    if re.search(
        r"\bi (?:always|never|usually|often) (?:forget|get|mix|confuse|lose|end up|see|have|had|thought|liked|wanted|learn|wonder|feel|need|want|fail|struggle|find)\b|\b(?:since|for) (?:\d+|two|three|years|months)\b",
        low,
    ):
        return
    yield from drawing.one(
        clause,
        "procedure",
        "practises",
        read.start if read.subject is Subject.US else _verb_at(clause, read),
        len(low),
        TEAM if read.subject is Subject.US else ME,
        "",
        "workflow.habit",
    )


def _verb_at(clause: Clause, read: Statement) -> int:
    return max(clause.low.rfind(read.verb, read.start, read.rest), read.start)


_ON_DAYS: Final = re.compile(
    r"\b(?:every|each|weekly|daily|nightly|monthly|yearly|(?:on )?(?:the )?(?:first|last|second|third)? ?(?:mon|tues|wednes|thurs|fri|satur|sun)days?|of (?:the|every|each) (?:month|week|year)|at (?:dawn|dusk|noon|midnight|night))\b"
)


def _gets_done(clause: Clause, read: Statement) -> Iterator[Told]:
    low = clause.low
    if not _PASSIVE.fullmatch(read.verb) and not re.match(r"(?:must|has to|have to|needs? to) ", read.verb):
        return
    rest = low[read.rest :]
    done = re.match(
        r"(?:only |always |never |first |then |all )?(?:\w+ed|written|cut|done|sent|kept|built|run|made|read|put|taken|signed|given|drawn|shown|held|paid|sold|bought|laid|fed|shot|set|checked|frozen|from|through|by|via|to|on|at|before|after|once|until|without|a|two|an|in)\b",
        rest,
    )
    if (
        done is None
        or _REGULAR.search(low) is None
        or not (
            _EVENTS.search(read.head)
            or re.search(r"\b(?:only ever|only|always|never|first)\b", low[: read.rest + 14])
            or _ON_DAYS.search(low)
        )
    ):
        return
    yield from drawing.one(clause, "procedure", "practises", read.start, len(low), TEAM, "", "workflow.rule")
