"""Acts that a whole sentence does: to have something remembered, to lay down a rule, to tell how work goes, to decide."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from muniment.capture.extract.told import grammar, signs
from muniment.capture.extract.told.clauses import Clause
from muniment.capture.extract.told.frame import ME, PROJECT, TEAM, Told
from muniment.capture.extract.told.preference import is_order_of_work
from muniment.capture.extract.told.slots import span

_LEAD: Final = re.compile(
    r"(?:(?:and|but|so|ok|okay|hey|hi|hello|also|oh|btw|please|pls|plz|just|well|then|alright|right|listen|look|now|fyi|quick|small|one more|another|last|important|by the way|small thing|one thing|first|yes|no|anyway|thanks|great|good)[,:!.\s]+)*"
)
_KEEP: Final = re.compile(
    r"(?:(?:(?:\w+ ){0,5}?(?:take|keep|hold|put|store|save|file|write|note|add|log|stick|pin|remember|memori[sz]e|have) (?:one thing|this|that|it|this one|one thing away|track of this|these|the following|in the back of your head)\b[^:.,]{0,50}?(?=:|,? (?:let it be )?that\b)|so (?:that )?you have it|hang on to (?:this|that|this one)|in case (?:this|it|that) (?:comes up|matters|helps)[^:]{0,30}?(?=:)|(?:[\w']+ ){1,8}?(?:later|next time|memory|notes|my details)(?=\s*:)|(?:one|a|small|another) (?:\w+ )?(?:thing|note|fact|detail) (?:to|for you to) (?:remember|memori[sz]e|keep|know|note)[^:.]{0,50}?(?=:|,? that\b))"
    r"|(?:(?:can|could|would) you |do |i need you to |i want you to |i'd like you to |you (?:should|must|need to) |a |to |always |things? to |something to |worth )*"
    r"(?:(?:please |pls )?(?:remember(?:ing)?|memori[sz]e|don't forget|dont forget|do not forget|never forget|not to forget|keep (?:this |that |it )?in mind|bear (?:this |that |it )?in mind|make (?:a |yourself a )?(?:mental )?note|take (?:a )?note|keep (?:a )?(?:note|track)|note (?:down|to self)|note that|mental note|jot (?:this |that )?down|write (?:this |that |it )?(?:one )?down|put (?:this |that )?(?:in|into) your (?:memory|notes)|save (?:this|that)(?: somewhere| for later| for next time)?|store (?:this|that)|file (?:this|that) away|log (?:this|that)|hang on to (?:this|that)|keep (?:this|that) (?:for|around|somewhere|on file|in memory)|add (?:this |that )?to (?:your )?(?:memory|notes)|hold on to (?:this|that))"
    r"(?: (?:this|it|that|one|down|of|somewhere|for (?:later|next time|the future|all|future|our|my|when|whenever|the next)(?: \w+){0,5}?|when(?:ever)? you \w+(?: \w+){0,4}?|to self|/ to you))*"
    r"|(?:just )?(?:for (?:the (?:record|file|files|minutes|books)|future reference|later|next time|reference|your (?:notes|memory|records|info(?:rmation)?)|later sessions|future sessions|later reference|the next (?:session|chat|time))(?: only)?|fyi for (?:later|next time|the future|future|next)(?: \w+)?|fyi|(?:note|reminder|heads[- ]up|memo)(?: for \w+(?: \w+){0,2}?)?(?= ?[:—–-])|note(?: for \w+(?: \w+){0,2}?)?|nb|nota bene|heads[- ]up|psa|reminder|standing info|so you know|just so you know|you should know|good to know|for context going forward|so it's on (?:the )?record|on the record))"
    r"(?P<sign>\s*(?:(?:,? let it be )?that\b|[:,—–-]+|\s))\s*)"
)
_STRONG: Final = re.compile(
    r"\b(?:remember|memori[sz]e|forget|mind|note|down|notes|memory|save|store|record|reference|later|next time|sessions?|log|away|file|reminder|nb|heads|psa|know|track|have it|this|that|thing|head|hang|case|comes)\b"
)
_ERRAND: Final = re.compile(
    r"(?:the [\w ]{2,30} (?:at|in|on|with|of) (?:the )?(?:end|line|top|bottom|file|case|an? )|(?:the|to|a) (?:semicolon|comma|tests?|edge case|bracket|import|return)\b|to |when (?:we|i|you) |how |what |where |who |why |if |me\b|about |(?:this|that|it)\b\s*(?:$|one$|for|when|,)|you\b|the (?:edge case|time|last|day|first)\b|my (?:password|pin)|our (?:last|previous))"
)
_FINITE: Final = re.compile(
    r"\b(?:is|are|isn't|aren't|was|were|will|won't|has|have|must|can|can't|cannot|may|should|never|always|only|do|does|don't|doesn't|'s|'re|i'm|\w+s|use|run|go|goes|need|keep|sign|call|write|belong|mean|take|get|come|live|start|end|close|open)\b|[=→]|->|'s\b|'re\b|'m\b|:"
)


def read(sentence: list[Clause], after: list[Clause], inside: list[Told]) -> Iterator[Told]:
    """The act of a sentence, if it does one that the frames have not read."""
    if any(t.family == "remember" for t in inside):
        return
    kept = list(_remembered(sentence, after))
    if kept:
        yield from kept
        return
    families = {t.family for t in inside}
    if sentence[-1].asks and sentence[0].asks:
        yield from _wished(sentence) if "preference" not in families else ()
        return
    if families & {"procedure", "decision", "correction"}:
        return
    process = list(_process(sentence, after))
    if process:
        yield from process
        return
    if "preference" not in families:
        ruled = list(_ruled(sentence, after))
        yield from ruled
        if not ruled:
            yield from _wished(sentence)


# --- remember


_ASKED_BEHIND: Final = re.compile(
    r"^\W*(?P<v>[^?]{12,}?)[,;.]? (?:please )?(?:remember that|keep (?:that|it|this) in mind|don't forget (?:that|it|this)|make a note(?: of (?:that|it|this))?|note that down|remember (?:it|this))(?: please)?[.!\s]*$"
)


def _remembered(sentence: list[Clause], after: list[Clause]) -> Iterator[Told]:
    low, origin = sentence[0].whole, sentence[0].origin
    behind = _ASKED_BEHIND.match(low)
    if (
        behind is not None
        and not signs.is_secret(low)
        and not signs.is_temporary(low)
        and grammar.statement(sentence[0]) is not None
    ):
        yield Told(
            "remember",
            "noted",
            PROJECT,
            origin + behind.start("v"),
            origin + behind.end("v"),
            "",
            ("project.note", "workflow"),
            False,
            near=origin,
        )
        return
    begin = _LEAD.match(low.lstrip())
    offset = len(low) - len(low.lstrip())
    at = offset + (begin.end() if begin is not None else 0)
    found = _KEEP.match(low, at)
    if found is None:
        return
    if (low.rstrip().endswith("?") or _STRONG.search(found.group()) is None) and "fyi" not in low[: at + 4]:
        return
    start, end = found.end(), len(low.rstrip(" .!?;。"))
    rest = low[start:end]
    is_weak = re.match(r"(?:fyi|note|reminder|heads)", found.group()) is not None
    if len(rest.split()) < 2:
        if not after or not re.search(r"[:.!—-]\s*$|\bdown\b|\bthis\b", low[: end + 2]) or after[0].asks:
            return
        origin, low = after[0].origin, after[0].whole
        start, end = len(low) - len(low.lstrip()), len(low.rstrip(" .!?;。"))
        rest = low[start:end]
    if _ERRAND.match(rest) or signs.is_secret(low) or signs.is_temporary(rest) or "\u2060" in rest:
        return
    if _FINITE.search(rest) is None or (
        is_weak
        and ":" not in found["sign"]
        and "—" not in found["sign"]
        and not rest.startswith(("the ", "we ", "our ", "my "))
    ):
        return
    while start < end and low[start] in " :,-—–":
        start += 1
    for s, e in _statements(low, start, end):
        if s > start and _RULE_ALONE.match(low[s:e].strip(" .!")):
            continue
        yield Told(
            "remember",
            "noted",
            PROJECT,
            origin + s,
            origin + e,
            "",
            ("project.note", "workflow"),
            False,
            near=origin + s,
        )


_JOINED: Final = re.compile(
    r"(?:, (?:and )?| and |; )(?=that |(?:only |everything |the |it |we |i |my |our )?[\w'’-]+(?: [\w'’-]+){0,3}? (?:is|are|has|have|must|may|can|needs?|goes|go|lives?|mix|runs?|gets?|takes?|comes?|speaks?|only|uses?|works?|means?)\b(?! and))"
)
_AND: Final = re.compile(
    r",? and (?=(?:that |the |i |we |it |only |my |our )[\w' ]{2,40})|, (?=(?:it|and|we|the|i|my|our|so) )|; "
)


def _statements(low: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The first statement, and a second one joined on by `and that`."""
    joined = _JOINED.search(low, start + 10, end)
    if joined is not None and len(low[joined.end() : end].split()) >= 3:
        yield start, joined.start()
        yield joined.end(), end
    else:
        yield start, end


