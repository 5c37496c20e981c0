"""From a selector to walks: which index to follow, and what to test on the rows of the way.

The cheapest index is taken by a fixed order (subject, object, session, predicate, type, everything), never by
statistics, so that the same question takes the same way on every store.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from muniment.errors import UsageError
from muniment.model import rank, vocabulary
from muniment.model.ids import parse as parse_id
from muniment.model.selector import Selector, Term, Value
from muniment.model.time import to_ms
from muniment.model.values import normalised

ROW_CAP = 20_000
"""Rows of a walk that are looked at when they have to be tested one by one; then the answer says `partial`."""
STREAM_CAP = 64
"""Values of one term that may each have a walk of their own; more are tested on rows."""

_SOURCES = {"told": ("person",), "observed": ("tool",), "inferred": ("model", "agent", "repository", "web", "import")}
_HISTORICAL = frozenset({"superseded", "retracted", "expired", "any"})
_ON_PREDICATE = "(l.predicate = "
_COLUMNS = {
    "topic": "l.topic",
    "role": "l.role",
    "origin": "l.origin",
    "method": "l.method",
    "p": "l.predicate",
    "type": "l.type",
}


@dataclass(slots=True)
class Plan:
    """Walks to merge. `drivers` is a list of (column, value) lists, one walk each; tests and args apply to all."""

    drivers: list[tuple[tuple[str, Any], ...]] = field(default_factory=list)
    tests: list[str] = field(default_factory=list)
    args: dict[str, Any] = field(default_factory=dict)
    low_ms: int | None = None
    high_ms: int | None = None
    bands: tuple[int, ...] | None = None
    overlaps: bool = False
    """May two walks meet the same row?"""
    is_empty: str | None = None
    """Why nothing can match, if that is known from the words alone."""

    def arg(self, value: Any) -> str:
        """Bind a value; the name to write in SQL."""
        name = f"a{len(self.args)}"
        self.args[name] = value
        return f":{name}"

    def needs_cap(self, driver: tuple[tuple[str, Any], ...]) -> bool:
        """Must rows be fetched to be tested? Times, and predicates where the index holds them, are tested on the index."""
        on_index = ("l.from_ms",) if driver[0][0] not in ("object", "session") else ("l.from_ms", _ON_PREDICATE)
        return not all(t.startswith(on_index) for t in self.tests)

    def key_range(self, is_state: bool) -> tuple[int | None, int | None]:
        """A range of times is also a range of rank keys, since no weight lies outside known bounds."""
        low = None if self.low_ms is None else rank.LIGHTEST + rank.time_key(self.low_ms, is_state)
        high = None if self.high_ms is None else rank.HEAVIEST + rank.time_key(self.high_ms, is_state)
        return low, high


Entities = Callable[[str, Value], list[int]]
"""(role: 's', 'o', 'path' or 'session'; value) -> numbers of the entities (or sessions) that it names."""
Received = Callable[[str], Iterable[str]]
"""A session -> the ids (as shown) of the facts that it was given."""


def nobody(_: str) -> Iterable[str]:
    """No deliveries: every session is new."""
    return ()


def needs_history(selector: Selector) -> bool:
    """Does the question reach beyond what is open now?"""
    return any(
        t.key in ("as-of", "known") or (t.key == "standing" and any(v.text in _HISTORICAL for v in t.values))
        for t in selector.terms
    )


def plan(
    selector: Selector,
    times: dict[str, str],
    entities: Entities,
    text: Callable[[Plan, Value], str],
    predicates_of: Callable[[int], list[str]],
    received: Received = nobody,
) -> Plan:
    """The walks of a question about what is open now. `text` writes the SQL test of a bare word."""
    made = Plan()
    made.low_ms = to_ms(times["since"]) if "since" in times else None
    made.high_ms = to_ms(times["until"]) - 1 if "until" in times else None
    _time_tests(made)
    rest = list(selector.terms)
    for key in ("path", "s", "session", "p", "type"):
        term = next((t for t in rest if t.key == key and not t.negated and _drives(t)), None)
        if term is not None and _drive(made, term, rest, entities, predicates_of):
            rest.remove(term)
            break
    for term in rest:
        _test(made, term, entities, text, received)
    if not made.drivers and made.is_empty is None:
        made.drivers = [(("is_state", 0),), (("is_state", 1),)]
    return made


def conditions(selector: Selector, entities: Entities, received: Received = nobody) -> Plan:
    """The terms as tests on rows alone, for facts that no walk leads to since they are not open.

    Times, standings and bare words are left to the caller.
    """
    made = Plan()
    for term in selector.terms:
        if term.key not in ("text", "standing"):
            _test(made, _in_predicates(term), entities, _no_text, received)
    return made


def _in_predicates(term: Term) -> Term:
    """A type is its predicates, and predicates are known by name."""
    if term.key == "type":
        names = [p for v in term.values for p in vocabulary.predicates_of(v.text)]
        return replace(term, key="p", values=tuple(Value(n) for n in names or [""]))
    if term.key == "p" and not term.negated:
        for value in term.values:
            if not value.is_glob:
                vocabulary.predicate(value.text)
    return term


def _no_text(_: Plan, __: Value) -> str:
    raise AssertionError("bare words are tested by the caller")


def _time_tests(made: Plan) -> None:
    if made.low_ms is not None:
        made.tests.append(f"l.from_ms >= {made.arg(made.low_ms)}")
    if made.high_ms is not None:
        made.tests.append(f"l.from_ms <= {made.arg(made.high_ms)}")


def _drives(term: Term) -> bool:
    return term.key in ("path", "s", "session") or (
        not any(v.is_glob for v in term.values) and len(term.values) <= STREAM_CAP
    )


def _drive(
    made: Plan, term: Term, rest: list[Term], entities: Entities, predicates_of: Callable[[int], list[str]]
) -> bool:
    if term.key in ("p", "type"):
        column = "predicate" if term.key == "p" else "type"
        names = _names(term) if column == "predicate" else list(dict.fromkeys(v.text for v in term.values))
        made.drivers = [((column, n),) for n in names]
        return True
    numbers = sorted({n for v in term.values for n in entities(term.key, v)})
    if len(numbers) > STREAM_CAP:
        return False
    _drive_entities(made, term.key, numbers, rest, predicates_of)
    if not made.drivers:  # no such name, or no open fact under it: without this every row of the store would match
        made.is_empty = f"nothing that is still true is known of {term.key}:{','.join(v.text for v in term.values)}"
    return True


def _drive_entities(
    made: Plan, key: str, numbers: list[int], rest: list[Term], predicates_of: Callable[[int], list[str]]
) -> None:
    columns = {"s": ("subject",), "path": ("object", "subject"), "session": ("session",)}[key]
    predicates = next((t for t in rest if t.key == "p" and not t.negated and _drives(t)), None)
    made.overlaps = len(columns) > 1
    if predicates is not None and columns == ("subject",):
        rest.remove(predicates)
    for column in columns:
        for n in numbers:
            if column == "subject":
                names = _names(predicates) if predicates is not None else predicates_of(n)
                made.drivers.extend((("subject", n), ("predicate", name)) for name in names)
            else:
                made.drivers.extend(((column, n), ("is_state", state)) for state in (0, 1))


def _names(term: Term) -> list[str]:
    """The predicates that a term names, each once; an unknown one is refused by name."""
    return [vocabulary.predicate(n).name for n in dict.fromkeys(v.text for v in term.values)]


def _test(
    made: Plan, term: Term, entities: Entities, text: Callable[[Plan, Value], str], received: Received
) -> None:  # fmt: skip
    """A condition on rows for a term that does not drive."""
    if term.key in ("since", "until", "as-of", "known"):
        return
    if term.key == "unseen":
        made.tests.append(_unseen(made, term, received))
        return
    if term.key == "standing":
        made.bands = _bands(term)
        return
    tests = [_one(made, term.key, v, entities, text) for v in term.values]
    joined = "(" + " OR ".join(tests) + ")"
    made.tests.append(f"NOT {joined}" if term.negated else joined)


def _unseen(made: Plan, term: Term, received: Received) -> str:
    """What none of the sessions was given; with a dash, what one of them was."""
    ids = sorted({key for v in term.values for id_ in received(v.text) if (key := parse_id(id_)) is not None})
    known = made.arg("[" + ",".join(f'"{i.hex()}"' for i in ids) + "]")
    return f"l.id {'' if term.negated else 'NOT '}IN (SELECT unhex(value) FROM json_each({known}))"  # noqa: S608 - a bound name


def _bands(term: Term) -> tuple[int, ...]:
    bands = {"confirmed": 0, "suspect": 1, "hypothesis": 2}
    wanted = {bands[v.text] for v in term.values if v.text in bands}
    return tuple(sorted(set(bands.values()) - wanted if term.negated else wanted))


def _one(made: Plan, key: str, value: Value, entities: Entities, text: Callable[[Plan, Value], str]) -> str:
    if key == "text":
        return text(made, value)
    if key in _COLUMNS:
        return _column(made, _COLUMNS[key], value)
    if key == "source":
        return f"l.origin IN ({', '.join(made.arg(o) for o in _SOURCES[value.text])})"
    if key == "id":
        low, high = _id_range(value.text)
        return f"l.id BETWEEN {made.arg(low)} AND {made.arg(high)}"
    if key == "tag":
        operator = "GLOB" if value.is_glob else "="
        return f"EXISTS (SELECT 1 FROM tags t WHERE t.fact = l.id AND t.tag {operator} {made.arg(value.text)})"  # noqa: S608 - a bound name
    if key == "kind":
        kinds = made.arg(value.text)
        return f"EXISTS (SELECT 1 FROM entities e WHERE e.n IN (l.subject, l.object) AND e.kind = {kinds})"  # noqa: S608 - a bound name
    test = _entity_test(key, entities(key, value))
    if key != "o":
        return test
    literal = made.arg(value.text if value.is_glob else normalised(value.text))
    operator = "GLOB" if value.is_glob else "="
    return f"({test} OR EXISTS (SELECT 1 FROM facts f WHERE f.n = l.fact AND f.value_key {operator} {literal}))"  # noqa: S608 - as above


def _entity_test(key: str, numbers: list[int]) -> str:
    listed = ", ".join(str(int(n)) for n in numbers) or "NULL"
    columns = {"s": ("l.subject",), "o": ("l.object",), "path": ("l.object", "l.subject"), "session": ("l.session",)}[
        key
    ]
    return "(" + " OR ".join(f"coalesce({c} IN ({listed}), 1 = 0)" for c in columns) + ")"


def _column(made: Plan, column: str, value: Value) -> str:
    if value.is_glob:
        return f"{column} GLOB {made.arg(value.text)}"
    if column == "l.method" and "@" not in value.text:
        return f"{column} GLOB {made.arg(value.text + '@*')}"
    return f"{column} = {made.arg(value.text)}"


def _id_range(text: str) -> tuple[bytes, bytes]:
    from muniment.model.ids import is_prefix, parse_prefix

    found = parse_prefix(text)
    if found is None and is_prefix(text):
        return b"\xff" * 16, b""  # no id begins so
    if found is None:
        raise UsageError(
            f"not an id: {text!r}", hint="an id has 26 characters; at least the first 4 are needed", about=text
        )
    return found
