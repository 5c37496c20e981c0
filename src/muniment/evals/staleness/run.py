"""The histories, one after the other, and the figures over all of them."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from subprocess import CalledProcessError
from typing import Any, NamedTuple

from muniment import Memory
from muniment.evals.report import report
from muniment.evals.staleness import real, scoring
from muniment.evals.staleness.scoring import Cited, Score
from muniment.evals.staleness.written import File, Project
from muniment.testing import cited

_SCRIPTS = {
    "edits": ("change", "insert", "remove", "head", "note"),
    "moves": ("shift", "carry", "head", "change"),
    "renames": ("rename", "regroup", "change", "insert"),
    "deletions": ("drop", "delete", "remove", "head"),
    "reformatting": ("reformat", "note", "head"),
    "branches": ("change", "insert", "head", "rename"),
    "rebase": ("change", "insert", "head", "shift"),
    "shallow": ("change", "head"),
}
_COMMITS = 25
_FILES = 48


class _History(NamedTuple):
    """A history at B: facts with the truth about them, and when each file was last touched."""

    name: str
    root: Path
    facts: list[Cited]
    touched: dict[str, float]


def run(size: int = 400, data: Path | None = None, repo: Sequence[str] = (), seed: int = 7) -> dict[str, Any]:
    """`size` facts for each history: eight that are written, and two stretches of each repository that is named.

    `touched_…`: the same flags, where lines that were changed and changed back count as endangered.
    """
    metrics: dict[str, float] = {}
    total: dict[str, Score] = {}
    with tempfile.TemporaryDirectory(dir=data) as scratch:
        for history in _histories(Path(scratch), size, [Path(r) for r in repo], seed):
            for way, found in _measured(history, Path(scratch)).items():
                total[way] = total.get(way, Score()) + found
                if way == "muniment":
                    metrics |= _figures(history.name, found)
    overall = {
        k: v for way, found in total.items() for k, v in _figures("" if way == "muniment" else way, found).items()
    }
    return report("staleness", {"facts": size, "seed": seed, "repositories": len(repo)}, overall | metrics)


def _figures(name: str, found: Score) -> dict[str, float]:
    pre = f"{name}_" if name else ""
    return {
        f"{pre}recall": found.recall, f"{pre}false_flags": found.false_flags, f"{pre}endangered": float(found.hit + found.missed),
        f"{pre}sound": float(found.false + found.right), f"{pre}unknown": float(found.unknown),
    }  # fmt: skip


def _histories(scratch: Path, size: int, repositories: Iterable[Path], seed: int) -> Iterator[_History]:
    for number, name in enumerate(_SCRIPTS):
        yield _written(scratch / name, name, size, seed + number)
    for path in repositories:
        yield from _happened(scratch, path, size, seed)


# --- written


def _written(root: Path, name: str, size: int, seed: int) -> _History:
    project = Project(seed, _FILES)
    root.mkdir()
    real.git(root, "init", "-q", "-b", "main")
    _commit(root, project, 0)
    if name in ("branches", "rebase", "shallow"):
        project.edit("head")
        _commit(root, project, 1)
    a = real.git(root, "rev-parse", "HEAD").strip()
    facts = list(_cited(project, a, size, seed))
    if name == "branches":
        real.git(root, "checkout", "-q", "-b", "topic")
    for number in range(_COMMITS):
        for _ in range(3):
            project.edit(_SCRIPTS[name][(number + _) % len(_SCRIPTS[name])])
        _commit(root, project, number + 2)
    root = _after(root, name)
    truth = _Truth(project.files)
    return _History(name, root, [f._replace(is_endangered=truth.is_endangered(f)) for f in facts], _times(root))


def _after(root: Path, name: str) -> Path:
    """What people do with branches: away and back, everything written anew on another base, or little of it fetched."""
    if name == "branches":
        real.git(root, "checkout", "-q", "main")
        real.git(root, "checkout", "-q", "topic")
    elif name == "rebase":
        real.git(root, "checkout", "-q", "--orphan", "anew")
        real.git(root, *_AUTHOR, "commit", "-q", "-m", "all of it, written anew")
        real.git(root, "branch", "-q", "-D", "main")
    elif name == "shallow":
        real.git(root.parent, "clone", "-q", "--depth", "3", f"file://{root}", str(root.parent / "shallow-clone"))
        return root.parent / "shallow-clone"
    return root


_AUTHOR = ("-c", "user.name=Dev", "-c", "user.email=dev@example.org")


def _commit(root: Path, project: Project, number: int) -> None:
    for path in real.git(root, "ls-files").splitlines():
        (root / path).unlink(missing_ok=True)
    for file in project.files:
        (root / file.path).parent.mkdir(parents=True, exist_ok=True)
        (root / file.path).write_text(file.text(), encoding="utf-8")
    real.git(root, "add", "-A")
    date = f"2026-02-{number + 1:02}T10:00:00Z"
    real.git(root, *_AUTHOR, "commit", "-q", "--allow-empty", "--date", date, "-m", f"step {number}")


class _Written(NamedTuple):
    """What the script of edits knows a citation by: the identities of lines, or a definition with its meaning."""

    lines: tuple[int, ...]
    symbol: tuple[str, int]


_KNOWN: dict[str, _Written] = {}


def _cited(project: Project, commit: str, size: int, seed: int) -> Iterator[Cited]:
    """Lines and definitions by turns, all over the project."""
    rng, number = random.Random(seed), 0
    while number < size:
        file = rng.choice(project.files)
        lines = file.lines()
        if number % 2:
            function = rng.choice(file.functions)
            address = f"symbol:{file.path}#{function.name}@git:{commit}"
            known = _Written((), (function.name, function.meaning))
        else:
            first = rng.randrange(len(lines))
            last = min(len(lines) - 1, first + rng.choice((0, 1, 2, 4)))
            if not any(c.isalnum() for line in lines[first : last + 1] for c in line.text):
                continue
            address = real.address(file.path, first + 1, last + 1, commit)
            known = _Written(tuple(line.id for line in lines[first : last + 1]), ("", 0))
        text = f"statement {seed} {number} {rng.getrandbits(40):x}"
        _KNOWN[text] = known
        yield Cited(text, address, "symbol" if number % 2 else "lines", file.path, 0.0, False)
        number += 1


class _Truth:
    """What the script of edits says of B."""

    def __init__(self, files: Sequence[File]) -> None:
        self._symbols = {(f.name, f.meaning) for file in files for f in file.functions}
        self._runs = [[line.id for line in file.lines()] for file in files]

    def is_endangered(self, fact: Cited) -> bool:
        """Are the lines not together any more, or does the definition do something else?"""
        known = _KNOWN[fact.text]
        if not known.lines:
            return known.symbol not in self._symbols
        wanted, size = list(known.lines), len(known.lines)
        return not any(
            run[at : at + size] == wanted for run in self._runs for at in range(len(run)) if run[at] == wanted[0]
        )


# --- happened


def _happened(scratch: Path, path: Path, size: int, seed: int) -> Iterator[_History]:
    """Two stretches of a history: the last tenth of it, and its last third."""
    name = path.resolve().name.removesuffix(".git")
    name = path.resolve().parent.name.split("+")[-1] if name == "repo" else name
    root = scratch / f"clone-{name}"
    real.git(scratch, "clone", "-q", "--no-local", str(path.resolve()), str(root))
    line = real.commits(root)
    for part, back in (("late", min(len(line) // 10, 150)), ("long", min(len(line) // 3, 500))):
        if back:
            a, b = line[back], line[0]
            spans = real.spans(root, a, b, size, seed)
            facts = [
                Cited(f"statement {name} {part} {n}", real.address(s.path, s.first, s.last, a), "lines", s.path, 0.0,
                      s.is_endangered, s.is_put_back) for n, s in enumerate(spans)
            ]  # fmt: skip
            yield _History(f"{name}_{part}", root, facts, _times(root))


def _times(root: Path) -> dict[str, float]:
    """When each file was touched last, in seconds, by history alone."""
    found: dict[str, float] = {}
    at = 0.0
    for line in real.git(root, "log", "--format=%x01%at", "--name-only").splitlines():
        if line.startswith("\x01"):
            at = float(line[1:])
        elif line:
            found.setdefault(line, at)
    return found


# --- what is said of them


def _measured(history: _History, scratch: Path) -> dict[str, Score]:
    """Ours, and the ways that others go."""
    facts = history.facts
    flagged, unknown = _checked(history, scratch)
    head = real.git(history.root, "rev-parse", "HEAD").strip()
    behind = frozenset(f.text for f in facts if not f.address.endswith(head))  # all of it is stale once HEAD went on
    ours = scoring.score(facts, flagged, unknown)
    return {
        "muniment": ours,
        "touched": scoring.score(
            (f._replace(is_endangered=f.is_endangered or f.is_put_back) for f in facts), flagged, unknown
        ),
        "age": scoring.score(facts, scoring.by_age(facts, history.touched)),
        "behind_head": scoring.score(facts, behind),
        "file_hash": scoring.score(facts, _by_file(history)),
    }


def _checked(history: _History, scratch: Path) -> tuple[frozenset[str], frozenset[str]]:
    home = scratch / f"home-{history.name}"
    export = scratch / f"{history.name}.jsonl"
    with Memory.open(history.root, home=home, vouch="person") as memory:
        cited.write(export, str(history.root), ((f.text, f.address) for f in history.facts))
        memory.load("jsonl", export)
        done = memory.check()
        found = memory.drifts(most=len(history.facts))
    by_address: dict[str, list[str]] = {}
    for fact in history.facts:
        by_address.setdefault(fact.address, []).append(fact.text)
    flagged = frozenset(f.text for drift in found.drifts for f in drift.facts)
    return flagged, frozenset(text for address, _ in done.unknown for text in by_address[address])


def _by_file(history: _History) -> frozenset[str]:
    """A fact is stale when its file has not the bytes that it had."""
    gone = set()
    for fact in history.facts:
        commit = fact.address.rpartition("git:")[2]
        try:
            then = real.git(history.root, "rev-parse", f"{commit}:{fact.path}")
            now = real.git(history.root, "rev-parse", f"HEAD:{fact.path}")
        except CalledProcessError:
            gone.add(fact.text)
            continue
        if then != now:
            gone.add(fact.text)
    return frozenset(gone)