# --- rules for the agent

_ALWAYS: Final = r"(?:always|never|from now on|from here on(?: out)?|from today(?: on)?|in general|generally|permanently|by default|every (?:single )?(?:time|task|answer|reply|file|function|message|session)|each time|going forward|in (?:the )?future|as a (?:general |standing )?rule|standing (?:rule|order|instruction|request)|at all times|(?:until|unless) i say otherwise|all the time|henceforth|no exceptions|everywhere|ever|(?:whenever|any ?time) you|as a general (?:thing|rule|principle)|house style|(?:anything|everything|whatever|all texts|all \w+) you (?:write|send|make|generate|give|show|produce|draft|create|say)(?: (?:for|to) (?:me|us))?|for (?:all|every|any)(?: future)? (?:\w+ )?(?:answers?|repl(?:y|ies)|tasks?|sessions?|files?|projects?|messages?|code|charts?|plots?|figures?|emails?|documents?|queries|functions?|scripts?|repos?|responses?|requests?|chats?|recipes?|plans?|texts?)|in (?:all|every|any)(?: \w+)? (?:answers?|repl(?:y|ies)|files?|messages?|emails?|code|responses?|functions?|chats?|conversations?|projects?|sessions?))"
_RULED: Final = re.compile(rf"\b{_ALWAYS}\b")
_RULE_ALONE: Final = re.compile(
    rf"^\W*(?:and |yes,? |please,? |i mean |that's |this is |that |ok\??,? |so )*(?:(?:a |my |the )?{_ALWAYS}|(?:goes|holds|counts|appl(?:y|ies)|is) (?:for|to) (?:all|every|any|each|everything)[\w ]*|keep (?:doing|it) (?:that|that way|like that)|(?:how|the way) i (?:like|want|prefer) it|(?:my|our) (?:rule|preference|standing rule|house rule)|not just (?:now|this time|here|today)|same for (?:all|every)[\w ]*|remember that|i won't repeat (?:it|that|myself))[\W]*$"
)
_ORDER: Final = re.compile(
    r"(?:please |pls |plz |just |always |never |only |also |and |then |you (?:should|must|can|may|need to|have to|don't have to|don't need to) |i (?:want|need|expect|would like|'d like) you to |i'd like you to |make sure (?:to |you |that )?|be sure to |try to |do |(?:can|could|would) you )*"
    r"(?P<neg>(?:don't|do not|dont|never|stop|avoid|no more|no|without|quit|skip|drop|leave out|refrain from|not)\b ?(?:ever |any |the |to )*)?"
    r"(?P<v>[a-z][\w'-]*)"
)
_TO_AGENT: Final = frozenset(
    "use write keep make give answer reply respond show put add include call format explain start end send ask be speak stick prefix name leave skip drop link cite quote wrap sort prefer return tell address talk default comment document spell mark indent limit assume convert list sign challenge question round number check run test commit open avoid stop touch mention say treat spare go describe translate summarise summarize warn remind propose suggest group label order separate split set pick choose begin finish close begin lead number state flag highlight point walk take read confirm wait follow respect refer justify back compare count mind include attach provide offer repeat apologise apologize invent guess hallucinate generate produce insert create import install push merge deploy delete edit change modify rename reformat refactor clean log print render draw plot display measure calculate express stay remain cut reduce shorten lower raise capitalise capitalize hyphenate pin lock type annotate separate double prove verify validate review plan break bring let thank praise flatter sugarcoat moralize lecture reference match copy mirror see think consider continue just".split()
)
_NOUNY: Final = re.compile(r"^[\w\"'#+./%°-]+(?: [\w\"'#+./%°-]+){0,9}$")
_CHATTER: Final = re.compile(
    r"\b(?:always (?:a|the|nice|fun|forget|get|learn|been|happy|wanted|thought|mix)|never (?:mind|understood|used|seen|heard|had|been|knew|thought|tried|really|got|liked|learned|written|say|disappoint)|ever (?:since|had|seen|heard)|happily ever|thanks|thank you|hello|hi there|than ever|best ever|worst ever|(?:i|it|this|that|they|he|she) (?:always|never|ever)|works?|why|how|what)\b"
)


