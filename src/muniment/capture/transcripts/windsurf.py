"""Windsurf: transcripts that its Cascade writes when a hook asks for them; its own store is encrypted.

A record is `{type, status, <type>: {...}}`: the person's input, the planner's answers, and actions, each with its call
and what came of it. Rules that were applied are named beside the input, not within it. Times, folder and model are not
told. A trajectory is one file; at most a hundred are kept. No
compaction or sub-agents were seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from muniment.capture.transcripts import tools
from muniment.capture.transcripts.lines import Parsed, State
from muniment.capture.transcripts.pieces import number, obj, tag, texts, word
from muniment.capture.transcripts.turns import Turn, TurnAdapter, fresh
from muniment.model.event import Action, SessionInfo

_OUTPUT = ("output", "combined_output", "stdout", "stderr", "result", "error")
_WELL = {"done": True, "completed": True, "success": True, "error": False, "failed": False, "canceled": False}


class Windsurf(TurnAdapter):
    """Reads `~/.windsurf/transcripts/<trajectory>.jsonl`."""

    name = "windsurf"
    checked: tuple[str, ...] = ("hook of 2026-06",)
    more_tools: ClassVar[Mapping[str, Action]] = {"codeaction": Action.WRITE, "mcptool": Action.OTHER}

    def places(self, home: Path, variables: Mapping[str, str], platform: str) -> Iterable[Path]:  # noqa: ARG002 - the same everywhere
        """The hook's folder, on every platform in the home folder."""
        yield home / ".windsurf" / "transcripts"

    def sources(self, place: Path) -> Iterator[Path]:
        """The trajectories, by name."""
        yield from [place] if place.is_file() else sorted(place.glob("*.jsonl"))

    def recognises(self, path: Path, head: bytes) -> bool:
        """By the two types that every trajectory has."""
        first = head.partition(b"\n")[0]
        return path.suffix == ".jsonl" and b'"user_input":{' in first.replace(b": ", b":") and b'"status"' in first

    def start(self, path: Path, head: bytes) -> State:  # noqa: ARG002
        """The file's name is the trajectory's."""
        return fresh(path.stem, told=False)

    def turn(self, turn: Turn) -> Parsed | Sequence[Parsed]:
        """A step."""
        event = _step(turn, tag(turn.record.get("type")))
        if turn.state["told"]:
            return event
        turn.state["told"] = True
        return SessionInfo(turn.session, self.name), event


def _step(turn: Turn, kind: str) -> Parsed:
    told = obj(turn.record.get(kind))
    if kind == "user_input":
        return turn.heard(texts(told.get("user_response")))
    if kind == "planner_response":
        turn.say(told.get("response"))
        turn.think(told.get("thinking"))
        return turn.message()
    if tools.known(kind, told, Windsurf.more_tools).action is Action.OTHER or not told:
        return turn.unknown(kind)
    given: dict[str, Any] = {key: value for key, value in told.items() if key not in _OUTPUT}
    # What an action wrote may be a part of the file only.
    made = turn.call(None, kind, given, formats=True)
    output = [text for key in _OUTPUT if (text := word(told.get(key))) is not None]
    turn.result(made.call_id, output, _WELL.get(tag(turn.record.get("status"))), number(told.get("exit_code")))
    return turn.message()
