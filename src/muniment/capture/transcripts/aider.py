"""Aider: a Markdown log in the folder that it works in, all runs of that folder one after the other.

`# aider chat started at` begins a run, `#### ` lines are the person's, `> ` lines are what Aider says and does, the rest
is the model's. A heading of the fourth level that the model writes cannot be told from a prompt by its form: it is taken
for one only where Aider spoke before it, or at the start of a run. Commits and applied edits stand in Aider's lines;
they become calls with results. Aider cuts a history that is too long without a trace in the log, has no sub-agents and
edits nothing in place. Times are local and without a zone: they are read in the zone that the reader is lent, else as
UTC, and only the start of a run is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from muniment.capture.transcripts.lines import Parsed, Record, State
from muniment.capture.transcripts.markdown import MarkdownAdapter, slug
from muniment.capture.transcripts.turns import Turn, fresh, when
from muniment.capture.transcripts.words import COMMAND, PROMPT
from muniment.model.event import SessionInfo

_LOG = ".aider.chat.history.md"
_RUN = "# aider chat started at "
_PROMPT, _ASIDE = "#### ", "> "
_VERSION = re.compile(r"> Aider v(\S+)")
_MODEL = re.compile(r"> (?:Main model|Model): (\S+)")
_SPENT = re.compile(r"> Tokens: ([\d.,]+)(k|M)? sent.*?([\d.,]+)(k|M)? received")
_COST = re.compile(r"Cost: \$(\d{1,6}\.\d+) message")
_DONE: Mapping[str, re.Pattern[str]] = {
    "edit": re.compile(r"> Applied edit to (.+)"),
    "create": re.compile(r"> Creating empty file (.+)"),
}
_FACTOR = {"k": 1_000, "M": 1_000_000, None: 1}


class Aider(MarkdownAdapter):
    """Reads `.aider.chat.history.md`."""

    name = "aider"
    checked: tuple[str, ...] = ("0.86.2",)

    def places(self, home: Path, variables: Mapping[str, str], platform: str) -> Iterable[Path]:  # noqa: ARG002
        """The log named in the environment, and those in the current folder, those above it and the home folder."""
        if named := variables.get("AIDER_CHAT_HISTORY_FILE"):
            yield Path(named)
        here = Path(variables["PWD"]) if variables.get("PWD") else home
        yield from dict.fromkeys(folder / _LOG for folder in (here, *here.parents, home))

    def sources(self, place: Path) -> Iterator[Path]:
        """The log itself."""
        yield place

    def recognises(self, path: Path, head: bytes) -> bool:
        """By its name, or by how a run begins."""
        return path.name == _LOG or (path.suffix == ".md" and head.lstrip().startswith(_RUN.encode()))

    def start(self, path: Path, head: bytes) -> State:  # noqa: ARG002
        """Runs are told apart by their start; the folder is that of the log."""
        folder = path.absolute().parent
        return fresh(f"aider-{slug(folder)}", folder=str(folder), after="run")

    def kind(self, line: str, before: str, state: State) -> tuple[str, bool]:
        """Whose line it is."""
        if line.startswith(_RUN):
            state["after"] = "run"
            return "run", True
        if line.startswith(_PROMPT) and (before == "prompt" or state["after"] != "reply"):
            state["after"] = "prompt"
            return "prompt", False
        if line.startswith(_ASIDE):
            state["after"] = "aside"
            # Each thing that was done is a record of its own.
            return "aside", before == "aside" and _is_deed(line)
        if not line.strip():
            return before or "reply", False
        if before == "aside" and _is_deed(line):
            return "aside", True
        state["after"] = "reply"
        return "reply", False

    def parse(self, record: Record, raw: bytes, ordinal: int, state: State) -> Iterable[Parsed]:
        """A block. Of the runs in one log each begins a session, so that one of ours does not hide those behind it."""
        if record.get("kind") == "run":
            state.pop("own", None)
        return super().parse(record, raw, ordinal, state)

    def turn(self, turn: Turn) -> Parsed | Sequence[Parsed]:
        """A block as the words of one side."""
        text = str(turn.record["text"])
        lines = [line.rstrip() for line in text.strip().splitlines()]
        if turn.record["kind"] == "run":
            return _run(turn, lines[0].removeprefix(_RUN))
        turn.know(at=turn.state.get("at"), model=turn.state.get("model"))
        if turn.record["kind"] == "prompt":
            typed = "\n".join(line.removeprefix(_PROMPT) for line in lines)
            return turn.heard([typed], who=COMMAND if typed.startswith(("/", "!")) else PROMPT)
        if turn.record["kind"] == "aside":
            return _aside(turn, lines)
        if not text.strip():
            return turn.noise("blank")
        turn.say(text.strip())
        return turn.message()


def _is_deed(line: str) -> bool:
    return any(pattern.match(line) for pattern in _DONE.values())


def _run(turn: Turn, started: str) -> Sequence[Parsed]:
    folder = Path(turn.state["folder"])
    turn.session = f"aider-{slug(folder)}-{re.sub(r'[^0-9]', '', started)}"
    turn.state.update(session=turn.session, at=when(started), model=None)
    turn.know(at=turn.state["at"])
    info = SessionInfo(turn.session, Aider.name, cwd=str(folder), started_at=turn.state["at"])
    return info, turn.note("")


def _aside(turn: Turn, lines: list[str]) -> Parsed | Sequence[Parsed]:
    for tool, pattern in _DONE.items():
        if (found := pattern.match(lines[0])) is not None:
            call = turn.call(None, tool, {"path": found[1]})
            turn.result(call.call_id, "\n".join(line.removeprefix(_ASIDE) for line in lines), True)
            return turn.message()
    text = "\n".join(lines)
    if (model := _MODEL.search(text)) is not None:
        turn.state["model"] = model[1]
    spent = _SPENT.search(text)
    if spent is not None:
        turn.know(tokens_in=_number(spent[1], spent[2]), tokens_out=_number(spent[3], spent[4]))
        turn.spent(float(cost[1]) if (cost := _COST.search(text)) is not None else None)
    event = turn.note("\n".join(line.removeprefix(_ASIDE) for line in lines))
    version = _VERSION.search(text)
    return event if version is None else (SessionInfo(turn.session, Aider.name, version[1]), event)


def _number(digits: str, factor: str | None) -> int:
    return round(float(digits.replace(",", "")) * _FACTOR[factor])
