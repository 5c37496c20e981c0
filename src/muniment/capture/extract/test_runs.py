"""Facts about test runs: a recognised summary in the output of a command that runs tests.

The predicate is `passed` for failed runs too: the counts say how it went. A summary in a file that was merely printed
is none: some segment of the command line has to run tests, and no more summaries are believed than there are such
segments, the last ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from muniment.capture.extract import answers, summaries, test_commands
from muniment.capture.extract.contract import Window
from muniment.capture.extract.summaries import Line, Summary
from muniment.capture.extract.test_commands import Suite
from muniment.model.entity import SELF
from muniment.model.event import Action, Result, Span
from muniment.model.fact import VERIFIED, Archived, Draft

_MOST = 8
_IDLE = re.compile(r"(?:make|gmake|ninja)(?:\[\d+\])?: .*")


def passed(event: Archived, window: Window) -> Iterator[Draft]:
    """The summary of each test run of this event's results, with its counts."""
    for outcome in answers.outcomes(event, window, Action.RUN):
        command = answers.argument(outcome.caller, outcome.call, "command")
        found = [] if command is None else test_commands.find(answers.cut(outcome.caller, command))
        if found:
            yield from _runs(event, outcome.result, found)


def _runs(event: Archived, result: Result, commands: list[Suite]) -> Iterator[Draft]:
    output, start = answers.tail(event, result)
    text = summaries.lines(output)
    drawn = False
    for tool in dict.fromkeys(tool for command in commands for tool in command.tools):
        for summary in list(summaries.READERS[tool](text))[-_believed(commands, tool) :]:
            drawn = True
            yield _draft(event, Span(start + summary.start, start + summary.end), tool, summary, result, commands)
    if not drawn:
        yield from _built(event, start, text, result, commands)


def _believed(commands: list[Suite], tool: str) -> int:
    """How many summaries of a tool may be true: one a command, any number of one that may start several runs."""
    with_tool = [command for command in commands if tool in command.tools]
    return _MOST if any(len(command.tools) > 4 for command in with_tool) else len(with_tool)


def _draft(event: Archived, place: Span, tool: str, summary: Summary, result: Result, commands: list[Suite]) -> Draft:
    words = summary.words(tool)
    if commands[-1].decides and result.exit_code is not None:  # else the exit code is that of `| tail`
        words.append(f"exit:{result.exit_code}")
    return Draft("passed", SELF, place, literal=answers.cut(event, place), rung=VERIFIED, context=" ".join(words))


def _built(event: Archived, start: int, text: list[Line], result: Result, commands: list[Suite]) -> Iterator[Draft]:
    """`make test` that ended well without a summary we know: its last line, without counts."""
    told = [line for line in text if not _IDLE.fullmatch(line.text)]
    if told and result.exit_code == 0 and commands[-1].builds and commands[-1].decides:
        place = Span(start + told[-1].start, start + told[-1].end)
        yield Draft("passed", SELF, place, literal=answers.cut(event, place), rung=VERIFIED, context="tool:make exit:0")
