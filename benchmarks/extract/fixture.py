"""Builds labelled items: minimal event records and the drafts that a careful reader would draw from them."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

LABELS = Path(__file__).parent / "labels.jsonl"
HOME = "/home/dev/demo"
"""Stands for the temporary folder in every record."""


class Item:
    """One labelled item. `joined`: call and result share one event, as in OpenCode; else the result has its own."""

    def __init__(self, name, source="scripted", harness="scripted", joined=False, **more):
        self.name, self.joined = name, joined
        self.head = {"id": name, "source": source, "harness": harness, **more}
        self.events, self.expected, self.calls = [], [], 0

    def event(self, role, origin, kind, text, **more):
        """Append an event and return its number."""
        self.events.append({"role": role, "origin": origin, "kind": kind, "text": text, **more})
        return len(self.events) - 1

    def call(self, action, args, numbers=None, **more):
        """An event with one call. Text arguments become spans; `more` goes into the event (masked, cwd, ...)."""
        self.calls += 1
        text, spans = action.upper(), {}
        for name, value in args.items():
            start = len(text) + 1
            text += "\n" + value
            spans[name] = [start, len(text)]
        call = {"id": f"c{self.calls}", "action": action, "args": {**spans, **(numbers or {})}}
        return self.event("assistant", "model", "call", text, calls=[call], **more)

    def result(self, output, ok=None, exit_code=None, duration_ms=None, sha256=None, **more):
        """The answer to the last call: an event of its own, or (joined) the end of the caller's event."""
        facts = {"id": f"c{self.calls}", "ok": ok, "exit_code": exit_code, "duration_ms": duration_ms, "sha256": sha256}
        if not self.joined:
            return self.event("tool", "tool", "result", output, results=[{**facts, "span": [0, len(output)]}], **more)
        event = self.events[-1]
        start = len(event["text"]) + 1
        event["text"] += "\n" + output
        event["results"] = [{**facts, "span": [start, start + len(output)]}]
        event.update(role="tool", origin="tool")
        return len(self.events) - 1

    def expect(self, event, predicate, value, kind=None, subject=("session", ""), **more):
        """A draft that should be drawn from `event`; `kind` is the kind of the object, None for a literal."""
        value = {"object": [kind, value]} if kind else {"literal": value}
        more = {name: part for name, part in more.items() if part not in (None, "")}
        self.expected.append({"event": event, "predicate": predicate, "subject": list(subject), **value, **more})
        return self

    def record(self):
        """The item as a line of the label file."""
        return {**self.head, "events": self.events, "expected": self.expected}


class Bench:
    """A temporary folder in which real commands are run and recorded."""

    def __init__(self, folder, programs):
        self.folder = Path(folder)
        self.programs = programs
        self.folder.mkdir(parents=True, exist_ok=True)

    def write(self, files):
        """Put files into the folder."""
        for name, content in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")

    def shell(self, command):
        """Run a command line; its output (both streams, places neutralised), exit code and milliseconds."""
        start = time.perf_counter()
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env=self._environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        elapsed = int((time.perf_counter() - start) * 1000)
        return self._neutral(done.stdout + done.stderr), done.returncode, elapsed

    def run(self, item, command):
        """Run a command inside `item` and label that it ran. Gives the numbers of both events and the output."""
        output, exit_code, elapsed = self.shell(command)
        cwd = {"cwd": HOME, "root": HOME}
        call = item.call("run", {"command": command}, **cwd)
        result = item.result(output, ok=exit_code == 0, exit_code=exit_code, duration_ms=elapsed, **cwd)
        witness = None if item.joined else result
        item.expect(call, "ran", command, context=f"exit:{exit_code} ms:{elapsed}", witness=witness)
        return call, result, output

    def _environment(self):
        keep = {name: os.environ[name] for name in ("HOME", "PATH", "CARGO_HOME", "RUSTUP_HOME") if name in os.environ}
        moment = "2026-03-04T05:06:07+00:00"
        names = {f"GIT_{who}_{what}": "dev" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        dates = {"GIT_AUTHOR_DATE": moment, "GIT_COMMITTER_DATE": moment, "GIT_CONFIG_GLOBAL": os.devnull}
        path = os.pathsep.join([*self.programs, str(Path(sys.executable).parent), keep.get("PATH", "")])
        return {**keep, **names, **dates, "PATH": path, "LC_ALL": "C", "NO_COLOR": "1", "PYTHONDONTWRITEBYTECODE": "1"}

    def _neutral(self, text):
        text = text.replace(str(self.folder.resolve()), HOME).replace(str(self.folder), HOME)
        for place in (sys.prefix, sys.base_prefix, str(Path.home() / ".cargo"), *self.programs):
            text = text.replace(place, "/usr/local")
        return re.sub(r"/tmp/[\w.-]+", "/tmp/x", text)  # noqa: S108 - a place in a text


def summary(output, start, end=None):
    """The labeller's finger: the piece of `output` from the last place of `start` to the end of the line with `end`."""
    begin = output.rindex(start)
    stop = output.index(end, begin) if end else begin
    stop = output.find("\n", stop)
    line = output[begin : stop if stop >= 0 else len(output)]
    return re.sub(r"(?:\x1b\[[\d;]*m)+$", "", line.rstrip("= \r"))


def sha256(text):
    """The hash of a file's content."""
    return hashlib.sha256(text.encode()).hexdigest()


def save(items, source):
    """Replace the items of `source` in the label file; recorded items whose tools are missing here are kept."""
    old = [json.loads(line) for line in LABELS.read_text("utf-8").splitlines()] if LABELS.exists() else []
    fresh = {item.name: item.record() for item in items}
    kept = {row["id"]: row for row in old if row["source"] != source or row["id"] not in fresh}
    rows = sorted([*kept.values(), *fresh.values()], key=lambda row: (row["source"], row["id"]))
    LABELS.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
