"""What is being made, for whom, under which constraints, by when, and where it is going."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from muniment.capture.extract.told import lexicon
from muniment.capture.extract.told.clauses import Clause
from muniment.capture.extract.told.frame import Frame, Value, frame
from muniment.capture.extract.told.slots import phrase

MONTH: Final = r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t|tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
DATE: Final = rf"(?:(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {MONTH}\b|{MONTH}\.? \d{{1,2}}|\b{MONTH}\b|q[1-4]\b|\d{{4}}-\d\d|\d{{1,2}}[./]\d{{1,2}}\b|(?:the )?\d{{1,2}}(?:st|nd|rd|th)\b|(?:next|this|the end of|end of|early|late|mid|mid-|before the|after the|by the) ?(?:the )?(?:week|month|quarter|year|spring|summer|autumn|fall|winter|q[1-4]|{MONTH}|sprint|semester|term|christmas|easter|holidays|monday|tuesday|wednesday|thursday|friday|season)\b|in (?:\d+|a|two|three|four|five|six|a few|a couple of) (?:days|weeks|months|years|week|month|year)\b|christmas|easter|black friday|thanksgiving|new year|summer|winter|spring|autumn|friday|monday|tuesday|wednesday|thursday|saturday|sunday|20[2-3]\d|tomorrow|the holidays)"
_STOP: Final = r",\s|\s(?:and (?:i|we|it|i'm|we're|want|need|have|am|can|would|my|the)|but|so|because|since|which|that(?: will|'s| is| has| lets| can| helps)?|where|who|can you|could you|how|using|with (?=a team|my|the help)|in (?=react|python|rust|go\b|django|rails|vue|typescript|java|c#|flutter|unity|godot|next|svelte|kotlin|swift)|what|when|by (?=\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|next|the end)|right now|at the moment|currently|considering|and|on top of|built (?:with|in|on))\b|[;:–—(]|\s-\s"
_THING: Final = re.compile(
    r"\b(?:app|apps|application|platform|dashboard|site|website|web ?app|tool|toolkit|system|service|api|game|library|framework|engine|bot|chatbot|plugin|extension|package|cli|sdk|marketplace|shop|store|portal|pipeline|compiler|interpreter|editor|tracker|planner|calculator|simulator|crawler|scraper|assistant|agent|product|startup|saas|prototype|mvp|database|server|client|firmware|device|robot|drone|sensor|network|model|classifier|parser|generator|converter|viewer|player|browser|os|operating system|language|wallet|exchange|protocol|integration|crm|erp|cms|blog|newsletter|podcast|course|curriculum|book|novel|memoir|thesis|dissertation|paper|portfolio|resume|cv|album|film|documentary|screenplay|series|house|shed|boat|greenhouse|garden|cabin|van|treehouse|keyboard|synth|amp|program|software|solution|infrastructure|cluster|warehouse|monorepo|backend|frontend|ui|design system|component library|booking \w+|budget|clone|forum|wiki|directory|feed|reader|manager|scheduler|queue|cache|proxy|gateway|registry|search engine|recommender|recommendation \w+|map|visuali[sz]ation|report|reporting \w+|monitor|alarm|controller|thermostat|lab|studio|business|company|project|campaign|store|page|landing page|translation|deck|exhibition|musical|mod|quiz|survey|shader|renderer|emulator|debugger|linter|formatter|orm|template|theme|workshop|trip|holiday|vacation|honeymoon|move|party|tour|hike|apartment|flat|kitchen|bathroom|motorcycle|bike|car|conference|festival|wedding|event|fundraiser|plan|program|programme|study|experiment|analysis)s?\b"
)
_NOT_A_PROJECT: Final = re.compile(
    r"^(?:(?:a|an|the|my|our|some|this|that|these|those|it|new|small|quick|simple|little|another) )*(?:bug|issue|fix|hotfix|error|test|tests|unit tests?|ticket|pr|pull request|function|method|class|query|regex|file|docker ?file|it|this|that|bit|draft of (?:an )?email|email|mail|message|list|line|refactor\w*|problem|answer|reply|homework|question|branch|commit|loop|helper|migration script|something|improving|getting|making|understanding|adding|implementing|fixing|debugging|updating|setting|my (?:skills|understanding)|solving|integrating|learning|figuring|writing|optimi[sz]ing|reducing|increasing|handling|creating|building|deploying|configuring|upgrading|ways?|how|mistakes?|changes?|progress|sense|sure|mess|case|decision|decisions|list comprehension|point|joke|coffee|dinner|call|typo|section|paragraph|sentence)\b"
)


def _built(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    rest = clause.low[found.start("v") :]
    if _NOT_A_PROJECT.match(rest) or clause.asks:
        return
    end = len(clause.low)
    cut = re.compile(_STOP).search(clause.low, found.start("v") + 3)
    end = cut.start() if cut is not None else end
    text = clause.low[found.start("v") : end]
    is_own = re.match(r"(?:working|work)", found.group().split(" on ")[0].split()[-1]) is not None
    if (_THING.search(text) is None and "restoring" not in found.group()) or (
        is_own
        and re.match(r"(?:the|this|that|these|it)\b", text)
        and not re.search(
            r"\b(?:app|platform|project|product|site|website|game|thesis|book|firmware|dashboard|engine|compiler|sdk)\b",
            text,
        )
    ):
        return
    if re.match(
        r"(?:a|an|the|my|our)? ?(?:project|business|library|plan|program|event|report|analysis)(?:$| (?:with|where|that|which|to|involving|for (?:when|me|a|my)|about)\b)",
        text,
    ):
        return
    if re.search(r"\b(?:file|for this task|pr|ticket|bug)\b", text) or text.endswith((" on", " it", " this")):
        return
    yield from phrase(_STOP, most=16)(clause, found)


def _thing(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """`it's a booking platform`: what a thing is, if it is a thing that is made."""
    rest = found.group("v").strip()
    subject = clause.low[: found.start("v")]
    if re.search(r"\b(?:it's|it is|this is|its)\b[^,]*$", subject) and (
        not clause.opens
        or re.match(
            r"(?:a|an) (?:bit|little|lot|bug|problem|issue|mess|good|bad|great|nice|list|dict|string|function|file|simple question|question|question|shame|pity|pain|known|common|mistake|typo|test|feature|monorepo|warning|error|big|small|\w+ error|case|matter|long|quick)\b",
            rest,
        )
    ):
        return
    text = re.split(_STOP, rest)[0]
    bare = re.sub(r"^(?:a|an|called|about) ", "", text)
    if lexicon.at(bare, 0, len(bare)) is not None and len(text.split()) <= 5:
        return
    if re.match(
        r"(?:not|broken|failing|slow|done|ready|working|down|running|in|on|at|due|too|very|still|now|getting|the|almost|finally|always|never|to|for|up|going|being|using|written|built|hosted|deployed|live|stuck|crashing|mine|here|there|that|it|this|my|our|like|what|how|why|a (?:bit|mess|lot|little|problem|monorepo|monolith))\b",
        text,
    ):
        return
    if _THING.search(text) is not None or re.match(r"(?:called|about) ", text):
        yield from phrase(_STOP, most=16, bar=r"")(clause, found)


def _listed(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """Each part of a list behind a colon; without one, what follows as a whole."""
    text = clause.low[found.start("v") :]
    if clause.asks:
        return
    if ":" not in found.group():
        yield from phrase(r"\s(?:can you|could you|how|so)\b", most=30)(clause, found)
        return
    pos = clause.start + found.start("v")
    for part in re.split(r"(,\s+(?:and )?|;\s*)", text):
        if len(part.strip(" ,;")) > 3 and not part.strip().startswith((",", ";")):
            yield Value(pos + len(part) - len(part.lstrip()), pos + len(part.rstrip(" .")))
        pos += len(part)


def _architecture(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    if (
        re.search(
            r"\b(?:we|our|it's|this|the (?:repo|project|codebase|app|system|backend|whole thing|platform)|it is|i have|everything)\b",
            clause.low[: found.start("v")] or "",
        )
        and not clause.asks
        and not re.search(
            r"\b(?:not|never|don't|want|should|could|learn\w*|understand|explain|about|difference|prefer|hate|like)\b",
            clause.low[: found.end()],
        )
    ):
        yield from phrase(r"\s(?:so|but|and (?:i|we|the)|because|which|can|how|where|that)\b|,", most=14)(clause, found)


_COMPLY: Final = re.compile(
    r"\b(?:gdpr|hipaa|pci|soc ?2|wcag|iso ?\d+|dsgvo|complian\w+|comply|accessib\w+|offline|latency|ms|sla|uptime|encrypt\w*|eu|europe|germany|switzerland|on[- ]prem\w*|air[- ]gapped|audit\w*|privacy|retention|retain\w*|years|days|hours|seconds|minutes|mb|kb|gb|ram|flash|memory|users|concurrent|browsers?|ie ?11|safari|android|ios|mobile|screen readers?|backwards?[- ]compatib\w+|compatib\w+|license|licen[cs]ed|open[- ]source|gpl|budget|cost|cheap|under|at most|at least|no more than|leave|inside|within|battery|internet|cloud|third[- ]part\w+|support|python|node|java|windows|linux|macos|legacy|old|languages?|translat\w+|locali[sz]ed?|rtl|wheelchair|allerg\w+|nut|gluten|vegan|kosher|halal|kids|children|quiet|noise|seat\w*|people|guests|store|stored|hosted|log|logged|personal data|pii|patients?|deterministic|reproducib\w+|real[- ]?time|work (?:on|with|without|in|offline)|run (?:on|in|without|offline|under)|fit (?:in|into|on|within)|zero downtime|downtime|availability|approved|signed|certified|certification|regulat\w+)\b"
)


def _constraint(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """A constraint on the whole of it; `we need to` and `it has to` only where what follows is one by its words."""
    if clause.asks:
        return
    subject = clause.low[: found.start("v")].strip()
    text = clause.low[found.start("v") :]
    if re.search(r"\b(?:by|before) then\b|^(?:must|has to|have to|needs? to) be (?:done|ready|finished)\b", text):
        return
    is_vague = (
        re.search(
            r"(?:^|\s)(?:it|this|we|i|data|nothing|the code|the data|the build|the api|the ui|the report|the database)(?: also| really| absolutely| just| always| still)*$",
            subject,
        )
        is not None
    )
    if is_vague and _COMPLY.search(text) is None:
        return
    if (
        re.match(
            r"(?:can't|cannot|can not) (?:be|find|figure|get|see|connect|reach|seem|tell|open|remember|decide|understand|reproduce|log|access|build|compile|load|start|install|read|parse|import|wait|believe|handle|do this|do it)\b",
            text,
        )
        and _COMPLY.search(text[12:]) is None
    ):
        return
    if (
        is_vague
        and subject.endswith("we")
        and re.match(
            r"(?:need to|have to|must) (?:add|fix|write|find|figure|change|update|create|make (?:sure|it|a)|get|build|implement|refactor|check|do|test|go|move|use|decide|talk|show|handle|remove|rename|start|finish|deploy|run|migrate|convert|parse|send|fetch|set|rewrite|store|compute|ensure|support)\b",
            text,
        )
        and not re.search(
            r"\b(?:gdpr|hipaa|pci|soc ?2|wcag|iso ?\d+|comply|compliant|compliance|ie ?11|at least \d|for (?:\d+|seven|ten|five) years|offline|screen readers?)\b",
            text,
        )
    ):
        return
    yield from phrase(
        r"\s(?:because|since|so (?:can|please|how|i|we|that)|but|can you|could you|otherwise|and (?:i|we|the|can))\b|,\s(?:so|but|can|could|how|and|which|i|we|that's|otherwise|the|because|rangers|everything)\b|;",
        most=24,
    )(clause, found)


def _dated(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    if clause.asks or re.search(
        r"\b(?:was|were|launched|released|shipped|ago|last (?:week|month|year|spring|summer|fall|winter)|already|failed|missed|yesterday)\b",
        clause.low[: found.end()],
    ):
        return
    if re.search(r"\b(?:every|each)\b", clause.low) or re.search(
        r"\b(?:deploy|release|ship)\w* (?:on|every) (?:mon|tues|wednes|thurs|fri|satur|sun)days\b", clause.low
    ):
        return
    place = next(
        iter(
            phrase(
                r",|\s(?:so|but|and|because|can|which|when|to (?!be)|with|for my|since|if|that)\b|;|\(|\s-\s",
                most=10,
                keep_article=True,
            )(clause, found)
        ),
        None,
    )
    if place is not None:
        yield place


def _built_here(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """`building a bot for ...` at the beginning of a turn."""
    if clause.opens and clause.sentence < 2:
        yield from _built(clause, found)


def _no_such(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """`no cloud allowed`, as one of the conditions of the whole."""
    if not clause.asks and (clause.before or found.start("v") == 0):
        yield from phrase()(clause, found)


_NO_EVENT: Final = re.compile(
    r"^(?:it|this|that|there|here|he|she|they|today|what|which|the (?:bug|error|file|line|date|value|record|row|data|timestamp|column|output|log|test|commit|difference|first|last|problem|issue|answer|result)|[\w ]*\b(?:session|meeting|appointment|call|flight|interview|lesson|visit|delivery|dinner|lunch)|error|line|date|i|we|you|one|index|my birthday|birthday|\w+ of)\b"
)


def _event_on(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """`the regatta is on 3 June`: something of one's own with a date."""
    if (
        _NO_EVENT.match(found.group("s")) is None
        and not clause.asks
        and not re.search(r"\b(?:was|were|last|ago)\b", clause.low)
    ):
        yield from phrase(r",|\s(?:so|but|and|because|can|which|when|with|if)\b", most=8, keep_article=True)(
            clause, found
        )


