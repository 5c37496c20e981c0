"""What somebody does for a living and for whom, read from the grammar of a clause."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from muniment.capture.extract.told import drawing, general_places, grammar, lexicon
from muniment.capture.extract.told.clauses import Clause
from muniment.capture.extract.told.frame import Told
from muniment.capture.extract.told.grammar import Subject
from muniment.capture.extract.told.identity import _HEADS, _ORGS

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
_FRAGMENT: Final = re.compile(
    r"^(?:(?:hi|hey|hello|yo|so|ok|quick|background|context|intro|about me|some|for|me|well|btw|fyi|here|new here|i'm|just)[,.!:\s]+)*(?P<v>[\w/&'-]+(?: [\w/&'-]+){0,4}?)(?=$|,| (?:at|for|in|with|from|by|here|on)\b)"
)
_GREETED: Final = re.compile(
    r"^\W*(?:hi|hey|hello|good (?:morning|evening|afternoon)|greetings)(?: there| all| everyone| folks)?[,!.:]? (?:it's |i'm |i am |this is )?(?P<v>[A-Z][\w'’-]+)(?=,? (?:here|from)\b|, (?:an? |the )?[\w -]{2,40}(?: at| in| from|,|\.|$))",
    re.IGNORECASE,
)
_SO_CALLED: Final = re.compile(
    r"^(?:\W|(?:hi|hey|hello|so|yo)\b)*(?:my )?(?:name's|name is) (?P<v>[\w'’-]+)|^(?:hi|hey|hello)?\W*(?:i'm|im|i am|it's|this is) (?P<w>[\w'’-]+),? (?:\d\d\b|(?:and )?(?:i'm )?from [\w-]+)"
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


def roles(clause: Clause) -> Iterator[Told]:
    """A job: `I'm the maintainer of`, `working as tester`, `as a 54-year-old producer`, `I coordinate volunteers`."""
    low = clause.low
    for found in _AS.finditer(low):
        yield from _role(clause, found.start("v"))
    if clause.asks:
        return
    yield from _in_passing(clause)
    yield from _stated(clause, grammar.statement(clause))


def _in_passing(clause: Clause) -> Iterator[Told]:
    """A name, an age, a place, a trade or a hobby, by the words beside it."""
    low = clause.low
    for pattern, topic, tag in ((_LIVING, "job", "identity.role"), (_KEEPS, "", "identity.hobby")):
        found = pattern.search(low)
        if found is not None:
            yield from drawing.of_self(clause, *found.span("v"), "is" if topic else "noted", topic, tag)
    found = _GREETED.match(clause.raw)
    if (
        found is not None
        and found["v"][:1].isupper()
        and found["v"].lower() not in lexicon.names()
        and found["v"].lower() not in _NO_ROLE
    ):
        yield from drawing.of_self(clause, *found.span("v"), "named", "name", "identity.name")
    found = _SO_CALLED.match(low)
    if found is not None:
        group = "v" if found["v"] else "w"
        if (
            found[group] not in lexicon.names()
            and found[group] not in _NO_ROLE
            and not (group == "w" and found[group].endswith("ing"))
        ):
            yield from drawing.of_self(clause, *found.span(group), "named", "name", "identity.name")
    for pattern, topic, tag in (
        (_YOUNG, "age", "identity.age"),
        (_FROM_LOW, "location", "identity.location"),
        (_IN_TRADE, "job", "identity.role"),
    ):
        found = pattern.search(low)
        if (
            found is not None
            and found["v"] not in general_places.NO_PLACE
            and found["v"] not in ("scratch", "there", "here", "work", "home", "now", "time")
        ):
            yield from drawing.of_self(
                clause, *found.span("v"), "located_in" if topic == "location" else "is", topic, tag
            )


def _stated(clause: Clause, read: grammar.Statement | None) -> Iterator[Told]:
    """A job by the statement that tells it."""
    low = clause.low
    found = _BEEN.search(low)
    name = general_places.CAPITALS.match(clause.raw, found.end()) if found is not None else None
    if (
        name is not None
        and name.group().lower() not in lexicon.names()
        and (read is None or read.subject is Subject.ME)
        and (" " in name.group() or "with" not in low[: name.start()].split()[-2:])
    ):
        yield from drawing.of_self(clause, name.start(), name.end(), "member_of", "employer", "identity.employer")
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
    if not grammar.is_passing(low):
        yield from _worked(clause, read)


def _worked(clause: Clause, read: grammar.Statement) -> Iterator[Told]:
    """`I coordinate volunteers`, `I joined Helvar`, `a nurse at a clinic`."""
    low = clause.low
    if not read.is_denied:
        found = _JOB.match(low, read.rest - len(read.verb) - 1) if read.verb not in ("am", "are") else None
        if found is not None and read.subject is Subject.ME:
            cut = _JOB_ENDS.search(low, found.start("v") + 6)
            yield from drawing.of_self(
                clause, found.start("v"), cut.start() if cut else len(low), "is", "job", "identity.role"
            )
        found = _JOINED.search(low)
        if found is not None and clause.raw[found.end() : found.end() + 1].isupper():
            name = general_places.CAPITALS.match(clause.raw, found.end())
            if name is not None:
                yield from drawing.of_self(
                    clause, found.end(), name.end(), "member_of", "employer", "identity.employer"
                )
    found = _EMPLOYER.search(low)
    if (
        found is not None
        and read.subject in (Subject.ME, Subject.US)
        and _HEAD.search(low[: found.start()])
        and not grammar.is_passing(low)
    ):
        yield from drawing.of_self(clause, *found.span("v"), "member_of", "employer", "identity.employer")


def _fragments(clause: Clause) -> Iterator[Told]:
    """`Senior gameplay programmer, Unreal`, `Ingrid here, staff engineer at Nordveil`, `teaching chemistry near Graz`."""
    low = clause.low
    found = _WORKING.match(low)
    if found is not None and clause.opens and not grammar.is_passing(low) and clause.link == "":
        cut = _JOB_ENDS.search(low, found.start("v") + 6)
        yield from drawing.of_self(
            clause, found.start("v"), cut.start() if cut else len(low), "is", "job", "identity.role"
        )
        return
    at = 0
    introduced = (
        re.compile(r"\W*([A-ZÀ-Ý][\w'’-]+), ").match(clause.raw) if clause.opens and clause.sentence == 0 else None
    )
    for part in re.split(r"[,;:]\s", low)[:4]:
        found = _FRAGMENT.match(part)
        if found is not None:
            words = found["v"].split()
            head = re.fullmatch(rf"(?:{_HEADS}|{_AGENTIVE.pattern})s?", words[-1])
            is_role = (
                head is not None
                and not _NO_HEAD.search(found["v"])
                and words[-1] not in lexicon.names()
                and words[-1]
                not in ("guy", "girl", "person", "mom", "mum", "dad", "mother", "father", "parent", "partner", "owner")
                and len(part.split()) <= 9
                and words[0] not in _NO_ROLE
            )
            if (
                is_role
                and introduced is not None
                and at == introduced.end()
                and introduced[1].lower() not in lexicon.names()
            ):
                yield from drawing.of_self(clause, *introduced.span(1), "named", "name", "identity.name")
            if is_role and (
                (introduced is not None and at == introduced.end())
                or (clause.opens and len(words) > 1)
                or " here" in low[:at]
                or re.search(r"\b(?:at|for|in) [A-Z]", clause.raw[at : at + len(part)])
            ):
                yield from drawing.of_self(
                    clause, at + found.start("v"), at + found.end("v"), "is", "job", "identity.role"
                )
                works = re.compile(r" (?:at|for) (?:the )?").match(low, at + found.end("v"))
                name = general_places.CAPITALS.match(clause.raw, works.end()) if works is not None else None
                if name is not None and name.group().lower() not in lexicon.names():
                    yield from drawing.of_self(
                        clause, name.start(), name.end(), "member_of", "employer", "identity.employer"
                    )
                firm = _EMPLOYER.search(low, at)
                if firm is not None:
                    yield from drawing.of_self(clause, *firm.span("v"), "member_of", "employer", "identity.employer")
                aged = re.compile(r", (?P<v>\d\d)(?=$|,)").search(low, at)
                if aged is not None:
                    yield from drawing.of_self(clause, *aged.span("v"), "is", "age", "identity.age")
                return
        at += len(part) + 2


_NO_ROLE: Final = frozenset(
    "but and likes loves she's he's they're it's who's that's you're the a an this that my our your his her their fix add write make show give use what which how is are do does did can no not all any every each some more for in on with to from good bad best better new old why explain compare list find rename move create translate refactor sort filter call review".split()
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
    yield from drawing.of_self(clause, begin, end, "is", "job", "identity.role")