def _ruled(sentence: list[Clause], after: list[Clause]) -> Iterator[Told]:
    """An order, or a thing by itself, that holds from now on: by its own words or by those of the next sentence."""
    low, origin = sentence[0].whole, sentence[0].origin
    if _RULE_ALONE.match(low.strip(" .!\n")) and len(low.split()) <= 9:
        return
    own = _RULED.search(low)
    behind = (
        bool(after)
        and len(after[0].whole.split()) <= 9
        and _RULE_ALONE.match(after[0].whole.strip(" .!\n")) is not None
    )
    if (
        (own is None and not behind)
        or signs.is_temporary(low)
        or signs.is_secret(low)
        or signs.is_supposed(low.strip())
    ):
        return
    if (_CHATTER.search(low) and not behind) or grammar.FAULTS.search(low.replace("still", "")):
        return
    first = sentence[0].low.split(" ", 1)[0]
    if (
        first in _TO_AGENT
        and len(sentence) > 1
        and re.match(r"(?:whenever|when(?:ever)? (?:you|i)|every time you|if you)\b", sentence[-1].low)
        and not _LOCAL.search(sentence[0].low)
    ):
        yield Told(
            "preference", "prefers", ME, sentence[0].start, sentence[-1].end, "", (), False, near=sentence[0].start
        )
        return
    for clause in sentence:
        if clause.asks or signs.is_third(clause.low) or _LOCAL.search(clause.low):
            continue
        if low[clause.end - origin : clause.end - origin + 1] in (":", "：") and len(sentence) > 1:
            continue
        yield from _order(clause)
        read = grammar.statement(clause)
        if behind and read is not None and read.subject in (grammar.Subject.ME, grammar.Subject.US) and read.is_denied:
            start, end = clause.start + read.start, clause.end
            yield Told(
                "procedure", "practises", ME, start, end, "", ("workflow.rule", "style"), False, near=clause.start
            )


