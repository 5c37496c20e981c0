"""The three doors of a memory, each with the same two handles: what a write did, and with which code one was refused."""

from __future__ import annotations

import contextlib
import io
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from muniment import Memory, MunimentError
from muniment.engine.core import Engine, Settings
from muniment.model.scope import workspace_of
from muniment.surfaces.cli import caller, main
from muniment.surfaces.mcp.caller import Surroundings
from muniment.surfaces.mcp.server import MemoryServer


@dataclass(frozen=True)
class Place:
    """One project and its home."""

    project: Path
    home: Path

    @contextlib.contextmanager
    def engine(self) -> Iterator[Engine]:
        """A process of its own that looks at what was committed."""
        with Engine(workspace_of(self.project), Settings(self.home)) as engine:
            yield engine


@dataclass(frozen=True)
class Did:
    """What a door says that a write did, or the code of the error that it gave."""

    outcome: str = ""
    ids: tuple[str, ...] = ()
    code: str = ""


_REASONED = ("confirm", "suspect", "retract", "restore", "pin", "unpin")


class CommandLine:
    """The command line, in this process, of a person at a terminal or of an agent."""

    name = "command line"

    def __init__(self, place: Place, *, is_agent: bool = False) -> None:
        self._place, self._is_agent = place, is_agent

    def run(self, *words: str) -> tuple[int, str, str]:
        """Exit code, stdout and stderr of one command."""
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
        kept, caller.processes = caller.processes, lambda: iter([("claude", ("claude",))] if self._is_agent else ())
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                code = main.main([*words, "-C", str(self._place.project), "--home", str(self._place.home)])
        finally:
            caller.processes = kept
        texts = []
        for stream in (out, err):
            stream.flush()
            texts.append(stream.buffer.getvalue().decode())  # type: ignore[attr-defined]
        return code, texts[0], texts[1]

    def do(self, verb: str, *words: str, **options: str) -> Did:
        """A write, told as JSON."""
        if verb in _REASONED:
            words = (words[0], *(w for reason in words[1:] for w in ("--reason", reason)))
        more = [each for name, value in options.items() for each in (f"--{name.replace('_', '-')}", value)]
        code, out, err = self.run(*verb.split(), *words, *more, "--json")
        if code:
            return Did(code=json.loads(err.splitlines()[-1])["error"]["code"])
        told = json.loads(out)
        return Did(told.get("outcome", ""), tuple(told["ids"]))


class Library:
    """A program that vouches for the person at it."""

    name = "library"

    def __init__(self, place: Place, vouch: str | None = "person") -> None:
        self._place, self._vouch = place, vouch

    def do(self, verb: str, *words: str, **options: str) -> Did:
        """A write by the method of that name."""
        with Memory.open(self._place.project, home=self._place.home, vouch=self._vouch) as memory:
            try:
                told = _METHODS.get(verb.split(maxsplit=1)[0], _revised)(memory, verb, words, options)
            except MunimentError as error:
                return Did(code=error.code)
            return Did(getattr(told, "outcome", ""), tuple(told.ids))


def _revised(memory: Memory, verb: str, words: tuple[str, ...], options: dict[str, str]) -> Any:
    names = {"correct": ("claim", "reason"), "supersede": ("new_id",), "expire": ()}.get(verb, ("reason",))
    return memory.revise(words[0], verb, **dict(zip(names, words[1:], strict=False)), **options)


_METHODS: dict[str, Any] = {
    "add": lambda m, _, w, o: m.add(*w[:3], *([w[3].split(",")] if w[3:] else []), **o),
    "update": lambda m, _, w, o: m.update(*w, **o),
    "review": lambda m, v, w, o: m.decide(w[0], v.split()[1], **o),
    "load": lambda m, v, w, _: m.load(v.split()[1], w[0]),
    "retract-source": lambda m, _, w, o: m.retract_source(*w, **o),
}


class Tools:
    """The tools of an agent."""

    name = "tools"

    def __init__(self, place: Place) -> None:
        self._place = place

    def call(self, tool: str, **given: Any) -> tuple[bool, str]:
        """(is it an error, its text)."""
        with self._place.engine() as engine:
            around = Surroundings({}, self._place.home, sys.platform, self._place.home, None, ())
            result = MemoryServer(engine, around, "1").answer(tool, given, "tests", {"sessionId": "s"})
            return bool(result.is_error), result.content[0].text  # type: ignore[union-attr]

    def do(self, verb: str, *words: str, **options: str) -> Did:
        """A write by memory_revise."""
        names = {"correct": ("claim", "reason"), "supersede": ("new_id",)}.get(verb, ("reason",))
        given = dict(zip(names, words[1:], strict=False))
        is_error, text = self.call("memory_revise", id=words[0], action=verb, **given, **options)
        if is_error:
            return Did(code=text.partition(":")[0])
        lines = dict(line.split(": ", 1) for line in text.splitlines() if ": " in line)
        outcome = text.partition(":")[0]
        if outcome == "proposed":
            return Did(outcome, (lines["proposal"],))
        return Did(outcome, tuple(w.strip(";,") for w in lines[outcome].split() if len(w.strip(";,")) == 26))
