"""Who somebody is and what he likes, read from the grammar of a clause."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from muniment.capture.extract.told import grammar, lexicon, signs
from muniment.capture.extract.told.clauses import Clause
from muniment.capture.extract.told.frame import ME, TEAM, Told
from muniment.capture.extract.told.grammar import Subject
from muniment.capture.extract.told.identity import _HEADS, _ILL, _KIN, _LANGS, _ORGS, _PET, _SICK
from muniment.capture.extract.told.slots import span

_AGENTIVE: Final = re.compile(
    r"(?:\w{3,}(?:gineer|unteer|tioneer|ologist|ographer|ician|smith|wright|keeper|maker|master|worker|owner|holder|tender|grower|farmer|setter|player|teacher|trainer|writer|runner|builder|planner|seller|buyer|cleaner|dresser|painter|printer|binder|weaver|potter|tuner|driver|herder|sitter|layer|fitter)"
    r"|\w{3,}(?:ist|ician|ographer|ologist|grapher|monger|sman|swoman|sperson|nurse|midwife|therapist|attendant|accountant|consultant|assistant|agent|adviser|advisor|inspector|instructor|doctor|director|auditor|curator|operator|translator|coordinator|administrator|moderator|facilitator|contractor|author|tutor|surveyor|conveyor|chef|cook|vet|clerk|monk|nun|priest|pilot|steward|ranger|porter))"
)
_HEAD: Final = re.compile(rf"\b(?:{_HEADS}|{_AGENTIVE.pattern}|engineering|production|bookkeeping|payable)\b")
_NO_HEAD: Final = re.compile(
    r"\b(?:fan|beginner|newbie|bit|lot|user|lover|mess|idiot|person (?:who|that)|perfectionist|optimist|realist|pessimist|feminist|fool|loser|winner|member|visitor|customer|native|owner of|first timer|moron|purist|list|artist's|\w*list|devil's|during|exist|twist|assist|persist)\b"
)
_ROLE_ENDS: Final = re.compile(
    r",|\s(?:at|for|with|in|on|from|who|that|which|since|and|but|so|here|because|now|trying|working|based|living|by|to|as|i|we|w/|how|what|is|do|can|am)\b|[;:(—–]"
)
_AS: Final = re.compile(
    r"\b(?:(?:i'm|i am|im|we're|i) (?:\w+ ){0,3}?(?:working|work|works|worked|employed|hired|joined|started|volunteering|volunteer) (?:[\w ]{0,40}? )?as (?:an?|the|their|our|my)? ?"
    r"|as (?:an?|the) |as (?=\d\d-year))(?P<v>)"
)
_ZONE_OF: Final = re.compile(
    r"\b(?:time ?zone(?: is|'s|:)?|tz|based in|live in|i'm in|i'm on|we're on|we're in|work in) (?P<v>(?:utc|gmt)(?: ?[+-] ?\d{1,2}(?::\d\d)?)?|(?:cet|cest|est|pst|cst|mst|jst|ist|aest|wet|eet|brt)\b)"
)
_NAMED: Final = re.compile(
    r"(?:\b(?:name's|my name is|i'm called|they call me|call me|moi c'est|ich heiße|me llamo)|^(?:hi|hey|hello)[,!. ]+(?:i'm|im|i am|this is|it's)) (?P<v>[^\W\d_][\w'’-]+)|^(?:\W|(?:hi|hey|hello|good morning)\b)*(?P<w>[A-Z][\w'’-]+) here\b|^(?:hi|hey|hello) (?:i'm|im) (?P<x>[a-z]+) (?=\d\d\b)"
)
_AGE: Final = re.compile(
    r"\b(?:(?:i'm|im|i am|someone who's|someone who is) (?P<v>\d{2})(?= ?(?:$|,|\.|and\b|y/?o\b|years? old|yrs|but\b|so\b|now\b|this\b|next\b))|(?:as an?|i'm an?|i am an?|im an?) (?P<w>\d{2}[- ]years?[- ]old))"
)
_INCOME: Final = re.compile(
    r"\b(?P<v>(?:earning|earn|making|make) (?:about |around |roughly |over |~)?[$€£]\s?[\d,.]+k?(?: (?:annually|a year|per year|a month|monthly|yearly|an hour|p\.?a\.?))?)"
)
_KIN_NAME: Final = re.compile(rf"\b(?P<v>(?:my|our) (?:\w+ ){{0,2}}?{_KIN},? (?P<n>[^\W\d_][\w'-]+))")
_KIN_IS: Final = re.compile(
    rf"\bmy (?:\w+ ){{0,2}}?(?P<v>{_KIN}(?:,? (?:is|are|'s|who's|has|have|was born|turns|just turned|speaks|goes to|lives|studies|works|can't|doesn't|does not|loves|plays|attends|needs) [^;,]{{2,60}}| \(\d{{1,2}}\)|, \d{{1,2}}\b))"
)
_HAVE: Final = re.compile(
    rf"\b(?:i have|i've got|we have|we've got|i got|i'm raising|raising|with|have|and|own|keep) (?P<v>(?:my |our )?(?:an? |one |two |three |four |five |\d+ |a pair of |a couple of )(?:(?:very|really|young|small|little|teenage|loud|old|rescue|grown|toddler|twin|big|tiny|adult|blind|deaf|senior|elderly|anxious|\d+[- ]\w+[- ]old)\s)*(?:{_KIN}|{_PET}|kids|boys|girls|cats|dogs|parrot|horses|goats|sheep|cows|bees|chickens|hens|ducks|pigs|llamas|alpacas|rabbits|birds|snakes|twins|toddlers))\b(?! (?:in|of) (?:the|a|this) (?:array|list|table|test|query))"
)
_HEALTH: Final = re.compile(
    rf"\b(?:my (?:own |severe |mild |chronic |bad |slight |partial )*(?P<v>{_SICK}|hearing loss|low vision|poor eyesight|bad eyesight|bad (?:back|knee|hip|shoulder)s?|eyesight|pacemaker|stutter|dyscalculia|wheelchair|prosthe\w+|insulin pump|arthritis|tremor|ms|condition)"
    rf"|(?:i'm|im|i am|being)(?: an?)?(?: [\w/-]+)? (?P<w>{_ILL})|(?:i have|i've got|i live with|i suffer from|with my|having) (?:a |an )?(?P<x>{_SICK}|hearing loss|low vision|a stutter))\b"
)
_ALLERGY: Final = re.compile(
    r"\b(?:i'm|im|i am|i|he's|she's|he is|she is|he has|she has|kids? (?:is|are|has)) (?:\w+ )?(?P<v>(?:allergic to|intolerant to|intolerant of|react to|have an? \w+ allergy|got an? \w+ allergy|an? \w+ \w+ allergy)[^,;.]{0,30})"
)
_EATS: Final = re.compile(
    r"\b(?:i|we) (?P<v>(?:don't|do not|never|can't|cannot|dont|cant) (?:eat|drink|tolerate|touch|have|digest) (?!it\b|this\b|that\b|time\b|the\b|to\b|a\b|access\b|any idea)[^,;.]{2,40})"
)
_KEEPS_TO: Final = re.compile(
    r"\b(?:i|we) (?:keep|eat|am on|follow|do) (?:a )?(?:strict(?:ly)? |mostly |only )?(?P<v>kosher|halal|vegan|vegetarian|gluten[- ]free|low[- ]carb|keto|paleo|plant[- ]based|dairy[- ]free|low[- ]fodmap)\b"
)
_TEAM_IS: Final = re.compile(
    r"^\W*(?i:(?:and |so |the |our |my )*(?:\w+ )?(?:folks|people|devs|reviewers|contacts|owners|team|crew|staff|board|band|group|squad)) (?:is|are|consists of|:) (?P<v>(?:me|just me|myself|[A-Z][\w'-]+)(?:,| and| plus) .*[A-Z][\w'-]+.*)$"
)
_LANGUAGE: Final = re.compile(
    rf"\b(?:i (?:only |also |mostly |grew up )?(?:speak(?:ing)?|am (?:fluent|native) in)|my (?:native|first|mother|main|second|home) (?:language|tongue)(?:'s| is)|native speaker of|native) (?P<v>[^.;]*?{_LANGS})\b"
)
_MY_LANGUAGE: Final = re.compile(rf"\bmy (?P<v>(?:spoken |written )?{_LANGS}(?: is|'s) (?:\w+ ){{0,3}}\w+)")
_PLACE: Final = re.compile(
    r"(?:\b(?:i|we|i'm|im|we're|i am|i've|we've|who)\b[^.;?]{0,60}?|^(?:\w+ )?(?:here )?)\b(?:liv(?:e|ing)|based|located|moved|relocated|reside|residing|settled|stationed|situated|born and raised|a (?:\w+[- ]){0,4}?(?:"
    + _HEADS
    + "|"
    + _ORGS
    + r")|flat|apartment|house|cottage|cabin|practice|shop|studio|farm|office|lab|clinic)\b[^.;?,]{0,40}?\b(?:in|to|near|outside|out of|around) (?P<v>)"
)
_LIVES: Final = re.compile(
    r"\b(?:i|we) (?:currently |now |still |both )?(?:live|work|moved|teach|run|own|farm|reside|stay|study)\b"
)
_FROM: Final = re.compile(
    r"\b(?:i'm|i am|im|we're|we are|this is|it's)(?: [\w'-]+){0,3}? (?:writing |calling |here )?(?:from|in) (?P<v>)|^\W*(?:writing|calling|typing|posting|joining|greetings|hello|hi|working)(?: this| to you| in| remotely)? from (?P<w>)"
)
_CAPITALS: Final = re.compile(
    r"[^\W\d_a-zß-ÿ][\w'’&-]+(?:(?: |-)(?:(?:of|de|la|le|del|am|an der|upon|sur|den|el|los|las|do|da) )?[^\W\d_a-zß-ÿ][\w'’-]+)*(?:, [^\W\d_a-zß-ÿ][\w'-]+(?: [^\W\d_a-zß-ÿ][\w'-]+)?(?=$|[,.]| and | but | so ))?"
)
_NO_PLACE: Final = frozenset(
    "january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday sunday english german"
    " french spanish italian dutch portuguese chinese japanese i it pr prs ci api ui qa hr pdf json csv xml html ok q1 q2 q3 q4 sql ai ml url http".split()
)
_MATE: Final = re.compile(
    r"^(?:(?:and|but|also|so|then|because|well|fyi|btw)[, ]+)*(?P<n>(?P<w>[^\W\d_a-zß-ÿ][\w'’-]+(?: [^\W\d_a-zß-ÿ][\w'’-]+)?)) (?:is (?:our|my|the (?:one|person|owner|lead|only|head)|on|in charge|responsible|your)|does|handles|runs|owns|leads|manages|maintains|looks after|takes care|approves|signs|covers|reviews|deploys|heads|supervises|coordinates|organi[sz]es|cleans|writes|edits|proofreads|designs|teaches|drives|cooks|bakes|decides|has the final|takes)\b[^;]{2,}"
)
_MATES: Final = re.compile(
    r"\b(?:(?:we|i|they)(?:'ve)? (?:just )?hired (?P<a>[A-Z][\w'-]+ as [^,;.]{3,40})|(?P<b>[\w ]{3,30}? (?:comes?|go|goes|come) (?:from|to|through) [A-Z][\w'-]+)$|(?:my|our|My|Our) (?:new |old |own |line |direct |lead )*(?P<c>(?:DBA|PM|CTO|CEO|QA|GP|boss|manager|lead|mentor|supervisor|assistant|colleague|coworker|co-?founder|teammate|intern|designer|accountant|lawyer|landlord|neighbou?r|doctor|therapist|editor|agent|contact|teacher|coach|trainer|advisor|tutor|partner|client|pm|cto|ceo|head of \w+|team lead|tech lead|product owner|architect|dba|admin|vet|gp|dentist|director|principal|conductor|publisher|producer|translator|illustrator)(?:'s name)?(?:,| is|'s|:| =| is called| called)? (?:called |named |dr\.? |mr\.? |mrs\.? |ms\.? |frau |herr )?[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?))"
)
_JOB: Final = re.compile(
    r"(?P<v>(?:teach(?:es)?|coordinate|supervise|oversee|chair|coach|tutor|volunteer|freelance|consult|mentor|lecture|curate|moderate|direct|translate|proofread|photograph|repair|restore|breed|farm|grow|brew|bake|cater|drive|fly|nurse|babysit|look after|take care of|do (?:the )?(?:bookkeeping|accounts|payroll|support|sales|marketing|research|consulting|qa|design|data|ops|security|infra|hr|admin|backend|frontend|embedded|legal|it)|work (?:nights|shifts|in|for|at|part|full|as)|specialise|specialize|practi[cs]e|run|own|manage|lead|head|study|sell|organi[sz]e) (?!(?:it|this|that|them|these|those|the (?:test|tests|build|script|app|command|code|suite|linter|server|query|program|following|whole|full|same)|out|into|on it|npm|make|pytest|docker|everything|all|tests|with|through|to|how|like|fine|great|well|too|via|my (?:tests?|code|scripts?|own code)|\d+ tests|both)\b)[^,;]{3,})"
)
_JOB_ENDS: Final = re.compile(
    r",|\s(?:and|but|so|who|which|because|since|every|before|after|when|if|to|using|via|by|that|where|how)\b|[;:(—–]"
)
_EMPLOYER: Final = re.compile(
    rf"\b(?:at|for|in|with|joined|by|run|own|manage|we're|we are|i'm at) (?P<v>(?:an?|the|our|my) (?:[\w-]+ ){{0,4}}?{_ORGS})\b"
)
_JOINED: Final = re.compile(
    r"\bi(?:'ve)? (?:just |recently |only )?(?:joined|co-?founded|founded|work at|work for|left \w+ for) (?P<v>)"
)
_IRREALIS: Final = re.compile(
    r"\b(?:if (?:i|we)|suppose|imagine|pretend|as if|i wish|were (?:i|we)|would be if|used to|back then|when i was|hypothetical\w*|say i)\b"
)
_NEAR: Final = re.compile(
    r"\b(?:in|near|outside|out of|around|based in|from|of) (?P<v>)|\((?P<w>)(?=[A-Z][a-zà-ÿ]{2,}\))"
)
_KIN_ILL: Final = re.compile(
    rf"\bmy (?:\w+ )?{_KIN}\b[^;]{{0,30}}? (?:has|have|is|are|got|'s got) (?:an? )?(?:severe |mild |bad |slight )?(?P<v>{_SICK}|{_ILL}|vegan|vegetarian)\b"
)
_ME: Final = re.compile(r"\b(?:i|i'm|im|i've|my|we|we're|our|me|us)\b")


def read(clause: Clause, here: list[Told]) -> Iterator[Told]:
    """What a clause tells of the person beside what stands in `here`."""
    if signs.is_temporary(clause.low) or _IRREALIS.search(clause.low) or signs.is_secret(clause.low):
        return
    known = {t.topic for t in here}
    yield from (
        t
        for t in _about(clause)
        if not any(t.start < o.end and o.start < t.end and o.family == "identity" for o in here)
        and t.topic not in known
    )


def _told(
    clause: Clause, start: int, end: int, predicate: str, topic: str, tag: str, subject: str = ME
) -> Iterator[Told]:
    place = span(clause, start, end)
    if place is not None:
        yield Told(
            "identity",
            predicate,
            subject,
            *place,
            topic,
            (tag,),
            signs.is_hedged(clause) and topic not in ("name", "age"),
            None,
            subject == ME,
            clause.start,
        )


def _about(clause: Clause) -> Iterator[Told]:
    low, raw = clause.low, clause.raw
    is_mine = _ME.search(low) is not None and not signs.is_third(low)
    if is_mine or low.startswith("as "):
        for found in _AGE.finditer(low):
            group = "v" if found["v"] else "w"
            yield from _told(clause, *found.span(group), "is", "age", "identity.age")
        for found in _INCOME.finditer(low):
            yield from _told(clause, *found.span("v"), "noted", "", "identity.income")
        yield from _roles(clause)
        found = _ZONE_OF.search(low)
        if found is not None:
            yield from _told(clause, *found.span("v"), "is", "timezone", "identity.timezone")
    elif clause.sentence <= 1:
        yield from _roles(clause)
    if is_mine and not clause.asks:
        for found in _HAVE.finditer(low):
            tag = (
                "identity.pet"
                if re.search(
                    rf"\b(?:{_PET}|cats|dogs|horses|goats|sheep|cows|bees|chickens|hens|ducks|pigs|llamas|alpacas|rabbits|birds|snakes)$",
                    found["v"],
                )
                else "identity.family"
            )
            yield from _told(clause, *found.span("v"), "noted", "", tag)
        found = _LANGUAGE.search(low)
        if found is not None:
            yield from _told(clause, *found.span("v"), "speaks", "language", "identity.language")
        found = _MY_LANGUAGE.search(low)
        if found is not None:
            yield from _told(clause, *found.span("v"), "speaks", "language", "identity.language")
        found = _KEEPS_TO.search(low)
        if found is not None:
            yield from _told(clause, *found.span("v"), "is", "diet", "identity.diet")
        found = _TEAM_IS.match(clause.raw)
        if found is not None:
            yield from _told(clause, *found.span("v"), "noted", "", "identity.colleague", TEAM)
        found = _EATS.search(low)
        if found is not None:
            yield from _told(clause, *found.span("v"), "is", "diet", "identity.diet")
    found = _HEALTH.search(low)
    if found is not None:
        yield from _told(
            clause, *found.span("v" if found["v"] else "w" if found["w"] else "x"), "noted", "", "identity.health"
        )
    found = _KIN_ILL.search(low)
    if found is not None:
        yield from _told(clause, *found.span("v"), "noted", "", "identity.health")
    yield from _kin(clause)
    yield from _places(clause, is_mine=is_mine)
    yield from _mates(clause)


def _kin(clause: Clause) -> Iterator[Told]:
    found = _KIN_NAME.search(clause.low)
    if found is not None:
        at = found.start("n")
        name = clause.raw[at : found.end("n")]
        if name[:1].isupper() and found["n"] not in lexicon.names() and not name.endswith("'s"):
            yield from _told(clause, *found.span("v"), "noted", "", "identity.family")
            return


_FRAGMENT: Final = re.compile(
    r"^(?:(?:hi|hey|hello|yo|so|ok|quick|background|context|intro|about me|some|for|me|well|btw|fyi|here|new here|i'm|just)[,.!:\s]+)*(?P<v>[\w/&'-]+(?: [\w/&'-]+){0,4}?)(?=$|,| (?:at|for|in|with|from|by|here|on)\b)"
)
_SO_CALLED: Final = re.compile(
    r"^(?:\W|(?:hi|hey|hello|so|yo)\b)*(?:my )?(?:name's|name is|name:) (?P<v>[\w'’-]+)|^(?:hi|hey|hello)?\W*(?:i'm|im|i am|it's|this is) (?P<w>[\w'’-]+),? (?:\d\d\b|(?:and )?(?:i'm )?from [\w-]+)"
)
_YOUNG: Final = re.compile(r"\b(?:i'm|im|i am) [\w'’-]+,? (?P<v>\d\d)\b")
_FROM_LOW: Final = re.compile(r"\b(?:i'm|im|i am)\b[\w ,]{0,24}? from (?P<v>[a-z][\w-]{2,})(?=$|,| and\b)")
_IN_TRADE: Final = re.compile(
    r"\b(?:i'm|i am|im|i work|working) in (?:the )?(?P<v>(?:procurement|purchasing|logistics|sales|marketing|finance|accounting|hr|legal|support|research|publishing|academia|education|healthcare|insurance|banking|construction|real estate|hospitality|compliance|security|operations|ops|qa|design|engineering|product|media|film|tv|radio|retail|manufacturing|agriculture|farming|transport|shipping|aviation|energy|government|politics|social work|nursing|medicine|dentistry|pharma|biotech|gaming|advertising|pr|comms|communications|procurement|payroll|it)\b)"
)
_BEEN: Final = re.compile(r"\b(?:been (?:with|at)|(?:worked|work|working) (?:at|for)) (?:the )?(?P<v>)")
_WORKING: Final = re.compile(
    r"^(?:(?:hi|hey|hello|so|ok|well|btw|fyi|and|also)[,.!\s]+)*(?P<v>(?:teaching|coaching|nursing|studying|practi[cs]ing|volunteering|freelancing|working (?:in|at|for|as)|teach|work (?:at|in|for|as)) (?!it\b|this\b|that\b|the (?:test|app|script|build|code)|into\b|on\b|out\b|with\b)[^,;]{4,})"
)
_LIVING: Final = re.compile(
    r"\b(?:i|we) (?P<v>(?:do|make|sell|write|build|fix|design|translate|teach) [^,;]{3,50}? for a living)"
)
_KEEPS: Final = re.compile(
    r"^(?:\W|(?:so|and|also)\b)*i (?:also |still |mostly )?(?P<v>(?:keep|raise|breed|play|collect|restore|build|brew|knit|paint|sing in|dance|climb|sail|fence|row|surf|ski|garden|forage|draw|juggle|busk) (?:an? |the |my |in |old |vintage |model |a bit of )*(?:bees|chickens|guitar|piano|violin|drums|bass|cello|viola|flute|chess|go|tennis|football|rugby|golf|hockey|stamps|coins|records|vinyl|watches|cameras|synths?|clocks|radios|bikes|cars|motorbikes|boats|ships|trains|planes|choir|band|orchestra|banjo|ukulele|accordion|harp|organ|trumpet|saxophone|poker|bridge|badminton|squash|volleyball|basketball|cricket|saxophone|oboe|clarinet|trombone|horses|pigeons|fish|orchids|cacti|roses|vegetables|beer|cider|wine|furniture|lego|miniatures|comics|board games)\b)"
)


def _roles(clause: Clause) -> Iterator[Told]:
    """A job: `I'm the maintainer of`, `working as tester`, `as a 54-year-old producer`, `I coordinate volunteers`."""
    low = clause.low
    for found in _AS.finditer(low):
        yield from _role(clause, found.start("v"))
    read = grammar.statement(clause)
    if clause.asks:
        return
    for pattern, topic, tag in ((_LIVING, "job", "identity.role"), (_KEEPS, "", "identity.hobby")):
        found = pattern.search(low)
        if found is not None:
            yield from _told(clause, *found.span("v"), "is" if topic else "noted", topic, tag)
    found = _SO_CALLED.match(low)
    if found is not None:
        group = "v" if found["v"] else "w"
        if (
            found[group] not in lexicon.names()
            and found[group] not in _NO_ROLE
            and not (group == "w" and found[group].endswith("ing"))
        ):
            yield from _told(clause, *found.span(group), "named", "name", "identity.name")
    for pattern, topic, tag in (
        (_YOUNG, "age", "identity.age"),
        (_FROM_LOW, "location", "identity.location"),
        (_IN_TRADE, "job", "identity.role"),
    ):
        found = pattern.search(low)
        if (
            found is not None
            and found["v"] not in _NO_PLACE
            and found["v"] not in ("scratch", "there", "here", "work", "home", "now", "time")
        ):
            yield from _told(clause, *found.span("v"), "located_in" if topic == "location" else "is", topic, tag)
    found = _BEEN.search(low)
    name = _CAPITALS.match(clause.raw, found.end()) if found is not None else None
    if (
        name is not None
        and name.group().lower() not in lexicon.names()
        and (read is None or read.subject is Subject.ME)
    ):
        yield from _told(clause, name.start(), name.end(), "member_of", "employer", "identity.employer")
    if read is None or read.subject not in (Subject.ME, Subject.US):
        if clause.sentence <= 2:
            yield from _fragments(clause)
        return
    if read.subject is Subject.ME and read.verb in ("am", "was") and not read.is_denied:
        yield from _role(clause, read.rest)
    if read.subject is Subject.US and read.verb == "are" and not read.is_denied:
        few = re.compile(r"(?:two|three|four|five|six|\d+|a (?:team|group|pair|couple|bunch|handful) of) ").match(
            low, read.rest
        )
        if few is not None:
            yield from _role(clause, few.start())
            yield from _role(clause, few.end())
    if read.subject in (Subject.ME, Subject.US) and not read.is_denied and not grammar.is_passing(low):
        found = _JOB.match(low, read.rest - len(read.verb) - 1) if read.verb not in ("am", "are") else None
        if found is not None and read.subject is Subject.ME:
            cut = _JOB_ENDS.search(low, found.start("v") + 6)
            yield from _told(clause, found.start("v"), cut.start() if cut else len(low), "is", "job", "identity.role")
        found = _JOINED.search(low)
        if found is not None and clause.raw[found.end() : found.end() + 1].isupper():
            name = _CAPITALS.match(clause.raw, found.end())
            if name is not None:
                yield from _told(clause, found.end(), name.end(), "member_of", "employer", "identity.employer")
    found = _EMPLOYER.search(low)
    if (
        found is not None
        and read.subject in (Subject.ME, Subject.US)
        and _HEAD.search(low[: found.start()])
        and not grammar.is_passing(low)
    ):
        yield from _told(clause, *found.span("v"), "member_of", "employer", "identity.employer")


def _fragments(clause: Clause) -> Iterator[Told]:
    """`Senior gameplay programmer, Unreal`, `Ingrid here, staff engineer at Nordveil`, `teaching chemistry near Graz`."""
    low = clause.low
    found = _WORKING.match(low)
    if found is not None and clause.opens and not grammar.is_passing(low) and clause.link == "":
        cut = _JOB_ENDS.search(low, found.start("v") + 6)
        yield from _told(clause, found.start("v"), cut.start() if cut else len(low), "is", "job", "identity.role")
        return
    at = 0
    for part in re.split(r"[,;:]\s", low)[:4]:
        found = _FRAGMENT.match(part)
        if found is not None:
            words = found["v"].split()
            head = re.fullmatch(rf"(?:{_HEADS}|{_AGENTIVE.pattern})s?", words[-1])
            is_role = (
                head is not None
                and not _NO_HEAD.search(found["v"])
                and words[-1] not in lexicon.names()
                and len(part.split()) <= 9
                and words[0] not in _NO_ROLE
            )
            if is_role and (
                clause.opens
                and len(words) > 1
                or " here" in low[:at]
                or re.search(r"\b(?:at|for|in) [A-Z]", clause.raw[at : at + len(part)])
            ):
                yield from _told(clause, at + found.start("v"), at + found.end("v"), "is", "job", "identity.role")
                works = re.compile(r" (?:at|for) (?:the )?").match(low, at + found.end("v"))
                name = _CAPITALS.match(clause.raw, works.end()) if works is not None else None
                if name is not None and name.group().lower() not in lexicon.names():
                    yield from _told(clause, name.start(), name.end(), "member_of", "employer", "identity.employer")
                return
        at += len(part) + 2


_NO_ROLE: Final = frozenset(
    "the a an this that my our your his her their fix add write make show give use what which how is are do does did can no not all any every each some more for in on with to from good bad best better new old why explain compare list find rename move create translate refactor sort filter call review".split()
)


def _role(clause: Clause, start: int) -> Iterator[Told]:
    low = clause.low
    article = re.compile(r"(?:an?|the|one of the|our|their) (?:(?:only|sole|new|current|first|second|lead) )*").match(
        low, start
    )
    begin = article.end() if article is not None else start
    age = re.compile(r"\d\d[- ]years?[- ]old ").match(low, begin)
    begin = age.end() if age is not None else begin
    cut = _ROLE_ENDS.search(low, begin)
    end = cut.start() if cut is not None else len(low)
    words = low[begin:end].split()
    if (
        words
        and words[0].endswith("ing")
        and words[0] not in ("acting", "visiting", "consulting", "training", "nursing", "engineering")
    ):
        return
    if not 1 <= len(words) <= 6 or _NO_HEAD.search(low[begin:end]):
        return
    head = _HEAD.search(low, begin, end)
    last = re.fullmatch(rf"(?:{_HEADS}|{_AGENTIVE.pattern}|staff|person|production)s?", words[-1])
    if head is None or (
        last is None
        and (head.end() < end - 12 or words[-1] in ("change", "role", "path", "position", "job", "interview", "course"))
    ):
        return
    if words[-1] == "person" and (
        len(words) < 2
        or words[-2]
        not in (
            "data",
            "qa",
            "ops",
            "it",
            "hr",
            "tech",
            "finance",
            "product",
            "security",
            "support",
            "sales",
            "infra",
            "marketing",
        )
    ):
        return
    if words[-1] in ("person", "owner", "lead", "head", "partner") and len(words) == 1:
        return
    yield from _told(clause, begin, end, "is", "job", "identity.role")


def _places(clause: Clause, *, is_mine: bool) -> Iterator[Told]:
    for pattern in (_FROM, _PLACE, _LIVES):
        for found in pattern.finditer(clause.low):
            if pattern is _LIVES:
                at = re.compile(r"[^.;?]{0,50}?\b(?:in|near|outside|to|around|of)\s(?=[A-ZÀ-Ý])").match(
                    clause.raw, found.end()
                )
                found = re.compile("").match(clause.low, at.end()) if at is not None else None  # type: ignore[assignment]
                if found is None:
                    continue
            if not is_mine and not clause.low.startswith(
                (
                    "based",
                    "living",
                    "work ",
                    "here in",
                    "writing",
                    "calling",
                    "typing",
                    "posting",
                    "joining",
                    "greetings",
                    "hello from",
                    "hi from",
                    "working from",
                )
            ):
                continue
            name = _CAPITALS.match(clause.raw, found.end())
            if (
                name is None
                or name.group().lower() in lexicon.names()
                or name.group().split()[0].lower().strip(",") in _NO_PLACE
            ):
                continue
            if clause.asks and (
                pattern is _FROM
                or not re.search(
                    r"\b(?:i|we) (?:live|moved|work)|\b(?:based|living|located)\b", clause.low[: found.end()]
                )
            ):
                continue
            if len(name.group()) > 2 and re.search(
                r"\b(?:in|from|near|outside|to|around) $", clause.low[: found.end()]
            ):
                yield from _told(clause, name.start(), name.end(), "located_in", "location", "identity.location")
                return


def near(clause: Clause, here: list[Told]) -> Iterator[Told]:
    """The place that stands behind a job, an employer or a name in the same clause."""
    if (
        clause.asks
        or not any(t.family == "identity" and t.topic in ("job", "employer", "name", "age") for t in here)
        or any(t.topic == "location" for t in here)
    ):
        return
    for found in _NEAR.finditer(clause.raw):
        name = _CAPITALS.match(clause.raw, found.end())
        if (
            name is None
            or len(name.group()) < 3
            or name.group().lower() in lexicon.names()
            or name.group().split()[0].lower().strip(",") in _NO_PLACE
        ):
            continue
        start = clause.start + name.start()
        if any(t.start <= start < t.end for t in here if t.topic != "job"):
            continue
        yield from _told(clause, name.start(), name.end(), "located_in", "location", "identity.location")
        return


def _mates(clause: Clause) -> Iterator[Told]:
    """People with names and what they do for us."""
    if clause.asks:
        return
    found = _MATE.match(clause.raw)
    if found is not None:
        word = found["w"].lower().split()[0]
        is_name = (
            word not in lexicon.names()
            and word not in _NO_MATE
            and (
                not clause.opens
                or re.match(
                    r"[A-Z][\w'-]+ (?:is (?:our|my|the one|in charge|responsible|on)|does|handles|owns|leads|approves|signs|looks after|takes care|manages|maintains)\b",
                    found.group(),
                )
            )
        )
        if is_name:
            yield from _told(clause, found.start("n"), len(clause.low), "noted", "", "identity.colleague", TEAM)
            return
    found = _MATES.search(clause.raw)
    if found is not None:
        group = next(g for g in "abc" if found[g])
        said = found[group].split()[-1].lower()
        if said not in lexicon.names() and said not in _NO_MATE:
            yield from _told(
                clause, *found.span(group), "noted", "", "identity.colleague", TEAM if group != "c" else ME
            )


_NO_MATE: Final = frozenset(
    "the this that it everything everyone nobody someone what who which there here he she they we you i google microsoft apple amazon meta please legal compliance security marketing sales support finance production staging"
    " then also because when if how why but and or so my our all both each every any no yes thanks ci api ui backend frontend nothing something monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december customer client english french german spanish".split()
)
