"""The turns of a probe, and the words in them that are looked for afterwards."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from muniment.harness.probing.recipe import BEHIND, COMPACTED, RESUMED, TOOLS, Recipe, Turn

SAYS = "The probe has said its last word."


@dataclass(frozen=True, slots=True)
class Words:
    """What is planted: a fact of ours that the view shows, and what the model is made to assert about the session."""

    tag: str

    @property
    def fact(self) -> str:
        """The fact in the store."""
        return f"reports signed with heron-{self.tag}"

    @property
    def mark(self) -> str:
        """What shows it."""
        return f"heron-{self.tag}"

    @property
    def object(self) -> str:
        """What is asserted."""
        return f"osprey-{self.tag}"

    @property
    def quote(self) -> str:
        """The person's words that say it."""
        return f"Write this down: our message queue is {self.object}, since the migration."

    def rule(self, name: str) -> str:
        """The mark in an instruction file."""
        return f"RULE-{self.tag}-{name};"

    @property
    def point(self) -> str:
        """The head of every mark that a hook answers with."""
        return f"POINT-{self.tag}"


def turns(recipe: Recipe, words: Words) -> list[Turn]:
    """What the harness is asked, turn by turn."""
    made = [Turn(TOOLS, _tools(recipe, words)), Turn(RESUMED, _resumed(recipe, words), goes_on=True)]
    if recipe.compacts:
        made.append(Turn(COMPACTED, recipe.compacts, goes_on=True))
    elif recipe.claims:
        made.append(Turn(COMPACTED, _full(recipe), goes_on=True))
    return [*made, Turn(BEHIND, f"And one more thing. {_say()}", goes_on=True)]


def directive(**words: Any) -> str:
    """One line of the stub's script."""
    return f"[[stub {json.dumps(words)}]]"


def _say() -> str:
    return directive(say=SAYS)


def _shell(command: str) -> str:
    return directive(tool="shell", args={"command": command, "description": "a probe"})


def _tools(recipe: Recipe, words: Words) -> str:
    return " ".join((words.quote, _shell("echo probed"), *_calls(recipe, words), _say()))


def _resumed(recipe: Recipe, words: Words) -> str:
    """A command that fails, and a sub-agent where the harness has them. Our tools once more: some harnesses begin their
    first turn before a tool server is there."""
    task = directive(tool="task", args=dict(recipe.task)) if recipe.task else ""
    return " ".join(("Again.", words.quote, task, _shell("exit 3"), *_calls(recipe, words), _say()))


def _calls(recipe: Recipe, words: Words) -> list[str]:
    """A question and an assertion, by our tools."""
    said = {"predicate": "uses", "subject": "project", "object": words.object, "quote": words.quote, "topic": "queue"}
    asked = recipe.calls("memory_query", {"selector": "p:prefers"})
    return [directive(**asked), directive(**recipe.calls("memory_assert", said))]


def _full(recipe: Recipe) -> str:
    calls = "" if recipe.claims_last else _shell("echo full")
    return f"Read on. {directive(usage=recipe.claims)} {calls} {_say()}"