_NO_AUDIENCE: Final = re.compile(
    r"^(?:me|you|us|free|sale|now|example|instance|a (?:while|friend|class|test|talk|school project|job|demo|minute|reason)|this|that|it|the (?:best|most part|moment|first|same|next|talk|test|demo|interview|class)|my (?:\w+ )?(?:class|homework|exam|wife|husband|mom|boss|friend)|\d|least|all|once|hand|default|design|mistake|once|work\b|fun\b|testing|debugging|production|home\b|risk)"
)


def _audience(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """`it's for nurses`: who a thing is made for."""
    if _NO_AUDIENCE.match(clause.low[found.start("v") :]) is not None or clause.asks:
        return
    for value in phrase(r",|\s(?:so|but|and (?:i|we|it)|because|can|which|with|if|to)\b", most=8)(clause, found):
        said = clause.low[value.start - clause.start : value.end - clause.start]
        if _MANY.search(said):
            yield value


_MANY: Final = re.compile(r"\b(?:\w{3,}s|people|kids|children|staff|folks|everyone|women|men)\b")


def _thing_of_ours(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """`we're a marketplace for ...`."""
    if not clause.asks:
        yield from phrase(_STOP, most=12)(clause, found)


_FROM_TO: Final = re.compile(r"\b(?:from|off|away from|to|onto|into|out of|with|by|in)\b")


def _migration(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    text = found.group("v")
    if clause.asks or re.match(
        r"(?:to (?:a new|another|the next)? ?(?:house|flat|apartment|city|country|topic|question|task|section|step|[a-z]+ (?:next|in) (?:week|month))|on\b|forward|ahead|fast|slowly|the (?:button|logo|div|file|function|text|chair|sofa)|house|in\b|out\b|this|it\b|back\b|here|around|between)",
        text,
    ):
        return
    if _FROM_TO.search(text) is None or re.search(
        r"\b(?:house|apartment|flat|city|abroad|berlin|london|paris|office|desk)\b", text
    ):
        return
    yield from phrase(
        r",|\s(?:so|but|because|since|which|can you|could you|and (?:i|we|the|it|can)|over the|this (?:year|quarter|month|summer)|right now|at the moment|how)\b|;|\s-\s|\(",
        most=16,
    )(clause, found)


FRAMES: Final[tuple[Frame, ...]] = (
    frame("i'm im i we we're were i've we've me my our are am", r"{START}(?:{IM}|{WERE}|i|we|i've been|we've been|i have been|me and \w+ are|my team is|our team is|my (?:company|startup) is|our (?:company|startup) is)(?: currently| also| now| still| mainly| just| both| slowly| actually| basically| together)* (?:building|developing|creating|designing|making|maintaining|bootstrapping|prototyping|rebuilding|redesigning|remaking|restoring|renovating|planning|remodell?ing|translating|illustrating|writing|producing|publishing|filming|recording|composing|organi[sz]ing|restoring|running|build|make|develop|maintain|sell|design|write|publish|produce|operate) (?:out )?(?P<v>(?:a|an|our|my|the|two|three|open[- ]source|custom|cozy|small|internal|indie|mobile|web|software|tools|apps|games|dashboards|firmware)\b[^;]{3,})", _built, "building", "", "project.context"),
    frame("working work", r"{START}(?:{IM}|{WERE}|i|we|i've been|we've been|who's|my team is)(?: currently| also| now| still| mainly| mostly| actually)* (?:working|work)(?: together)? on (?P<v>)", _built, "building", "", "project.context"),
    frame("working building", r"\b(?:engineer|developer|dev|designer|i'm|im|student|founder|team)\b[^,;]{0,60}?,? (?:working on|building) (?P<v>(?:a|an|our|the company's|my)\b[^;]{3,})", _built, "building", "", "project.context"),
    frame("project app product site game tool startup company service platform repo library codebase system side this it business thing", r"{START}(?:(?:the|our|my|this) (?:current |main |side |whole |new |little |final |capstone |class |thesis |research |term )*(?:project|app|product|site|website|game|tool|startup|service|platform|repo|library|codebase|system|program|package|thing|business|plugin|thesis|dissertation|book|novel|research|cli|bot)(?:'s| is| does| =)|(?:it's|it is|this is|its)(?: basically| essentially| just| actually| really| kind of)?(?= (?:a|an) )) (?:basically |essentially |actually |about |called |named |going to be )*(?P<v>(?:a|an|called|about)?\b[^;]{3,})", _thing, "building", "", "project.context"),
    frame("monorepo monolith microservices microservice architecture driven sourced sourcing serverless hexagonal tenant modular polyrepo cqrs ddd domain mvc mvvm onion layered frontends micro client peer local offline pwa spa page", r"(?:{START}|\b(?:is|are|it's|a|an|have|use|using|uses|split into|with|follow|follows)\b )(?:a |an |one |single |big |large |small |classic |simple |modular |pnpm |nx |turborepo |bunch of |set of |few |\d+ |about |around |some )*(?P<v>(?:[\w-]+ )?(?:monorepo|monolith|microservices?|event[- ]driven|event[- ]sourced|event sourcing|serverless|hexagonal|clean architecture|multi[- ]tenant|single[- ]tenant|modular monolith|polyrepo|cqrs|ddd|domain[- ]driven|mvc|mvvm|onion architecture|layered architecture|micro[- ]?frontends?|client[- ]server|peer[- ]to[- ]peer|local[- ]first|offline[- ]first|pwa|single[- ]page app|spa)\b[^,;]{0,60})", _architecture, "noted", "", "project.architecture"),
    frame("architecture structure layout", r"{START}(?:our |the |overall |my )?(?:\w+ )?(?:architecture(?: in (?:one|a) \w+)?|system layout|folder structure|project structure|repo layout)(?: is|:|'s| looks like| follows) (?P<v>)", _listed, "noted", "", "project.architecture"),
    frame("must has have needs need cannot can't may only should", r"{START}(?:everything|all of it|the (?:whole |entire |final |finished )?(?:thing|app|application|system|product|platform|site|website|firmware|service|tool|game|binary|bundle|library|project|ui|data|device|program|package|dataset|report|thesis|paper|code|solution|software|plugin|build|demo|database|backend|frontend|api|event|venue|wedding|house|recipe|menu|budget|trip|book|course)|our (?:\w+ )?(?:app|system|product|platform|site|data|code|customers?' data|users?' data|users?|customers|api|service|servers?|firmware|code ?base|ui|design|solution|backend|frontend|patients|data center|contract|sla|budget|stack|database|build|bundle|releases?)|it|this(?: app| project| system| site| thing)?|all (?:data|user data|customer data|logs|traffic|pages|requests|code|endpoints|services|text|strings|images|our \w+|personal data|pii|payments)|customer data|user data|personal data|pii|patient data|health data|nothing|no (?:data|personal data|user data|customer data|external|third[- ]party) ?\w*|data|we) (?:also |really |absolutely |just |always |still )*(?P<v>(?:must|has to|have to|needs? to|must not|mustn't|can't|cannot|can not|may not|may only|can only|is not allowed to|are not allowed to|aren't allowed to|isn't allowed to|should never|is required to|are required to) [^;]{4,})", _constraint, "requires", "constraint", "project.constraint"),
    frame("compliance compliant gdpr hipaa pci soc wcag iso dsgvo sox ferpa coppa ccpa fedramp regulated accessibility accessible", r"{START}(?:we|our \w+|the \w+|it|everything|this|i)(?: \w+)? ?(?:also |really |absolutely )?(?:need|needs|must|are|is|has|have|fall|falls|operate|work|has to|have to)(?: to)? (?:be |meet |comply with |follow |stay |pass |support |under |subject to |bound by |respect |satisfy |in |achieve |get |have )*(?:an? |the |full |strict )*(?P<v>(?:[\w/-]+ )?(?:gdpr|hipaa|pci(?:[- ]dss)?|soc ?2|wcag(?: [\d.]+)?(?: aaa?)?|iso ?\d+|dsgvo|sox|ferpa|coppa|ccpa|fedramp|fda|compliant|compliance|a regulated|regulated|accessible|accessibility)\b[^,;]{0,60})", _constraint, "requires", "compliance", "project.constraint"),
    frame("budget", r"\b(?:our|my|the|total)? ?(?:total |monthly |whole |overall )?budget(?: for \w+(?: \w+)?)?(?: is|:|'s| of) (?:about |around |roughly |only |max |at most |capped at |limited to )*(?P<v>[€$£]? ?\d[\d.,k]*[^,;]{0,30})", phrase(_STOP, most=8), "requires", "constraint", "project.constraint"),
    frame("constraint constraints requirement requirements limit restriction", r"\b(?:the|our|a|one|main|hard|key|only|another|biggest) (?:main |hard |key |only |big |biggest |other |real )?(?:constraint|requirement|restriction|limitation)(?:s)?(?: here| is| are|:| that)+ (?:is |that )?(?P<v>)", phrase(r"\s(?:so|but|can you|could you)\b|;", most=24, bar=r"(?:that's|this|negotiable)\b"), "requires", "constraint", "project.constraint"),
    frame("requires demands mandates says is insists forbids prohibits dictates won't doesn't", r"{START}(?:legal|compliance|security|infosec|the (?:contract|law|regulator|client's contract|license|licence|sla|security team|legal team|grant|venue|landlord|school|policy)|our (?:contract|security team|legal team|policy|sla|slo|license|insurance|lease|auditors?)|company policy|policy) (?:requires|demands|mandates|says|is|insists|forbids|prohibits|dictates|won't let us|doesn't allow us to|doesn't allow)(?: that| us to| we)? (?P<v>)", phrase(r"\s(?:so|but|can you|could you)\b|;", most=24), "requires", "constraint", "project.constraint", guarded=False),
    frame("allowed forbidden allow", r"{START}(?:we|i)(?:'re| are|'m| am) (?P<v>(?:not allowed to|forbidden (?:to|from)|only allowed to|limited to|restricted to|required to|obliged to|stuck with|capped at|contractually) [^;]{3,})", _constraint, "requires", "constraint", "project.constraint"),
    frame("deliver delivering delivers finish hand launch launching launches release releases releasing ship shipping deadline due live go-live goes going demo beta mvp submit submission hand handing present presenting freeze cutoff open opens opening exam defense defence wedding conference targets target targeting", rf"{{START}}(?:we|i|we're|i'm|it|our \w+|the \w+|my \w+)?(?: \w+)? ?(?:'re |'m |are |am |is |'s |have to |need to |must |will |'ll |has to |want to |plan to |planning to |supposed to |hope to |aim to |going to |due to |be )*(?:launch(?:ing|es)?|releas(?:e|ing|es)|ship(?:ping|s)?|go(?:ing|es)? live|go(?:es)? out|com(?:es|ing) out|present(?:ing)?|submit(?:ting)?|hand(?:ing)? (?:it |this )?in|demo(?:ing)?|freez(?:e|ing)|open(?:ing|s)?|deliver(?:ing)?|finish(?:ing)?|defend(?:ing)?|targets?|targeting)\b[^,;]{{0,40}}? (?P<v>(?:(?:on|in|by|before|at|around|until|due|for|no later than) )?(?:the )?{DATE}[^,;]{{0,30}})", _dated, "targets", "deadline", "project.timeline"),
    frame("deadline launch release due demo wedding opening audit presentation kickoff milestones freeze cutoff date exam beta mvp submission defense defence go-live live conference milestone sprint", rf"\b(?:the|our|my|a|client|hard|final|submission|project|thesis|code|public|next|soft|first|beta)? ?(?:\w+[- ])?(?:deadline|due date|launch(?: date)?|release(?: date)?|go-live(?: date)?|demo|code freeze|feature freeze|cutoff|target date|ship date|exam|beta|mvp|submission|defen[sc]e|milestone|milestones|kick-?off|opening|presentation|wedding|move-in date|conference|audit|go live)(?: date)?(?: for [\w -]{{1,40}})?(?:'s| is| are| of| on| by| in|:| got moved to| (?:was )?moved to| has been moved to| got pushed to| slipped to| scheduled for| set for| planned for| due| must be (?:done|ready) by)+ (?:now |due |set for |scheduled for |on |in |by |at |still |around |the end of |currently )*(?P<v>{DATE}[^,;]{{0,30}})", _dated, "targets", "deadline", "project.timeline"),
    frame("due done ready finished finish live complete out submitted delivered", rf"\b(?:is|it's|are|be|has to be|have to be|needs to be|must be|due) (?:due |done |ready |finished |live |complete |completed |out |submitted |delivered |in production |in place |shipped )+(?:for [\w ]{{2,30}} )?(?:(?:by|on|before|in|until|no later than|at) |(?<=due ))(?P<v>(?:the )?{DATE}[^,;]{{0,30}})", _dated, "targets", "deadline", "project.timeline"),
    frame("goal aim objective target mission north vision kpi", r"(?:^|\b(?:my|our|the|main|long[- ]term|overall|ultimate|end) (?:\w+[- ])?)(?:goal|aim|objective|mission|vision|north star|target|kpi)(?: for [\w -]{2,30})?(?:'s| is|:| are)(?: to| that)? (?P<v>)", phrase( r"\s(?:so|but|can you|could you|how|because)\b|;|, (?:can|could|so|but|how)\b", most=24, bar=r"(?:this|that|it|not clear|unclear)\b", ), "targets", "goal", "project.goal"),
    frame("aiming aim targeting shooting trying", r"{START}(?:{IM}|{WERE}|we|i) (?:aiming|targeting|shooting|aim|target) (?:for |to |at )?(?P<v>)", phrase( r"\s(?:so|but|can you|could you|how|because|and i)\b|;|,", most=18, bar=r"(?:this|that|it|understand|get|do|the same)\b", ), "targets", "goal", "project.goal"),
    frame("users customers audience clients readers players target visitors students for", r"{START}(?:our|the|my|most of our|most|typical|target|main) (?:target |main |typical |end |primary )*(?:users|customers|audience|clients|readers|players|visitors|user base|target group|buyers)(?:'s)? (?:are|is|will be|speak|have|use|come from|live|work|don't|mostly) (?:mostly |mainly |all |usually |typically |primarily |largely )*(?P<v>)", phrase( r",|\s(?:so|but|can you|because|who)\b|;", most=18, bar=r"(?:complaining|reporting|seeing|getting|having|asking|saying|reported|confused|angry|happy|on the|not able|unable)\b", ), "is", "audience", "project.audience"),
    frame("users customers requests rows records tenants stores sites employees patients subscribers orders", r"{START}(?:we have|we've got|we serve|we handle|we process|there are|it has|we get|it serves|we're at|we store|we manage) (?:about |around |roughly |over |more than |some |only |nearly |almost |currently |up to |~|≈)*(?P<v>(?:~?\d[\d.,]*\s?(?:k|m|mio|million|billion|thousand)?|a (?:few )?(?:thousand|million|hundred)|\w+ (?:thousand|million|hundred)|hundreds of|thousands of|millions of)[\w ]{0,20} (?:users|customers|requests|rows|records|tenants|stores|sites|employees|patients|subscribers|orders|services|repos|devices|sensors|members|students|developers|engineers|screens|endpoints|tables|locations|branches|transactions|events|documents|clients|machines|nodes|servers|visitors|downloads|apartments|rooms|beds)\b[^,;]{0,30})", phrase(r"\s(?:so|but|and|which|that)\b"), "is", "size", "project.size"),
    frame("move switch port migrating moving switching porting rewriting transitioning converting replacing migrate moved upgrade upgrading phasing splitting consolidating", r"{START}(?:{IM}|{WERE}|we|i|the team is|our team is|my team is|we've been|we are)(?: currently| also| now| still| slowly| gradually| in the (?:middle|process) of| halfway through| busy| actively| about to| planning on| finally| just starting| half way through| mid| in the midst of| already)* (?:(?:about to |going to |planning to )?(?:migrate|move|switch|port|upgrade)(?= )|migrating|moving|switching|porting|rewriting|transitioning|converting|replacing|upgrading|phasing out|phasing|splitting|consolidating|breaking up|sunsetting|deprecating|getting rid of) (?P<v>[^;]{4,})", _migration, "migrating", "migration", "project.migration"),
    frame("migration migrating rewrite port", r"\b(?:migration|rewrite|port|transition|move|switch) (?:is )?(?P<v>(?:away )?(?:from [^,;]{2,40} )?to [^,;]{2,40})", _migration, "migrating", "migration", "project.migration"),
    frame("make sell produce run operate company startup studio business", r"{START}(?:we|my company|our company|my startup|our startup|my business|our studio|the company|my team) (?:make|makes|sell|sells|do|does|produce|produces|offer|offers|provide|provides|run|runs|build|builds|operate|operates|develop|develops) (?P<v>(?:a|an|software|apps|games|tools|custom|online|small|organic|handmade|medical|educational|hardware|drones|robots|furniture|bikes|insurance|payments|logistics|payroll|hr|accounting|e-?commerce|b2b|saas|electronics|websites|kitchens)\b[^;]{3,})", _built, "building", "", "project.context"),
    frame("under below within fit fits max most exceed", r"{START}(?:{IM} trying to|we're trying to|we need to|i need to|i want to|we have to|it has to|it must|we must|must|i have to|the \w+ (?:must|has to|needs to)|trying to|we want to) (?:keep|stay|fit|get|be|run|finish|load|start|respond)\b[^,;]{0,40}? (?P<v>(?:under|below|within|at most|no more than|less than|in under|max) (?:~|€|\$)?\d[^,;]{0,30})", phrase(r"\s(?:so|but|because|can|and)\b", most=8), "requires", "constraint", "project.constraint"),
    frame("max maximum tops limit", r"(?:^|, )(?P<v>\d[\d.,]* ?[a-z]+ (?:max|maximum|tops|limit))\b", phrase(), "requires", "constraint", "project.constraint"),
    frame("never always", r"{START}(?P<v>(?:[\w']+ ){1,4}?(?:data|photos|images|keys|logs|traffic|records|messages|files|emails|passwords|pii|prices|amounts|dates|times|money|timestamps|ids) (?:must |may |can |should )?(?:never|always) [^;]{3,})", phrase(r"\s(?:so|but|because|can)\b|,", most=16), "requires", "constraint", "project.constraint"),
    frame("store keep log represent save send", r"{START}(?:we|i) (?:always )?(?P<v>(?:store|keep|log|represent|save|send|return|format) (?:everything|all (?:the |our )?\w+|money|dates|times|timestamps|amounts|prices|ids|distances|weights)\b[^;]{3,})", phrase(r"\s(?:so|but|because|can)\b|,", most=14), "requires", "constraint", "project.constraint"),
    frame("hosted stored kept", r"\band (?P<v>(?:hosted|stored|kept|processed) (?:in|inside|within|on|only) [^,;]{2,30})", phrase(r"\s(?:so|but|because)\b"), "requires", "constraint", "project.constraint infra"),
    frame("hosted host stay live", r"{START}(?:everything|all data|our data|the data|it|data) (?:is|are|has to be|must be|must stay|stays|lives|has to stay|needs to stay|must live) (?:hosted |stored |kept )?(?P<v>(?:in|inside|within) (?:the )?(?:eu|europe|germany|switzerland|france|canada|us|uk|country|our own|house|premises)\b[^,;]{0,30})", phrase(), "requires", "constraint", "project.constraint infra"),
    frame("building making writing developing designing creating prototyping", r"^(?:hey|hi|ok|so|currently|context:)?,? ?(?:building|making|writing|developing|designing|creating|prototyping|working on) (?P<v>(?:a|an|our|my) [^;]{3,})", _built_here, "building", "", "project.context"),
    frame("porting migrating moving rewriting switching converting", r"^(?:ok |so |hey |hi |we )?(?:currently |now |still |slowly )*(?:porting|migrating|rewriting|converting|moving|switching) (?P<v>(?:our|my|the|everything|from|off|all)\b[^;]{4,})", _migration, "migrating", "migration", "project.migration"),
    frame("thesis dissertation paper book novel talk research project podcast blog course app product startup company site game", r"{START}(?:my|our|the) (?:\w+ )?(?:thesis|dissertation|paper|book|novel|talk|research|podcast|blog|course|workshop|startup|product|app|site|game|project)(?: is|'s)? (?:about|on|deals with|covers|looks at|is for|called|named) (?P<v>)", phrase(r",|\s(?:so|but|and (?:i|we)|can|how)\b|;", most=14, bar=r"(?:it|this|that|fire|hold|track|time|the (?:screen|server|phone|verge))\b"), "building", "", "project.context"),
    frame("until till", rf"{{START}}(?:we|i) (?:only )?have (?:time )?(?:until|till) (?P<v>(?:the )?{DATE}[^,;]{{0,20}})", phrase(r",|\s(?:to|so|but|and)\b"), "targets", "deadline", "project.timeline"),
    frame("subject bound regulated covered audited", r"{START}(?:we|we're|our \w+|the \w+|i'm|i) ?(?:are|is|am|fall|falls)? ?(?:subject to|bound by|regulated by|covered by|audited by|audited for|governed by) (?P<v>)", phrase(r"\s(?:so|but|and (?:i|we)|can)\b|,", most=8), "requires", "compliance", "project.constraint"),
    frame("side evenings weekends spare hobby", r"{START}(?:it's|its|it is|this is) (?P<v>(?:just |only )?(?:a|my) (?:side|hobby|weekend|school|uni|university|personal|class|capstone|volunteer|research|toy|pet|solo) (?:project|thing|app|game)\b[^,;]{0,40})", phrase(), "building", "", "project.context"),
    frame("no", r"\b(?P<v>no (?:budget for \w+|cloud|external \w+|third[- ]party \w+|internet|network|downtime|data|tracking|cookies|ads|login|accounts|signup|subscription|vendor lock-in|gpl|paid \w+)(?: \w+)?)(?=$|,| allowed| anywhere| at all)", _no_such, "requires", "constraint", "project.constraint"),
    frame("must has have needs", r"{START}(?:the|our|this|my) (?:[\w-]+ ){1,3}?(?P<v>(?:must|has to|have to|needs to) (?:stay|fit|remain|be|run|work|load|start|respond|support|last|cost|survive|weigh|finish|handle|scale) [^;]{3,60})", _constraint, "requires", "constraint", "project.constraint"),
    frame("is starts begins opens closes ends", rf"{{START}}(?:the |our |my )?(?P<s>[a-z][\w' -]{{2,30}}?) (?:is|starts|begins|opens|closes|ends) (?:on |in |at the |by )(?P<v>(?:the )?(?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {MONTH}|{MONTH}(?: \d{{1,2}})?|\d{{1,2}}(?:st|nd|rd|th))\b[^,;]{{0,16}})", _event_on, "targets", "", "project.timeline"),
    frame("for at by", r"{START}(?:it's|it is|this is|its|the (?:app|game|site|tool|product|book|course|thing|project|service|platform|plugin|newsletter|podcast|library)(?: is|'s)|our (?:app|game|site|tool|product|platform)(?: is|'s))(?: mostly| mainly| only| all)?(?: meant| built| made| designed| intended| aimed| targeted| used| written)? (?:for|at|by) (?P<v>)", _audience, "is", "audience", "project.audience"),
    frame("grows grow growing", r"\b(?:it|which|that|the \w+) (?:grows?|is growing) (?:by |at )(?P<v>(?:about |around |roughly )?[\w.,~]+ [^,;]{2,30})", phrase(r"\s(?:so|and|but)\b"), "noted", "", "project.size"),
    frame("have we've got", r"{START}(?:we have|we've got|it has|there are|we run|we manage|we maintain|we ship|we serve|it serves|we support) (?:about |around |roughly |over |more than |some |only |nearly |almost |like |~)*(?P<v>~?(?:\d[\d.,]*\s?(?:k|m)?|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|fifty|a hundred|hundreds of|thousands of|a dozen|dozens of) (?:\w+ ){0,2}?(?:apps|services|microservices|repos|repositories|packages|screens|pages|sites|stores|locations|branches|offices|clients|customers|users|tenants|students|patients|employees|members|volunteers|devices|sensors|machines|nodes|servers|clusters|environments|tables|endpoints|languages|locales|brands|countries|regions|teams|developers|engineers|modules|dags|jobs|pipelines|integrations|partners|products|skus|schools|hospitals|restaurants|farms|rooms|guests|kids|chapters|episodes|levels|rows|tests)\b(?! (?:fail|failing|that fail|left|to (?:fix|do)|open))[^,;]{0,30})", phrase(r"\s(?:so|but|and|which|that|how|can)\b"), "noted", "", "project.size"),
    frame("hipaa gdpr pci soc wcag iso dsgvo sox ferpa coppa ccpa fedramp", r"^(?:[\w' ]{0,30}, )?(?:so |and |with |under |it's |we're |needs |must be )?(?:strict |full )?(?P<v>(?:hipaa|gdpr|pci(?:[- ]dss)?|soc ?2|wcag(?: [\d.]+)?(?: aaa?)?|iso ?\d+|dsgvo|sox|ferpa|coppa|ccpa|fedramp)(?: compliant| compliance| applies)?)(?=$|,)", phrase(), "requires", "compliance", "project.constraint"),
    frame("sell sells manufacture distribute rent import brew roast grow breed", r"{START}(?:we|i|my company|our company|my family|our shop) (?:also |mostly |mainly )?(?P<v>(?:sell|sells|manufacture|manufactures|distribute|rent out|import|breed) [^;]{3,60})", phrase(_STOP, most=10), "building", "", "project.context"),
    frame("must", r"^(?:and |also |but |oh and |plus )*(?P<v>(?:must|has to|needs to) (?:work|run|support|fit|stay|load|comply) [^;]{3,60})", _constraint, "requires", "constraint", "project.constraint"),
    frame("we're we", r"{START}{WERE} (?:basically |essentially |kind of )?(?P<v>an? (?:[\w-]+ ){0,3}?(?:marketplace|platform|saas|app|newsletter|podcast|magazine|webshop|web shop|online shop|tool|directory|booking site|comparison site)\b[^;]{0,50})", _thing_of_ours, "building", "", "project.context"),
    frame("building making writing", r"{START}(?:{IM}|{WERE}) (?:building|making|writing|creating|doing) (?:this|it|all this) for (?P<v>)", phrase(r",|\s(?:so|but|and (?:i|we)|because|can)\b", most=8, bar=r"(?:fun|now|free|a (?:while|class)|you|practice|the (?:first|last))\b"), "is", "audience", "project.audience"),
    frame("limit cap quota maximum", r"\b(?:there's|there is|we have|with|has) an? (?:hard |strict |fixed )?(?:limit|cap|quota|maximum|budget) (?P<v>(?:of|at) [^,;]{2,40})", phrase(r"\s(?:so|but|and|because)\b"), "requires", "constraint", "project.constraint"),
    frame("replaced replacing", r"{START}(?:the|our) (?P<v>[^;]{2,40}? (?:is being|will be|gets|is getting|are being) (?:replaced|superseded) (?:by|with) [^;,]{2,40})", phrase(r"\s(?:so|but|and)\b"), "migrating", "migration", "project.migration"),
    frame("date delivery deadline", rf"\b(?:delivery|target|hand-?over|shipping|exam|submission) date (?:is|:) (?:the )?(?P<v>{DATE}[^,;]{{0,20}})", _dated, "targets", "deadline", "project.timeline"),
    frame("have we've i've got", rf"{{START}}(?:i have|i've got|we have|we've got) (?:a|an|my|our|the) (?P<s>[\w' -]{{3,30}}?) (?:on|in) (?P<v>(?:the )?(?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {MONTH}|{MONTH} \d{{1,2}})\b[^,;]{{0,10}})", _event_on, "targets", "", "project.timeline"),
    frame("repo project package codebase", r"{START}this (?:repo|project|package|codebase|repository|folder) is (?P<v>the (?:\w+ ){1,3}?(?:for|of|behind) [^;,]{3,50})", phrase(_STOP, most=12), "building", "", "project.context"),
)  # fmt: skip