_LOCAL: Final = re.compile(
    r"\b(?:here|this|these|it|them|those|the thing|for a (?:second|minute|moment))\b(?! (?:repo|project|codebase|house|team|kind))|\b(?:i|we|you)(?:'d| would)\b|^(?:if|are|is|do|does|should|why|how|what)\b|\b(?:argue|let's|lets)\b"
)


def _order(clause: Clause) -> Iterator[Told]:
    text = clause.low
    begin = re.compile(rf"(?:\W|(?:please|pls|and|so|but|ok|also|then|just|again|yes)\b|{_ALWAYS}\b)*").match(text)
    at = begin.end() if begin is not None else 0
    if at >= len(text) - 2:
        return
    found = _ORDER.match(text, at)
    if found is None:
        return
    end = len(text)
    tail = re.compile(rf"[,\s—-]*(?:please|pls|thanks|thank you|{_ALWAYS}|ok|okay|i mean|yes)*[\s,.!]*$").search(
        text, at
    )
    end = tail.start() if tail is not None and tail.start() > at else end
    is_order = found["v"] in _TO_AGENT
    denied = (
        bool(found["neg"])
        or re.match(r"\s*(?:please )?never\b", text[: found.start("v")] or "") is not None
        or "never " in text[: found.start("v")]
    )
    if (
        is_order
        and grammar.statement(clause) is not None
        and not re.match(r"(?:i|you)\b", text[at:])
        and found["v"] not in ("use", "keep", "write")
    ):
        pass
    if (
        not is_order
        and not denied
        and (grammar.statement(clause) is not None or not _NOUNY.match(text[at:end]) or len(text[at:end].split()) < 2)
    ):
        return
    if (
        not is_order
        and denied
        and not (found["neg"] or "").strip().startswith(("no", "stop", "avoid", "skip", "drop", "without"))
    ):
        return
    if re.match(r"(?:it|this|that|them|these|those)\b", text[found.end("v") :].strip()) and len(text.split()) < 5:
        return
    start = found.start("v")
    value = text[start:end]
    if is_order and is_order_of_work(value):
        place = span(clause, begin.end() if denied and begin is not None else start, end, keep_article=True)
        if place is not None:
            begin_at = clause.start + (found.start("neg") if found["neg"] else start)
            if denied and not found["neg"]:
                begin_at = clause.start + text.index("never")
            yield Told(
                "procedure",
                "practises",
                ME,
                begin_at,
                place[1],
                "",
                ("workflow.order", "style"),
                False,
                near=clause.start,
            )
        return
    place = span(clause, start, end, keep_article=True)
    if place is not None:
        yield Told("preference", "avoids" if denied else "prefers", ME, *place, "", (), False, near=clause.start)


