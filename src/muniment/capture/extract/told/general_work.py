"""What is used, how work goes, what binds it and what was decided, read from the grammar of a clause."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from muniment.capture.extract.told import general_tools, general_turns, grammar, signs
from muniment.capture.extract.told.clauses import Clause
from muniment.capture.extract.told.frame import ME, PROJECT, TEAM, Told
from muniment.capture.extract.told.grammar import Statement, Subject
from muniment.capture.extract.told.slots import span

_MUST: Final = re.compile(
    r"\b(?:must(?:n't)?|has to|have to|needs? to|may (?:not|only|never)|cannot|can't|can only|(?:is|are|isn't|aren't|not) (?:never |not |only )?(?:allowed|permitted|supposed|required|mandatory|forbidden|obliged|entitled)|not allowed|no \w+ (?:is |are )?allowed|shall|is a must|a (?:legal|hard|strict|contractual) (?:must|requirement|limit|rule)|required by|legally|by law|at most|no more than|under no|only ever|never (?:ever )?\w+s?\b)"
)
_STRICT: Final = re.compile(
    r"\b(?:must|has to|have to|needs? to|allowed|permitted|required|mandatory|forbidden|legal|legally|law|may not|may only|may never|under no)\b"
)
_OBVIOUS: Final = re.compile(
    r"\b(?:must be (?:a|an|the|some|something|because|that|in|wrong)|has to be (?:a|some) (?:way|reason|bug|better)|can't be (?:right|that|the)|must have|it (?:has|needs|have) to (?:work|be fixed|be right|be done)(?! (?:in|on|with|without|offline|for))|can't (?:wait|believe|say|tell|remember|find|see|get|seem|figure|stop|help|stand)|cannot (?:find|see|get|be found|borrow|resolve|read|open))\b"
)
_QUANTITY: Final = re.compile(
    r"(?:[~≈<>]|\b(?:about|around|roughly|over|under|up to|max|at most|only|some|nearly|almost|more than|less than|below|within) )?\b\d[\d.,]*\s?(?:k|m|mio|million|billion|thousand|%|gb|mb|kb|tb|ms|s|sec|seconds?|minutes?|hours?|days?|weeks?|months?|years?|fps|rps|qps|hz|km|m|cm|mm|kg|g|ml|l|€|\$|eur|usd|euros?|dollars?|pages?|words?|chars|characters|users?|customers?|clients?|students?|patients?|guests?|seats?|rooms?|beds?|orders?|requests?|rows?|records?|tenants?|stores?|shops?|sites?|employees?|people|members?|devices?|sensors?|machines?|nodes?|servers?|tables?|languages?|locales?|countries|regions?|teams?|titles?|items?|skus?|products?|tickets?|calls?|visitors?|players?|episodes?|chapters?|lessons?|classes|pupils|kids|volunteers|donors?|loaves|plots|trees|animals|cows|sheep|hives|vehicles|trucks|buses|flights|branches|offices|repos|services|packages|screens|endpoints|tests)\b|[$€£]\s?\d[\d.,]*\s?(?:k|m)?\b"
)
_TOPIC: Final = re.compile(
    r"\b(?:deadline|launch|go-?live|release|due date|due|demo|exam|defen[cs]e|goal|aim|objective|target|mission|budget|cap|limit|audience|users|customers|readers|players|visitors|clients?|architecture|scope|requirements?|constraints?|compliance|sla|slo|peak|msrv|milestones?|timeline|roadmap|schedule|size|capacity|quota|retention|licen[cs]e|stakeholders?|sponsor|accessibility|gdpr|hipaa|wcag|pilot|mvp|thesis|grant|contract|data|tenants?|services?|modules?|schema|ui|api|product|project|app|site|course|book|game|museum|exhibition|festival|wedding|trip|concert|event|study|trial|dataset|model|house|garden|renovation|season|shop|menu|class|curriculum|campaign|newsletter|magazine|podcast|series|film|exhibit|conference|workshop|show|play|prod|production|staging|db|database|repo|monorepo|cluster|buckets?|backups?|suppliers?|vendors?|partners|tenants|ward|clinic|lab|warehouse|kitchen|classroom|pupils|students|patients|volunteers|members|donors|passengers|farmers|invoices|prices|amounts|dates|times|ids|filenames|branches|tickets|releases|logs)\b"
)
_THING: Final = r"(?:app|site|website|webapp|platform|tool|game|library|lib|guide|generator|dashboard|plugin|extension|bot|system|service|thesis|dissertation|book|novel|course|marketplace|shop|store|portal|simulator|engine|framework|cli|package|device|robot|kit|tracker|planner|calculator|editor|reader|player|viewer|scheduler|monitor|database|archive|catalog(?:ue)?|index|map|atlas|dictionary|newsletter|podcast|film|documentary|exhibition|installation|show|play|album|curriculum|workshop|campaign|survey|study|trial|prototype|product|saas|startup|firmware|controller|sensor|station|network|pipeline|crawler|scraper|parser|compiler|interpreter|emulator|language|format|protocol|api|sdk|client|server|gateway|proxy|registry|store|wiki|forum|community|magazine|blog|report|model|classifier|recommender|assistant|companion|toolkit|builder|visuali[sz]er|screenplay|musical|opera|boat|house|shed|greenhouse|garden|treehouse|cabin|van|bike|telescope|keyboard|synth|drone|printer|timer|mod|addon|add-on|counter|alarm|clock|quiz|deck|widget|theme|template|zine|comic|mural|quilt|costume|cookbook|recipes?|memoir|biography|manual|handbook|brochure|leaflet|flyer|poster|logo|backend|frontend|microservice|monolith|codebase|repo|script collection|toolbox|home page|homepage|landing page|webshop|blog|vlog|channel|store front|storefront|chatbot|voice assistant|recommendation \w+|search engine|visualisation|map|diary|journal|logbook|booking \w+|platformer|rpg|shooter|puzzle|board game|card game|video game|portal)"
_MAKES: Final = re.compile(
    rf"^(?:{{LEAD}})?(?:(?:(?:the )?(?:thing|project|app|tool|game) (?:that )?(?:i'm|i am|we're|we are) (?:making|building|writing|working on|designing) is|(?:i'm|im|we're)? ?(?:currently |now )?(?:making|building|writing|developing|designing|rewriting|porting|restoring)|(?:it is|it's|its|this is|that's)(?= an? )|we're (?:building|making|writing|developing|designing|creating|running)|i'm (?:building|making|writing|developing|designing|creating|restoring|renovating|composing)|(?:my|our|the) (?:\w+ )?(?:product|project|side project|app|startup|thesis|hobby project|game|book|site|research|company|idea|capstone|assignment)(?: is| =|:|'s)|product:|project:|context:|background:|we (?:make|build|sell|run|publish|develop|maintain|produce|offer)|i (?:make|build|maintain|develop|publish)) (?:about |called )?)(?P<v>(?:an?|the|our|my|two|three|\d+)?\s?(?:[\w/'-]+ ){{0,6}}?{_THING}s?\b[^;]*)"
)
_BUG: Final = re.compile(
    r"\b(?:bug|error|problem|issue|question|test|function|script to|regex|loop|fix|class|method|component|button|mess|shame|joke|good|great|nice|bad|idea|pain)\b"
)
_BY_DATE: Final = re.compile(
    r"\b(?:by|until|before|due|on|deadline(?: is| of|:)?|no later than|starting|from) (?:the )?(?:end of )?(?P<d>(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? )?(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b(?: \d{1,2}(?:st|nd|rd|th)?)?(?:,? \d{4})?|q[1-4]\b|\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}\b)"
)
_DATED: Final = re.compile(
    r"(?<![-\w])(?:deadline|due|finish\w*|finali[sz]e|complete|submit\w*|launch\w*|release\w*|deliver\w*|ship|goal|save|saving|saved|reduce|reach|achieve|target\w*|open\w*|publish\w*|pilot|hand in|go live|ready|done|aim\w*|plan(?:ning)? to)\b"
)
_BUDGET: Final = re.compile(
    r"(?P<v>(?:[$€£]\s?[\d,.]+k?|[\d,.]+k?\s?(?:€|eur|euros?|dollars|usd)) (?:\w+ ){0,2}?budget|budget(?: cap| limit)?(?: of| is| at|:)? ?(?:about |around |only |max )?[$€£]?\s?\d[\d,.]*k?|(?:allocated|set aside|budgeted|reserved) [$€£]\s?[\d,.]+k?[^,;]{0,50}|saving [$€£]\s?[\d,.]+k? for [^,;]{0,50})"
)
_DONE: Final = re.compile(
    r"\b(?P<v>(?:decided|chose|picked|settled|opted|agreed|voted|resolved|committed|concluded|rejected|dropped|killed|scrapped|scratched|shelved|ditched|ruled out|turned down|went with|going with|staying (?:on|with)|stay (?:on|with)|sticking (?:with|to)|stick (?:with|to)|taking|take)\b[^;]*)"
)
_TAKES: Final = re.compile(
    r"(?:for [\w ]{2,30} )?(?:we|i|we're|i'm|we are|we'll|i'll)(?: are| am|'re|'m| will| have|'ve)?(?: now| all| finally| just| both)* (?P<v>(?:taking|take|took|stay(?:ing)? (?:on|with)|stick(?:ing)? (?:with|to)|keep(?:ing)?|go(?:ing)? (?:with|for)|settled on|agreed (?:on|that|to)|picked|chose|decided (?:on|to|for|that)|voted (?:for|to)) (?P<o>[^;]{2,}))"
)
_GIVEN_UP: Final = re.compile(
    r"^(?:\W|(?:ok|so|and|also|then|well|right)\b)*(?:(?P<a>(?:scratch|scrap|drop|kill|ditch|shelve|bin) (?:the |that )?(?P<x>[\w -]{2,40}?) (?:idea|plan|approach|option|proposal|thing|for good|entirely|altogether))|(?P<b>no more (?P<y>[^,;]{3,50}))|(?:we|i)(?: definitely| really)? (?:won't|will not|are not going to|'re not going to|refuse to|are never going to|will never) (?P<c>[^;]{3,60})|(?:we|i)(?:'ve| have)? (?:decided|voted|opted|ruled|argued|came down) against (?P<d>[^;]{3,60})|(?:the )?(?P<e>[\w -]{2,40}?) (?:was|were|got|is|are|has been|have been) (?:rejected|dropped|ruled out|scrapped|discarded|turned down|voted down|vetoed|off the table|out of the question))\b"
)
_NO_REFUSAL: Final = re.compile(
    r"(?:work|help|start|load|compile|go away|let|be able|lie|discuss|tell|bother|miss|forget|matter|hurt|happen|fit|need|be (?:here|there|back|long)|have time|get|know|understand|see|ask)\b"
)
_LIKES: Final = re.compile(
    r"\b(?:i|we)(?:'m| am)? (?:really |also |usually |generally |always |kind of |kinda |rather |just |still |much |personally |absolutely |simply |do |strongly )*(?P<w>like|love|enjoy|prefer|favou?r|adore|fond of|into|hate|dislike|loathe|detest|can't stand|cannot stand|can't bear|don't like|do not like|don't enjoy|don't do|don't want|don't eat|don't drink|not a fan of|no fan of|not into|avoid) (?P<v>[^;]{3,})"
)
_NO_LIKING: Final = re.compile(
    r"(?:(?:it|this|that|these|those|them|your|you|him|her|the (?:idea|way|look|sound|direction|one|first|second|third|last|result|new|fact)|to (?:see|know|hear|ask|get|learn|understand|thank|have you|be sure|point)|what|where|how|when you (?:said|did)|any of)\b|(?:correct|good|working|software that|code that|things that work))"
)
_LIKING_ENDS: Final = re.compile(
    r",? (?:so|but|because|since|can|could|do you|what|how|and (?:i|can|then|that|we)|as (?:i|it|they)|which)\b|[;:(—–]|, (?:do|can|what|how|which|so|but|you know|i|it|they|to)\b"
)
_NEGATIVE_LIKING: Final = frozenset("hate dislike loathe detest avoid".split())
_WANTED: Final = re.compile(
    r"^(?:\W|(?:also|and|so|oh|but|please|ok)\b)*(?:(?:in|for|with|on|when) (?!this|that|the (?:next|last|first|second|file|function)|now|case|order|example)(?P<c>[\w' #+.-]{3,40}?),? (?:i|we) (?:always |only |usually |just )?(?:want|like|prefer|expect|need|love|use|go for|insist on|hate|don't want|never want)|(?:i|we) (?:always|only|usually|generally|normally) (?:want|like|prefer|expect)|(?:whatever|whenever|anything|everything|all|every \w+) (?:\w+ ){0,2}?you (?:generate|write|make|send|show|produce|draft|give|create|suggest|do)\b(?: for me| me)?[^,;]{0,30}? (?:should|must|has to|needs to|is|are|has)(?: be)?) (?P<v>[^;]{3,})"
)
_WHEN_YOU: Final = re.compile(
    r"^(?:\W|(?:also|and|so|oh|but|please|ok)\b)*(?:when(?:ever)?|if|every time|each time|any ?time) you (?:write|show|give|make|generate|draw|plot|name|explain|summari[sz]e|send|suggest|cite|quote|list|translate|draft|produce|review|answer|reply|describe|compare|propose|edit|code|format|create|put)\b[^,]{0,60}, ?(?:please |then |just |i (?:want|like|prefer) )?(?P<v>(?!i\b|it\b|the (?:output|result|test|page)|you (?:get|forget|always)|there)[^;]{4,120})"
)
_BEATS: Final = re.compile(
    r"^(?:\W|(?:so|and|for me|to me|because)\b)*(?P<v>(?:an? |one )?[\w -]{3,40} (?:beats?|over|rather than|instead of|not|are better than|is better than|work better (?:for me )?than|trumps?) [\w -]{3,40}?)(?: for me| to me| any day| every (?:single )?time| always| please)+$"
)
_EASIER: Final = re.compile(
    r"\bi (?:always |usually |often )?(?:find|think|consider) (?P<v>[^,;]{3,40}? (?:easier|better|nicer|clearer|calmer|more \w+|less \w+|hard|harder|annoying|ugly|distracting|unreadable|exhausting)\b[^,;]{0,30})"
)
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


def read(clause: Clause, here: list[Told], found: list[Clause]) -> Iterator[Told]:
    """What a clause tells of the work, beside what stands in `here`."""
    over = list(general_turns.no_more(clause))
    yield from over
    if over or (signs.is_barred(clause) and not _given(clause)):
        return
    if not clause.asks and not here and _ONLY_SO.search(clause.low):
        ruled = list(_habitual(clause))
        if ruled:
            yield from ruled
            return
    families = {t.family for t in here}
    tools = list(general_tools.read(clause)) if "decision" not in families and "preference" not in families else []
    yield from (
        t for t in tools if not any(t.start < o.end and o.start < t.end and o.family != "identity" for o in here)
    )
    if clause.asks or families & {"procedure", "decision", "preference", "project", "remember", "correction"}:
        late = [] if clause.asks else list(general_turns.dated(clause))
        yield from (
            t for t in (*_budget(clause), *late[:1]) if not any(t.start < o.end and o.start < t.end for o in here)
        )
        return
    if families & {"stack", "identity"} or any(t.family == "stack" for t in tools):
        yield from _budget(clause)
        return
    yield from _one(clause)


_ONLY_SO: Final = re.compile(r"\b(?:is|are|gets?|get|may|must|can) (?:only ever|always|never|only) (?:be )?\w+")


def _given(clause: Clause) -> bool:
    return _GIVEN_UP.match(clause.low) is not None and not signs.is_temporary(clause.low)


def _one(clause: Clause) -> Iterator[Told]:
    """The first kind of statement that a clause is."""
    for kind in (
        _given_up,
        _labelled,
        general_turns.decided,
        _taken,
        _liked,
        _suits,
        _made,
        _budget,
        _ruled,
        _bound,
        _habitual,
        general_turns.dated,
        _valued,
        _stated,
    ):
        told = list(kind(clause))
        if told:
            yield from told
            return


def _new(
    clause: Clause,
    family: str,
    predicate: str,
    start: int,
    end: int,
    subject: str,
    topic: str,
    *tags: str,
    keep: bool = True,
) -> Iterator[Told]:
    place = span(clause, start, end, keep_article=keep)
    if place is not None and place[1] - place[0] > 2:
        yield Told(family, predicate, subject, *place, topic, tags, signs.is_hedged(clause), None, False, clause.start)


# --- preference


def _liked(clause: Clause) -> Iterator[Told]:
    low = clause.low
    found = _LIKES.search(low)
    if (
        found is not None
        and found.start() < 40
        and not _NO_LIKING.match(found["v"])
        and not signs.is_third(low[: found.start()].strip() or "i")
    ):
        cut = _LIKING_ENDS.search(low, found.start("v"))
        end = cut.start() if cut is not None else len(low)
        if found["w"] in ("love", "like", "into") and len(low[found.start("v") : end].split()) < 1:
            return
        avoids = found["w"] in _NEGATIVE_LIKING or re.search(r"n't|not|no fan", found["w"]) is not None
        yield from _new(clause, "preference", "avoids" if avoids else "prefers", found.start("v"), end, ME, "")
        return
    found = _WANTED.match(low) or _WHEN_YOU.match(clause.whole[clause.start - clause.origin :])
    if found is not None:
        avoids = (
            re.search(r"(?:hate|don't want|never want)$", low[found.start() : found.start("v")].rstrip()) is not None
        )
        at = found.start("v")
        source = low if found.re is _WANTED else clause.whole[clause.start - clause.origin :].rstrip(" .!?")
        for part in re.split(r"(, (?:and )?| and (?=an? |the |no |two |[a-z]+ [a-z]+$))", source[at:]):
            if (
                len(part.split())
                and not re.fullmatch(r", (?:and )?| and ", part)
                and not re.match(r"(?:we're|i'm|it's|because|so|but|not that)\b", part)
            ):
                place = at + clause.start, at + clause.start + len(part.rstrip(" ,.;"))
                turned = avoids or part.startswith("no ")
                yield Told(
                    "preference",
                    "avoids" if turned else "prefers",
                    ME,
                    place[0] + (3 if part.startswith("no ") else 0),
                    place[1],
                    "",
                    (),
                    signs.is_hedged(clause),
                    near=clause.start,
                )
            at += len(part)
        return
    for pattern in (_BEATS, _EASIER):
        found = pattern.search(low)
        if found is not None and not re.match(r"\W*(?:it|this|that)\b", found["v"]):
            yield from _new(clause, "preference", "prefers", *found.span("v"), ME, "")
            return


# --- decisions


def _given_up(clause: Clause) -> Iterator[Told]:
    found = _GIVEN_UP.match(clause.low)
    if found is None:
        return
    group = next(g for g in "xycde" if found[g])
    if (
        group == "c"
        and _NO_REFUSAL.match(found["c"])
        or group == "y"
        and re.match(r"(?:questions?|time|errors?|issues?|problems?|ideas?|than|changes)\b", found["y"])
    ):
        return
    if group == "e" and (
        len(found["e"].split()) > 4
        or re.search(
            r"\b(?:connection|request|packet|row|push|query|session|message|it|this|that|call|transaction|certificate|token|change|pr|commit)s?$",
            found["e"],
        )
    ):
        return
    cut = re.compile(r",|\s(?:because|since|anyway|anyhow|so|but|due)\b|[;:(—–]").search(
        clause.low, found.start(group) + 2, found.end(group)
    )
    yield from _new(
        clause,
        "decision",
        "rejected",
        found.start(group),
        cut.start() if cut else found.end(group),
        PROJECT,
        "",
        "project.decision",
        keep=False,
    )


def _taken(clause: Clause) -> Iterator[Told]:
    found = _TAKES.search(clause.low)
    if found is None or found.start() > 30:
        return
    said = found["o"]
    if re.match(
        r"(?:it|this|that|them|a (?:look|break|while|nap|seat|second|minute|photo|picture|screenshot|backup|note|walk|step|chance)|care|place|part|time|notes|turns|turn|too|getting|seeing|having|track|going|in mind|calm|over|off|up|on with|\w+ing\b(?! [a-z]+))\b",
        said,
    ):
        return
    cut = re.compile(
        r",(?! (?:and|or) )|\s(?:because|since|as (?:it|we|they)|so|but|due|for now|not|over|instead|rather|after|and (?:i'm|i|we))\b|[;:(—–]"
    ).search(clause.low, found.start("o") + 2)
    end = cut.start() if cut is not None else len(clause.low)
    takes = re.match(r"(?:taking|take|took|keep)", found["v"]) is not None
    if (
        takes
        and not re.search(r"\bnot (?:the |a |an )?\w+|—|–|, (?:sortable|easier|cheaper)|^(?:for )", clause.low)
        and " for " not in clause.low[: found.start("o")]
    ):
        return
    yield from _new(clause, "decision", "decided", found.start("o"), end, PROJECT, "", "project.decision", keep=False)


# --- project


_LABELLED: Final = re.compile(
    r"^\W*(?:the |our |my )?(?:target |hard |main )?(?:audience|readers|users|goal|aim|budget|deadline|scope|constraints?|limits?|requirements?|client|customer|timeline|licen[cs]e|launch|release|due date|product|project)(?: for [\w ]{2,20})? ?(?::|=) ?(?P<v>[^;]{3,})"
)
_PUTS_OFF: Final = re.compile(
    r"^\W*(?P<v>[\w' -]{4,50}?) (?:puts? me off|distracts? me|overwhelms? me|confuses? me|bores? me|slows? me down|hurts? my (?:eyes|head)|makes? (?:me|my eyes) (?:dizzy|tired|cringe)|(?:is|are) (?:wasted on me|not for me|not my thing))\b"
)
_SUITS: Final = re.compile(
    r"^\W*(?P<v>[\w' -]{4,50}?) (?:works? (?:best|better|well) for me|helps? me (?:most|best|a lot|focus|think|learn|remember)|suits? me(?: best| better)?|(?:is|are) (?:easier|better|best) for me)\b"
)


def _labelled(clause: Clause) -> Iterator[Told]:
    """`audience: nurses on their phone`."""
    whole = clause.whole[clause.start - clause.origin :].rstrip(" .!")
    found = _LABELLED.match(whole) if clause.opens else None
    if found is not None and "?" not in clause.whole and len(found["v"].split()) <= 20:
        yield Told(
            "project",
            "noted",
            PROJECT,
            clause.start + found.start("v"),
            clause.start + found.end("v"),
            "",
            ("project.context",),
            signs.is_hedged(clause),
            near=clause.start,
        )


def _suits(clause: Clause) -> Iterator[Told]:
    """`long explanations put me off`, `diagrams work best for me`."""
    for pattern, predicate in ((_PUTS_OFF, "avoids"), (_SUITS, "prefers")):
        found = pattern.match(clause.low)
        if found is not None and not re.match(r"(?:it|this|that|these|those|they|you)\b", found["v"]):
            yield from _new(clause, "preference", predicate, *found.span("v"), ME, "")
            return


def _made(clause: Clause) -> Iterator[Told]:
    found = _made_pattern().match(clause.low)
    if found is None or grammar.FAULTS.search(clause.low):
        return
    cut = re.compile(
        r"[:;(—–]|, (?:and|but|so|we|i|it|the|what|how|can)\b|\s(?:and (?:i|we)|but|so|because|can you)\b"
    ).search(clause.low, found.start("v"))
    end = cut.start() if cut is not None else len(clause.low)
    if _BUG.search(clause.low[found.start("v") : end]) or len(clause.low[found.start("v") : end].split()) < 2:
        return
    yield from _new(clause, "project", "building", found.start("v"), end, PROJECT, "", "project.context", keep=False)


def _made_pattern() -> re.Pattern[str]:
    return _MADE


_MADE: Final = re.compile(
    _MAKES.pattern.replace("{LEAD}", r"(?:(?:and|but|so|ok|okay|hi|hey|well|also|basically|context|background)[,: ]+)*")
    .replace("{{", "{")
    .replace("}}", "}")
)


def _budget(clause: Clause) -> Iterator[Told]:
    low = clause.low
    found = _BUDGET.search(low)
    if found is not None and not grammar.FAULTS.search(low):
        yield from _new(clause, "project", "requires", *found.span("v"), PROJECT, "constraint", "project.constraint")
    dated = _BY_DATE.search(low)
    if (
        dated is not None
        and not general_turns.is_past(low[: dated.start()])
        and not signs.is_third(low)
        and _DATED.search(low[: dated.start() + 9])
        and re.search(r"\b(?:i|we|my|our|i'm|we're|i've)\b", low[: dated.start()])
    ):
        verb = [m for m in _DATED.finditer(low[: dated.start() + 9])][-1]
        first = next(iter(_DATED.finditer(low)))
        start = first.start() if verb.start() - first.start() < 80 else verb.start()
        if found is None or not (start < found.end("v") and found.start("v") < dated.end("d")):
            yield from _new(
                clause, "project", "targets", start, dated.end("d"), PROJECT, "deadline", "project.timeline"
            )


def _bound(clause: Clause) -> Iterator[Told]:
    """What must be, may not be, or is of a size."""
    low = clause.low
    if (
        grammar.REQUEST.match(low)
        or _OBVIOUS.search(low)
        or grammar.FEELINGS.search(low)
        or grammar.FAULTS.search(low.replace("still", ""))
    ):
        return
    read = grammar.statement(clause)
    must = _MUST.search(low)
    if (
        must is not None
        and read is not None
        and (_STRICT.search(low) or read.subject in (Subject.OURS, Subject.US) or _TOPIC.search(read.head))
    ):
        if must.group() in ("have to", "has to", "need to", "needs to") and must.start() > read.rest:
            return
        if (
            (read.subject is Subject.ME and "allowed" not in must.group())
            or _is_private_thing(read)
            or re.search(r"\b(?:by|to|for|with|in)$", low)
        ):
            return
        if (
            read.subject is Subject.US
            and re.match(r"(?:must|have to|need to)", must.group())
            and not re.search(
                r"\b(?:support|comply|keep|stay|meet|store|log|archive|retain|encrypt|serve|pass|work|run|fit|respect|guarantee|prove|report|delete|anonymi[sz]e)\b",
                low[must.end() : must.end() + 20],
            )
        ):
            return
        if re.search(r"\byou\b|\bfun\b", low) or read.head in ("that", "this"):
            return
        yield from _new(
            clause,
            "project",
            "requires",
            read.start,
            len(low),
            PROJECT,
            "constraint",
            "project.constraint",
            "workflow.rule",
        )
        return
    if must is not None and re.match(
        r"\W*(?:and |also |but )?(?:must|has to|needs to|not allowed|no \w+ allowed)\b", low
    ):
        yield from _new(clause, "project", "requires", 0, len(low), PROJECT, "constraint", "project.constraint")
        return
    if (
        _QUANTITY.search(low)
        and read is not None
        and not _is_private_thing(read)
        and read.subject in (Subject.OURS, Subject.US, Subject.THING)
        and not grammar.is_passing(low)
        and re.match(
            r"(?:is|are|has|have|gets?|handles?|serves?|grows?|peaks?|does|do|runs?|expects?|takes?|holds?|costs?|receives?|process(?:es)?|stores?)$",
            read.verb,
        )
        and (read.subject is not Subject.THING or _TOPIC.search(read.head))
    ):
        yield from _new(clause, "project", "noted", read.start, len(low), PROJECT, "", "project.size")


_VALUE: Final = re.compile(
    r"(?:about |around |roughly |only |now |always |at |on |in )?(?:\d[\w.:,%/-]*|[A-Z][\w-]+|[a-z]+[-_.][a-z\d._-]+)(?: (?:to|and|or|per|[\w.-]+)){0,3}$"
)
_UNLIKE: Final = re.compile(
    r"\b(?:question|answer|result|error|problem|issue|point|reason|value|output|line|sum|total|p-value|score|response|status|exit code|message|phone|battery|time|date|it|one|thing|task|step|goal is|idea|difference|file|function|test|bug|variable|list|array)s?$"
)


def _valued(clause: Clause) -> Iterator[Told]:
    """`the port is 8443`, `the profile's called ferris-stage`: a thing has a name or a number."""
    low = clause.low
    if grammar.REQUEST.match(low) or grammar.is_passing(low) or len(low.split()) > 14:
        return
    named = re.match(
        r"\W*(?P<v>(?:the|our) [\w -]{3,40}?(?:'s| is| are) (?:called|named|spelled|labelled|tagged) [\w\"'.-]+)", low
    )
    if named is not None:
        yield from _new(clause, "project", "noted", *named.span("v"), PROJECT, "", "project.note")
        return
    read = grammar.statement(clause)
    if (
        read is None
        or read.subject not in (Subject.THING, Subject.OURS)
        or read.verb not in ("is", "are", "starts", "start", "begins", "goes", "go")
        or _is_private_thing(read)
    ):
        return
    if _UNLIKE.search(read.head) or _VALUE.match(clause.raw[read.rest :]) is None or len(read.head.split()) > 5:
        return
    yield from _new(clause, "project", "noted", read.start, len(low), PROJECT, "", "project.note", "infra", "workflow")


def _is_private_thing(read: Statement) -> bool:
    """Is it something of mine that is no matter of work: my phone, my head?"""
    return read.head.startswith("my ") and not (_TOPIC.search(read.head) or re.search(rf"\b{_THING}$", read.head))


def _stated(clause: Clause) -> Iterator[Told]:
    """A thing of ours, or a topic of a project, and what it is or does."""
    low = clause.low
    if grammar.REQUEST.match(low) or grammar.is_passing(low) or grammar.FAULTS.search(low) or _OBVIOUS.search(low):
        return
    read = grammar.statement(clause)
    if read is None or read.subject not in (Subject.OURS, Subject.THING) or re.search(r"\byou\b|\byour\b", low):
        return
    if read.verb in ("was", "were", "would", "could", "should", "might") or re.match(
        r"(?:will|would|could|should|might)", read.verb
    ):
        return
    rest = low[read.rest :]
    if len(rest.split()) < 2 or re.match(
        r"(?:\w+ing\b|to\b|down\b|up\b|red\b|green\b|back\b|live now|full\b|fixed\b|merged\b|attached|below|above|gone\b|not |too |very |so |really |pretty |good|great|fine|ok|nice|bad|done|ready|there|here|this|that|the same|what|how|why)\b",
        rest,
    ):
        return
    if read.subject is Subject.OURS and re.match(
        r"(?:my|our) (?:\w+ )?(?:question|problem|issue|guess|point|idea|code|test|tests|app|script|query|function|understanding|bad|mistake|concern|worry|thought|plan|head|eyes|output|build|name|favou?rite|first|next|last|file|page|turn)s?$",
        read.head,
    ):
        return
    if _is_private_thing(read):
        return
    if read.subject is Subject.OURS or _TOPIC.search(read.head):
        more = re.match(r", (?:it|they)(?:'s|'ve|'re)? [^,;?]{4,80}", clause.whole[clause.end - clause.origin :])
        for told in _new(clause, "project", "noted", read.start, len(low), PROJECT, "", "project.context"):
            yield told._replace(end=told.end + more.end()) if more is not None and told.end == clause.end else told


# --- procedure


_CONDITION: Final = re.compile(
    r"^(?:\W|(?:and|also|so|but|ok|then|here|btw|fyi)\b)*(?P<v>(?:whenever|when|every time|each time|any ?time|before|after|once|as soon as|if|for (?:each|every|any)|on (?:each|every)) (?!you\b|this\b|that\b|it\b|i (?:click|press|run|try|open|start|call|type|hover|scroll|log|save|build|compile|execute|import|load|use|do|set|add|was|were|get (?:an?|the) error)\b|we (?:click|press|run|try|call|were|had|are)\b|the (?:user|button|page|form|test|server|input|script|app|request|response|window|modal)\b|all\b|the first\b)"
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


def _ruled(clause: Clause) -> Iterator[Told]:
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
    found = _QUANTIFIED.match(clause.low)
    if (
        found is not None
        and not _NO_QUANTITY.search(found["v"])
        and not grammar.is_passing(found["v"])
        and "you" not in clause.words
    ):
        yield from _new(
            clause, "procedure", "practises", *found.span("v"), TEAM, "", "workflow.rule", "project.constraint"
        )


def _habitual(clause: Clause) -> Iterator[Told]:
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
    if _DOES.match(verb) or verb.startswith(("have", "must", "can")) and not re.match(r"(?:don't|do not) ", verb):
        if not (verb.startswith(("don't", "do not")) and read.subject is Subject.US):
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
        yield from _new(
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
    yield from _new(
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
            _EVENTS.search(read.head) or re.search(r"\b(?:only ever|only|always|never|first)\b", low[: read.rest + 14])
        )
    ):
        return
    yield from _new(clause, "procedure", "practises", read.start, len(low), TEAM, "", "workflow.rule")
