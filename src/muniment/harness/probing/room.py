"""A place for one probe: a home and a project of its own, a store with a planted fact, the files of the recipe, and the plan."""

from __future__ import annotations

import json
import secrets
import socket
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from muniment.harness.probing import marking
from muniment.harness.probing.recipe import Recipe, Setting, Turn
from muniment.harness.probing.scenario import Words, turns
from muniment.harness.probing.verdict import Verdict, judged

_FENCED_PORT = 18_080
"""Behind the wall every port is free."""
_INDEX_SECONDS = 120


@dataclass(frozen=True, slots=True)
class Room:
    """Where a probe is played: everything in it is under `root`."""

    root: Path
    recipe: Recipe
    words: Words
    setting: Setting
    python: str
    path: str
    program: Sequence[str]
    wall: Sequence[str]

    @property
    def variables(self) -> dict[str, str]:
        """A clean environment: a handful of variables, none of the caller's."""
        plain = {
            "HOME": str(self.setting.home), "PATH": self.path, "LANG": "C.UTF-8", "TERM": "dumb", "NO_COLOR": "1", "CI": "1",
            "TMPDIR": str(self.root / "tmp"),
        }  # fmt: skip
        return plain | dict(self.recipe.variables(self.setting))

    def ours(self, *words: str) -> list[str]:
        """A command line of ours."""
        return [self.python, "-m", "muniment", *words]

    def run(self, *words: str) -> str:
        """What a command of ours says, in the project, as a person at a terminal would run it."""
        done = subprocess.run(
            self.ours(*words), cwd=self.setting.project, env=self.variables, capture_output=True, text=True, check=False,
            timeout=_INDEX_SECONDS,
        )  # fmt: skip
        return done.stdout or done.stderr

    def play(self) -> Verdict:
        """Run all turns; what the requests show."""
        plan = self.root / "plan.json"
        plan.write_text(json.dumps(self._plan()), encoding="utf-8")
        command = [*self.wall, self.python, "-m", "muniment.harness.probing", str(plan)]
        within = sum(step["seconds"] + 15 for step in self._steps()) + 60
        with (self.root / "playing.log").open("w", encoding="utf-8") as log:
            subprocess.run(command, env=self.variables, stdout=log, stderr=log, check=False, timeout=within)
        return self.verdict()

    def verdict(self) -> Verdict:
        """What the record shows, and what the store holds of the assertion."""
        found = judged(self.recipe, self.words, self.steps(), _lines(self.root / "record.jsonl"))
        return replace(found, fact=self.fact(), echoes=self.echoes())

    def fact(self) -> dict[str, Any]:
        """The asserted fact as its receipt opens: in which file, and whether these are the person's words. Empty: none."""
        rows = self._asked("query", "p:uses standing:hypothesis").get("rows", [])
        row = next((r for r in rows if r["text"] == self.words.object and r["origin"] == "agent"), None)
        if row is None:
            return {}
        opened = self._asked("read", row["receipt"])
        source = str(opened.get("source") or "")
        return {
            "receipt": row["receipt"], "source": self._within(source), "verified": bool(opened.get("verified")),
            "own": self._within(source) != source,
            "said": self.words.quote in str(opened.get("text")),
        }  # fmt: skip

    def _within(self, source: str) -> str:
        """A file of the room as it is called in it: this machine's folders are nobody's business."""
        home, project = self.setting.home.as_uri(), self.setting.project.as_uri()
        return source.replace(home, "~").replace(project, ".")

    def echoes(self) -> int:
        """Facts that hold the planted words beside the planted one: what was given must not come back as anybody's."""
        return len(self._asked("query", self.words.mark).get("rows", [])) - 1

    def _asked(self, *words: str) -> dict[str, Any]:
        try:
            told = json.loads(self.run("--json", *words))
        except ValueError:
            return {}
        return told if isinstance(told, dict) else {}

    def steps(self) -> list[dict[str, Any]]:
        """How each turn ended."""
        return _lines(self.root / "steps.jsonl")

    def _plan(self) -> dict[str, Any]:
        stub = [
            self.python, "-m", "muniment.testing.stub_model", "--record", str(self.root / "record.jsonl"),
            "--port-file", str(self.root / "port"), "--port", self.setting.url.rsplit(":", 1)[1],
        ]  # fmt: skip
        return {
            "walled": bool(self.wall), "stub": stub, "variables": self.variables, "record": str(self.root / "record.jsonl"),
            "port_file": str(self.root / "port"), "steps_file": str(self.root / "steps.jsonl"), "steps": self._steps(),
        }  # fmt: skip

    def _steps(self) -> list[dict[str, Any]]:
        made = []
        for turn in turns(self.recipe, self.words):
            made.append(self._step(turn.name, self._command(turn), self.recipe.seconds))
            made.append(self._step(f"index {turn.name}", self.ours("index"), _INDEX_SECONDS))
        return made

    def _command(self, turn: Turn) -> list[str]:
        return [*self.program, *self.recipe.arguments(self.setting, turn)]

    def _step(self, name: str, command: Sequence[str], seconds: int) -> dict[str, Any]:
        return {
            "name": name, "command": list(command), "folder": str(self.setting.project), "variables": self.variables,
            "seconds": seconds,
        }  # fmt: skip


