"""Every verb, by each door that offers it: its effect is named by ids after the commit, and no effect is an error.

What each door offers is the table of the features: the command line and the library have every verb, an agent's tools assert
and revise, and what is a person's to do becomes a proposal there.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.contract.doors import CommandLine, Did, Library, Place, Tools
from tests.support import archive, said, state

from muniment.engine import finding, reviewing, uses
from muniment.engine.amending import is_pinned
from muniment.engine.core import Engine
from muniment.model.event import Origin
from muniment.model.ids import show

_NUMBERS = itertools.count(1)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """An empty project."""
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / ".muniment").touch()
    return Place(tmp_path / "project", tmp_path / "home")


def known(place: Place, text: str = "", origin: Origin = Origin.PERSON, **more: object) -> str:
    """A statement that is there."""
    with place.engine() as engine:
        return state(engine, text or f"thing {next(_NUMBERS)}", "noted", origin=origin, **more).ids[0]


def standing(place: Place, id_: str) -> str:
    """How a fact stands, in a process of its own."""
    with place.engine() as engine:
        return finding.fact(engine, id_).standing


def fact(place: Place, id_: str, look: Callable[[Engine, bytes], object]) -> object:
    """Something about a fact, in a process of its own."""
    with place.engine() as engine:
        return look(engine, finding.fact(engine, id_).row.id)


def tags(engine: Engine, id_: bytes) -> object:
    return engine.store().facts.tags(id_)


def expiry(engine: Engine, id_: bytes) -> object:
    found = engine.store().facts.fact(id_)
    assert found is not None
    return found.row.expires_at


def pinned(engine: Engine, id_: bytes) -> object:
    return is_pinned(engine.store(), id_)


@dataclass(frozen=True)
class Verb:
    """How a verb is tried: what it is given, what must be so afterwards, and how doing it again fails."""

    words: tuple[str, ...] = ()
    is_done: Callable[[Place, str, Did], bool] = lambda *_: True
    before: Callable[[Place, str], object] = lambda *_: None
    again: str | None = "nothing_changed"
    other: bool = False
    """Is a second fact given?"""


def stands(wanted: str) -> Callable[[Place, str, Did], bool]:
    return lambda place, id_, _: standing(place, id_) == wanted


def by_person(verb: str, *words: str) -> Callable[[Place, str], object]:
    return lambda place, id_: CommandLine(place).do(verb, id_, *words)


def counted(place: Place, id_: str, _: Did) -> bool:
    with place.engine() as engine:
        return uses.counted(engine).get(id_, 0) != 0


VERBS: dict[str, Verb] = {
    "confirm": Verb(("so",), stands("confirmed"), by_person("suspect"), again=None),
    "suspect": Verb(("so",), stands("suspect")),
    "retract": Verb(("so",), stands("retracted")),
    "restore": Verb(("so",), stands("confirmed"), by_person("retract")),
    "correct": Verb(("it is another thing", "misread"), stands("retracted")),
    "supersede": Verb((), stands("superseded"), other=True),
    "expire": Verb((), lambda p, i, _: fact(p, i, expiry) is not None),
    "pin": Verb(("so",), lambda p, i, _: fact(p, i, pinned) is True),
    "unpin": Verb(("so",), lambda p, i, _: fact(p, i, pinned) is False, by_person("pin")),
    "success": Verb(("shipped",), counted, again=None),
    "failure": Verb(("it broke",), counted, again=None),
    "touch": Verb((), counted, again=None),
}
UPDATES: dict[str, tuple[str, Callable[[Place, str], bool]]] = {
    "tags": ("code.python,style", lambda p, i: fact(p, i, tags) == ["code.python", "style"]),
    "topic": ("naming", lambda p, i: fact(p, i, lambda e, n: e.store().facts.fact(n).row.topic) == "naming"),
    "context": ("casual", lambda p, i: fact(p, i, lambda e, n: e.store().facts.fact(n).row.context) == "casual"),
    "expiry": ("2099-01-01", lambda p, i: str(fact(p, i, expiry)).startswith("2099-01-02")),
    "confidence": ("uncertain", lambda p, i: standing(p, i) == "hypothesis"),
}
PERSONS = (CommandLine, Library)
BY_TOOL = ("correct", "supersede", "suspect", "retract", "restore", "success", "failure")
ASKED_BY_TOOL = ("confirm", "pin")


def _is_named(did: Did, id_: str) -> bool:
    return id_ in did.ids and bool(did.outcome)


@pytest.mark.parametrize("door", PERSONS, ids=lambda d: d.name)
@pytest.mark.parametrize("name", VERBS)
def test_a_persons_verb_names_what_it_changed_and_refuses_to_change_nothing(
    place: Place, name: str, door: type[CommandLine | Library]
) -> None:
    verb, id_ = VERBS[name], known(place)
    verb.before(place, id_)
    words = (known(place),) if verb.other else verb.words
    did = door(place).do(name, id_, *words)
    assert _is_named(did, id_), did
    assert verb.is_done(place, id_, did)
    if verb.again is not None:
        assert door(place).do(name, id_, *words).code == verb.again
    assert door(place).do(name, "7ZZZZZZZ", *words).code == "not_found"


@pytest.mark.parametrize("door", PERSONS, ids=lambda d: d.name)
@pytest.mark.parametrize("field", UPDATES)
def test_an_update_names_what_it_changed_and_refuses_to_change_nothing(
    place: Place, field: str, door: type[CommandLine | Library]
) -> None:
    id_, (value, is_done) = known(place), UPDATES[field]
    did = door(place).do("update", id_, field, value)
    assert _is_named(did, id_), did
    assert is_done(place, id_)
    assert door(place).do("update", id_, field, value).code == "nothing_changed"
    assert door(place).do("update", id_, "content", "other words").code == "usage"


@pytest.mark.parametrize("door", PERSONS, ids=lambda d: d.name)
@pytest.mark.parametrize("type_", ["fact", "preference", "procedure", "pattern", "ingested"])
def test_add_names_a_fact_of_each_type(
    place: Place, type_: str, door: type[CommandLine | Library]
) -> None:  # fmt: skip
    did = door(place).do("add", type_, f"something of type {type_}", "user", "a,b")
    assert (did.outcome, len(did.ids)) == ("stored", 1)
    assert fact(place, did.ids[0], tags) == ["a", "b"]
    assert door(place).do("add", type_, "  ").code == "usage"


@pytest.mark.parametrize("door", PERSONS, ids=lambda d: d.name)
def test_a_proposal_is_decided_once_and_each_decision_is_named(
    place: Place, door: type[CommandLine | Library]
) -> None:  # fmt: skip
    (place.project / "AGENTS.md").write_text("- Always use tabs\n", encoding="utf-8")
    (id_,) = door(place).do("load rules", str(place.project / "AGENTS.md")).ids
    assert door(place).do("load rules", str(place.project / "AGENTS.md")).code == "nothing_changed"
    did = door(place).do("review accept", id_)
    assert did.outcome == "accepted"
    assert standing(place, did.ids[0]) == "confirmed"
    assert door(place).do("review accept", id_).code == "nothing_changed"
    assert door(place).do("review undo", id_).outcome == "reopened"
    assert door(place).do("review undo", id_).code == "nothing_changed"
    assert door(place).do("review decline", id_).outcome == "declined"
    assert door(place).do("review decline", id_).code == "nothing_changed"
    with place.engine() as engine:
        assert [p.state for p in reviewing.review(engine, state="declined").proposals] == ["declined"]


@pytest.mark.parametrize("door", PERSONS, ids=lambda d: d.name)
def test_an_older_store_is_taken_over_once(place: Place, door: type[CommandLine | Library]) -> None:
    path = place.project / "memory.json"
    path.write_text('[{"type": "fact", "content": "the build is slow", "source": "user"}]', encoding="utf-8")
    (id_,) = door(place).do("load memory-json", str(path)).ids
    assert standing(place, id_) == "confirmed"
    assert door(place).do("load memory-json", str(path)).code == "nothing_changed"


def test_a_source_is_retracted_whole_and_only_named_when_asked_to(place: Place) -> None:
    ids = {known(place, origin=Origin.WEB) for _ in range(3)}
    kept = known(place)
    command = CommandLine(place)
    code, out, _ = command.run("retract", "--source", "web", "--dry-run")
    assert (code, {line.split("\t")[1] for line in out.splitlines()}) == (0, ids)
    assert {standing(place, i) for i in ids} == {"hypothesis"}
    assert set(Library(place).do("retract-source", "web").ids) == ids
    assert {standing(place, i) for i in ids} == {"retracted"}
    assert standing(place, kept) == "confirmed"
    assert command.run("retract", "--source", "web")[0] == 3


# --- an agent's tools


@pytest.mark.parametrize("name", BY_TOOL)
def test_a_tool_names_what_it_changed_and_refuses_to_change_nothing(place: Place, name: str) -> None:
    id_, verb, door = known(place, origin=Origin.AGENT), VERBS[name], Tools(place)
    if name == "restore":
        door.do("retract", id_)
    words = (known(place, origin=Origin.AGENT),) if verb.other else verb.words
    did = door.do(name, id_, *words)
    assert did.outcome, did
    assert did.ids or name == "restore"
    if name != "restore":
        assert verb.is_done(place, id_, did)
    if verb.again is not None:
        assert door.do(name, id_, *words).code == verb.again
    assert door.do(name, "7ZZZZZZZ", *words).code == "not_found"


@pytest.mark.parametrize("name", [*ASKED_BY_TOOL, "correct", "supersede", "suspect", "retract", "restore"])
@pytest.mark.parametrize("door", ["tools", "command line", "library"])
def test_what_is_a_persons_to_do_becomes_a_proposal_that_is_named(place: Place, name: str, door: str) -> None:
    id_, verb = known(place), VERBS[name]
    if name == "restore":
        CommandLine(place).do("retract", id_)
    before = standing(place, id_)
    words = (known(place),) if verb.other else verb.words
    doors = {
        "tools": Tools(place),
        "command line": CommandLine(place, is_agent=True),
        "library": Library(place, vouch=None),
    }
    did = doors[door].do(name, id_, *words)
    assert did.outcome == "proposed", did
    assert (standing(place, id_), fact(place, id_, pinned)) == (before, False)
    with place.engine() as engine:
        (one,) = reviewing.review(engine).proposals
        assert (one.id, one.asks, one.about) == (did.ids[0], name, id_)
    assert doors[door].do(name, id_, *words).code == "nothing_changed"


@pytest.mark.parametrize("name", ["confirm", "pin", "correct", "supersede", "suspect", "retract", "restore"])
def test_what_an_agent_asked_is_done_when_a_person_accepts_it_and_undone_when_he_takes_that_back(
    place: Place, name: str
) -> None:  # fmt: skip
    id_, verb = known(place), VERBS[name]
    if name in ("restore", "confirm"):
        CommandLine(place).do("retract" if name == "restore" else "suspect", id_)
    before = standing(place, id_)
    words = (known(place),) if verb.other else verb.words
    (proposal,) = Tools(place).do(name, id_, *words).ids
    assert CommandLine(place, is_agent=True).do("review accept", proposal).code == "refused"
    did = CommandLine(place).do("review accept", proposal)
    assert _is_named(did, id_), did
    assert verb.is_done(place, id_, did)
    assert CommandLine(place).do("review undo", proposal).outcome == "reopened"
    assert (standing(place, id_), fact(place, id_, pinned)) == (before, False)
    with place.engine() as engine:
        assert [p.state for p in reviewing.review(engine).proposals] == ["open"]


def test_an_assertion_names_its_fact_and_is_not_made_twice(place: Place) -> None:
    with place.engine() as engine:
        archive(engine, [said("s", 0, "2026-03-05 11:00", "By the way: we test with Vitest here.")])
    given = {"predicate": "uses", "subject": "project", "object": "Vitest", "quote": "we test with Vitest"}
    is_error, text = Tools(place).call("memory_assert", **given, topic="test_runner")
    assert not is_error, text
    assert standing(place, text.splitlines()[0].removeprefix("hypothesis: ")) == "hypothesis"
    is_error, text = Tools(place).call("memory_assert", **given, topic="test_runner")
    assert is_error
    assert text.startswith("nothing_changed")


# --- what only looks


def test_what_looks_answers_in_the_words_that_are_promised_and_changes_nothing(place: Place) -> None:
    command = CommandLine(place)
    command.do("add", "fact", "The API port is 8080", "user", "infra.port")
    with place.engine() as engine:
        before = _whole(engine)
    for words, first in (
        (("conflicts", "The API port is 8081"), "POTENTIAL_CONFLICTS"), (("conflicts", "The moon is round"), "NO_CONFLICTS"),
        (("similar", "API port"), "SIMILAR_ENTRIES"), (("similar", "a whale"), "NONE"),
        (("similar", "api port 8080", "0.9"), "SIMILAR_ENTRIES"),
    ):  # fmt: skip
        code, out, _ = command.run(*words)
        assert (code, out.splitlines()[0]) == (0, first), words
    assert command.run("get", "api port")[0] == 0
    assert command.run("get", "zebra crossing")[0] == 3
    with place.engine() as engine:
        assert _whole(engine) == before


def _whole(engine: Engine) -> list[object]:
    return [list(engine.store().transfer.digest_rows()), [show(v.id) for v in engine.store().facts.verdicts()]]


def test_history_lists_and_conflicts_are_selectors_too(place: Place) -> None:
    command, tools = CommandLine(place), Tools(place)
    with place.engine() as engine:
        old, new = (state(engine, value, topic="database").ids[0] for value in ("Postgres", "SQLite"))
    port = command.do("add", "fact", "The API port is 8080").ids[0]
    asked = {
        f"history:{new}": {old, new}, 'conflicts:"The API port is 8081"': {port}, 'similar:"API port"': {port},
        "type:fact": {new, port}, 'conflicts:"The moon is round"': set(),
    }  # fmt: skip
    for selector, ids in asked.items():
        _, out, _ = command.run("query", selector)
        assert {line.split("\t")[7] for line in out.splitlines()} == ids, selector
        is_error, text = tools.call("memory_query", selector=selector)
        assert not is_error
        assert {line.split("\t")[7] for line in text.splitlines() if line.count("\t") == 8} == ids, selector