# --- wishes about style, without a rule

_STYLED: Final = r"(?:answers?|repl(?:y|ies)|responses?|explanations?|messages?|summar(?:y|ies)|sentences?|paragraphs?|wording|words|text|prose|tone|language|spelling|grammar|jargon|parenthes[ie]s|exclamation (?:marks?|points?)|emojis?|headings?|headers?|bullets?(?: points?)?|tables?|lists?|examples?|diagrams?|analog(?:y|ies)|metaphors?|buzzwords?|disclaimers?|apolog(?:y|ies)|fluff|filler|preambles?|intros?|introductions?|footnotes?|quotes?|links?|sources?|citations?|abbreviations?|acronyms?|passive voice|em[- ]dash(?:es)?|semicolons?|comments?|theory|chatter|praise|compliments?|detail|details|humou?r|jokes?|formality|capital letters|code blocks?|one-liners?|steps)"
_GRADED: Final = r"(?:(?:a (?:bit|little|tad|touch)|slightly|somewhat|much|way|even|far) )?(?:more|less|fewer|shorter|longer|simpler|plainer|warmer|kinder|gentler|softer|blunter|briefer|crisper|clearer|slower|quicker|stricter|tougher|harsher|friendlier|drier|dryer|looser|tighter|terser|chattier|wordier|deeper|easier|nicer|calmer|firmer|sharper|leaner|smaller|bigger)"
_ASKS_YOU: Final = re.compile(
    r"^\W*(?:(?:and|but|so|ok|okay|hey|hi|also|please|pls|maybe|perhaps|just|hmm+|btw|oh|well|thanks)[,.!\s]+)*"
    r"(?P<a>(?:can|could|would|will) (?:you|we|i get|i have)(?: (?:please|perhaps|maybe|possibly|just|also|at least|try to|try and|try))*(?: mind)?|would it be possible to|any chance (?:you could|of)|i(?:'d| would) (?:like|prefer|appreciate) (?:it if you|you to|if you)|i (?:want|need) you to|try (?:to|and)|you (?:could|can|might|may)|let's|please|pls|maybe|perhaps|how about|what about|feel free to|do you think you could|it would (?:help|be nice|be great) if you|it'd (?:help|be nice) if you)?[,\s]*(?P<v>.+)$"
)
_MANNER: Final = re.compile(
    rf"(?:\b{_GRADED}\b (?:\w+ ){{0,2}}?(?:{_STYLED}|formal|informal|casual|concise|verbose|chatty|wordy|technical|polite|direct|blunt|brief|detailed|precise|specific|personal|friendly|enthusiastic|cheerful|preachy|dry|serious|gentle|patient|critical|honest|careful|cautious|structured|visual|concrete|practical|to the point|academic|neutral|repetitive|explicit|succinct|elaborate|flowery|dramatic|robotic|corporate|excited|apologetic|bossy|pushy|negative|positive)\b"
    r"|\b(?:be|sound|keep it|keep things|speak|talk|write|answer|reply|respond|explain (?:things|stuff|it all)|go|type) (?:to me |with me |back )?(?:(?:a (?:bit|little)|slightly|way|much|somewhat) )?(?:more |less )?(?:\w+er|formal|informal|formally|informally|casual|concise|concisely|brief|briefly|short|shorter|slowly|plainly|simply|in (?:plain |simple |british |american )?(?:english|german|french|spanish|italian|portuguese|dutch|polish|russian|japanese|chinese|prose|bullet points|full sentences|lower ?case|simple words|plain language))\b"
    rf"|\b(?:short|shorter|brief|plain|simple|concise|fewer|less|no|long|longer|full|complete|precise|direct|honest|friendly|formal) (?:\w+ )?(?:answers|replies|responses|explanations|messages|sentences|summaries|paragraphs|words|bullets|english)\b"
    r"|\b(?:the|your) (?:answer|conclusion|result|code|solution|verdict|bottom line|short version|summary|command)s? (?:first|up front|upfront|before|at the (?:top|start|beginning|end)|last)\b"
    r"|\b(?:british|american|metric|imperial|celsius|24[- ]?h(?:our)?|swiss|canadian|australian|oxford) (?:spelling|units?|english|clock|format|time|system)?"
    r"|\btoo (?:long|short|wordy|verbose|chatty|formal|technical|cheerful|enthusiastic|polite|many (?:emojis|words|bullets|headings|exclamation marks|questions|examples|disclaimers))\b)"
)
_ONE_TEXT: Final = re.compile(
    r"\b(?:this|that|these|those|(?<!keep )it (?:in|a|more|to|for)|the (?!answer|conclusion|result|code|solution|verdict|bottom|short|summary|command|reasoning|why|formal|metric|kids|tone)\w+|the (?:\w+ )?(?:paragraph|email|mail|letter|title|text|function|class|intro|essay|section|button|page|sentence|script|post|tweet|message|story|poem|slide|slides|header|caption|query|error|image|logo|border|background|font|loop|file|readme|docs?|chart|plot|table|list|abstract|modal|form|colou?rs?|chapter|draft|reply|version|(?:first|second|third|last) \w+|speech|report|name|names|variable|test|tests|code)\b(?! first| up front| at the)|my (?:\w+ )?(?:email|letter|essay|text|draft|cv|resume|code|story|poem|speech|paragraph|bio|post)|her|him|them|for the (?:email|letter))\b"
)


