"""`bench`: benchmarks on this machine, and on one's own memory."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from muniment import evals
from muniment.engine import wording
from muniment.errors import UsageError
from muniment.surfaces.cli import flooring, output, progress
from muniment.surfaces.cli.invocation import Invocation

_PATHS = ("audit", "foreign", "homes")


def bench(run: Invocation) -> int:
    """One benchmark as one JSON object; `all` as one object a line. Those about finding print tables without --json."""
    usual = [n for n in evals.BENCHES if n not in (*evals.ON_REQUEST, *evals.WITH_EXTRA)]
    names = usual if run.words.name == "all" else [run.words.name]
    data = Path(run.words.data) if run.words.data else None
    for name in names:
        options = _options(run, name)
        if name == "mine" and _is_asked(run):
            _label(run, options)
        if name == "floor":
            return flooring.bench(run, _place(run)["place"])
        if name not in evals.ON_REQUEST:
            _show(run, evals.run(name, run.words.size, data, options))
            continue
        with progress.bar(run.config.progress and not run.json) as show:
            found = evals.run(name, run.words.size, data, options | _place(run) | {"progress": show})
        _show(run, found)
    return output.OK


def _options(run: Invocation, name: str) -> dict[str, Any]:
    """What was given of the options that only some benchmarks have."""
    every = {option for options in evals.OPTIONS.values() for option in options}
    given = {option: value for option in sorted(every) if (value := getattr(run.words, option)) not in (None, [])}
    for option in given:
        if option not in evals.OPTIONS.get(name, ()):
            raise UsageError(
                f"bench {name} has no --{option.replace('_', '-')}", hint="muniment bench --help", about=f"--{option}"
            )
    paths = {option: Path(given[option]) for option in _PATHS if option in given}
    question = {"question": wording.masked(given["question"])} if "question" in given else {}
    return given | paths | question


def _place(run: Invocation) -> dict[str, Any]:
    """The project and the home, where one's own questions are asked."""
    return {"place": (Path(run.engine.workspace.root), run.config.home, run.engine.path.parent)}


def _show(run: Invocation, found: dict[str, Any]) -> None:
    if run.json or found["bench"] not in evals.ON_REQUEST:
        output.record(found)
    else:
        from muniment.evals.recall import table

        for line in table.lines(found):
            output.line(line)
    output.close()


# --- labels ------------------------------------------------------------


def _is_asked(run: Invocation) -> bool:
    """Can a person be asked for labels?"""
    return not run.json and run.words.question is None and sys.stdin.isatty() and sys.stdout.isatty()


def _label(run: Invocation, options: dict[str, Any]) -> None:
    """Ask for questions, show what is found, and keep which of it answers them; an empty line ends it."""
    from muniment.evals.recall import mine

    output.say("Ask your memory something you know the answer to; an empty line goes on to the figures.")
    while question := wording.masked(_typed("question> ")):
        found = mine.candidates(_place(run)["place"], question)
        for number, (receipt, text) in enumerate(found, 1):
            output.line(f"{number:3}  {output.shown(text)}  [{receipt}]")
        chosen = _typed("which answer it? numbers, receipts or ids (empty: leave it)> ")
        relevant = [_named(word, found) for word in chosen.replace(",", " ").split()]
        if relevant:
            label = mine.Given(question, relevant, options.get("category"))
            output.say(f"kept: {mine.keep(_place(run)['place'], label)} labelled questions")


def _typed(prompt: str) -> str:
    sys.stderr.write(prompt)
    sys.stderr.flush()
    return sys.stdin.readline().strip()


def _named(word: str, found: list[tuple[str, str]]) -> str:
    """A number stands for what is shown under it."""
    is_number = word.isdecimal() and 1 <= int(word) <= len(found)
    return found[int(word) - 1][0] if is_number else word
