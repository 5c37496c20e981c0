"""Rules as a view: what a person stated or accepted about how to work, as lines of an instruction file.

Here is what such a line says and what becomes of it; where it is written is the business of `harness.rulefile`. A line is
rendered from the fact alone, so it can be rendered again to see whether somebody edited it, and no text has to be kept.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from muniment.engine import finding, proposing
from muniment.engine.core import Caller, Engine
from muniment.engine.verdicts import VerdictBook
from muniment.errors import NothingChangedError
from muniment.gate.intake import name
from muniment.model.event import Origin
from muniment.model.fact import Action
from muniment.model.ids import parse_prefix, show
from muniment.model.ports import Store
from muniment.model.rule import Hand, Rule
from muniment.model.stored import StoredFact
from muniment.model.time import to_ms

PREDICATES = ("requires", "practises", "prefers", "avoids")
RULE = "rule"
SHORT = 10
"""Characters of an id in a line: enough to open it."""
LONGEST = 300
_OPEN = """SELECT DISTINCT l.fact, l.is_pinned, l.predicate, l.rank_key, l.id FROM lines l WHERE l.predicate IN (?, ?, ?, ?)
    AND l.band = 0 AND l.rung >= 3 AND l.from_ms <= ? AND (l.until_ms IS NULL OR l.until_ms > ?)
    ORDER BY l.is_pinned DESC, l.predicate DESC, l.rank_key DESC, l.id"""
_COMMENT = re.compile(r"<!--|-->")
_DIRECTS = re.compile(r"(?:prefers?|likes?|wants?|uses?|avoids?|never|always|no|don't|do not|not)\b", re.IGNORECASE)


class Ruler:
    """The memory of one engine, as far as a rules file asks it."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.home = os.fspath(engine.settings.home)
        self.workspace = engine.workspace.id
        self.root = engine.workspace.root

    def rules(self) -> list[Rule]:
        """What holds now and rests on a person's word, in the order of a file."""
        return rules(self._engine)

    def known(self, short: str) -> Rule | None:
        """The rule that a line's id names, whether it holds or not."""
        return known(self._engine, short)

    def successor(self, id_: str, holding: Iterable[Rule]) -> Rule | None:
        """What holds in the place of a rule that does not any more."""
        return successor(self._engine, id_, holding)

    def hand(self, file: str, line: int, text: str, *, makes: bool = True) -> Hand:
        """A line that somebody wrote, as a proposal."""
        return hand(self._engine, file, line, text, makes=makes)

    def whole(self, id_: str) -> str:
        """The whole id of a fact."""
        return show(finding.fact(self._engine, id_).row.id)


def rules(engine: Engine) -> list[Rule]:
    """What holds now and rests on a person's word, in the order of a file: pinned, then by kind and rank."""
    store, now = engine.store(), to_ms(engine.now())
    rows = store.db.rows(_OPEN, (*PREDICATES, now, now))
    facts = store.facts.numbered(row[0] for row in rows)
    return [rule(facts[n]) for n in dict.fromkeys(row[0] for row in rows) if n in facts]


def rule(fact: StoredFact) -> Rule:
    """The line of a fact."""
    id_ = show(fact.row.id)
    return Rule(id_, id_[:SHORT], words(fact))


def words(fact: StoredFact) -> str:
    """What it says, on one line that cannot end a comment or begin one."""
    value = " ".join(_COMMENT.sub(" ", fact.row.value).split())[:LONGEST]
    verb = {"prefers": "Prefer", "avoids": "Avoid"}.get(fact.row.predicate, "")
    return value if not verb or _DIRECTS.match(value) else f"{verb} {value}"


def known(engine: Engine, short: str) -> Rule | None:
    """The rule that a line's id names, whether it holds or not; None where no fact has it any more."""
    bounds = parse_prefix(short)
    found = engine.store().facts.between(*bounds) if bounds is not None else []
    return rule(found[0]) if len(found) == 1 else None


def successor(engine: Engine, id_: str, holding: Iterable[Rule]) -> Rule | None:
    """What holds in the place of a rule that does not any more; None where nothing does."""
    store, open_ = engine.store(), {r.id: r for r in holding}
    bounds = parse_prefix(id_)
    facts = store.facts.between(*bounds) if bounds is not None else []
    for fact in facts[:1]:
        same = [show(f.row.id) for f in store.facts.with_key(fact.row.key)] if fact.row.key is not None else []
        linked = [show(new) for new, old, how in store.facts.links(fact.row.id) if how in _OVER and old == fact.row.id]
        named = [show(new) for new in _named(store, fact.row.id)]
        return next((open_[i] for i in (*linked, *named, *same) if i in open_), None)
    return None


_OVER = frozenset({"supersedes", "corrects"})


def _named(store: Store, old: bytes) -> list[bytes]:
    """What a person's command put in its place, which may stand under another key."""
    from muniment.engine import drafts

    over = (Action.SUPERSEDE, Action.CORRECT)
    mine = [v for v in store.facts.verdicts() if v.action in over and drafts.fact_of(v) == old]
    return [bytes.fromhex(i) for v in reversed(mine) for i in v.value.split()]


def hand(engine: Engine, file: str, line: int, text: str, *, makes: bool = True) -> Hand:
    """A line that somebody wrote into the section, as a proposal; with `makes` it is made if it is not there yet."""
    words_ = _words(file, line)
    group = proposing.group(name(text), words_)
    decided = VerdictBook(engine.store().facts.verdicts()).decided(group)
    state = "open" if decided is None else "accepted" if decided.action == Action.ACCEPT else "declined"
    if decided is None and makes:
        _propose(engine, text, words_)
    return Hand(text, show(group), state)


def _propose(engine: Engine, text: str, words_: dict[str, str | None]) -> None:
    try:
        proposing.put(engine, Caller(Origin.PERSON, "rules file"), f"propose {RULE}", text, words_, "")
    except NothingChangedError:
        return  # it waits already


def _words(file: str, line: int) -> dict[str, str | None]:
    return {
        "predicate": "requires", "subject_kind": "project", "subject": "project", "tags": "rules",
        "proposes": f"{RULE}: {name(file)}:{line}", "evidence.0": f"{name(file)}:{line}",
    }  # fmt: skip