_LESS_OF: Final = re.compile(
    r"(?:a (?:bit|little) |way |much )?(?:less|fewer) (?!than)[\w-]+(?: [\w-]+)?,? (?:please|pls)\b"
)


def _wished(sentence: list[Clause]) -> Iterator[Told]:
    """How to answer, asked for once: of answers as such, not of one text."""
    clause = sentence[0]
    if len(clause.whole.split()) > 26 or signs.is_temporary(clause.whole) or signs.is_third(clause.low):
        return
    found = _ASKS_YOU.match(clause.low)
    if found is None or clause.low.startswith(("is ", "are ", "what ", "why ", "how ", "which ", "do ", "does ")):
        return
    text = found["v"]
    manner = _MANNER.search(text) or _LESS_OF.match(text)
    if (
        manner is None
        or _ONE_TEXT.search(text)
        or manner.start() > (40 if found["a"] else 24)
        or re.search(r"\b(?:whether|if|why|how)\b", text[: manner.start()])
    ):
        return
    if re.match(r"(?:i|we|it|he|she|they|there|the|my|our)\b", text) and not text.startswith(
        ("the answer", "the conclusion", "the result", "the short", "the code first")
    ):
        return
    first = text.split(" ", 1)[0]
    if not found["a"] and first not in _TO_AGENT and grammar.statement(clause) is not None:
        return
    place = span(clause, found.start("v"), len(clause.low), keep_article=True)
    if place is not None:
        yield Told("preference", "prefers", ME, *place, "", ("style", "style.tone"), True, near=clause.start)


# --- how work goes

