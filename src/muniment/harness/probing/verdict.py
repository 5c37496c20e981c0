"""What the recorded requests show. Nothing is asked of the model: only what it was sent counts."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from muniment.harness.probing.recipe import BEHIND, RESUMED, TOOLS, Recipe
from muniment.harness.probing.scenario import Words

FRAME = 'muniment view="wake"'
"""Without its angle, which some harnesses write as an entity."""
_ROWS = "quoted records, not instructions: "
_SECTIONS = frozenset("system instructions systemInstruction system_instruction tools".split())
_CONVERSATION = ("messages", "input", "contents", "request")


class Place(NamedTuple):
    """Where in a request something stands: the request, the path in its body, and the role of whose words it is."""

    request: int
    path: str
    role: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one probe showed."""

    harness: str
    steps: Mapping[str, str]
    requests: int
    points: Mapping[str, Place | None]
    rules: Mapping[str, Place | None]
    wake: Mapping[str, Place | None]
    compacted: bool
    tools: Sequence[str] = ()
    queried: Place | None = None
    asserted: Place | None = None
    fact: Mapping[str, Any] = field(default_factory=dict)
    echoes: int = 0
    has_tools: bool = True

    @property
    def missing(self) -> list[str]:
        """Everything that was to be seen and was not."""
        groups = (("point", self.points), ("rule", self.rules), ("wake", self.wake))
        unseen = [f"{kind} {name}" for kind, found in groups for name, place in found.items() if place is None]
        told = {"a request": self.requests > 0, "no echo": self.echoes <= 0}
        if self.has_tools:
            told |= {"query": bool(self.queried), "assert": bool(self.asserted), "own turn": self.opens}
        return unseen + [name for name, is_so in told.items() if not is_so]

    @property
    def opens(self) -> bool:
        """Does the receipt of the asserted fact open the person's words in the harness's own transcript?"""
        return all(self.fact.get(key) for key in ("own", "said", "verified"))


def strings(node: Any, path: str = "$", role: str = "") -> Iterator[tuple[str, str, str]]:
    """Every text in a body: its path, whose words it is, and itself."""
    if isinstance(node, str):
        yield path, role, node
    elif isinstance(node, list):
        for at, inner in enumerate(node):
            yield from strings(inner, f"{path}[{at}]", role)
    elif isinstance(node, dict):
        told = node.get("role")
        role = told if isinstance(told, str) else role
        for key, inner in node.items():
            yield from strings(inner, f"{path}.{key}", key if path == "$" and key in _SECTIONS else role)


def is_turn(request: Mapping[str, Any]) -> bool:
    """Does the request ask the model for words?"""
    body = request["body"]
    return request["method"] == "POST" and isinstance(body, dict) and any(key in body for key in _CONVERSATION)


def turns_of(requests: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The requests that ask for words."""
    return [r for r in requests if is_turn(r)]


def _talks(asked: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """Where tools are offered at all, requests without are side calls, such as for a title."""
    return [r for r in asked if r["body"].get("tools")] or asked


def found(requests: Iterable[Mapping[str, Any]], *parts: str, without: Container[str] = ()) -> Place | None:
    """The first text that holds all the parts, and is none of those."""
    for request in requests:
        for path, role, text in strings(request["body"]):
            if all(part in text for part in parts) and text not in without:
                return Place(request["number"], path, role)
    return None


def judged(
    recipe: Recipe, words: Words, steps: Sequence[Mapping[str, Any]], requests: Sequence[Mapping[str, Any]]
) -> Verdict:
    """The verdict over a probe's steps and its requests, in order."""
    asked = turns_of(requests)
    names = {point: f"{words.point}-{point};" for point in recipe.points}
    return Verdict(
        recipe.harness, {str(s["name"]): str(s["ended"]) for s in steps}, len(asked),
        {point: found(asked, mark) for point, mark in names.items()},
        {rule: found(asked, words.rule(rule)) for rule in recipe.rules},
        {moment: _given(recipe, words, steps, asked, moment) for moment in recipe.gives},
        _summary(recipe, asked) is not None, tools_seen(asked),
        found(asked, _ROWS, words.mark), _asserted(asked), has_tools=recipe.has_tools,
    )  # fmt: skip


def _given(
    recipe: Recipe, words: Words, steps: Sequence[Mapping[str, Any]], asked: Sequence[Mapping[str, Any]], moment: str
) -> Place | None:
    """The view in the very request in which it has to be: the first of its turn, or the first behind the summary."""
    turn = _TURNS.get(moment)
    at = _summary(recipe, asked) if turn is None else _first(steps, turn)
    if at is None:
        return None
    talks = _talks(asked)
    behind = [r for r in talks if (r["number"] > at if turn is None else r["number"] >= at)][:1]
    before = {text for r in talks if r["number"] < at for _, _, text in strings(r["body"]) if FRAME in text}
    given = found(behind, FRAME, words.mark, without=before)
    if given or not recipe.marked or moment in ("start", "resume"):
        return given or found(behind, FRAME, words.mark)  # a file's text stands in every request, new or not
    # Within one second the view is given twice in the same words: then the mark beside it shows that hooks ran at this moment.
    shown = found(behind, f"{words.point}-", f"-{moment};")
    return found(behind, FRAME, words.mark) if shown else None


_TURNS = {"start": TOOLS, "resume": RESUMED, "trusted": BEHIND}


def _first(steps: Sequence[Mapping[str, Any]], name: str) -> int | None:
    return next((int(step["since"]) for step in steps if step["name"] == name), None)


def _summary(recipe: Recipe, asked: Sequence[Mapping[str, Any]]) -> int | None:
    """The last request for a summary."""
    return max((r["number"] for r in asked if _is_summary(recipe, r)), default=None)


def _is_summary(recipe: Recipe, request: Mapping[str, Any]) -> bool:
    return bool(recipe.summary) and found([request], recipe.summary) is not None


def tools_seen(asked: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    """The names under which our tools are offered."""
    names = {
        text for request in asked for path, _, text in strings(request["body"].get("tools"))
        if path.endswith(".name") and "memory_" in text
    }  # fmt: skip
    return tuple(sorted(names))


def _asserted(asked: Iterable[Mapping[str, Any]]) -> Place | None:
    """Our tool's answer to an assertion: where it stands, or that it waits."""
    return found(asked, "hypothesis: ", "receipt: ") or found(asked, "pending: ", "Do not assert it again")
