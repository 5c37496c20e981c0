"""Facts about command lines: what ran, and which commits came of it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from muniment.capture.extract import answers, programs, shell
from muniment.capture.extract.contract import Window
from muniment.model.entity import SELF, Entity
from muniment.model.event import Action, Span
from muniment.model.fact import OBSERVED, VERIFIED, Archived, Draft

LONGEST = 2000
"""Characters of a command that are kept as a literal; of a longer one only its first line."""

_MADE = re.compile(r"^\[([^\s\[\]]{1,250}|detached HEAD)( \(root-commit\))? ([0-9a-f]{7,40})\] ", re.MULTILINE)
_COMMITS = frozenset("commit cherry-pick revert".split())
_SILENT = frozenset("--dry-run -q --quiet".split())


def ran(event: Archived, window: Window) -> Iterator[Draft]:
    """Each command that has a result, with how it ended."""
    for found in answers.answered(event, window, (Action.RUN,)):
        command = answers.argument(event, found.call, "command")
        if command is not None:
            place = _kept(event, command)
            yield Draft(
                "ran",
                SELF,
                place,
                literal=answers.cut(event, place),
                rung=OBSERVED,
                witness=found.witness,
                context=" ".join(answers.exit_words(found.result)),
            )


def _kept(event: Archived, command: Span) -> Span:
    if command.end - command.start <= LONGEST:
        return command
    text = answers.cut(event, command)
    start = len(text) - len(text.lstrip())
    line = text[start : start + LONGEST].split("\n", 1)[0]
    return Span(command.start + start, command.start + start + len(line))


def committed(event: Archived, window: Window) -> Iterator[Draft]:
    """The commits that `git commit` says it made: `[main 1a2b3c4] subject`."""
    for outcome in answers.outcomes(event, window, Action.RUN):
        command = answers.argument(outcome.caller, outcome.call, "command")
        count = 0 if command is None else _commit_count(answers.cut(outcome.caller, command))
        output, start = answers.tail(event, outcome.result) if count else ("", 0)
        for made in list(_MADE.finditer(output))[-count:]:
            place = Span(start + made.start(3), start + made.end(3))
            branch = "detached" if made[1] == "detached HEAD" else made[1]
            yield Draft(
                "committed",
                SELF,
                place,
                object=Entity("commit", made[3]),
                rung=VERIFIED,
                context=f"branch:{branch}",
            )


def _commit_count(command: str) -> int:
    """How many commands of the line make a commit and say so: only that many lines are believed, the last ones."""
    if "git" not in command:
        return 0
    verbs = (programs.git_verb(segment.words) for segment in shell.segments(command))
    return sum(1 for verb in verbs if verb is not None and verb[0] in _COMMITS and not _silent(verb[1]))


def _silent(words: programs.Words) -> bool:
    return any(word.value in _SILENT for word in words)
