"""Family and colleagues, by their names and what they do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from muniment.capture.extract.told import drawing, lexicon
from muniment.capture.extract.told.clauses import Clause
from muniment.capture.extract.told.frame import ME, TEAM, Told
from muniment.capture.extract.told.identity import _KIN

_KIN_NAME: Final = re.compile(rf"\b(?P<v>(?:my|our) (?:\w+ ){{0,2}}?{_KIN},? (?P<n>[^\W\d_][\w'-]+))")
_MATE: Final = re.compile(
    r"^(?:(?:and|but|also|so|then|because|well|fyi|btw)[, ]+)*(?:(?:in|on) (?:our|my|the) (?:team|squad|group|office|department|project|side|lab|ward|class|band)[, ]+)?(?P<n>(?P<w>[^\W\d_a-zß-ÿ][\w'’-]+(?: [^\W\d_a-zß-ÿ][\w'’-]+)?))(?: (?:from|in|at) [\w ]{2,20}?)? (?:is (?:our|my|the (?:one|person|owner|lead|only|head)|on|in charge|responsible|your)|does|handles|runs|owns|leads|manages|maintains|looks after|takes care|approves|signs|covers|reviews|deploys|heads|supervises|coordinates|organi[sz]es|cleans|writes|edits|proofreads|designs|teaches|drives|cooks|bakes|decides|has the final|takes)\b[^;]{2,}"
)
_MATES: Final = re.compile(
    r"\b(?:(?:we|i|they)(?:'ve)? (?:just )?hired (?P<a>[A-Z][\w'-]+ as [^,;.]{3,40})|(?P<b>[\w ]{3,30}? (?:comes?|go|goes|come) (?:from|to|through) [A-Z][\w'-]+)$|(?:my|our|My|Our) (?:new |old |own |line |direct |lead )*(?P<c>(?:DBA|PM|CTO|CEO|QA|GP|boss|manager|lead|mentor|supervisor|assistant|colleague|coworker|co-?founder|teammate|intern|designer|accountant|lawyer|landlord|neighbou?r|doctor|therapist|editor|agent|contact|teacher|coach|trainer|advisor|tutor|partner|client|pm|cto|ceo|head of \w+|team lead|tech lead|product owner|architect|dba|admin|vet|gp|dentist|director|principal|conductor|publisher|producer|translator|illustrator)(?:'s name)?(?:,| is|'s|:| =| is called| called)? (?:called |named |dr\.? |mr\.? |mrs\.? |ms\.? |frau |herr )?[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?))"
)


def kin(clause: Clause) -> Iterator[Told]:
    """Somebody of the family by name."""
    found = _KIN_NAME.search(clause.low)
    if found is not None:
        at = found.start("n")
        name = clause.raw[at : found.end("n")]
        if name[:1].isupper() and found["n"] not in lexicon.names() and not name.endswith("'s"):
            yield from drawing.of_self(clause, *found.span("v"), "noted", "", "identity.family")
            return


def mates(clause: Clause) -> Iterator[Told]:
    """People with names and what they do for us."""
    if clause.asks:
        return
    found = _MATE.match(clause.raw)
    if found is not None:
        word = found["w"].lower().split()[0]
        is_name = (
            word not in lexicon.names()
            and word not in _NO_MATE
            and (
                not clause.opens
                or re.match(
                    r"[A-Z][\w'-]+ (?:is (?:our|my|the one|in charge|responsible|on)|does|handles|owns|leads|approves|signs|looks after|takes care|manages|maintains)\b",
                    found.group(),
                )
            )
        )
        if is_name:
            yield from drawing.of_self(
                clause, found.start("n"), len(clause.low), "noted", "", "identity.colleague", TEAM
            )
            return
    found = _MATES.search(clause.raw)
    if found is not None:
        group = next(g for g in "abc" if found[g])
        said = found[group].split()[-1].lower()
        if said not in lexicon.names() and said not in _NO_MATE:
            yield from drawing.of_self(
                clause, *found.span(group), "noted", "", "identity.colleague", TEAM if group != "c" else ME
            )


_NO_MATE: Final = frozenset(
    "the this that it everything everyone nobody someone what who which there here he she they we you i google microsoft apple amazon meta please legal compliance security marketing sales support finance production staging"
    " then also because when if how why but and or so my our all both each every any no yes thanks ci api ui backend frontend nothing something monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december customer client english french german spanish".split()
)


_TEAM_IS: Final = re.compile(
    r"^\W*(?i:(?:and |so |the |our |my )*(?:\w+ )?(?:folks|people|devs|reviewers|contacts|owners|team|crew|staff|board|band|group|squad)) (?:is|are|consists of|:) (?P<v>(?:me|just me|myself|[A-Z][\w'-]+)(?:,| and| plus) .*[A-Z][\w'-]+.*)$"
)


_IN_BRACKETS: Final = re.compile(
    r"(?P<v>[A-ZÀ-Ý][\w'’-]+ \((?:our |the |my )?(?:\w+ )?(?:designer|pm|po|qa|cto|ceo|cfo|lead|manager|dev|developer|engineer|editor|boss|teacher|nurse|doctor|lawyer|accountant|architect|analyst|researcher|intern|ops|sales|legal|hr|marketing|support|owner|vet|chef|director|producer|illustrator|translator|brother|sister|wife|husband|son|daughter|mum|mom|dad)\))",
    re.IGNORECASE,
)


def bracketed(clause: Clause) -> Iterator[Told]:
    """`Sam (designer) and Ruth (PM)`: names with what they are in brackets."""
    for found in _IN_BRACKETS.finditer(clause.raw):
        if found["v"][:1].isupper() and found["v"].split()[0].lower() not in lexicon.names():
            yield Told(
                "identity",
                "noted",
                TEAM,
                clause.start + found.start("v"),
                clause.start + found.end("v"),
                "",
                ("identity.colleague",),
                near=clause.start,
            )


def team(clause: Clause) -> Iterator[Told]:
    """`team is me, Olu and Petra`."""
    found = _TEAM_IS.match(clause.raw)
    if found is not None:
        yield from drawing.of_self(clause, *found.span("v"), "noted", "", "identity.colleague", TEAM)