def prepared(
    root: Path, recipe: Recipe, installed: Path, python: str, path: str, wall: Sequence[str], ours: bool = True
) -> Room:
    """A fresh room under `root`. `ours`: register our hooks and our server by the recipe (else `muniment init` does)."""
    program = [str(installed / recipe.package.program)]
    words = Words(secrets.token_hex(4))
    for name in ("home", "project", "tmp"):
        (root / name).mkdir(parents=True)
    port = recipe.port or (_FENCED_PORT if wall else _free_port())
    marks = {event: _mark(recipe, words, python, event) for event in recipe.marked}
    setting = Setting(root / "home", root / "project", f"http://127.0.0.1:{port}", words.point, marks)
    room = Room(root, recipe, words, setting, python, path, program, wall)
    _plant(room)
    if ours:
        room = replace(room, setting=_registered(room))
    for name, content in recipe.files(room.setting).items():
        write(room.setting, name, content)
    return room


def _registered(room: Room) -> Setting:
    """The setting with our hooks, our server and our view."""
    hooks = {event: _hook(room.recipe, room.python, event) for event in room.recipe.ours}
    server = room.ours("mcp", "-C", str(room.setting.project)) if room.recipe.has_tools else ()
    return replace(room.setting, ours=hooks, server=server, wake=room.run("wake"))


def _mark(recipe: Recipe, words: Words, python: str, event: str) -> list[str]:
    return [python, "-I", marking.__file__, recipe.shape, words.point, event]


def _hook(recipe: Recipe, python: str, event: str) -> list[str]:
    """Our own hook, in the form that starts fast."""
    from importlib.util import find_spec

    spec = find_spec("muniment")
    assert spec is not None
    assert spec.origin is not None
    program = Path(spec.origin).parent / "surfaces" / "hook" / "main.py"
    return [python, "-S", "-E", "-s", str(program), recipe.harness, *([event] if recipe.names_event else [])]


def _plant(room: Room) -> None:
    """The project, its repository and files of rules, and the store with the planted fact."""
    project = room.setting.project
    (project / "README.md").write_text("# demo\n", encoding="utf-8")
    for words in (("init", "-q"), ("config", "user.name", "dev"), ("config", "user.email", "dev@example.com")):
        subprocess.run(["git", *words], cwd=project, env=room.variables, check=True, capture_output=True)
    room.run("add", "preference", room.words.fact)
    for rule in room.recipe.rules:
        write(room.setting, rule, f"# Rules\n\n{room.words.rule(rule)}\n")


def write(setting: Setting, name: str, content: Any) -> None:
    """Put a file of a recipe in its place. A text that begins with `#!` is a program, a path a link to it."""
    path = setting.home / name[2:] if name.startswith("~/") else setting.project / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, Path):
        path.symlink_to(content)
        return
    path.write_text(content if isinstance(content, str) else json.dumps(content, indent=1), encoding="utf-8")
    if isinstance(content, str) and content.startswith("#!"):
        path.chmod(0o755)


def _free_port() -> int:
    with socket.socket() as handle:
        handle.bind(("127.0.0.1", 0))
        return int(handle.getsockname()[1])


def _lines(path: Path) -> list[dict[str, Any]]:
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