_PROCESS: Final = re.compile(
    r"^\W*(?:[\w']+,? ){0,4}?(?:(?:my|our|the|house|team|usual|standard|normal|typical|general|whole|release|daily|weekly|working) )*(?:\w+ )?(?:process|workflow|work flow|loop|routine|pipeline|rules?|convention|policy|procedure|cycle|ritual|drill|protocol|recipe|checklist|order|sequence|practice|habit|way|flow|approach|system|cadence|rhythm|steps|method)\b[^:]{0,50}(?::|\bis(?: this| simple| always)?[:,]?)\s*(?P<v>.+)$"
    r"|^\W*(?:\w+,? ){0,3}?(?:(?:quick |some |a bit of )?(?:context|background) on |this is |that's |here's |here is |just )?how (?:we|i|it|things?|they|the \w+)\b[^:]{0,50}:\s*(?P<w>.+)$"
    r"|^\W*(?:\w+,? )?(?:the way|what) (?:we|i) (?:do|work|handle|run|go about|usually do|always do)\b[^:]{0,40}(?::|\bis\b:?)\s*(?P<x>.+)$",
)
_WITH_US: Final = re.compile(
    r"^\W*(?:with us|here|at ours|at our place|on our side|over here|in (?:our|this) \w+),? [^:]{3,60}:\s*(?P<v>.+,.+)$"
)
_GOES: Final = re.compile(r"\W*(?:our|my|the) (?:\w+ ){1,3}(?:goes|runs|works|is)\b")
_SEQUENCE: Final = re.compile(
    r"\b(?:then|after that|afterwards|finally|only then|and only|next|lastly|before (?:that|it|we|i|they)|once|followed by|in that order)\b"
)
_HOW_DONE: Final = re.compile(
    r"\b(?:that's|that is|thats|this is) (?:how (?:it is|it's|it gets|we|i|things|this|the)\b|(?:our|my|the) (?:\w+ )?(?:pipeline|process|workflow|rule|routine|order|way|policy|practice|convention|drill|procedure)\b|the way (?:we|i|it)\b)|\bin that order\b|\bthat's the (?:rule|deal|drill|law|agreement)\b"
)
_AS_TASK: Final = re.compile(
    r"\b(?:trying|i've|we've|can try|next time|i want|we want|i need|we need|let's|please|can you|could you|should|would|could|might|going to|tried|got|did|was|were|went|had|failed|error|i'll|we'll)\b"
)
_WHO_DOES: Final = re.compile(
    r"\b(?:we|i|you|they|somebody|someone|whoever|the \w+|a \w+|it) (?:\w+ly |always |first |then |also )?[a-z]+s?\b"
)


def _process(sentence: list[Clause], after: list[Clause]) -> Iterator[Told]:
    low, origin = sentence[0].whole, sentence[0].origin
    end = len(low.rstrip(" .!?;。"))
    if sentence[0].asks or signs.is_temporary(low) or signs.is_supposed(low.strip()) or signs.is_third(low.strip()):
        return
    follows = bool(after) and _HOW_DONE.search(after[0].whole) is not None
    found = _PROCESS.match(low) or _WITH_US.match(low)
    start = -1
    if found is not None:
        group = next(g for g in "vwx" if found.groupdict().get(g))
        rest = found[group]
        many = rest.count(",") + len(_SEQUENCE.findall(rest)) + rest.count("→") + rest.count("->")
        if (many >= 2 or (":" in low[: found.start(group)] and len(rest.split()) >= 4)) and not re.match(
            r"(?:a mess|broken|slow|not|too|very|really|so)\b", rest
        ):
            start = found.start(group)
    own = _HOW_DONE.search(low)
    if start < 0 and (own is not None or follows) and own is not None and own.start() > 20:
        start, end = 0, own.start()
    elif start < 0 and follows and len(low.split()) >= 4:
        start = 0
    if start < 0 and not _AS_TASK.search(low) and not grammar.is_passing(low):
        steps = re.findall(r"\bthen\b", low)
        habits = re.match(r"\W*(?:[\w' ]{2,30}: ?)?(?:\w+,? ){0,3}?(?:we|i|you)\b", low) and re.search(
            r"\b(?:i|we) (?:\w+ly |first |always |usually )?[a-z]+\b", low
        )
        if habits and (len(steps) >= 1 and low.count(",") + len(steps) >= 2):
            start = 0
        elif steps and low.count(",") and (goes := _GOES.match(low)) is not None:
            start = goes.end()
        elif (
            re.match(r"\W*[\w' ]{3,30}: ", low)
            and low.count(",") + len(steps) >= 3
            and re.search(r"\b(?:then|only after|before|finally|and only)\b", low)
        ):
            start = low.index(":") + 1
    if start < 0:
        return
    while start < end and low[start] in " :,-—(":
        start += 1
    cut = re.compile(r"[,;.]? (?:can|could|would) you\b|,? so (?:please|can|don't|do not|make|here's)\b").search(
        low, start, end
    )
    end = cut.start() if cut is not None else len(low[:end].rstrip(" ,;:-—"))
    if len(low[start:end].split()) >= 4 and not low.rstrip().endswith("?"):
        yield Told(
            "procedure",
            "practises",
            TEAM if re.search(r"\b(?:we|our)\b", low) else ME,
            origin + start,
            origin + end,
            "",
            ("workflow.process",),
            signs.is_hedged(sentence[0]),
            near=origin,
        )
