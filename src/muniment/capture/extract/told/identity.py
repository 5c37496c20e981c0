"""Who somebody is: name, job, employer, team, place, languages, colleagues, family, health, diet, hobbies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from muniment.capture.extract.told import lexicon
from muniment.capture.extract.told.clauses import Clause
from muniment.capture.extract.told.frame import ME, TEAM, Frame, Slot, Value, frame
from muniment.capture.extract.told.slots import organisation, person_name, phrase, place_name, span, sure_name

_HEADS: Final = (
    "engineer|engineers|developer|dev|programmer|designer|manager|architect|scientist|analyst|lead|cto|ceo|coo|cfo|vp|founder|co-founder|cofounder|student|teacher|researcher|consultant|freelancer|sre|dba|admin"
    "|administrator|sysadmin|writer|intern|pm|contractor|nurse|doctor|physician|surgeon|lawyer|attorney|paralegal|accountant|bookkeeper|professor|lecturer|physicist|chemist|biologist|mathematician|statistician|economist"
    "|journalist|editor|producer|director|artist|musician|photographer|carpenter|electrician|plumber|mechanic|chef|cook|baker|barista|farmer|pilot|driver|translator|interpreter|librarian|therapist|psychologist"
    "|pharmacist|dentist|vet|veterinarian|paramedic|firefighter|officer|soldier|coach|trainer|tutor|instructor|recruiter|marketer|salesperson|realtor|entrepreneur|owner|partner|principal|postdoc|phd|undergrad|graduate"
    "|grad|hobbyist|maker|technician|tester|qa|devops|specialist|coordinator|assistant|secretary|clerk|supervisor|head|chief|president|chair|scrum master|product owner|tech lead|team lead|maintainer|physio|physiotherapist"
    "|midwife|vp of engineering|solo dev|solopreneur|retiree|mom|mum|dad|father|mother|parent|person|guy|girl|girlfriend|freshman|sophomore|apprentice|trainee|agronomist|geologist|geographer|archaeologist|historian"
    "|linguist|philosopher|author|novelist|blogger|youtuber|streamer|animator|illustrator|composer|singer|dj|actor|dancer|athlete|runner|beekeeper|florist|gardener|tailor|jeweller|welder|machinist|surveyor|auditor"
    "|actuary|trader|broker|banker|investor|strategist|planner|copywriter|quant|technologist|evangelist|advocate|operator|dispatcher|controller|judge|notary|priest|pastor|rabbi|imam|social worker|caregiver|radiologist"
    "|cardiologist|neurologist|anesthesiologist|dietitian|nutritionist|optician|optometrist|sommelier|brewer|bartender|waiter|waitress|butcher|fisherman|sailor|skipper|captain|guide|ranger|forester|conductor|organist|luthier|treasurer|chairman|chairwoman|chairperson|mayor|councillor|organizer|organiser|moderator|scout leader|referee|umpire|curator|archivist|stay-at-home \\w+"
)
_HEAD: Final = re.compile(
    rf"\b(?:{_HEADS})\b(?: (?:at heart|in training|in residence|by (?:training|trade|day|profession)|emeritus))?"
)
_NOT_A_JOB: Final = re.compile(
    r"^(?:big|huge|bit|little|lot|fan|beginner|newbie|noob|total|complete|few|couple|member|morning|night|visual|slow|fast|good|bad|better|great|terrible|perfectionist|native|person (?:who|that|with)|very|happy|the only one|dead|third|first time|firm|heavy|new)\b"
)
_ENDS_ROLE: Final = re.compile(
    r",(?! (?:mostly|mainly) )|\s(?:at|for|with|working|based|living|from|who|that|which|trying|building|and (?:i|my|we|i'm|have|am|live|work|want|run|own|do|teach|build|make|write|use|love|like|play|study|need|also|keep)|but|so|in (?=[a-z]*[A-Z])|on (?:the|a|our)|looking|earning|currently|now|here|doing|using|by the|since|because|responsible|specializing|specialising|writing|migrating|learning|leading|running|making|struggling|planning|preparing|new|not|if|when|while|as well|planning|right now|—)\b|[(:;–—]"
)


def role(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """A job: what follows, up to an employer or a further clause, where a word for a job stands in it."""
    start, end = found.start("v"), len(clause.low)
    if _WHO_OF.match(clause.low, start):
        return
    cut = _ENDS_ROLE.search(clause.low, start, end)
    end = cut.start() if cut is not None else end
    in_place = re.compile(r" in (?=[A-Z])").search(clause.raw, start, end)
    end = in_place.start() if in_place is not None else end
    text = clause.low[start:end]
    head = _HEAD.search(text)
    if head is None or _NOT_A_JOB.match(text):
        return
    after = _PREPOSITION.search(text, head.end())
    end = start + after.start() if after is not None else end
    text = clause.low[start:end]
    if len(text.split()) > 8 and " of " in text[head.end() :]:
        end = start + text.index(" of ", head.end())
        text = clause.low[start:end]
    if len(text.split()) > 8:
        return
    if (
        head.group() in ("person", "guy", "girl", "owner", "partner", "lead", "head", "graduate", "maker")
        and head.start() == 0
        and head.end() == len(text)
    ):
        return
    place = span(clause, start, end)
    if place is not None:
        yield Value(*place)


_PREPOSITION: Final = re.compile(
    r"\s(?:on|in|for|to|i|we|into|during|over|under|between|near|outside|after|before|about|by|as|without|through|w/)\b"
)
_WHO_OF: Final = re.compile(r"(?:\w+ )?(?:friend|fan|customer|user|client|member|victim|colleague) of\b")


def introduced(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """`intro: Hana, data scientist, Seoul`: the name, the job, the place."""
    pos = found.start("v")
    for number, part in enumerate(clause.low[pos:].split(", ")[:4]):
        place = span(clause, pos, pos + len(part))
        pos += len(part) + 2
        if place is None or len(part.split()) > 6:
            continue
        if _HEAD.search(part):
            yield Value(*place, "job", ("identity.role",))
        elif clause.raw[place[0] - clause.start].isupper():
            yield Value(*place) if number == 0 else Value(*place, "location", ("identity.location",))


def trade(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """A field of work: one to four words."""
    yield from phrase(
        r"\s(?:at|for|in|with|and|but|so|here|work|stuff|now|on)\b|,",
        most=4,
        bar=r"(?:it|this|that|not|a lot|some|everything|all|what|my|the)\b",
    )(clause, found)


_STOP: Final = (
    r",|\s(?:and|but|so|who|which|that|because|since|for|from|with|at|in|on|to|where|when|if|now|if|as|not|—)\b|\s[-(]"
)
_KIN: Final = r"(?:wife|husband|partner|son|daughter|kids?|toddlers?|teenagers?|teens?|child|children|baby|girlfriend|boyfriend|fianc[ée]e?|mom|mum|mother|dad|father|brother|sister|twins?|grandson|granddaughter|grandma|grandpa|toddler|stepson|stepdaughter|nephew|niece)"
_PET: Final = r"(?:dogs?|cats?|puppy|kitten|parrot|hamster|rabbit|horse|bird|turtle|guinea pigs?|tortoise|lizard|snake|ferret|chickens|hens|fish|pup|greyhound|labrador|beagle|retriever|poodle)"
_MATE: Final = r"(?:boss|manager|colleague|coworker|co-worker|co-?founder|team ?lead|tech lead|lead|mentor|assistant|cto|ceo|designer|pm|product manager|product owner|supervisor|advisor|line manager|engineering manager|teammate|business partner|skip[- ]level|direct report|intern|phd supervisor|buddy)"
_ILL: Final = r"(?:diabetic|coeliac|celiac|asthmatic|colou?r[- ]?blind|dyslexic|autistic|lactose[- ]intolerant|gluten[- ]intolerant|hard of hearing|deaf|blind|epileptic|left[- ]handed|pregnant|allergic to [^,.;]{2,40}|hypertensive|anemic|anaemic|neurodivergent|visually impaired|insulin[- ]dependent|type [12] diabetic|partially sighted|partially deaf|intolerant to [^,.;]{2,30})"
_SICK: Final = r"(?:(?:a |an )?(?:severe |mild |bad |bit of |chronic |slight |serious )?(?:asthma|adhd|add|diabetes|type [12] diabetes|dyslexia|celiac disease|coeliac disease|epilepsy|migraines?|arthritis|rsi|carpal tunnel|tinnitus|eczema|anxiety|depression|insomnia|high blood pressure|\w+ allerg(?:y|ies)|allerg(?:y|ies) to [^,.;]{2,40}|lactose intolerance|hypothyroidism|ibs|scoliosis|bad (?:back|knee|knees|eyesight)|pacemaker|hearing aids?|hay fever|crohn's(?: disease)?|colou?r blindness|color vision deficiency|autism|tremor|aphantasia|chronic pain|heart condition|kidney disease|gout|psoriasis|endometriosis|lupus|sleep apnea))"
_DIET: Final = r"(?:vegetarian|vegan|pescatarian|pescetarian|halal|kosher|keto|gluten[- ]free|dairy[- ]free|teetotal|flexitarian|paleo|lactose[- ]free|plant[- ]based)"
_LANGS: Final = r"(?:english|german|french|spanish|italian|portuguese|polish|russian|ukrainian|dutch|swedish|danish|norwegian|finnish|czech|slovak|hungarian|romanian|bulgarian|greek|turkish|arabic|hebrew|persian|farsi|hindi|urdu|bengali|tamil|telugu|marathi|chinese|mandarin|cantonese|japanese|korean|vietnamese|thai|indonesian|malay|tagalog|swahili|catalan|croatian|serbian|slovene|slovenian|lithuanian|latvian|estonian|welsh|irish|basque|icelandic|afrikaans|swiss german|brazilian portuguese|galician|albanian|macedonian|georgian|armenian|sign language|latin|esperanto)"
_ZONE: Final = r"(?:utc|gmt|cet|cest|est|edt|pst|pdt|cst|cdt|mst|mdt|ist|jst|kst|aest|bst|eet|msk|wet|pacific|eastern|central european|mountain)(?: ?[+-] ?\d{1,2}(?::\d\d)?)?(?: time)?"

_ORGS: Final = r"(?:company|startup|start-up|hospital|hospital network|bank|agency|university|school|high school|lab|laboratory|firm|nonprofit|non-profit|ngo|consultancy|shop|library|clinic|charity|studio|newspaper|museum|insurer|law firm|fintech|unicorn|scale-?up|retailer|manufacturer|dealership|brewery|bakery|restaurant|guesthouse|guest house|hostel|b&b|cafe|café|coffee shop|bookshop|bookstore|vineyard|winery|gym|salon|gallery|dojo|hotel|airline|telco|utility|cooperative|co-op|practice|institute|foundation|publisher|warehouse|factory|farm|observatory|municipality|ministry|city council|government agency|broadcaster|call center|daycare|nursing home|pharmacy|supermarket|enterprise|corporation|business|law office|office|architecture office|law practice|medical practice|dental practice)"


def of_myself(slot: Slot) -> Slot:
    """The slot, only where the clause is about the speaker."""

    def read(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
        begins = _ABOUT_ME.match(clause.low) is not None
        goes_on = bool(clause.before) and _BEFORE_ME.search(clause.before) is not None
        if begins or (goes_on and _OTHERS.search(clause.low) is None):
            yield from slot(clause, found)

    return read


def capital_only(slot: Slot) -> Slot:
    """The slot, only where the name is written as one."""

    def read(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
        if clause.raw[found.start("v") : found.start("v") + 1].isupper():
            yield from slot(clause, found)

    return read


def capital_inside(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """A phrase in which somebody is named."""
    if re.search(r"\bare [A-Z]", clause.raw[found.start("v") : found.end("v")]):
        yield from phrase()(clause, found)


def named_kin(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """`my partner Kim`: kin with a name."""
    text = clause.raw[found.start("v") : found.end("v")]
    name = text.split()[-1]
    if name[:1].isupper() and not name.endswith("'s") and name.lower() not in lexicon.names() and not clause.asks:
        yield from phrase()(clause, found)


def lasting_work(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """What a group does for a living, unless it is a tool or the task in hand."""
    rest = clause.low[found.start("v") :].split(" ", 1)[-1]
    if lexicon.at(rest, 0, len(rest)) is None and not re.match(
        r"(?:not|it|this|that|the (?:same|thing|tests?)|a lot|everything|on|in\b|code reviews?|standups?|releases)",
        rest,
    ):
        yield from phrase(r"\s(?:and (?:i|we)|but|so|because)\b|,", most=10)(clause, found)


_ABOUT_ME: Final = re.compile(r"(?:\W|\w+[,:]? ){0,4}?(?:i|i'm|im|i've|my|we|we're|our|as an?)\b")
_BEFORE_ME: Final = re.compile(r"\b(?:i'm|im|i am|my name)\b")
_OTHERS: Final = re.compile(r"\b(?:he|she|they|it|the|is|are)\b")


def _of_kin(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """What is said of `he` or `she` right behind a word for kin."""
    if re.search(rf"\bmy (?:\w+ )?{_KIN}\b", clause.before) is not None:
        yield from phrase()(clause, found)


def _colleague(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """A named person with what he is: the name and the role."""
    start = found.start("v")
    name = next(iter(person_name(clause, found)), None)
    if name is None or clause.raw[start : start + 1].islower() or clause.asks:
        return
    lead = re.search(r"(?:my|our) [\w -]+", clause.low[found.start() : start])
    if lead is not None:
        yield Value(clause.start + found.start() + found.group().index(" ") + 1, name.end)
        return
    place = span(clause, start, _role_end(clause, start))
    if place is not None and not re.match(
        r"(?:this|that|it|there|what|who|he|she|they|everything|everyone|nobody|the|my|our|here)\b", clause.low[start:]
    ):
        yield Value(*place)


def _role_end(clause: Clause, start: int) -> int:
    cut = re.compile(r",|\s(?:and|but|so|who|which|because|since)\b").search(clause.low, start)
    return cut.start() if cut is not None else len(clause.low)


_PASSING: Final = re.compile(
    r"\b(?:sick|ill|asleep|tired|hungry|home|here|crying|coming|visiting|late|angry|mad|upset|gone|away|waiting|asking|calling|right|wrong|using|trying|looking|saying|telling|going to|today|tomorrow|tonight|not going|being|doing|making|playing up|a problem|an issue|really|driving|back|so|excited|happy|sad|great|amazing|in the|at the|on the|out|in a|going|getting|is to|over|been|bugging|nagging)\b"
)


def _lasting(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """What is said of kin or pets, unless it is of the moment."""
    if _PASSING.search(found.group("v")) is None and not clause.asks:
        yield from phrase(r",|\s(?:and (?:i|we|my|she|he|they|can|please|it)|but|so|because|who)\b", least=3)(
            clause, found
        )


def _diet(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    if (
        re.search(
            r"\b(?:time|idea|clue|problem|to|tests|today|now|much|it|this|that|one|enough|any more|access|luck)\b",
            found.group("v"),
        )
        is None
    ):
        start = found.start("v") + 2
        place = span(clause, start, _role_end(clause, start))
        if place is not None:
            yield Value(*place)


FRAMES: Final[tuple[Frame, ...]] = (
    frame("name name's", r"\b(?:my (?:full |first |real |last )?name(?:'s| is| =)|the name's)\s+(?:mr\.? |dr\.? )?(?P<v>)", sure_name, "named", "name", "identity.name", subject=ME),
    frame("i'm im i am", r"{START}{IM} (?P<v>(?=[^\W\d_]))", person_name, "named", "name", "identity.name", subject=ME),
    frame("call", r"\b(?:you can |please |just |people |everyone |friends |folks |most people )?calls? me (?P<v>)", sure_name, "named", "name", "identity.name", subject=ME),
    frame("this", r"{START}this is (?P<v>)[\w'-]+(?: [\w'-]+)?(?: here| from| at|,|$)", person_name, "named", "name", "identity.name", subject=ME),
    frame("here", r"^(?:hey|hi|hello)?,?\s*(?P<v>)[\w'-]+(?: [\w'-]+)? here(?=$| from| at|,)", person_name, "named", "name", "identity.name", subject=ME),
    frame("intro introduction me", r"^(?:\w+ )?(?:intro|introduction|about me)\s*[:-]\s*(?P<v>)", introduced, "named", "name", "identity.name", subject=ME),
    frame("as", r"\b(?:i|i'm|i've|we)\b[^;]{2,60}\b(?:joined|started|hired|work|working|employed)\b[^;]{0,40} as an? (?P<v>)", role, "is", "job", "identity.role", subject=ME),
    frame("running run", rf"{{START}}(?:{{WERE}}|{{IM}}|me and \w+)[^;]{{0,30}} running (?P<v>an? (?:\w+[- ]){{0,3}}?{_ORGS})\b", phrase(), "is", "job", "identity.role", subject=ME),
    frame("competitively fun hobby spare free professionally", r"{START}i (?:also )?(?P<v>\w+ (?:\w+ ){0,3}?(?:competitively|for fun|as a hobby|in my (?:spare|free) time|semi-professionally))\b", phrase(), "noted", "", "identity.hobby", subject=ME),
    frame("at", r"\b(?:phd|master's|masters|degree|bachelor's|student|postdoc)\b[^;]{0,50}? at (?:the )?(?P<v>)", of_myself(capital_only(organisation)), "member_of", "employer", "identity.employer", subject=ME),
    frame("go goes", r"\bi (?:usually |mostly )?go by (?P<v>)", sure_name, "named", "name", "identity.name", subject=ME),
    frame("i'm im i am", r"{START}{IM} (?:[\w'’-]+(?: [\w'’-]+)?, )?(?:{ADV}|actually |basically |in fact )*(?:a|an|the(?: only| lead| sole)?|one of the|your typical|currently an?|now an?|the team's|our) (?P<v>)", role, "is", "job", "identity.role", subject=ME),
    frame("i'm im i am", r"{START}{IM} (?:{ADV})*(?:the )?(?P<v>)(?:cto|ceo|vp|head of|director of|in charge of|senior|staff|principal|junior|lead|retired|self-employed|full-?stack|qa|product owner|scrum master)\b", role, "is", "job", "identity.role", subject=ME),
    frame("as", r"^(?:\w+,? )?as an? (?P<v>)", role, "is", "job", "identity.role", subject=ME, in_question=True),
    frame("work working job", r"\b(?:i work|i'm working|i'm employed|my (?:day )?job is|i've been working|i worked my way up|working) (?:full[- ]time |part[- ]time |remotely |mostly |now |currently )*(?:as|being) (?:an?|the) (?P<v>)", role, "is", "job", "identity.role", subject=ME),
    frame("job role title position profession occupation", r"\bmy (?:current |official |day |main |actual )?(?:job|role|title|job title|position|profession|occupation)(?:'s| is|:) (?:an?|the|now|now an?|that of an?)?\s*(?P<v>)", phrase(r"\s(?:at|for|and|but|so|with|on)\b|,", most=7), "is", "job", "identity.role", subject=ME),
    frame("do", r"{START}i (?:mostly |mainly |usually |just |currently |now )*do (?P<v>)(?:backend|back-end|frontend|front-end|full-?stack|devops|data (?:science|engineering)|mobile|ios|android|embedded|infra(?:structure)?|security|qa|ml|machine learning|research|marketing|sales|design|ux|web dev\w*|game dev\w*|support|ops|platform|firmware|bioinformatics|consulting|freelanc\w+|accounting|hr|data)\b", trade, "is", "job", "identity.role", subject=ME),
    frame("work", r"\bi work in (?P<v>)(?:backend|frontend|devops|data|security|qa|finance|fintech|healthcare|health care|marketing|sales|hr|it|logistics|insurance|education|academia|research|biotech|retail|construction|gaming|games|ml|embedded|platform|infra\w*|infosec|robotics|aerospace|automotive|government|public sector|law|accounting|support|adtech|consulting|banking|publishing|film|tv|television|hospitality|manufacturing|pharma\w*|real estate|telecom\w*|energy|agriculture|non-?profits?)\b", phrase(r"\s(?:at|for|and|but|so|with|on)\b|,", most=5), "is", "job", "identity.role", subject=ME),
    frame("run own teach manage lead practice study studying", r"{START}i (?:\w+ly )?(?P<v>(?:run|own|teach|manage|study|lead|head|coach|practice|practise) (?:my own |a |an |the |our |two |three |\d+ )?\w[^,;]{2,60})", phrase( r",|\s(?:and|but|so|who|which|because|since|with|from|where|when|if|every|on (?:mon|tue|wed|thu|fri|sat|sun)|before|after|using|via|to|the (?:test|tests|build|script|app|command|code|suite|whole|full|linter|server|following|migration|migrations|query|program)|tests|it|this|npm|make|pytest|docker|everything|all|that|these|those|into|out|as)\b", least=2, most=9, bar=r"(?:run|manage|lead) (?:it (?!for\b|at\b|in\b)|this|that|the (?:test|build|script|app|command|code|suite|whole|full|linter|server|following|migration|query|program|pipeline|job|container)|tests|npm|make|pytest|docker|everything|all|into|out|on|with|linux|windows|macos|ubuntu|arch|debian|fedora|mac|postgres|kubernetes|nixos)\b", ), "is", "job", "identity.role", subject=ME),
    frame("freelance self-employed freelancer unemployed retired", r"{START}(?:{IM}|i) (?:{ADV})*(?P<v>freelance|self-employed|retired|unemployed|between jobs)\b", phrase(r",|\s(?:and|but|so)\b", most=4), "is", "job", "identity.role", subject=ME),
    frame("student study doing phd master's masters degree", r"{START}(?:i study|i'm (?:currently )?(?:doing|finishing|writing) (?:a|my) (?:phd|master's|masters|bachelor's|degree) in) (?P<v>)", phrase(r",|\s(?:and|but|so|for|at|because|in)\b", most=5, bar=r"(?:the|this|that|it|how|for|your)\b"), "is", "job", "identity.role", subject=ME),
    frame("work working works employed", r"\b(?:i|i'm|i am|who|i've been|also|and) (?:currently |now |still |also |actually |mostly |recently |just )*(?:work|working|works|employed|started(?: working)?|a contractor) (?:remotely |full[- ]time |part[- ]time |as an? [\w -]{2,40}? )?(?:at|for) (?:a (?:\w+ ){1,4}(?:called|named) |the company )?(?P<v>)", organisation, "member_of", "employer", "identity.employer", subject=ME),
    frame("called named", r"\b(?:company|startup|start-up|agency|firm|shop|studio|nonprofit|non-profit|charity|school|clinic|bakery|business|consultancy|bank|hospital|brewery|farm|store)\b[^,;]{0,30}? (?:called|named) (?P<v>)", organisation, "member_of", "employer", "identity.employer", subject=ME),
    frame("at for", rf"\b(?:i'm|im|i am|as an?|as the|been an?|i've been|we're|working as)\b[^,;]{{0,50}}?\b(?:{_HEADS})\b(?: \w+)? (?:at|for) (?:a (?:\w+ ){{1,4}}(?:called|named) )?(?P<v>)(?=[^\W\d])", of_myself(capital_only(organisation)), "member_of", "employer", "identity.employer", subject=ME),
    frame("at for in", rf"\b(?:i work|i'm working|i teach|work|working|employed|{_HEADS})\b[^,;]{{0,30}}? (?:at|for|in) (?P<v>an? (?:\w+[- ]){{0,4}}?{_ORGS})\b(?! (?:in [\w-]+ )?(?:called|named))", of_myself(phrase()), "member_of", "employer", "identity.employer", subject=ME),
    frame("work", rf"^(?:i )?work (?:at|for) (?P<v>the (?:\w+[- ]){{0,3}}?{_ORGS})\b", phrase(), "member_of", "employer", "identity.employer", subject=ME),
    frame("i'm im i am", r"{START}{IM} (?:currently |now |also |still )*(?:at|with) (?P<v>)(?!the\b|a\b|my\b|an\b|you\b|home|work|school|least|it\b|this|that)", capital_only(organisation), "member_of", "employer", "identity.employer", subject=ME),
    frame("joined join", r"\bi (?:just |recently )?(?:joined|co-?founded|founded|started) (?P<v>)", capital_only(organisation), "member_of", "employer", "identity.employer", subject=ME),
    frame("company employer startup firm business", r"\b(?:my|our) (?:current |new )?(?:company|employer|startup|firm|business|company's name|agency|studio|shop)(?:'s name)?(?:'s| is| \()(?: called| named)? ?(?P<v>)", capital_only(organisation), "member_of", "employer", "identity.employer", subject=ME),
    frame("here", r"\b(?:here at|we at|us at) (?P<v>)", capital_only(organisation), "member_of", "employer", "identity.employer", subject=ME),
    frame("team squad guild group department", r"\b{IM} (?:currently |now |also )*(?:on|in|part of|a member of|leading|running|heading|managing) (?:the|our) (?P<v>[\w&/ +-]{2,40}? (?:team|squad|guild|group|department|tribe|chapter|org))\b", phrase(), "member_of", "team", "identity.team", subject=ME),
    frame("team squad group", r"(?:\b(?:i|who|and)|^) ?(?:currently |now |also |just |recently )*(?:lead|manage|run|work (?:on|in|with)|belong to|joined|head|head up|am on|moved to|switched to) (?:the|our) (?P<v>[\w&/ +-]{2,40}? (?:team|squad|group|department|guild))\b", phrase(), "member_of", "team", "identity.team", subject=ME),
    frame("team", r"\b(?:my|our) team(?:'s name)?(?:'s| is)(?: called| named)? (?P<v>)(?:the )?", capital_only(organisation), "member_of", "team", "identity.team", subject=ME),
    frame("team squad", r"{START}(?:my|our) (?:team|squad|group|department) (?P<v>(?:handles|owns|maintains|is responsible for|does|builds|looks after|takes care of|runs|supports|develops|covers|works on|is in charge of|ships) [^,;]{2,80})", phrase( r"\s(?:and|but|so|because|since|which)\s(?:i|we|it|that|the)\b", bar=r"(?:does|runs) (?:not|it|this|that|the tests|tests|on)\b", ), "noted", "", "identity.team", subject=TEAM),
    frame("team we're we are", r"{START}(?:(?:we're|we are|my team is|our team is|the team is) )(?:just |only |a team of |about |currently )*(?P<v>(?:a team of )?(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve|a dozen|a small|a tiny|a distributed|a remote)[\w -]{0,40}(?:people|devs|developers|engineers|person|team|folks|designers|of us|startup|company|studio|shop)?)", phrase(_STOP, most=9), "noted", "", "identity.team", subject=TEAM),
    frame("live living based located reside", r"\b(?:i (?:currently |now |also |still |actually )*(?:live|reside|stay)|{IM} (?:currently |now |also |still |actually )*(?:living|based|located|situated)|based|living|located) (?:(?:out of|near|outside|just outside|close to|in|over in|down in|up in|out in|here in)) (?:(?:central|downtown|rural|sunny|rainy|northern|southern|the (?:city|town|suburbs) of) )?(?P<lower>)(?P<v>)", of_myself(place_name), "located_in", "location", "identity.location", subject=ME),
    frame("in", r"(?:{START}(?:{IM}|{WERE})(?: currently| now| also| still)* in|\bhere in) (?:the (?=(?:uk|us|usa|eu|netherlands|philippines|bay area|midwest|czech|dominican|uae|states)\b))?(?P<v>)", place_name, "located_in", "location", "identity.location", subject=ME),
    frame("moved relocated", r"\bi (?:just |recently |finally )?(?:moved|relocated) (?:back |over |here )?to (?P<lower>)(?P<v>)", place_name, "located_in", "location", "identity.location", subject=ME),
    frame("from", r"{START}{IM} (?:actually )?from (?P<v>)(?!.{2,20} originally)", place_name, "located_in", "location", "identity.location", subject=ME),
    frame("at for in from company agency startup firm clinic school studio hospital practice", rf"\b(?:{_HEADS}|company|agency|startup|firm|clinic|school|studio|hospital|practice|shop|university|bakery|lab|bank|charity|{_ORGS}|nonprofit|museum|library|i work|i teach|i do \w+)\b(?: (?!and\b|but\b|who\b)[\w'&-]+){{0,5}}? (?:in|from) (?P<v>)(?=[^\W\d])", of_myself(place_name), "located_in", "location", "identity.location", subject=ME),
    frame("timezone tz zone time utc cet gmt pst est", rf"\b(?:my time ?zone(?:'s| is)?|my tz is|time ?zone:|i'm (?:on|in)|i am (?:on|in)|i work|we're (?:on|in)) (?P<v>{_ZONE}|[A-Za-z]+/[A-Za-z_]+)\b", phrase(), "is", "timezone", "identity.timezone", subject=ME),
    frame("speak speaks language native tongue fluent", rf"\b(?:i (?:only |also |mostly |mainly )?speak|my (?:native|first|mother|main) (?:language|tongue)(?:'s| is)|i'm (?:a native|fluent in|native)|native speaker of) (?:a bit of |some |fluent |only |both |mainly |native )?(?P<v>{_LANGS}(?:(?:,| and|, and) {_LANGS})*)", phrase(), "speaks", "language", "identity.language", subject=ME),
    frame("english german french spanish italian japanese chinese", rf"\bmy (?P<v>{_LANGS}) is (?:still |not |pretty |really |very |quite )*(?:bad|good|weak|poor|rusty|basic|ok|okay|limited|great|fluent|decent|terrible|shaky)\b", phrase(), "speaks", "language", "identity.language", subject=ME),
    frame("my our", rf"\b(?:my|our) {_MATE}(?:'s name)?(?:,| is| =|'s|)(?: called| named)? (?P<v>)", _colleague, "noted", "", "identity.colleague", subject=ME, guarded=False),
    frame("is was does handles runs owns leads manages maintains looks takes", rf"{{START}}(?P<v>)(?!our |my |the |it |this |that |what |who |he |she |they |everything |everyone |nobody |there |here |which |one |each |all |anything |nothing |someone )[^\W\d_][\w'-]+(?: [^\W\d_][\w'-]+)? (?:(?:is|was) (?:our |my |the |all the |a |an |on )?(?:\w+ ){{0,2}}(?:{_HEADS}|design|backend|frontend|infra|qa|ops|sales|support|marketing|devops|on[- ]call)|(?:does|handles|runs|owns|leads|manages|maintains|looks after|takes care of|is responsible for|is in charge of) (?:our |my |the |all )?\w+)\b", _colleague, "noted", "", "identity.colleague", subject=TEAM),
    frame("report reports", r"\bi (?:now |directly )?report (?:directly )?to (?P<v>)", person_name, "member_of", "reports_to", "identity.colleague", subject=ME),
    frame("work working pair", r"\bi (?:usually |often |always |mostly )?(?:work|pair) (?:closely )?with (?P<v>)", capital_only(person_name), "noted", "", "identity.colleague", subject=ME),
    frame("my", rf"\bmy (?:\w+ )?(?P<v>{_KIN}(?: [\w'-]+)?? (?:is|are|has|have|was born|turns|just turned|works|lives|goes to|speaks|can't eat|doesn't eat) [^,;]{{1,80}})", _lasting, "noted", "", "identity.family", subject=ME, guarded=False),
    frame("he's she's he she they they're", rf"^(?:he|she|they)(?:'s|'re| is| are| has|'ve| have)(?: got| also| had)? (?P<v>(?:{_SICK}|(?:very |severely )?{_ILL}|{_DIET}))\b", _of_kin, "noted", "", "identity.family", subject=ME, guarded=False),
    frame("my", rf"\bmy (?:\w+ )?(?P<v>{_KIN}(?:'s name is| is called| is named|'s called) [\w'-]+)", phrase(), "noted", "", "identity.family", subject=ME, guarded=False),
    frame("have got has", rf"\b(?:i have|i've got|we have|we've got|i also have|i got) (?P<v>(?:an? |one |two |three |four |five |\d+ |a pair of |young |small |little |teenage )+(?:\w+[- ]){{0,3}}?{_KIN})\b", phrase(r"\s(?:and|but|so|who)\b|,", keep_article=False), "noted", "", "identity.family", subject=ME),
    frame("have got", rf"\b(?:i have|i've got|we have)\b[^,;]* and (?P<v>(?:an? |one |two |three |four |five |\d+ )(?:\w+[- ]){{0,2}}?(?:{_KIN}|toddlers|teenagers|{_PET}))\b", phrase(), "noted", "", "identity.family", subject=ME),
    frame("and", rf"\b{{IM}} [^,;]{{0,30}} and (?:partially |severely )?(?P<v>{_ILL}|{_DIET})\b", phrase(), "noted", "", "identity.health", subject=ME),
    frame("kids children", r"{START}{IM} [^;]{0,40}, (?P<v>(?:one|two|three|four|\d) (?:young |small |little |grown )?(?:kids?|children|boys|girls))\b", phrase(), "noted", "", "identity.family", subject=ME),
    frame("team squad", rf"\b(?:i'm|i am|im|{_HEADS})\b[^,;]{{0,30}} (?:on|in|with) (?:the|our) (?P<v>[\w&/ +-]{{2,30}}? (?:team|squad|department|guild))\b", of_myself(phrase()), "member_of", "team", "identity.team", subject=ME),
    frame("married single divorced engaged expecting", r"{START}{IM} (?:happily |recently |now |still )*(?P<v>(?:married|divorced|engaged|widowed|expecting|a single (?:mom|mum|dad|parent))\b[^,;]{0,40})", phrase(r",|\s(?:and|but|so)\b"), "noted", "", "identity.family", subject=ME),
    frame("have got own adopted", rf"\b(?:i have|i've got|we have|we've got|i own|i just adopted|we adopted) (?P<v>(?:an? |one |two |three |four |\d+ |old |young |rescue )+(?:[\w-]+ ){{0,3}}?{_PET}(?:,? (?:called|named) [\w'-]+|, [\w'-]+(?=,|$))?)\b", phrase(), "noted", "", "identity.pet", subject=ME),
    frame("my", rf"\bmy (?:\w+ )?(?P<v>{_PET}(?:'s name is|'s called|,? is called|,? is named|,? is an?|,? is \d|,? has|,? is allergic) [^,;]{{1,60}})", _lasting, "noted", "", "identity.pet", subject=ME),
    frame("i'm im am been", rf"\b(?:{{IM}}|i've been) (?:{{ADV}})(?:an? )?(?:very |severely |mildly |slightly |partially |red-green |deathly )?(?P<v>{_ILL})\b", phrase(r"\s(?:and|but|so|what|which|because)\b|,"), "noted", "", "identity.health", subject=ME, in_question=True),
    frame("have get got has suffer with", rf"\b(?:i have|i get|i've got|i've had|i suffer from|i live with|i was diagnosed with|i got diagnosed with) (?P<v>{_SICK})\b", phrase(), "noted", "", "identity.health", subject=ME),
    frame("i'm im am", rf"\b{{IM}} (?:{{ADV}})(?:an? |on a |a strict |strictly |mostly |been )?(?P<v>{_DIET})\b", phrase(), "is", "diet", "identity.diet", subject=ME, in_question=True),
    frame("eat drink eats", r"{START}(?P<v>i (?:don't|do not|never|can't|cannot|only) (?:eat|drink|have) [^,;]{2,50})", _diet, "is", "diet", "identity.diet", subject=ME),
    frame("play collect hobby", r"{START}i (?:also )?(?P<v>(?:play (?:the )?(?:guitar|piano|violin|drums|bass|cello|chess|tennis|football|soccer|basketball|volleyball|rugby|golf|squash|badminton|hockey|flute|saxophone|trumpet|ukulele|accordion|go|d&d|dungeons)|collect \w+|brew (?:my own )?\w+|run (?:marathons|half marathons|ultras)|climb|knit|crochet|sail|surf|ski|snowboard|garden|paint|bake|woodwork|do (?:judo|karate|bjj|yoga|pilates|crossfit|pottery|woodworking|ceramics|ballroom|triathlons?))\b[^,;]{0,40})", phrase(r",|\s(?:and|but|so|because|which|for|while|when)\b"), "noted", "", "identity.hobby", subject=ME),
    frame("hobby hobbies", r"\bmy (?:main |biggest |favou?rite )?hobb(?:y|ies) (?:is|are|include) (?P<v>)", phrase(r",?\s(?:but|so|because)\b"), "noted", "", "identity.hobby", subject=ME),
    frame("training train", r"{START}{IM} training for (?:a|an|the|my) (?P<v>)", phrase(_STOP), "noted", "", "identity.hobby", subject=ME),
    frame("years experience", r"\b(?:i have|i've got|i've been (?:coding|programming|writing|doing|working|developing|teaching|in)|^been (?:coding|programming|developing|writing|doing|teaching|working))\b(?P<v>[^,;]{0,30}(?:\d+|two|three|five|ten|twenty|fifteen)\+? years[^,;]{0,50})", of_myself(phrase(r",|\s(?:and|but|so)\b")), "noted", "", "identity.experience", subject=ME),
    frame("new beginner newbie rusty", r"{START}{IM} (?:still |pretty |very |quite |fairly |relatively |completely |totally |kind of |a bit )*(?P<v>(?:new to|a (?:complete |total |bit of a )?(?:beginner|newbie|noob)(?: in| at| with| to)?|fluent in|experienced (?:in|with)|rusty (?:in|with|at)|not (?:a developer|a programmer|technical|a coder|an engineer|a native speaker))\b[^,;]{0,50})", phrase(r",|\s(?:and|but|so)\b", bar=r"new to (?:this|the (?:project|team|codebase)|it|that|here)\b"), "noted", "", "identity.experience", subject=ME),
    frame("mobile pronouns phone", r"\bmy pronouns are (?P<v>)", phrase(), "is", "pronouns", "identity.pronouns", subject=ME),
    frame("born birthday", r"\b(?:i was born (?:in|on)|my birthday(?:'s| is)(?: on)?) (?P<v>)", phrase(r",|\s(?:and|but|so|which|this)\b", most=5), "is", "birthday", "identity.birthday", subject=ME),
    frame("i'm im years old", r"{START}{IM} (?P<v>\d{2}(?: years? old| yo| y/o)?)(?=$|,|\s(?:and|but|so|years)\b)", phrase(), "is", "age", "identity.age", subject=ME),
    frame("i'm im i am", r"{START}{IM} [\w'-]+(?: [\w'-]+)?(?: \([^)]{1,20}\))?, (?:an? |the |your )?(?P<v>)", role, "is", "job", "identity.role", subject=ME),
    frame("doing finishing", r"{START}{IM} (?:currently |now )?(?:doing|finishing|starting) (?:my|a|an) (?P<v>(?:residency|internship|apprenticeship|fellowship|bootcamp|gap year|sabbatical|phd|master's|masters|mba|bachelor's|degree|traineeship)\b[^,;]{0,40})", phrase(r"\s(?:at|and|but|so)\b"), "is", "job", "identity.role", subject=ME),
    frame("school", r"{START}{IM} (?:a|an) (?P<v>(?:high school|middle school|college|university|med school|law school) (?:junior|senior|sophomore|freshman|student|teacher|grad|dropout|kid))", phrase(), "is", "job", "identity.role", subject=ME),
    frame("are is", r"{START}the (?:\w+ )?(?P<v>(?:\w+ )?(?:devs|developers|designers|engineers|founders|partners|maintainers|reviewers|admins|leads|testers|teachers) are [a-z][\w'-]+(?:,? (?:and )?[\w'-]+){0,5})", capital_inside, "noted", "", "identity.colleague", subject=TEAM),
    frame("live have", r"{START}i (?:live in|have|own) (?P<v>an? (?:\w+ ){0,3}(?:flat|apartment|house|cabin|tiny house|van|boat|farm|garden|balcony|studio apartment|dorm)\b[^,;]{0,40})", phrase(r"\s(?:and|but|so)\b"), "noted", "", "identity.home", subject=ME),
    frame("run own have", rf"{{START}}(?:we|i) (?:\w+ly )?(?:run|own|have|operate|manage) (?P<v>(?:an?|two|three|four|\d+|our own) (?:[\w-]+ ){{0,4}}?{_ORGS}s?)\b", phrase(), "is", "job", "identity.role", subject=ME),
    frame("been", r"{START}(?:i've|i have) been (?:working as )?an? (?P<v>)", role, "is", "job", "identity.role", subject=ME),
    frame("run own", rf"\b(?:i|i'm)\b[^;]{{0,40}} and (?:i )?(?:run|own) (?P<v>an? (?:[\w-]+ ){{0,4}}?{_ORGS})\b", phrase(), "is", "job", "identity.role", subject=ME),
    frame("near outside", r"\b(?:i|we) (?:live|are|work|stay)\b[^,;]{0,40}? (?:near|outside|close to|just north of|just south of) (?P<v>)", capital_only(place_name), "located_in", "location", "identity.location", subject=ME),
    frame("i've i have", r"\b(?:i've|i have|we have) (?P<v>(?:a |an )?(?:bad|weak|broken|injured|sensitive|artificial|new) (?:back|knee|knees|hip|shoulder|shoulders|eyes|eyesight|heart|stomach|wrist|wrists|neck|hearing|feet|lungs|ankle|elbow)\b)", phrase(), "noted", "", "identity.health", subject=ME),
    frame("owl bird person morning", r"{START}{IM} (?P<v>(?:not )?an? (?:night owl|early bird|morning person|early riser|evening person|people person|light sleeper|picky eater|slow reader|fast reader|visual thinker))\b", phrase(), "noted", "", "identity.habit", subject=ME),
    frame("my our", rf"\b(?:my|our) (?P<v>(?:two |three |four |\d )?{_KIN} [a-z][\w'-]+)\b", named_kin, "noted", "", "identity.family", subject=ME, guarded=False),
    frame("homeschool raise have", r"{START}(?:we|i) (?P<v>(?:homeschool|raise|foster|adopted) [^,;]{2,40})", phrase(r"\s(?:and|but|so)\b"), "noted", "", "identity.family", subject=ME),
    frame("lab group team department studio company shop practice", r"{START}(?:our|my) (?:lab|group|department|studio|company|shop|practice|agency|unit|team|institute|clinic) (?P<v>(?:does|do|makes|specializes in|specialises in|focuses on|works in|works on|studies|builds|publishes|sells|serves|covers|runs) [^;]{3,60})", lasting_work, "noted", "", "identity.team", subject=TEAM),
    frame("offices office branches", r"{START}(?:we have|we've got|our company has) (?:an? |two |three |\d )?(?:offices?|branches|a branch|studios|locations) in (?P<v>)", phrase(r"\s(?:and (?:i|we)|but|so)\b", most=6), "noted", "", "identity.location", subject=TEAM),
    frame("work", r"{START}i (?:only )?(?P<v>work (?:part[- ]time|full[- ]time|nights|night shifts?|weekends|remotely|from home|three|four|five|two|half|\d+)(?: days| hours| shifts)?[^;]{0,40})", phrase(r"\s(?:and|but|so|at|for|as)\b", keep_article=True), "noted", "", "identity.work workflow.habit", subject=ME),
    frame("write", r"{START}i (?:mostly |mainly |usually )?(?P<v>(?:write|translate|edit|illustrate|publish|produce|compose|teach|coach|restore|repair|design) (?:\w+ )?(?:novels|fiction|poetry|books|scripts|songs|music|articles|comics|children's books|thrillers|romance|screenplays|games|furniture|clothes|jewell?ery|websites|logos|boats|bikes|watches|guitars)\b)", phrase(), "is", "job", "identity.role", subject=ME),
)  # fmt: skip
