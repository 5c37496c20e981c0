"""What is used: languages, frameworks, databases, tools, machines; said of the project, or of the person's own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from muniment.capture.extract.told import lexicon
from muniment.capture.extract.told.clauses import Clause
from muniment.capture.extract.told.frame import ME, Frame, Value, frame
from muniment.capture.extract.told.slots import known_tools, one_tool, phrase, technologies, tools

_USE: Final = (
    r"(?:use|uses|using|been using|have been using|been on|been running|talk|speak|are using|is using|run|runs|run on|runs on|are running|is running|running|are on|is on|deploy on|deploy to|deploy with|deploy via|deploys to|deploys on|deploy everything (?:on|to|with)|host on|host it on|host everything on"
    r"|are hosted on|rely on|relies on|went with|write|write it in|write everything in|code in|develop in|develop on|develop with|build with|build on|build in|built it (?:with|on|in)|built (?:with|on|in)|work with|work in|ship on|ship with|target|targets"
    r"|depend on|depends on|test with|lint with|format with|stick to|stick with|standardi[sz]ed on|settled on|have|moved to|moved over to|moved everything to|switched to|migrated to|upgraded to|went from [\w.# +-]+? to|moved from [\w.# +-]+? to|switched from [\w.# +-]+? to|switched over to|switched over from [\w.# +-]+? to|migrated from [\w.# +-]+? to"
    r"|converted to|adopted|run everything on|run it on|run (?:our|the) \w+ on|keep (?:it|everything|our \w+|the \w+) (?:in|on)|store (?:it|everything|our \w+|the \w+) (?:in|on)|manage (?:it|everything|our \w+|the \w+) (?:with|in|via)|talk to|monitor with|do (?:our|the|all our|all) \w+ (?:in|with|on|via)|track \w+ (?:in|with)|serve (?:it|everything) (?:with|via|from)|live on|are built on|is built on|are in|is in|are written in|is written in|are all|is all|are mostly|is mostly|are a|is a|are an|is an|are|is)"
)
_PARTS_OF: Final = (
    r"(?:toolchain|compiler|stack|tech stack|backend|back-end|back end|frontend|front-end|front end|database|db|main database|primary database|primary db|ci|ci/cd|ci pipeline|build system|build|api|apis|app|apps|site|website|web app|webapp|mobile app|server|servers|cluster|infra|infrastructure|hosting|host|code|codebase|repo|repository"
    r"|orm|cache|queue|message queue|message broker|bundler|test runner|test framework|tests|unit tests|e2e tests|linter|formatter|package manager|type checker|runtime|language|main language|framework|auth|authentication|monitoring|logging|search|search engine|styling|css|state management|state|docs|data warehouse|warehouse|data pipeline|pipeline|pipelines|services|service|microservices|scripts|cms|shop|store|platform|product|firmware|game|cli|bot|plugin|editor|ide|os|operating system|shell|terminal|browser|laptop|machine|dev machine|work machine|desktop|workstation|setup|keyboard|phone|computer|cloud|cloud provider|deployment|deployments|vcs|version control|issue tracker|ticket system|wiki|chat|design tool|designs|notes|registry|dashboards|client|admin|workers?|version|python version|node version|go version|ruby version|php version|java version|unity version|prod|production|staging|local dev|local setup|dev environment|env|environment|everything)"
)
_HEADS: Final = r"(?:app|apps|application|backend|back-end|frontend|front-end|project|codebase|repo|monorepo|service|services|microservice|microservices|api|apis|server|servers|cluster|clusters|database|db|site|website|shop|store|firmware|pipeline|pipelines|bot|library|lib|package|module|plugin|extension|stack|setup|instance|instances|game|cli|script|scripts|monolith|team|tests|test suite|suite|deployment|infra|infrastructure|workers?|client|ui|dashboard|dashboards|warehouse|workflows?|jobs?|dags?|queue|cache|migrations?|models?|components|code|box|boxes|machine|vm|vms|container|containers|environment|account|workspace|org|board|design system|web app|mobile app|desktop app|product|platform|layer|tables?|topics?|buckets?|charts?|config|configs|playbooks?|modules|lambdas|functions|routes|endpoints|notebooks?|bridge|proxy|gateway|store)"


_NEGATED: Final = re.compile(
    r"\b(?:don't|doesn't|do not|does not|didn't|aren't|isn't|not|never|no|can't|cannot|won't|no longer|haven't|stopped|without)\b"
)


_ON_THE_WAY: Final = re.compile(
    r"\b(?:moving|migrating|switching|porting|rewriting|leaving|dropping|replacing|converting|trying|planning|looking|thinking|learning|having|getting|struggling|seeing|going to|about to|phasing|considering|evaluating|debugging|fixing)\b"
)


def _used(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """What a project uses. `is` and `are` take a technology only, `have` too."""
    if _NEGATED.search(clause.low, found.start(), found.end()):
        return
    head = clause.low[found.start() : found.start("v")]
    first = next(iter(technologies(clause, found.start("v"), unknown=False)), None)
    if first is not None and _ON_THE_WAY.search(clause.low, found.start("v"), first.start - clause.start):
        return
    weak = re.search(
        r"\b(?:is|are|'s|have|on|in|at|a|an|run|runs|target|targets|moved to|write|it's|its|went with|to)\s*(?:(?:a|an|the|all|mostly|just|still|really|only|also|mainly|now|actually|currently)\s+)*$",
        head,
    )
    yield from technologies(clause, found.start("v"), unknown=weak is None, plain=weak is None or "we" in head.split())


def _part(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """What a named part of the project is: a name that nobody knows too, if it is written as one."""
    if _NEGATED.search(clause.low, found.start(), found.end()):
        return
    written = clause.raw[found.start("v") : found.start("v") + 1].isupper()
    yield from technologies(clause, found.start("v"), unknown=written)


def _only_named(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """`it's all bash here`: nothing but a tool."""
    values = list(technologies(clause, found.start("v"), unknown=False, plain=False))
    if (
        values
        and values[0].start - clause.start - found.start("v") < 16
        and len(clause.low.split()) <= 14
        and not _NEGATED.search(clause.low)
    ):
        yield from values


_NOT_HANDLED: Final = re.compile(
    r"\b(?:help|start|started|struggl\w+|stuck|want|need|try|tried|trying|test\w*|played|learn\w*|look\w*|interested|integrat\w+|work\w*|compare\w*|talk\w*|read|go|see|get|got|found|run into|spoke|familiar|comfortable|new|fail\w*|had|was|did|made)\b"
)


def _handled(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """`we lock with DynamoDB`: right behind the preposition, and no attempt or past deed."""
    head = clause.low[found.start() : found.start("v")]
    if _NOT_HANDLED.search(head) is None and re.search(r"\w+ed\b", head) is None and not _NEGATED.search(head):
        for value in technologies(clause, found.start("v"), unknown=False, plain=False):
            if value.start - clause.start - found.start("v") < 3:
                yield value
            return


def handled_with(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """`we render PDFs with WeasyPrint`: a name that nobody knows too, if it is written as one."""
    written = clause.raw[found.start("v") : found.start("v") + 1].isupper()
    yield from technologies(clause, found.start("v"), unknown=written)


_OF_LIST: Final = frozenset(
    "and with on in for via hosted deployed running only here everywhere behind plus the a our all to tests ci mostly self-hosted postgres db backend frontend front end back api server".split()
)


def _bare_list(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """`Go + Postgres, deployed on Fly`: nothing but tools, two or more."""
    if lexicon.at(clause.low, found.start("v"), len(clause.low)) is None:
        return
    values = list(technologies(clause, found.start("v"), unknown=False))
    if (
        len({v.tags for v in values}) < 2
        or values[0].start - clause.start != found.start("v")
        or re.search(r"\b(?:or|vs|versus)\b", clause.low)
    ):
        return
    rest, at = "", found.start("v")
    for value in values:
        rest += " " + clause.low[at : value.start - clause.start]
        at = value.end - clause.start
    words = re.findall(r"[a-z'-]+", rest + " " + clause.low[at:])
    if len(words) <= 4 and all(word in _OF_LIST for word in words):
        yield from values


def _fragment(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """`php 7.2`, `C#, not gdscript`: a tool by itself, with its version or against another."""
    values = list(technologies(clause, found.start("v"), unknown=False))
    if (
        len(values) == 1
        and values[0].start == clause.start
        and (" not " in clause.low or clause.raw[values[0].end - clause.start - 1].isdigit())
    ):
        yield from values


_NO_PART: Final = re.compile(
    r"\b(?:bug|error|problem|issue|question|answer|fix|exception|warning|failure|reason|difference|point|idea|trick|goal|plan|task|example|rest|way|step|name|one|leak|culprit|test|tests|code above|output|message|docs|tutorial|book|course|course is|best|language of|what|which|this|that|it)$"
)


def _flows(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """`mails leave via Postmark`, `the runners are Ubuntu 22.04`."""
    if _NO_PART.search(found.group("s")) is None and not _NEGATED.search(clause.low[: found.start("v")]):
        values = list(technologies(clause, found.start("v"), unknown=False, plain=False))
        if values and values[0].start - clause.start - found.start("v") < 12:
            yield from values


def _running(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """`running this on ...` at the beginning of a sentence."""
    if clause.opens or re.match(r"(?:i'm|im|we're)", clause.low):
        yield from technologies(clause, found.start("v"), unknown=False)


def _mine(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """What a person uses: his own where it is a tool for persons, or where he says that he does it as a habit."""
    head = clause.low[found.start() : found.start("v")]
    here = re.search(r"\b(?:for this|in this|here|this project|for the|for my|for our|in my)\b", clause.low) is not None
    vague = re.search(r"\b(?:have|own|got|on|run)\s*(?:a |an |the |my |in )?$", head) is not None
    for value in technologies(clause, found.start("v"), unknown=False, plain=not vague):
        if vague and value.start - clause.start - found.start("v") > 14:
            return
        yield value._replace(personal=value.personal or (not here and "using" not in head and "running" not in head))


def _own(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    for value in technologies(clause, found.start("v"), unknown=False):
        yield value._replace(personal=True)


def _version_of(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    version = re.compile(r"\d[\w.]*").search(clause.low, found.end() - 1)
    for value in technologies(clause, found.start("v"), found.end(), unknown=False):
        if version is not None:
            yield value._replace(end=clause.start + version.end())
        return


_CUES: Final = re.compile(r"[a-z']+")
_USED: Final = " ".join(sorted(set(_CUES.findall(_USE.replace("\\w", "").replace("(?:", "")))))
_NAMED: Final = " ".join(sorted({f"{w}{s}" for w in _CUES.findall(_PARTS_OF.replace("(?:", "")) for s in ("", "'s")}))
"""The words that stand in the patterns: a clause without them is not looked at."""

FRAMES: Final[tuple[Frame, ...]] = (
    frame(_USED, rf"{{START}}(?:in |on |at |for |with )?(?:{{WE}}|{{WERE}})(?:'s|'re|'ve)? (?:{{ADV}}){_USE} (?:{{ADV}})(?P<v>)", _used, "uses"),
    frame("we're were", r"{START}{WERE} (?:{ADV})(?:all |still |stuck |already |fully )*(?:on|using|running(?: on)?|a|an|hosted on|deployed (?:on|to)|in|at|building (?:it |this |everything )?(?:with|in|on)) (?:a |an |the )?(?P<v>)", _used, "uses"),
    frame("we", r"{START}we (?:{ADV})(?:use|have|run) (?P<v>)", _used, "uses"),
    frame("we", r"\b(?:which|that|where|and|what) we (?:{ADV})(?:use|run|deploy (?:to|on|with)|host on|write in|built (?:with|in|on)) (?P<v>)", _used, "uses"),
    frame("built written made coded implemented running deployed hosted based powered developed using backed build works rewritten", r"(?:{START}(?:it's|its|it is|it was|they're|this is|this was|that's|{WE}(?:'s| is| are| was)?|{WERE}|the \w+(?: \w+)? (?:is|are|was)|my \w+(?: \w+)? (?:is|are|was)|our \w+(?: \w+)? (?:is|are|was)|(?:i|we)(?:'ve| have)?)? ?(?:{ADV}))(?:built|written|made|coded|implemented|running|deployed|hosted|based|powered|developed|backed|rewritten|packaged|served)(?: (?:this|it|everything|all))? (?:with|in|on|using|by|from|to|via|off|entirely in|on top of|under) (?:a |an |the |top of )?(?P<v>)", _used, "uses"),
    frame(_NAMED, rf"{{START}}(?:the|our|my|this)? ?(?:main |current |whole |new |entire |primary |prod |production |work |dev |default |go-to |preferred |daily |test |team's |project's |actual )*{_PARTS_OF}(?:(?:'s| is| are|:| =| runs on| run on| runs| uses| use| lives on| live in| lives in| goes through| sits on| are on| is on| are in| is in| relies on| is built (?:on|with|in)| is hosted on| are written in| is written in| targets| go to| goes to| happens? in| happens? on| consists of) (?:{{ADV}}))(?:a |an |the |all |in |on |still |using |just |done in |done with )*(?P<v>)", _part, "uses"),
    frame("stack using tech environment setup running", r"^(?:\W|(?:my|our|the|tech|current|full|dev|quick|context|some|background)\W+)*(?:\w+ )?(?:stack|tech stack|setup|environment|env|versions?|platform|os|tech|toolchain|gear|rig)\s*[:=-]+\s*(?P<v>)", tools, "uses"),
    frame("using running on with", r"^(?:(?:btw|fyi|also|hey|hi|ok|so)[, ]+)*(?:i'm |im |we're )?(?:using|running|working (?:with|in|on)|developing (?:in|with|on)|coding in|on)(?: this| it| everything)?(?: on| in| with)? (?:a |an |the |my )?(?P<v>)", _running, "uses"),
    frame("i i'm im ive i've am", r"{START}(?:{I}|{IM}) (?:{ADV})(?:use|run|using|running|on|work on|work in|code in|write|develop on|program in|code on|develop in|have|own|daily drive|live in|switched to|moved to|have switched to|stick with|write in|type on|swear by|work with|got) (?:a |an |the |my |in )?(?P<v>)", _mine, "uses"),
    frame("editor os shell terminal browser ide machine laptop keyboard setup phone computer desktop", r"\bmy (?:main |daily |work |dev |current |go-to |primary |default |favou?rite )*(?:editor|ide|os|operating system|shell|terminal|browser|machine|laptop|keyboard|phone|computer|desktop|workstation|work laptop|window manager|dev machine|daily driver)(?:'s| is| =|:| runs| runs on) (?:a |an |on )?(?P<v>)", _own, "uses", subject=ME),
    frame("it's its that's everything's all", r"^(?:no |nope |well |so |btw |fyi )*(?:it's|its|that's|everything's|everything is|it is)(?: all| mostly| just| still| pure| plain| purely| only| mainly| good old| an?)* ?(?P<v>)", _only_named, "uses"),
    frame("and", r"{START}(?:we|i) [^;]{3,40},? and (?:\w+ly )?(?:edit|write|code|draw|design|record|model|render|prototype|plan|track|compose|mix|deploy|test|build|publish|store|manage|run)(?: it| them| everything)? (?:in|on|with|using|to|via) (?P<v>)", known_tools, "uses"),
    frame("we", r"{START}(?:we|i) (?:{ADV})(?:\w+)(?: (?:it|them|everything|that|our \w+|the \w+))? (?:with|on|in|via|through|using|to) (?:a |an |the |our )?(?P<v>)", _handled, "uses"),
    frame("", r"^(?:and |so |plus |btw |context: |stack: )*(?P<v>)", _bare_list, "uses"),
    frame("", r"^(?P<v>)[\w.#+-]+(?: [\w.#+-]+)?(?: v?\d[\w.]*)?(?:,? not [\w.#+-]+(?: [\w.#+-]+)?)?$", _fragment, "uses"),
    frame("rebuilding building making make makes write writing developing build coded coding writes develop written doing implementing", r"{START}(?:{IM}|{WERE}|i|we|i've been|we've been|it's|the \w+ is)(?: \w+)? (?:rebuilding|building|making|make|write|writing|developing|build|coding|code|develop|written|doing|implementing|porting|creating) [^,;]{1,60}? (?:in|with|using|on top of|on|natively in) (?P<v>)", known_tools, "uses"),
    frame("only ever done used worked written", r"{START}i(?:'ve| have) (?:only |always |mostly |ever |really |just )*(?:done|used|worked with|worked in|written|known) (?P<v>)", _own, "uses", subject=ME),
    frame("in on through via with by from to into", r"^(?:and |so |but |also |the |our |all |my |all the |all our |most )*(?P<s>[a-z][\w -]{1,30}?) (?:go|goes|leave|leaves|are|is|live|lives|run|runs|sit|sits|happen|happens|come|comes|flow|flows|get|gets)(?: all| stored| sent| served| built| hosted| deployed| managed| tracked| processed| cached| indexed| queued| monitored| handled| done| kept| written| rendered| generated| shipped| scheduled| synced| backed up| logged| collected| exported)* (?:in|on|through|via|with|by|from|to|into|over|as) (?:a |an |the |our )?(?P<v>)", _flows, "uses"),
    frame("is are runs run", r"{START}(?:the|our|my|all|all the|all our) (?P<s>[\w -]{2,25}?) (?:is|are|runs|run)(?: on| all| still| a| an| just)* (?P<v>)", _flows, "uses"),
    frame("our my", r"\b(?:our|my) (?:\w+ ){0,2}?(?P<v>[\w.#+/-]+(?: (?:on rails|js|native|boot|actions|compose|ci|server|sql|db|cloud|run|core|code)\b)?(?: \d[\w.]*)?)(?:[- ]based|[- ]powered)? (?!(?:skills?|knowledge|experience|course|exam|interview|class|book|tutorial|homework|questions?|is|are|was|version|installation|install|and|or|but|error|errors|issue|issues|problem|problems)\b)[a-z]\w+\b", one_tool, "uses", weak=True, in_question=True),
    frame("cluster server version node", r"{START}(?:the )?(?:cluster|server|prod|staging|production|site|backend|frontend|app|db|database)(?: is|'s|:) (?P<v>)", tools, "uses"),
    frame("python node version go ruby java php", r"{START}(?:the |our )?(?P<v>)[\w.#+-]+ version(?: here)?(?: is|'s|:) \d", _version_of, "uses"),
    frame("is are", r"{START}(?P<v>)(?:[\w.#+-]+(?: [\w.#+-]+)?) (?:is|are) (?:what we|our|the (?:only|main) \w+ we|on everywhere|used (?:for|everywhere|here|throughout))", known_tools, "uses"),
    frame("support", r"{START}(?:{WE}|it|we) (?:only |must |has to |have to |need to |needs to |still |officially )+support (?P<v>)", phrase(r"\s(?:so|because|but|until|can)\b|,", most=10), "requires", "constraint", "project.constraint infra"),
    frame("needs supports targets support target compatible stay", r"{START}(?:{WE}|it|we) (?:{ADV})(?:must |has to |have to |needs to |need to )?(?:support|supports|target|targets|stay (?:on|compatible with)|still support) (?P<v>)", known_tools, "requires", "", "project.constraint infra"),
    frame("it's its", r"{START}(?:for|in|on) (?:the |our |my |all )?\w+(?: \w+)?,? (?:it's|its|it is|there's|we have|we've got) (?:all |mostly |just |still )*(?P<v>)", known_tools, "uses"),
    frame("is it's its", r"{START}(?:this is|it's|its|that's|it is) (?:an? |our |my )(?:\w+ )?(?P<v>[\w.#+-]+(?: [\w.#+-]+)?(?: \d[\w.]*)?) (?:app|project|repo|repository|site|codebase|service|backend|frontend|shop|monorepo|game|server|api|library|package|plugin|workspace|solution)\b", one_tool, "uses"),
    frame("do keep write track manage edit host run", r"{START}(?:i|we) (?:{ADV})(?:do|keep|write|track|manage|edit|host|run|store|plan|record|log|draw|build|render|serve|organi[sz]e|handle|schedule) (?:it|them|everything|all (?:my|our|the|of it)?|my|our|the)(?: \w+){0,2}?(?: ourselves| myself)? (?:in|on|with|using|via|through) (?:a |an |the |our |my )?(?P<v>)", known_tools, "uses"),
    frame("to with on in via over", r"{START}(?:the|our|my|this)? ?(?:\w+ )?[a-z]+ (?:{ADV})(?:talks|speaks|connects|writes|deploys|ships|renders|compiles|reports|publishes|pushes|syncs|logs|streams|authenticates)(?: \w+)? (?:to|with|on|in|via|over|against) (?:a |an |the |our )?(?P<v>)", known_tools, "uses"),
    frame("is are", r"{START}(?:the |our |my |all )?(?:\w+ )?[a-z]+ (?:is|are) (?:{ADV})(?:made|built|written|done|hosted|deployed|run|powered|generated|managed|stored|styled|tested|packaged|served|rendered|handled|set up) (?:with|in|on|by|using|via|from) (?:a |an |the |our )?(?P<v>)", known_tools, "uses"),
    frame("and", r"{START}(?:the |our |my )[\w ]{2,40}? and (?:uses|runs on|sits on|sits behind|lives on|is hosted on|talks to|deploys to|stores \w+ in|relies on) (?P<v>)", known_tools, "uses"),
    frame("moved migrated switched", r"{START}(?:our|the) (?:\w+ )?\w+ (?:has |have |just |recently )*(?:moved|migrated|switched|upgraded) (?:over )?to (?P<v>)", known_tools, "uses"),
    frame("is are", r"{START}(?:all|most|everything|nearly all) (?:of )?(?:the|our|my)? ?\w+ (?:is|are) [a-z]+(?:ed|en|t)? ?(?:in|with|by|on|through|via|as) (?P<v>)", known_tools, "uses"),
    frame("team", r"{START}(?:the|our|my) (?:\w+ )?(?:team|devs|designers|developers|engineers|data scientists|ops|qa|marketing|support|backend|frontend|mobile) (?:uses?|runs?|works? (?:with|in|on)|deploys? (?:with|to|on)|builds? (?:with|in|on)|writes?|is on|are on) (?P<v>)", known_tools, "uses"),
    frame("render generate build parse export compile convert draw plot schedule send queue design model", r"{START}(?:we|i) (?:{ADV})(?:render|generate|build|parse|export|compile|convert|draw|plot|schedule|send|queue|design|model|track|monitor|test|lint|cache|log) (?:\w+ ){0,3}?(?:with|in|via|using|through|on) (?P<v>)", handled_with, "uses"),
    frame("", r"^(?P<v>)[\w.#+-]+(?: [\w.#+-]+)? \d[\w.]*(?: lts)? (?:on|with|behind|in|via) [\w.+ -]{2,40}$", known_tools, "uses"),
)  # fmt: skip
