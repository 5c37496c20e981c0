"""Three hundred lives of statements, told as a person would tell them, each with what must have become of it.

Nothing here looks at how settling works: a case is a list of things said, and the outcome is written down beside it by the kind
of case. Times are days; every case has subjects of its own, so that all can live in one store, where none may end another's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

TOOLS = ("PostgreSQL", "SQLite", "MySQL", "Redis", "DuckDB", "Vitest", "Jest", "pytest", "Ruff", "Flake8")
PLACES = ("Berlin", "Oslo", "Lyon", "Porto", "Graz", "Turin", "Ghent", "Cork", "Brno", "Malmo")
TOPICS = ("database", "test_runner", "ci", "language", "linter", "editor", "queue", "cache", "broker", "bundler")
SCOPES = (
    "in December", "for billing", "except on Fridays", "in Python files", "when the build is red", "for hotfixes", "in tests",
    "during a freeze", "on staging", "unless the owner agrees",
)  # fmt: skip
HABITS = (
    "deploy after review", "squash merge branches", "write changelog entries", "pin every dependency", "tag each release",
    "rotate keys monthly", "review migrations twice", "freeze schema changes", "mirror nightly backups", "lint shell scripts",
)  # fmt: skip


@dataclass(frozen=True)
class Say:
    """A person states a value on a day; `name` is how the case speaks of it."""

    name: str
    day: int
    value: str
    predicate: str = "uses"
    topic: str = "database"
    subject: str = ""
    source: str = ""


@dataclass(frozen=True)
class Do:
    """Something is done to what was said: retract, restore, supersede, correct."""

    action: str
    on: str
    day: int
    other: str = ""
    value: str = ""
    reason: str = "so it is"


@dataclass(frozen=True)
class Case:
    """What is said and done, and what must be true of it at the end.

    `ends` are the names that must stand as said there (all others: confirmed); `at` what held on a day, by values; `links`
    pairs of names with how the first stands to the second.
    """

    kind: str
    number: int
    steps: tuple[Say | Do, ...]
    ends: dict[str, str] = field(default_factory=dict)
    at: dict[int, frozenset[str]] = field(default_factory=dict)
    links: tuple[tuple[str, str, str], ...] = ()
    marked: tuple[str, ...] = ()

    @property
    def subject(self) -> str:
        """Whom or what the case is about."""
        return f"project:{self.kind}-{self.number}"


def _pair(n: int) -> tuple[str, str, str]:
    return TOOLS[n % 10], TOOLS[(n + 1 + n // 10) % 10], TOPICS[(n * 3) % 10]


def supersession(n: int) -> Case:
    """One value after another: the first was true until the second was said."""
    old, new, topic = _pair(n)
    a, b = Say("a", 1, old, topic=topic), Say("b", 5, new, topic=topic)
    if n % 5 == 4:  # by command, where both could hold
        a, b = (
            Say("a", 1, f"standup is at {n} past nine", "noted", ""),
            Say("b", 5, f"retro is on day {n}", "noted", ""),
        )
        return Case("supersession", n, (a, b, Do("supersede", "a", 7, "b")), {"a": "superseded"},
                    {3: frozenset({a.value}), 9: frozenset({b.value})})  # fmt: skip
    return Case("supersession", n, (a, b), {"a": "superseded"}, {3: frozenset({old}), 9: frozenset({new})})


def correction(n: int) -> Case:
    """It never was so: what is right holds for all of its time, and why it was wrong is kept."""
    wrong, right, topic = _pair(n)
    said = (
        Say("a", 1, wrong, topic=topic)
        if n % 2
        else Say("a", 1, f"the lead of team {n} is {PLACES[n % 10]}", "noted", "")
    )
    value = right if n % 2 else f"nobody leads team {n}"
    fix = Do("correct", "a", 5, "b", value, f"misread page {n}")
    return Case("correction", n, (said, fix), {"a": "retracted"}, {3: frozenset({value}), 9: frozenset({value})},
                (("b", "corrects", "a"),))  # fmt: skip


def narrowing(n: int) -> Case:
    """A rule for a part stands beside the rule for all; said as a correction it marks the wide one and ends nothing."""
    habit, scope = HABITS[n % 10], SCOPES[(n * 7 + n // 10) % 10]
    wide, narrow = f"always {habit}", f"always {habit} {scope}"
    a = Say("a", 1, wide, "requires", "")
    if n % 2:
        return Case("narrowing", n, (a, Do("correct", "a", 5, "b", narrow)), {}, {9: frozenset({wide, narrow})},
                    (("b", "narrows", "a"),), ("a",))  # fmt: skip
    return Case("narrowing", n, (a, Say("b", 5, narrow, "requires", "")), {}, {9: frozenset({wide, narrow})})


def look_alike(n: int) -> Case:
    """Alike, and about something else: another topic, another subject, a name that begins alike, a value that ends alike."""
    old, new, topic = _pair(n)
    a = Say("a", 1, old, topic=topic)
    others = (
        Say("b", 5, new, topic=f"{topic}_test"), Say("b", 5, new, topic=topic, subject=f"project:look-alike-{n}0x"),
        Say("b", 5, f"{old} {n}", "noted", ""), Say("b", 5, new, topic=""), Say("b", 5, f"not {old}", "requires", ""),
    )  # fmt: skip
    return Case("look-alike", n, (a, others[n % 5]), {}, {9: frozenset({old, others[n % 5].value})})


def recurrence(n: int) -> Case:
    """What ended comes back; or is said again and again and never ends."""
    one, two, topic = _pair(n)
    a, b, c = Say("a", 1, one, topic=topic), Say("b", 5, two, topic=topic), Say("c", 8, one, topic=topic)
    if n % 3 == 2:
        again = (a, Say("b", 5, one.upper(), topic=topic), c)
        return Case("recurrence", n, again, {}, {6: frozenset({one}), 9: frozenset({one})},
                    (("b", "supports", "a"), ("c", "supports", "a")))  # fmt: skip
    days = {3: frozenset({one}), 6: frozenset({two}), 9: frozenset({one})}
    return Case("recurrence", n, (a, b, c), {"a": "superseded", "b": "superseded"}, days)


def retraction(n: int) -> Case:
    """It never was so: gone from all times, and what it had ended holds again; restored, it is back."""
    one, two, topic = _pair(n)
    a, b = Say("a", 1, one, topic=topic), Say("b", 5, two, topic=topic)
    back = (a, b, Do("retract", "b", 7))
    if n % 3 == 1:
        return Case("retraction", n, (*back, Do("restore", "b", 8)), {"a": "superseded"},
                    {3: frozenset({one}), 9: frozenset({two})})  # fmt: skip
    if n % 3 == 2:
        return Case("retraction", n, (a, Do("retract", "a", 7)), {"a": "retracted"}, {3: frozenset(), 9: frozenset()})
    return Case("retraction", n, back, {"b": "retracted"}, {6: frozenset({one}), 9: frozenset({one})})


KINDS: tuple[Callable[[int], Case], ...] = (supersession, correction, narrowing, look_alike, recurrence, retraction)


def cases(each: int = 50) -> Iterator[Case]:
    """So many of each kind."""
    yield from (kind(n) for kind in KINDS for n in range(each))
