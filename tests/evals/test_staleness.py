"""The bench of staleness: its truths come from scripts of edits and from git, and the flags are those of the program."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from muniment.evals.staleness import real, scoring
from muniment.evals.staleness.scoring import Cited, Score
from muniment.evals.staleness.written import Project

run = importlib.import_module("muniment.evals.staleness.run")


@pytest.mark.parametrize("name", ["moves", "reformatting", "rebase", "shallow"])
def test_a_written_history_is_judged_as_its_script_has_it(tmp_path: Path, name: str) -> None:
    history = run._written(tmp_path / name, name, 40, seed=3)
    found = run._measured(history, tmp_path)
    ours = found["muniment"]
    if name == "shallow":
        assert ours.unknown == 40
        return
    assert ours.recall >= 0.95
    assert ours.false_flags <= 0.05
    assert found["file_hash"].false_flags > ours.false_flags


def test_a_history_that_happened_is_judged_by_git(tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    real.git(root, "init", "-q")
    lines = [f"value_{n} = compute({n * 7})" for n in range(40)]
    steps = [
        lines,
        ["# a line more", *lines],
        ["# a line more", *lines[:10], "value_10 = other()", *lines[11:]],
        ["# a line more", *lines[:10], "value_10 = other()", *lines[11:20], *lines[26:], *lines[20:26]],
    ]
    for number, text in enumerate(steps):
        (root / "a.py").write_text("\n".join(text) + "\n", encoding="utf-8")
        real.git(root, "add", "-A")
        real.git(root, *run._AUTHOR, "commit", "-q", "-m", str(number))
    line = real.commits(root)
    truth = real._Truth(root, line[-1], line[0])
    span = real.Span("a.py", 5, 7, False)
    assert not truth.is_endangered(span)
    assert truth.is_endangered(span._replace(first=10, last=12))
    assert not truth.is_endangered(span._replace(first=22, last=25))
    assert not truth.is_put_back(span)


def test_what_nobody_can_say_is_neither_hit_nor_miss() -> None:
    facts = [Cited(str(n), "", "lines", "a", 0.0, n < 3) for n in range(6)]
    found = scoring.score(facts, frozenset("014"), frozenset("5"))
    assert found == Score(2, 1, 1, 1, 1)
    assert (round(found.recall, 2), found.false_flags) == (0.67, 0.5)


def test_pruning_by_age_gets_its_best_threshold() -> None:
    facts = [Cited(str(n), "", "lines", f"f{n}", 0.0, n < 3) for n in range(6)]
    assert scoring.by_age(facts, {f"f{n}": float(n) for n in range(6)}) == frozenset("012")


def test_a_line_that_is_written_back_is_the_same_line() -> None:
    project = Project(1, 8)
    before = [line.id for file in project.files for line in file.lines()]
    for file in project.files:
        for function in file.functions:
            for style in (1, 0):
                function.style = style
                project._render(function)
    assert [line.id for file in project.files for line in file.lines()] == before
