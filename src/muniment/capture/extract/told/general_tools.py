"""Tools in use, read from the grammar of a clause: what something of ours is, runs on or is made with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from muniment.capture.extract.told import grammar, lexicon, signs
from muniment.capture.extract.told.clauses import Clause
from muniment.capture.extract.told.frame import ME, PROJECT, Told, Value
from muniment.capture.extract.told.grammar import Subject
from muniment.capture.extract.told.slots import span, technologies

_LEARNS: Final = re.compile(
    r"\b(?:learn\w*|try(?:ing)?|tried|want\w*|need\w*|consider\w*|compar\w+|think(?:ing)?|thought|look(?:ing)?|read(?:ing)?|heard|help|start(?:ed|ing)?|evaluat\w+|debug\w*|switch\w*|migrat\w+|mov(?:e|ing)|port(?:ing)?|replac\w+|instead|error\w*|like|know|understand|ask\w*|wonder\w*|should|could|would|might|interested|familiar|new to|from|support\w*|reject\w*|drop\w*|avoid|forbid\w*)\b"
)
_HOSTS: Final = re.compile(
    r"(?:is|are|'s|'re|am|has|have|runs?|lives?|goes|go|sits?|comes?|ships?|uses?|gets?|keeps?|stays?|works?|talks?|writes?|stores?|sends?|speaks?|serves?|depends?|relies|rely|lands?|leaves?|targets?|deploys?|hosts?|builds?|tests?|lints?|formats?|publish(?:es)?|typesets?|designs?|draws?|edits?|records?|logs?|tracks?|plans?|syncs?|backs?|renders?|caches?|queues?|streams?|connects?|consists?|mounts?|binds?|develops?|makes?|does|do|reads?|handles?|compiles?|generates?|monitors?|authenticates?|wraps?|prints?|signs?|packages?|bundles?|queries|query|own)"
)
_WITHIN: Final = re.compile(r"\b(?:our|my) (?:[\w-]+ ){0,2}?(?P<v>)")
_ONE_OF: Final = re.compile(
    r"\b(?:one of|some of|all|most of|each of|every one of) (?:our|my) (?:[\w-]+ ){0,1}?(?P<v>)"
)
_VERSIONED: Final = re.compile(
    r"^(?:\W|(?:ok|so|hi|hey|hello)\b)*(?:with|on|using|in|running|under) (?:an? |the |my |our )?(?P<v>)"
)
_COLON: Final = re.compile(
    r"^(?:\W|(?:ok|so|hi|hey|hello|context|some|quick|fyi)\b)*(?:(?:my|our|the|tech|current|full|dev|work|home|whole|basic) ){0,3}[\w-]+(?: [\w-]+)?\s*(?::|=)\s*(?P<v>)"
)


def read(clause: Clause) -> Iterator[Told]:
    """The tools that a clause says or implies to be in use."""
    seen: set[int] = set()
    for value, is_weak in _found(clause):
        if value.start not in seen:
            seen.add(value.start)
            hedged = is_weak or signs.is_hedged(clause)
            subject = ME if value.personal else PROJECT
            yield Told(
                "stack",
                "uses",
                subject,
                value.start,
                value.end,
                value.topic or "",
                value.tags,
                hedged,
                None,
                value.personal,
                clause.start,
            )


def _found(clause: Clause) -> Iterator[tuple[Value, bool]]:
    """Each tool, and whether it is implied rather than said."""
    low = clause.low
    if not clause.asks and not grammar.REQUEST.match(low):
        yield from ((value, False) for value in _stated_tools(clause))
    if not grammar.FAULTS.search(low) and not signs.is_third(low):
        yield from ((value, clause.asks) for value in _branded(clause))
    yield from ((value, True) for value in _owned(clause))
    version = _VERSIONED.match(low)
    first = next(iter(technologies(clause, version.end(), unknown=False)), None) if version and clause.opens else None
    if version is None or first is None or first.start - clause.start - version.end() > 2:
        return
    if low[first.end - clause.start - 1].isdigit():
        yield first, clause.asks


def _branded(clause: Clause) -> Iterator[Value]:
    """`a Sonoff dongle`: a name that nobody knows, by the thing behind it."""
    for found in _MADE_AS.finditer(clause.raw):
        name = found["v"].lower()
        place = span(clause, *found.span("v"))
        if place is not None and name not in lexicon.names() and name not in _NO_BRAND:
            yield Value(*place, "", ("tools", "infra", "code"))


_NO_TOOL: Final = re.compile(
    r"\s(?:meetings?|calls?|questions?|skills?|interviews?|exam|course|book|tutorial|class|homework|knowledge|experience)\b"
)
_OF_SYSTEM: Final = re.compile(r"\s(?:app|apps|client|version|build|team)\b")


def _owned(clause: Clause) -> Iterator[Value]:
    """`our Rails app`, `one of our Erlang nodes`, also in a question."""
    low = clause.low
    for pattern in (_ONE_OF, _WITHIN):
        for found in pattern.finditer(low):
            known = lexicon.at(low, found.end(), len(low))
            if known is None or (
                low[found.end() : known[0]] in lexicon.PLAIN and not clause.raw[found.end()].isupper()
            ):
                continue
            is_system = known[1].kind == "os" and _OF_SYSTEM.match(low, known[0]) is not None
            if not is_system and _NO_TOOL.match(low, known[0]) is None:
                yield from technologies(clause, found.end(), known[0], unknown=False)


def _stated_tools(clause: Clause) -> Iterator[Value]:
    low = clause.low
    found = _COLON.match(low)
    if found is not None:
        values = list(technologies(clause, found.end(), unknown=False))
        if values and values[0].start - clause.start - found.end() < 4:
            yield from values
            return
    if grammar.FAULTS.search(low.replace("still", "")):
        return
    yield from _by_doing(clause)
    yield from _by_craft(clause)
    yield from _by_statement(clause)


_CRAFT: Final = re.compile(
    r"\b(?:i|we|and) (?:also |mostly |always |usually )?(?:sew|bake|cook|shoot|film|record|print|cut|weld|turn|mill|paint|draw|write|type|edit|mix|ride|drive|fly|knit|weave|roast|brew|grind|scan|measure|plot|model|photograph|play|dj|farm|mow|till|drill|solder|machine) (?:\w+ )?(?:on|with|in|using) (?:an? |the |my |our )(?=[A-Za-z])"
)


def _by_craft(clause: Clause) -> Iterator[Value]:
    """`I sew on a Bernina 770`: a craft and the name of what it is done with."""
    for found in _CRAFT.finditer(clause.low):
        name = re.compile(r"[A-Z][\w-]+(?: (?:[A-Z][\w-]*|\d[\w-]*))*").match(clause.raw, found.end())
        place = span(clause, name.start(), name.end()) if name is not None else None
        if place is not None:
            yield Value(*place, "", ("tools", "infra"), True)


def _by_doing(clause: Clause) -> Iterator[Value]:
    """`Emacs user here`, `editing in Capture One`."""
    low = clause.low
    user = _USER.match(low)
    if user is not None:
        yield from technologies(clause, user.start("v"), user.end("v"), unknown=False)
    for doing in _DOING.finditer(low):
        at = doing.end()
        for value in technologies(
            clause, at, unknown=re.match(r"[A-Z][\w-]* [A-Z]?[\w-]*\d", clause.raw[at:]) is not None
        ):
            if value.start - clause.start <= at + 1:
                yield value
            break


def _by_statement(clause: Clause) -> Iterator[Value]:
    """`the lab's boxes are CentOS 7`, or a list of tools."""
    low, read = clause.low, grammar.statement(clause)
    parts = list(_parts(clause))
    if parts:
        yield from parts
        known = {v.start for v in parts}
        yield from (v for v in technologies(clause, 0, unknown=False, plain=False) if v.start not in known)
        return
    if (
        read is not None
        and not read.is_denied
        and re.match(r"(?:is|are|handles?|takes?|does|runs?)\b", read.verb)
        and re.match(
            r"(?:set up|configured|enabled|everywhere|in place|our|what we|the \w+ we|all of|everything|care of|it from)\b",
            low[read.rest :],
        )
    ):
        yield from technologies(clause, read.start, read.rest, unknown=False, plain=False)
    if (
        read is None
        or read.is_denied
        or not (
            _HOSTS.fullmatch(read.verb)
            or (
                read.subject is Subject.OURS and not re.match(r"(?:was|were|would|could|should|must|has to)", read.verb)
            )
        )
    ):
        yield from _bare(clause)
        return
    if (
        read.subject is Subject.ME
        and read.verb == "am"
        and not re.match(r"(?:on|using|running|in|with|all)\b", low[read.rest :])
    ):
        return
    if low[read.rest :].startswith("to "):
        return
    if _LEARNS.search(low, read.rest - len(read.verb) - 1):
        return
    if read.subject is Subject.THERE or re.search(
        r"\b(?:difference|question|problem|bug|language|tool|thing|point|name|best|standard|way|answer|reason|one|people|docs|tutorial|course|book)s?$",
        read.head,
    ):
        return
    if re.search(
        r"\b(?:a|an) (?:\w+ )?(?:language|framework|tool|library|database)\b|\b(?:better|worse|faster|slower|nice|great|good|bad|awesome|overrated|overkill|popular|easy|hard)\b",
        low,
    ):
        return
    yield from technologies(clause, read.rest, unknown=_names_part(clause, read), plain=False)


_GEAR: Final = re.compile(
    r"\b(?:board|camera|interface|sensor|rtos|mixer|synth|printer|warehouse|search|payments|mails|ingest|transforms|records|images|logs|dashboards|sessions|scanner|scanners|router|switch|mic|lens|amp|machine|laptop|box|boxes|server|oven|grinder|flour|bike|tractor|microscope|spectrometer|cutter|kiln|loom|plotter|lathe|mill|compiler|toolchain|linker|debugger|programmer|crm|erp|cms|lims|lms|pos|till|bookkeeping|invoicing|invoices|accounting|calendar|notes|tickets|email|phones?|tablets?|editor|db|database|backend|frontend|ci|hosting|registry)s?$"
)


def _names_part(clause: Clause, read: grammar.Statement) -> bool:
    """Does the statement say what a machine or a part of the work is, so that a name nobody knows is its name?"""
    at = read.rest
    article = re.compile(r"(?:an? |the |all |in |on |via |by |with |done in )*").match(clause.low, at)
    at = article.end() if article is not None else at
    written = clause.raw[at : at + 1].isupper() or re.match(r"[a-z]+[\d_]|[a-z]+-[a-z]*\d", clause.low[at:]) is not None
    return written and (
        _GEAR.search(read.head) is not None
        or (read.subject is Subject.US and read.verb in ("use", "run"))
        or (read.subject is Subject.ME and read.verb == "use")
    )


_MADE_AS: Final = re.compile(
    r"\b(?:the|an?|our|my) (?P<v>[A-Z][\w-]+(?: [A-Z\d][\w-]*)?)(?= (?:dongle|addon|add-on|plugin|library|crate|gem|extension|driver|registry|camera|board|printer|mixer|gateway|sdk|scanner|router|controller|panel|cluster|instance|database|db|server|backend|setup|oven|sensor|module|kit|hub|bridge|microscope)\b)"
)
_NO_BRAND: Final = frozenset(
    "i this that the our my a new old main first second last api ui ci pr qa usb wifi wi-fi http https sql rest".split()
)
_PURE: Final = re.compile(
    r"^(?:\s*(?:and|plus|with|the|a|an|all|mostly|just|plain|pure|on|in|it's|its|we're|we are an?|only|for|so|ok|hi|hey|using|everything|is|are|built|by|via|behind|under|on top of|tests?|backend|frontend|db)\b)*\s*$"
)
_ROLE_OF: Final = re.compile(
    r"^\s*(?:$|(?:mostly|mainly|only|shop|nightly|here|everywhere|codebase|project|app|backend|frontend|stack|setup|house|behind it|underneath|on top|at work|at home)\b.{0,12}$|(?:for|as|on|in|behind|over|via|by|under) (?:the |our |my |everything|all )?[\w -]{2,24}$)"
)


def _parts(clause: Clause) -> Iterator[Value]:
    """`rust 1.79, axum + sqlx`, `an F# shop, giraffe for http`: parts that are a tool each, two or more of them."""
    low = clause.low
    if re.search(
        r"\b(?:vs|versus|or|than|like|from|between|compare|difference|instead|error|learn|how|why|what|which|should)\b",
        low,
    ):
        return
    found: list[Value] = []
    at = 0
    for part in re.split(r"([,;:+&]\s*|\s(?:and|plus|with)\s|\s/\s)", low):
        values = list(technologies(clause, at, at + len(part), unknown=False, plain=True)) if part.strip() else []
        if len(values) == 1:
            before = low[at : values[0].start - clause.start]
            after = low[values[0].end - clause.start : at + len(part)]
            if _PURE.match(before) and _ROLE_OF.match(after):
                found += values
        at += len(part)
    sure = [v for v in found if low[v.start - clause.start : v.end - clause.start] not in lexicon.PLAIN]
    if len(found) >= 2 and sure:
        yield from found


_USER: Final = re.compile(
    r"^\W*(?:(?:hi|hey|hello|so|ok|long[- ]time|happy|daily|fellow)[,\s]+)*(?P<v>[\w.+#-]+(?: [\w.+#-]+)?) users? (?:here|myself|since)\b"
)
_DOING: Final = re.compile(
    r"(?:^|, )(?:shooting|editing|recording|writing|coding|developing|drawing|designing|mixing|printing|compiling|flashing|deploying|hosting|testing|typing|logging|monitoring|sketching|modelling|modeling|rendering|composing|publishing|plotting|streaming|filming|cutting|milling|soldering|building|scripting|programming|running) (?:it |this |everything |all )?(?:on|in|with|over|via|through|using) (?:an? |the |my |our )?"
)


def _bare(clause: Clause) -> Iterator[Value]:
    """`React Native with Expo`, `Tests with ExUnit`: a few words and tools, without a verb."""
    low = clause.low
    words = low.split()
    if len(words) > 9 or re.search(
        r"\b(?:vs|versus|or|not|no|like|than|in\?|with\?|error|problem|question|to|from|into|thanks|thank|what|how|why|about|for example)\b|\?",
        low,
    ):
        return
    values = list(technologies(clause, 0, unknown=False, plain=False))
    if not values:
        return
    between = [low[a.end - clause.start : b.start - clause.start].strip() for a, b in pairwise(values)]
    if not all(between):
        return
    named = sum(len(low[v.start - clause.start : v.end - clause.start].split()) for v in values)
    joined = sum(w.strip(",") in _JOINTS for w in words)
    if named + joined >= len(words) - 1 and (
        len(values) > 1
        or named + joined == len(words) > named
        or re.match(
            r"^(?:tests?|backend|frontend|db|database|ci|auth|infra|hosting|docs|formatted|linted|built|written|deployed|hosted) (?:is |are |with |in |on |via )",
            low,
        )
    ):
        yield from values


_JOINTS: Final = frozenset(
    "and with on in for via hosted deployed running only here everywhere behind plus the a our all mostly backend frontend front end back tests test ci db database server api ui infra auth + & / hosting docs formatted linted built written bundled packaged styled served by as using native".split()
)
