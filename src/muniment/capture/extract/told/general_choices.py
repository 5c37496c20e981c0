"""Options taken and given up, read from the grammar of a clause."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from muniment.capture.extract.told import drawing
from muniment.capture.extract.told.clauses import Clause
from muniment.capture.extract.told.frame import PROJECT, Told

_TAKES: Final = re.compile(
    r"(?:for [\w ]{2,30} )?(?:we|i|we're|i'm|we are|we'll|i'll)(?: are| am|'re|'m| will| have|'ve)?(?: now| all| finally| just| both)* (?P<v>(?:taking|take|took|stay(?:ing)? (?:on|with)|stick(?:ing)? (?:with|to)|keep(?:ing)?|go(?:ing)? (?:with|for)|settled on|agreed (?:on|that|to)|picked|chose|decided (?:on|to|for|that)|voted (?:for|to)) (?P<o>[^;]{2,}))"
)
GIVEN_UP: Final = re.compile(
    r"^(?:\W|(?:ok|so|and|also|then|well|right)\b)*(?:no to (?:the |an? )?(?P<f>[^,;]{3,50})|(?P<a>(?:scratch|scrap|drop|kill|ditch|shelve|bin) (?:the |that )?(?P<x>[\w -]{2,40}?) (?:idea|plan|approach|option|proposal|thing|for good|entirely|altogether))|(?P<b>no more (?P<y>[^,;]{3,50}))|(?:we|i)(?: definitely| really)? (?:won't|will not|are not going to|'re not going to|refuse to|are never going to|will never) (?P<c>[^;]{3,60})|(?:we|i)(?:'ve| have)? (?:decided|voted|opted|ruled|argued|came down) against (?P<d>[^;]{3,60})|(?:the )?(?P<e>[\w -]{2,40}?)(?: (?:idea|proposal|plan|request|option|approach|suggestion))?(?: (?:was|were|got|is|are|has been|have been))? (?:declined|rejected|dropped|ruled out|scrapped|discarded|turned down|voted down|vetoed|off the table|out of the question))\b"
)
_NO_REFUSAL: Final = re.compile(
    r"(?:work|help|start|load|compile|go away|let|be able|lie|discuss|tell|bother|miss|forget|matter|hurt|happen|fit|need|be (?:here|there|back|long)|have time|get|know|understand|see|ask)\b"
)


def given_up(clause: Clause) -> Iterator[Told]:
    """What is given up: `scratch the websocket idea`, `no more feature work`, `headers were rejected`."""
    found = GIVEN_UP.match(clause.low)
    if found is None:
        return
    group = next(g for g in "xycdef" if found[g])
    if (group == "c" and _NO_REFUSAL.match(found["c"])) or (
        group == "y" and re.match(r"(?:questions?|time|errors?|issues?|problems?|ideas?|than|changes)\b", found["y"])
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
    yield from drawing.one(
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


def taken(clause: Clause) -> Iterator[Told]:
    """What is taken for something: `for ids we take ULIDs`, `we stay on Vue 2`."""
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
    yield from drawing.one(
        clause, "decision", "decided", found.start("o"), end, PROJECT, "", "project.decision", keep=False
    )
