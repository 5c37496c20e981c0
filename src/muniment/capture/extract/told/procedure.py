"""How somebody works: what is done again and again, in which order, before and after what."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from muniment.capture.extract.told.clauses import Clause
from muniment.capture.extract.told.frame import ME, TEAM, Frame, Value, frame
from muniment.capture.extract.told.preference import is_order_of_work
from muniment.capture.extract.told.slots import phrase, sentence

_NOT_DONE: Final = r"(?:get|gets|getting|got|see|seeing|forget|forgot|thought|think|wanted|want|struggle|struggled|have (?:trouble|problems|issues|to look|a hard|the)|end up|had|have had|hear|feel|felt|assumed|assume|liked|loved|like|love|enjoy|enjoyed|hated|hate|prefer|wonder|wondered|need|needed|mix up|confuse|confused|find|found|been|be|was|were|am|is|are|wish|wished|knew|know|believed|say|said|mess|fail|failed|lose|lost|run into|running into|hit|notice|noticed|expect|expected|appreciate|hope|hoped|worry|remember|suspect\w*|dream\w*|learn\w*|can|could|will|would|should|did|does|understand|understood|made|make mistakes|make the same|appreciated|admired|regret\w*)"
_HABIT: Final = r"(?:always|usually|normally|typically|generally|routinely|regularly|religiously|first|never|only ever|tend to|often|make a point (?:of|to)|make it a (?:rule|habit) to|try to always|make sure to always)"
_DOES: Final = r"(?:deploy|release|ship|merge|review|branch|test|squash|rebase|tag|cut|do (?:code reviews?|standups?|trunk[- ]based|tdd|pair|mob|blue|canary|daily|weekly|a (?:retro|demo|code review|dry run|backup|release)|releases|deploys|deployments|sprints?|retros?|planning|feature branches|gitflow|squash)|follow|practi[cs]e|run (?:a |the |our |all )?(?:tests?|backups?|migrations?|linter|lint|ci|sprints?|retros?|standups?|full|nightly|e2e|integration|regression|load|smoke)|keep (?:a |the |our )|write (?:tests?|adrs?|a |the |our |docs|specs?|unit|migrations|an |changelog|release)|version|back ?up|bump|pin|rotate|log (?:all|every|our)|track|require|freeze|plan|estimate|meet|hold|open|use (?:feature (?:flags|branches)|trunk[- ]based\b.*|conventional commits|semantic versioning|semver|gitflow|git flow|squash merges?|merge commits|rebase merges?|pull requests|code ?owners|adrs?|rfcs?|scrum|kanban|tdd|bdd|mob programming|pair programming|stacked (?:prs|diffs)|branch protection|short-lived branches|release branches|blue[- ]green\b.*|canary\b.*)|pair|hand off|lint|check|sign|archive|develop on|commit (?:to|on|straight|directly|only)|push (?:to|straight|directly)|label|triage|groom|sync|batch|publish|promote|roll (?:back|out)|generate|vendor|name (?:our |the |all )?branches)"


def _habit(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    text = found.group("v")
    if re.match(r"(?:first) (?:time|tried|saw|noticed|need|want|learned|started|thought|met)\b", text):
        return
    if re.match(
        r"(?:never|often|tend to|regularly|generally) (?:\w+ly )?(?:\w+ed\b|use\b|did|wrote|had|been|went|took|saw|knew|got|heard|understood|thought|gave|came|made|told|said|met|learnt|ran|owned|worked)",
        text,
    ):
        return
    if (
        re.match(
            r"(?:always|usually|normally|generally|never|typically) (?:use|used|eat|drink|wear|book|fly|order)\b(?! (?:feature|trunk|conventional|semantic|tdd|a branch|branches))",
            text,
        )
        and re.search(r"\b(?:when|before|after|for|on|every)\b", text) is None
    ):
        return
    yield from sentence_or_clause(clause, found)


def sentence_or_clause(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """The clause; the sentence where it goes on with `then`, `before`, `and then`."""
    rest = clause.whole[clause.end - clause.origin :]
    if (
        re.match(r"[\s,;]*(?:and |before |after |then |and then |only then |but only |unless |until )", rest)
        and len(rest) < 160
        and not re.search(r"\b(?:can|could|please|help|you|how|what|why|want|but)\b", rest)
    ):
        yield from sentence(clause, found)
    else:
        yield from phrase(
            r"\s(?:because|since|so (?:please|can|do|i|we|the|that|make|ask|don't))\b|,? but\b",
            most=40,
            keep_article=True,
        )(clause, found)


_DONE: Final = re.compile(
    r"\b(?:was|were|had|got|gets?|fail(?:s|ed)?|crash(?:es|ed)?|didn't|doesn't|don't (?:know|understand|see)|can't|error|errors|wrong|nothing|breaks?|broke|stuck|weird|happens|problem|issue|i see|throws?|returns?|shows?|need to (?:know|be|find|fix)|want|wonder|trying)\b"
)


_WISHED: Final = re.compile(
    r"\b(?:i|we) (?:want|need|would|have to|should|could|can|think|wanted|needed|am|are|will|'d|'ll|might|must)\b|\b(?:i'd|i'll|we'd|we'll|i'm|we're)\b|\b(?:please|let's)\b"
)


def _order(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """`before I push anything I run the whole suite`: told of a habit, not of what happened or is to be done now."""
    text = clause.whole[clause.start - clause.origin + found.start("v") :]
    main = re.search(
        r"(?:,| )\s*(?:(?:i|we|someone|somebody|everyone|the team)(?: always| usually| first| also| must| have to| need to| should)* (?:\w+)|(?:always|please|run|make sure|check|ask|lint|test|get|wait|never)\b)",
        text[8:],
    )
    if (
        main is None
        or _DONE.search(text)
        or re.match(
            r"(?:\w+ )?(?:before|after) (?:i|we) (?:continue|proceed|can|dive|move on|forget|\w+ed|got|did|went|made|saw|had)\b",
            text,
        )
    ):
        return
    if (
        re.match(r"(?:\w+ )?after \w+ing\b", text)
        and re.search(r"\b(?:i|we) (?:always|usually|never)\b", text) is None
        and re.search(
            r"\b(?:i|we) (?!get|see|have|had|got|still|am|are|was|can|could|don't|want|need)[a-z]+\b", text[8:]
        )
        is None
    ):
        return
    if re.search(r"\b(?:can|could|would) you\b|\blet's\b|\bhelp\b", text):
        text = re.split(r"[,;] ?(?:can|could|would) you\b|\blet's\b|\bhelp\b|, so\b", text)[0]
        if len(text.split()) < 6:
            return
        yield Value(clause.start + found.start("v"), clause.start + found.start("v") + len(text.rstrip(" ,;.")))
        return
    end = re.search(r",? so (?:do|can|please|make|you|i)\b|\.$", text)
    stop = end.start() if end is not None else len(text.rstrip(" .!?"))
    yield Value(clause.start + found.start("v"), clause.start + found.start("v") + len(text[:stop].rstrip(" ,;.")))


def _whenever(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """`if a build fails we page the on-call`."""
    text = clause.whole[clause.start - clause.origin + found.start("v") :].rstrip(" .!?")
    begin = text.find(",", 8) if "," in text[8:90] else text.find(" ", 14)
    main = (
        re.search(
            r"(?:,| )\s*(?:then )?(?:we|i|the (?:team|on-call|reviewer|author|oncall|lead|manager|dev|developer|owner|night shift|front desk|on-call engineer)|someone|somebody|whoever \w+ \w+|one of us|nobody|no one|everyone|everybody) (?:(?:always|usually|first|just|never|immediately|automatically|then|must|have to|also|all|only) )*(page|pull|run|tag|create|open|write|add|bump|notify|roll|revert|ask|check|deploy|merge|squash|rebase|review|ping|post|update|freeze|restart|back|send|file|log|hand|rotate|branch|start|stop|do|make|use|test|lint|close|label|assign|email|call|document|backport|publish|put|switch|disable|enable|escalate|triage|wait|move|take|hold|go|fix|build|remove|delete|archive|cut|pair|meet|block|keep|export|rerun|retry|draft|print|sign|schedule|reset|reboot|warm|drain|clean|flush|scale|rerun|re-run|triage|record|inform|apologi[sz]e|reimburse|refund|replace|check|double-check|verify|merge|touch|leave|deploy|commit|mark)s?(?:es)?\b",
            text[begin:],
        )
        if begin > 0
        else None
    )
    if (
        main is None
        or _DONE_MAIN.search(text[begin + main.start() :])
        or re.match(
            r"if (?:we|i)\b(?! (?:find|hit|see|get a|get an|break|ship|merge|release|deploy|change|add|touch))", text
        )
    ):
        return
    if re.search(r"\b(?:would|could|were|had|'d|might)\b", text) or re.search(
        r"\b(?:can|could) you\b|\bhow (?:do|can|should)\b|\bwhy\b|\bwhat\b|\bhelp\b", text
    ):
        return
    if re.match(
        r"(?:when|once|as soon as) (?:i|we) (?:run|try|tried|open|click|start|build|call|execute|import|do|compile|load|press|hover|type|got|get|was|were|am|are|use|have|had|deploy(?:ed)? (?:this|it)|did)\b",
        text,
    ) and main.group(1) in ("get", "use", "do", "have", "go", "make", "put", "take"):
        return
    yield Value(clause.start + found.start("v"), clause.start + found.start("v") + len(text))


_DONE_MAIN: Final = re.compile(r"\b(?:get (?:an?|the|this)|see|error|errors|nothing happens|fails)\b")


def _process(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    rest = clause.whole[clause.start - clause.origin + found.start("v") :].lstrip(" :,-")
    if (
        clause.asks
        or len(rest.split()) < 2
        or re.match(
            r"(?:a mess|broken|slow|not|failing|too|very|really|so|pretty|bad|good|ok|fine|confusing|terrible|great|unclear|complicated|stuck|working|different|the same|painful|manual and)\b",
            rest,
        )
    ):
        return
    for value in sentence(clause, found):
        text = clause.whole[value.start - clause.origin : value.end - clause.origin]
        cut = re.search(r"[,;.]? (?:can|could|would) you\b|,? so (?:please|can|don't|do not|make)\b", text)
        yield value._replace(end=value.start + cut.start()) if cut is not None else value


_TO_TOOL: Final = re.compile(
    r"^(?:deploy|release|ship|test|track|lint|back ?up|develop|run|version|publish)\w*(?: (?:it|everything|our \w+|the \w+|\w+s?))? (?:to|on|with|via|in|using|through)\b"
)
_WHEN: Final = re.compile(
    r"\b(?:every|each|on (?:mon|tues|wednes|thurs|fri|satur|sun)days?|on weekends|twice|once|daily|weekly|nightly|monthly|only|before|after|when|whenever|never|always|from (?:main|master|develop|the|a)|off|at least|two|first|then|by hand|manually|automatically|in pairs|mornings?|cherry-picked|back|per|until|by [a-z]+|as|at night|at \d|in the (?:morning|evening)|without|straight|directly|at the end|for each|for every|behind)\b"
)


def _team_does(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    text = found.group("v")
    lead = clause.low[found.start() : found.start("v")]
    is_rule = (
        _WHEN.search(text) is not None
        or re.search(r"\b(?:never|always|don't|do not|usually|only|normally|typically|generally|strictly)\b", lead)
        is not None
    )
    if _TO_TOOL.match(text) and not is_rule:
        return
    if (
        re.match(
            r"(?:test|keep|plan|open|meet|hold|track|check|write|review|log|name|label|sync|publish|generate|run|pair|require|develop|lint|version|do|release|ship|merge|tag|cut|estimate|follow|sign|commit|push|archive)\b",
            text,
        )
        and not is_rule
        and not re.search(
            r"\b(?:squash|trunk|reviews?|standups?|tdd|gitflow|semver|conventional|sprints?|adrs?|rfcs?|approvals?|pairs?|kanban|scrum|process|pull requests?|prs|ourselves|retros?|guide|style guide|conventions?|pep ?8|airbnb|blue[- ]green|canary)\b",
            text,
        )
    ):
        return
    if re.search(
        r"\b(?:in (?:\d+|a|two|three|next|june|july|january|february|march|april|may|august|september|october|november|december)|next (?:week|month|year|quarter)|this (?:week|month|friday|quarter)|tomorrow|the \d|on (?:the )?\d|by (?:the )?(?:end|\d|june|july|fri|mon))\b",
        text,
    ) and re.match(r"(?:release|ship|deploy|launch|plan|merge|cut|demo|publish)", text):
        return
    if re.search(r"\b(?:never|don't|do not)\b", lead):
        start = found.start() + re.search(r"\b(?:never|don't|do not)\b", lead).start()  # type: ignore[union-attr]
        place = next(iter(phrase(r"\s(?:because|since|so)\b", keep_article=True)(clause, found)), None)
        if place is not None:
            yield Value(clause.start + start, place.end)
        return
    yield from sentence_or_clause(clause, found)


def steady(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """What is done again and again, by its words: no wish, no fault, nothing that happened."""
    if not clause.asks and _DONE.search(found.group("v")) is None and _WISHED.search(found.group("v")) is None:
        yield from sentence_or_clause(clause, found)


def steady_sentence(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    """The same, to the end of the sentence."""
    if (
        not clause.asks
        and _DONE.search(found.group("v")) is None
        and not re.search(r"\b(?:would|could|were|had|can you|could you|how|why|help)\b", clause.whole)
    ):
        yield from sentence(clause, found)


def _first_then(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    rest = clause.whole[clause.start - clause.origin :]
    if (
        re.search(r"\bthen\b|\bafter that\b|\bonly then\b|\band only\b|\bsecond\b", rest) is None
        or re.search(r"\b(?:tried|got|went|did|was|\w+ed)\b", found.group("v"))
        or re.search(r"\b(?:need to|have to|want|should|could|can|let's|would)\b", rest)
    ):
        return
    yield from sentence(clause, found)


def _own_habit(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    if _DONE.search(found.group("v")) is None and not clause.asks:
        yield from phrase(r"\s(?:because|since|so (?:i|please|can|it))\b|,? but\b", keep_article=True)(clause, found)


def _rule(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    text = found.group("v")
    if re.search(r"\b(?:process|workflow|goes like)\b", text):
        return
    if re.search(
        r"\b(?:need|needs|must|has to|have to|gets?|requires?|goes?|go through|is (?:reviewed|approved|squashed|signed|merged)|are (?:reviewed|approved|squashed|signed|merged|made|done|run|named|cut|tagged)|lands? (?:via|through)|should (?:be|have|reference|start|mention|go)|merges? (?:via|into|only))\b",
        text,
    ) and not re.search(r"\b(?:fail\w*|error|passing|pass now|broken|are green|is green|work\w*)\b", text):
        yield from phrase(r"\s(?:because|since|so (?:please|can|make))\b|,? but\b", keep_article=True)(clause, found)


def _order_of_work(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    verb = re.sub(r"^(?:always|never|don't ever|do not ever|don't|do not) ", "", found.group("v"))
    general = found.group("v").startswith(("always", "never", "don't ever", "do not ever")) or re.search(
        r"\b(?:ever|without asking|on fridays|directly to|to main|to master|in general)\b", verb
    )
    if general and is_order_of_work(verb):
        yield from phrase(r"\s(?:because|since|so that)\b|,? but\b", keep_article=True)(clause, found)


def _event(clause: Clause, found: re.Match[str]) -> Iterator[Value]:
    text = found.group("v")
    if _WHEN.search(text) is not None and not re.search(r"\b(?:fail\w*|broken|slow|late|stuck|not)\b", text):
        yield from phrase(r"\s(?:because|since|so)\b|,? but\b")(clause, found)


FRAMES: Final[tuple[Frame, ...]] = (
    frame("always usually normally typically generally routinely regularly religiously first never tend often make", rf"(?:{{START}}|^(?:with|for|on|in|at) [\w' -]{{2,30}}?,? )(?:i|we|everyone(?: here)?|the team|my team|our team) (?:almost |nearly |pretty much |also |kind of |kinda |sort of )*(?P<v>{_HABIT} (?!{_NOT_DONE}\b)[a-z][^;]{{4,}})", _habit, "practises", "", "workflow.habit"),
    frame("before after", r"{START}(?P<v>(?:right |just |immediately |always )?(?:before|after) (?:(?:i|we|you|anyone|anybody|somebody|anything)\b|\w+ing\b|(?:every|each|any) \w+|(?:a|an|the) (?:\w+ )?(?:commit|merge|release|deploy|deployment|push|pr|pull request|change|merging|meeting|migration|sprint|build|review|upgrade|shift|incident|lesson|class|call)\b)[^;]{6,})", _order, "practises", "", "workflow.order"),
    frame("whenever when every each once if as", r"{START}(?P<v>(?:whenever|when|every time|each time|once|as soon as|if) (?:a|an|the|we|i|someone|somebody|anyone|any|something|tests?|ci|there's|there is|main|production|prod|staging|customers?|users?|alerts?|builds?|an? \w+)\b[^;]{8,})", _whenever, "practises", "", "workflow.rule", guarded=False),
    frame("process workflow routine flow procedure policy convention rule strategy practice habit pipeline cadence schedule ritual way rules conventions", r"{START}(?:so )?(?:our|my|the|the team's|we have a|we've got a|team) (?:\w+[- ]){0,3}?(?:process|workflow|branching|versioning|routine|procedure|policy|convention|conventions|rule|rules|branching strategy|strategy|practice|habit|cadence|schedule|ritual|ground rule|house rule|branching model|release flow|git flow|dev flow|deploy flow|flow)(?: here| at work| for (?:this|releases?|deploys?|prs?|reviews?|branches|\w+ing|\w+)| with \w+)?(?: is| are| goes| looks|:| =|'s| that)(?: like this| pretty simple| simple| as follows| basically| usually| always| this| to)*[:,-]*\s*(?P<v>)", _process, "practises", "", "workflow.process"),
    frame("we team everyone", rf"{{START}}(?:we|the team|my team|our team|everyone) (?:(?:also|all|only|always|usually|normally|typically|just|mostly|basically|never|don't|do not|generally|strictly|still) )*(?P<v>{_DOES}\b[^;]*)", _team_does, "practises", "", "workflow.habit"),
    frame("first", r"{START}(?P<v>(?:first|step (?:one|1))[,:]? (?:i|we|you) [^;]{6,})", _first_then, "practises", "", "workflow.order"),
    frame("first start begin", r"{START}(?:i|we) (?:always |usually )?(?P<v>(?:first |start (?:by|with|out) |begin (?:by|with) )[^;]{6,})", _first_then, "practises", "", "workflow.order"),
    frame("i", r"{START}i (?:only |mostly |basically |also )?(?P<v>(?:work|write|do|run|commit|branch|read|check|review|study|plan|practice|practise|train|teach|cook|exercise|backup|back up|deploy|push|pull|rebase|squash|test|sketch|prototype|draft|journal|meditate|shop|batch|record|upload|post|publish|keep|log|track|meal prep|water|clean|edit|dictate)\b[^;]*\b(?:every (?:day|morning|evening|night|week|month|friday|monday|sunday|saturday|tuesday|wednesday|thursday|commit|time|release|two weeks|other \w+|weekday|weekend|single \w+|quarter|sprint)|each (?:morning|week|day|time|evening|month|commit|sprint)|on (?:mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays|weekends|weekdays)|once a (?:week|day|month|quarter|year)|twice a (?:week|day|month)|daily|weekly|nightly|monthly|before (?:i|every|each)|after (?:every|each)|first thing|tests first|test[- ]first|off (?:of )?(?:develop|main|master|dev)|in (?:small|tiny|one) (?:commits|steps|batches|batch)))", _own_habit, "practises", "", "workflow.habit", subject=ME),
    frame("need needs must has have gets get requires require goes go", r"{START}(?P<v>(?:every|all|each|any|no|our) (?:\w+ ){0,2}?(?:prs?|pull requests?|commits?|changes?|merges?|branch(?:es)?|releases?|migrations?|deploys?|deployments?|tickets?|features?|bugs?|patch(?:es)?|hotfix(?:es)?|code|tests?|schema changes|endpoints?|modules?|reviews?|invoices?|orders?|documents?|drafts?|merge requests?|mrs?|issues?|backups?)\b (?:\w+ )?(?:needs?|must|has to|have to|gets?|requires?|goes?|go|is|are|should|can|may|merges?|lands?)\b[^;]{3,})", _rule, "practises", "", "workflow.rule", subject=TEAM),
    frame("always never don't do not", r"{START}(?:please |pls |and |so |you (?:should|must|can) )*(?P<v>(?:always|never|don't ever|do not ever|don't|do not) [a-z][^;]{5,})", _order_of_work, "practises", "", "workflow.rule"),
    frame("nobody no-one everyone everybody people only", r"{START}(?P<v>(?:nobody|no one|everyone|everybody|only \w+(?: \w+)?) (?:may |can |is allowed to |must |has to |here )?(?:deploys?|merges?|pushes|push|deploy|merge|releases?|release|commits?|commit|reviews?|review|approves?|approve|touches|touch)\b[^;]{2,})", phrase(r"\s(?:because|since|so)\b"), "practises", "", "workflow.rule", subject=TEAM),
    frame("deploys releases deployments standup standups reviews sprints retro retros backups demos planning releases", r"{START}(?:our |the )?(?P<v>(?:\w+ )?(?:deploys|deployments|releases|standups?|code reviews|reviews|sprints|retros?|backups|demos|planning|hotfixes|migrations) (?:are|is|happen|happens|run|runs|go out|goes out|start|last|take place)\b[^;]{3,})", _event, "practises", "", "workflow.cadence", subject=TEAM),
    frame("every each on", r"{START}(?P<v>(?:on (?:mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays|weekends|weekdays)|(?:every|each) (?:day|morning|evening|night|week|month|quarter|year|mon|tues|wednes|thurs|fri|satur|sun|sprint|release|time|other|second|first|two|weekday|weekend|winter|spring|summer|autumn|fall)\w*)[^;]{0,40}? (?:i|we|the team|someone|somebody)\b [^;]{4,})", _own_habit, "practises", "", "workflow.habit"),
    frame("hires juniors seniors devs developers reviewers interns qa ops everyone everybody contributors managers owners codeowners admins maintainers engineers designers authors nobody one product lead leads support people least somebody call", r"{START}(?P<v>(?:new hires|juniors|seniors|devs|developers|reviewers|interns|qa|ops|the on-call|everyone|everybody|contributors|managers|code owners|codeowners|admins|maintainers|engineers|designers|authors|nobody|no one|product|the lead|team leads|support|two people|at least \w+ (?:people|person|reviewers?|devs?)|somebody from \w+) (?:on the team |here )?(?:always|never|usually|first|must|have to|has to|may not|signs?|approves?|reviews?|needs? to) [^;]{3,})", phrase(r"\s(?:because|since|so (?:please|can|make|i))\b|,? but\b", keep_article=True), "practises", "", "workflow.rule", subject=TEAM),
    frame("bugs prs tickets hotfixes releases migrations changes branches commits secrets backups invoices orders tests incidents issues docs dependencies features feedback flags patches deploys contracts samples complaints refunds", r"{START}(?P<v>(?:all |all our |our |new |old |the )?(?:\w+ )?(?:bugs|prs|tickets|hotfixes|releases|migrations|changes|branches|commits|secrets|backups|invoices|orders|tests|incidents|issues|docs|dependencies|features|feedback|flags|patches|deploys|contracts|samples|complaints|refunds) (?:always |only |never |first )*(?:get \w+|are \w+ed|go|go to|branch|must|need to|have to|happen|land|merge|start|come|stay)\b [^;]{3,})", _event, "practises", "", "workflow.rule", subject=TEAM),
    frame("branches commits files tests tables columns migrations tickets releases tags names prs messages components classes modules titles", r"{START}(?P<v>(?:our|all|all our|all the|the) (?:\w+ )?(?:branches|branch names|commits|commit messages|files|file names|tests|tables|columns|migrations|tickets|releases|tags|prs|pr titles|components|classes|modules|endpoints|variables|keys|fixtures)(?: names| messages| titles)? (?:are|is|get|must be|always|start|begin|follow|use|have) (?:always |all |usually )?(?:named|called|prefixed|suffixed|tagged|numbered|written|formatted|squashed|signed|with|plural|singular|snake|camel|kebab|lower|upper|the (?:pattern|format|convention|scheme)|grouped|sorted|versioned|conventional|in (?:english|german|imperative|the imperative|snake_case|camelcase|kebab-case|the same))[^;]*)", phrase(r"\s(?:because|since|so (?:please|can|make|rename))\b"), "practises", "", "workflow.rule"),
    frame("how", r"\bhow (?:we|i|our team) (?:\w+ ){1,5}?(?:\w+)?\s*:\s*(?P<v>)", _process, "practises", "", "workflow.process"),
    frame("way", r"{START}(?:the way (?:we|i) (?:do|work|handle)[^:,]{0,40}(?: is|:)|this is how (?:we|i) (?:do|work)[^:]{0,30}:|how (?:we|i) (?:do it|work):|here's how (?:we|i) (?:do|work)[^:]{0,30}:)[: ]*(?P<v>)", sentence, "practises", "", "workflow.process"),
    frame("every weekly daily monthly nightly mondays tuesdays wednesdays thursdays fridays saturdays sundays quarterly each", r"{START}(?P<v>(?:our|the|all|any|every|each|staging|prod|production|backups?|standups?|on-?call|payroll|stock|inventory|laundry|reports?|invoices?)(?: [\w'-]+){0,4}? (?:is|are|gets?|rotates?|happens?|runs?|goes|go|resets?|refreshes?|takes? place|ends?|starts?|closes?|opens?|rolls? over)\b[^;]*\b(?:every (?:mon|tues|wednes|thurs|fri|satur|sun|day|week|month|quarter|year|night|morning|other|second|two|three|\d)\w*|weekly|daily|monthly|nightly|quarterly|on (?:mon|tues|wednes|thurs|fri|satur|sun)days)\b[^;]*)", _event, "practises", "", "workflow.cadence", subject=TEAM),
    frame("through by", r"{START}(?P<v>(?:any|all|every|each|no) [^;]{3,50}? (?:goes|go|has to go|must go|needs to go|gets? (?:reviewed|approved|signed off)|is (?:reviewed|approved|signed off)) (?:through|by|past|via) [^;]{3,60})", phrase(r"\s(?:because|so)\b"), "practises", "", "workflow.rule", subject=TEAM),
    frame("i we", r"{START}(?:i|we) (?:only |also )?(?P<v>(?:commit|deploy|push|test|tag|release|back up|save|review|stretch|rest|sync|refactor|rebase|pull|lint|build|check|update|water|feed|clean|invoice|bill|journal) [^;]{0,40}?(?:after|before|between) (?:every|each|any|all) [^;]{3,50})", phrase(r"\s(?:because|so)\b", keep_article=True), "practises", "", "workflow.habit"),
    frame("first", r"{START}(?P<v>(?:when|whenever|once|before|after|if) [^;]{4,60}?,? (?:i|we) (?:always |usually )?first [a-z][^;]{4,})", phrase(r"\s(?:because|so (?:please|can|i|we))\b", most=36, keep_article=True), "practises", "", "workflow.order"),
    frame("sprints sprint changelog adr adrs rfc rfcs standup standups retros retro reviewers approvals reviewer runbook postmortem postmortems changelogs kanban scrum demos rotation", r"{START}(?:we|our team|the team) (?:also |always |usually |all |only )*(?P<v>(?:do|have|run|keep|write|require|need|hold|work in|use|follow|maintain|update|publish|demand|ask for|get|expect) [^;]{0,40}?(?:sprints?|changelogs?|adrs?|rfcs?|stand-?ups?|retros?|reviewers?|approvals?|runbooks?|postmortems?|kanban|scrum|demos|rotation)\b[^;]*)", phrase(r"\s(?:because|so (?:please|can|i|we))\b|,? but\b", keep_article=True), "practises", "", "workflow.process"),
    frame("way", r"{START}(?:the )?way (?:we|i) (?:\w+ ){1,4}(?:is|:) (?:to |that )?(?P<v>)", phrase(r"\s(?:because|so)\b"), "practises", "", "workflow.rule"),
    frame("need needs require requires must", r"{START}(?P<v>[a-z][\w' -]{2,40}? (?:needs?|requires?|must have|must get) (?:a|an|two|three|at least \w+|\d) (?:[\w-]+ ){0,2}?(?:signatures?|approvals?|reviews?|reviewers?|sign-?offs?|tickets?|labels?|tests?|changelog entry|changelog|rollback(?: script| plan)?|owners?|witness(?:es)?|receipts?|co-?signers?)\b[^;]*)", phrase(r"\s(?:because|so)\b"), "practises", "", "workflow.rule", subject=TEAM),
    frame("every each", r"{START}i (?:always |usually )?(?P<v>(?:read|check|test|review|proofread|run|verify|count|weigh|taste|measure|scan|back up|label|log|sign|clean|stretch) (?:every|each|all my) [^;]{3,60})", phrase(r"\s(?:because|so)\b|,", keep_article=True), "practises", "", "workflow.habit", subject=ME),
    frame("then", r"{START}(?:i|we) (?:always |usually )?(?P<v>(?!was|had|got|did|went|tried|want|need|will|would|can|could|should|see|get|have)[a-z]+ [^;]{2,50},? (?:then|and then|and only then) (?!it|the|i (?:get|see|got)|we (?:get|see)|there|nothing|this)[a-z]+[^;]*)", steady, "practises", "", "workflow.order"),
    frame("never always", r"{START}(?:our|the|all|my) (?P<v>(?:\w+ )?[a-z]+s (?:never|always|only|must) (?:get|go|merge|deploy|touch|work|ship|land|use|see|have|push|commit|sign|speak|leave|wear|start|end|stay)\b[^;]*)", steady, "practises", "", "workflow.rule", subject=TEAM),
    frame("no", r"^(?:and |so |also )*(?P<v>no (?:deploys?|merges?|releases?|meetings?|commits?|pushes|pushing|deploying|merging|work|changes|migrations|prs?|pull requests?|shipping|calls) (?:\w+ ){0,2}?(?:on|after|before|without|during|to|over|in|between|at) [^,;]{2,40})", phrase(), "practises", "", "workflow.rule", subject=TEAM),
    frame("once twice every each", r"{START}(?P<v>(?:once|twice|three times) (?:a|per|every) (?:day|week|month|quarter|year|sprint) (?:i|we|the team) [^;]{4,})", phrase(r"\s(?:because|so)\b"), "practises", "", "workflow.habit"),
    frame("version name pair document", r"{START}we (?P<v>(?:version|document|pair on|review|feature[- ]flag|tag|code[- ]review|estimate|demo|time-?box|record|minute|archive|double-?check|peer[- ]review) (?:the |our |all |every\w* |each |any\w* )?[a-z][^;]{3,60})", steady, "practises", "", "workflow.habit", subject=TEAM),
    frame("first always", r"^(?:and |so )*(?P<v>(?:tests?|docs|design|plan|spec|outline|review|safety|types|schema) first)(?=$|,)", phrase(), "practises", "", "workflow.order"),
    frame("when whenever if once", r"{START}(?P<v>(?:when|whenever|if|once) (?:a|an|the|our|any) [^,;]{3,40}?,? we (?!get|see|have|need|want|can|could|should|would|got|saw|are|were)[a-z]+ [^;]{3,})", steady_sentence, "practises", "", "workflow.rule"),
)  # fmt: skip
