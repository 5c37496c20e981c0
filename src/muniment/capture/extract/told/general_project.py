"""What is made, for whom, by when and within which bounds, read from the grammar of a clause."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from muniment.capture.extract.told import drawing, general_turns, grammar, signs
from muniment.capture.extract.told.clauses import Clause
from muniment.capture.extract.told.frame import PROJECT, Told
from muniment.capture.extract.told.grammar import Statement, Subject

_MUST: Final = re.compile(
    r"\b(?:must(?:n't)?|has to|have to|needs? to|may (?:not|only|never)|cannot|can't|can only|(?:is|are|isn't|aren't|not) (?:never |not |only )?(?:allowed|permitted|supposed|required|mandatory|forbidden|obliged|entitled)|not allowed|no \w+ (?:is |are )?allowed|shall|is a must|a (?:legal|hard|strict|contractual) (?:must|requirement|limit|rule)|required by|legally|by law|(?:capped|limited|restricted|bound|tied|confined) (?:at|to|by)|at most|no more than|under no|only ever|never (?:ever )?\w+s?\b)"
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
    r"\b(?:deadline|launch|go-?live|release|due date|due|demo|exam|defen[cs]e|goal|aim|objective|target|mission|budget|cap|limit|audience|users|customers|readers|players|visitors|clients?|architecture|scope|requirements?|constraints?|compliance|sla|slo|peak|msrv|milestones?|timeline|roadmap|schedule|size|capacity|quota|retention|licen[cs]e|stakeholders?|sponsor|accessibility|gdpr|hipaa|wcag|pilot|mvp|phd|dissertation|degree|thesis|grant|contract|data|tenants?|services?|modules?|schema|ui|api|product|project|app|site|course|book|game|museum|exhibition|festival|wedding|trip|concert|event|study|trial|dataset|model|house|garden|renovation|season|shop|menu|class|curriculum|campaign|newsletter|magazine|podcast|series|film|exhibit|conference|workshop|show|play|prod|production|staging|db|database|repo|monorepo|cluster|buckets?|backups?|suppliers?|vendors?|partners|tenants|ward|clinic|lab|warehouse|kitchen|classroom|pupils|students|patients|volunteers|members|donors|passengers|farmers|invoices|prices|amounts|dates|times|ids|filenames|branches|tickets|releases|logs)\b"
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
_LABELLED: Final = re.compile(
    r"^\W*(?:the |our |my )?(?:target |hard |main )?(?:audience|readers|users|goal|aim|budget|deadline|scope|constraints?|limits?|requirements?|client|customer|timeline|licen[cs]e|launch|release|due date|product|project)(?: for [\w ]{2,20})? ?(?::|=) ?(?P<v>[^;]{3,})"
)


def labelled(clause: Clause) -> Iterator[Told]:
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


_FRAGMENT: Final = re.compile(
    r"^(?:\W|(?:hi|hey|hello|ok|so|well|context|background|project|quick)\b[,:]?)*(?:(?P<v>(?!(?:i|we|he|she|they|it|you|there|i'm|i've|we're)\b)(?:an? |my |our )?(?:[\w/'-]+ ){0,3}?(?:app|site|website|platform|podcast|book|novel|game|tool|library|course|thesis|newsletter|film|exhibition|marketplace|dashboard|bot|plugin|mod|zine|documentary|magazine|musical|workshop|webshop|shop|cli|extension|simulator|blog|series|service) (?:about|for|on|that|which|to help|of) [^;,]{4,})|(?P<w>an? [^;,]{4,60}?) is what (?:we're|i'm|we are|i am) (?:building|setting up|making|writing|working on|planning|developing|after)\b)"
)


def made(clause: Clause) -> Iterator[Told]:
    """What is being made, or what it is that is made."""
    found = _MADE.match(clause.low)
    if found is None and clause.opens and clause.sentence <= 1 and not grammar.REQUEST.match(clause.low):
        found = _FRAGMENT.match(clause.low)
    if found is None or grammar.FAULTS.search(clause.low):
        return
    start = found.start("v") if found["v"] else found.start("w")
    cut = re.compile(
        r"[:;(—–]|, (?:and|but|so|we|i|it|the|what|how|can)\b|\s(?:and (?:i|we)|but|so|because|can you)\b"
    ).search(clause.low, start)
    end = cut.start() if cut is not None else len(clause.low) if found["v"] else found.end("w")
    if _BUG.search(clause.low[start:end]) or len(clause.low[start:end].split()) < 2:
        return
    yield from drawing.one(clause, "project", "building", start, end, PROJECT, "", "project.context", keep=False)


_MADE: Final = re.compile(
    _MAKES.pattern.replace("{LEAD}", r"(?:(?:and|but|so|ok|okay|hi|hey|well|also|basically|context|background)[,: ]+)*")
    .replace("{{", "{")
    .replace("}}", "}")
)


def budget(clause: Clause) -> Iterator[Told]:
    """A budget, and something that is to be done by a day."""
    low = clause.low
    found = _BUDGET.search(low)
    if found is not None and not grammar.FAULTS.search(low):
        yield from drawing.one(
            clause, "project", "requires", *found.span("v"), PROJECT, "constraint", "project.constraint"
        )
    dated = _BY_DATE.search(low)
    if (
        dated is not None
        and not general_turns.is_past(low[: dated.start()])
        and not re.search(r"\b(?:to|and) (?:meet|see|visit|attend|watch|have (?:lunch|dinner))\b", low)
        and not signs.is_third(low)
        and _DATED.search(low[: dated.start() + 9])
        and re.search(r"\b(?:i|we|my|our|i'm|we're|i've)\b", low[: dated.start()])
    ):
        verb = list(_DATED.finditer(low[: dated.start() + 9]))[-1]
        first = next(iter(_DATED.finditer(low)))
        start = first.start() if verb.start() - first.start() < 80 else verb.start()
        if found is None or not (start < found.end("v") and found.start("v") < dated.end("d")):
            yield from drawing.one(
                clause, "project", "targets", start, dated.end("d"), PROJECT, "deadline", "project.timeline"
            )


def bound(clause: Clause) -> Iterator[Told]:
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
            or re.search(r"\b(?:by|to|for|with|in|it|this|that|them)$", low)
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
        yield from drawing.one(
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
        yield from drawing.one(clause, "project", "requires", 0, len(low), PROJECT, "constraint", "project.constraint")
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
        yield from drawing.one(clause, "project", "noted", read.start, len(low), PROJECT, "", "project.size")


_VALUE: Final = re.compile(
    r"(?:about |around |roughly |only |now |always |at |on |in )?(?:\d[\w.:,%/-]*|[A-Z][\w-]+|[a-z]+[-_.][a-z\d._-]+|[\w.-]+/[\w./-]*)(?: (?:to|and|or|per|[\w.-]+)){0,3}$"
)
_UNLIKE: Final = re.compile(
    r"\b(?:question|answer|result|error|problem|issue|point|reason|value|output|line|sum|total|p-value|score|response|status|exit code|message|phone|battery|time|date|it|one|thing|task|step|goal is|idea|difference|file|function|test|bug|variable|list|array)s?$"
)


def valued(clause: Clause) -> Iterator[Told]:
    """`the port is 8443`, `the profile's called ferris-stage`: a thing has a name or a number."""
    low = clause.low
    if grammar.REQUEST.match(low) or grammar.is_passing(low) or len(low.split()) > 14:
        return
    named = re.match(
        r"\W*(?P<v>(?:the|our) [\w -]{3,40}?(?:'s| is| are) (?:called|named|spelled|labelled|tagged) [\w\"'.-]+)", low
    )
    if named is not None:
        yield from drawing.one(clause, "project", "noted", *named.span("v"), PROJECT, "", "project.note")
        return
    read = grammar.statement(clause)
    if (
        read is None
        or read.subject not in (Subject.THING, Subject.OURS)
        or read.verb
        not in (
            "is",
            "are",
            "starts",
            "start",
            "begins",
            "goes",
            "go",
            "lives",
            "live",
            "sits",
            "sit",
            "belongs",
            "belong",
        )
        or _is_private_thing(read)
    ):
        return
    if _UNLIKE.search(read.head) or _VALUE.match(clause.raw[read.rest :]) is None or len(read.head.split()) > 5:
        return
    yield from drawing.one(
        clause, "project", "noted", read.start, len(low), PROJECT, "", "project.note", "infra", "workflow"
    )


def _is_private_thing(read: Statement) -> bool:
    """Is it something of mine that is no matter of work: my phone, my head?"""
    return read.head.startswith("my ") and not (_TOPIC.search(read.head) or re.search(rf"\b{_THING}$", read.head))


def stated(clause: Clause) -> Iterator[Told]:
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
        for told in drawing.one(clause, "project", "noted", read.start, len(low), PROJECT, "", "project.context"):
            yield told._replace(end=told.end + more.end()) if more is not None and told.end == clause.end else told
