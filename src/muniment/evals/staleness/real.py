"""Histories that happened: spans of files at a commit, and by `git blame` what became of their lines."""

from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_HEAD = re.compile(r"([0-9a-f]{40,64}) (\d+) (\d+)")
_SUFFIXES = (
    ".py",
    ".js",
    ".ts",
    ".tsx",
    ".go",
    ".rs",
    ".java",
    ".c",
    ".h",
    ".cc",
    ".cpp",
    ".md",
    ".rst",
    ".toml",
    ".yml",
    ".txt",
)


class Span(NamedTuple):
    """Lines of a file at A, and whether they are at B no more as they were."""

    path: str
    first: int
    last: int
    is_endangered: bool
    is_put_back: bool = False
    """Sound by the difference of A and B, though blame gives its lines to later commits: changed, and changed back."""


def git(root: Path, *words: str) -> str:
    """What git says."""
    command = ["git", "-c", "diff.renameLimit=20000", "-c", "core.quotePath=false", *words]
    done = subprocess.run(command, cwd=root, check=True, capture_output=True)
    return done.stdout.decode("utf-8", "replace")


def address(path: str, first: int, last: int, commit: str) -> str:
    """Lines at a commit, as evidence is written."""
    return f"lines:{path}#L{first}{f'-L{last}' if last > first else ''}@git:{commit}"


def commits(root: Path) -> list[str]:
    """The first line of ancestors, the newest first."""
    return git(root, "rev-list", "--first-parent", "HEAD").split()


def spans(root: Path, a: str, b: str, size: int, seed: int) -> list[Span]:
    """`size` spans of files of A that the commits up to B touched or left, with what blame says of them at B."""
    rng = random.Random(seed)
    paths = [p for p in git(root, "ls-tree", "-r", "--name-only", a).splitlines() if p.endswith(_SUFFIXES)]
    touched = set(git(root, "diff", "--no-renames", "--name-only", a, b).splitlines())
    changed = [p for p in paths if p in touched]
    kept = [p for p in paths if p not in touched]
    chosen = [*rng.sample(changed, min(60, len(changed))), *rng.sample(kept, min(20, len(kept)))]
    found = [s for p in chosen for s in _of_file(root, a, p, rng)]
    rng.shuffle(found)
    truth = _Truth(root, a, b)
    return [s._replace(is_endangered=truth.is_endangered(s), is_put_back=truth.is_put_back(s)) for s in found[:size]]


def _of_file(root: Path, commit: str, path: str, rng: random.Random) -> Iterator[Span]:
    lines = _lines(root, commit, path)
    for _ in range(12 if lines else 0):
        first = rng.randint(1, len(lines))
        last = min(len(lines), first + rng.choice((0, 1, 2, 4, 9)))
        if sum(c.isalnum() for line in lines[first - 1 : last] for c in line) >= 8:
            yield Span(path, first, last, False)


def _lines(root: Path, commit: str, path: str) -> list[str]:
    try:
        text = git(root, "cat-file", "blob", f"{commit}:{path}")
    except subprocess.CalledProcessError:
        return []
    return [] if "\0" in text else text.split("\n")[:-1]


def _touches(hunk: tuple[int, int], span: Span) -> bool:
    """Does a hunk (first old line, how many; none where lines were only put behind it) lie in a span?"""
    first, count = hunk
    if not count:
        return span.first <= first < span.last
    return first <= span.last and span.first < first + count


def _hunks(diff: str) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """The hunks of each file, by its old name."""
    path, found = "", list[tuple[int, int]]()
    for line in diff.split("\n"):
        if line.startswith("--- "):
            path, found = line[6:].rstrip("\t"), []
            yield path, found
        elif (head := _HUNK.match(line)) is not None and path:
            found.append((int(head[1]), int(head[2] if head[2] is not None else 1)))


_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+")


def _tells(line: str) -> bool:
    return any(c.isalnum() for c in line)


class _Truth:
    """Which lines of A are at B, by git alone: those that its diff leaves out, and those that its blame follows to where they
    are, in whole files and in blocks that moved."""

    def __init__(self, root: Path, a: str, b: str) -> None:
        self._root, self._a, self._b = root, a, b
        self._places: dict[tuple[str, int], set[tuple[str, int]]] = {}
        self._texts: dict[tuple[str, str], list[str]] = {}
        for path in git(root, "diff", "-M", "--name-only", "--diff-filter=AMR", a, b).splitlines():
            self._blame(path)
        self._touched = set(git(root, "diff", "--no-renames", "--name-only", a, b).splitlines())
        self._hunks = dict(_hunks(git(root, "diff", "-M", "-U0", "--no-color", "--no-ext-diff", a, b)))

    def is_endangered(self, span: Span) -> bool:
        """Are its lines gone, or is something else between them? Empty lines and lone brackets count by their text alone."""
        if span.path not in self._touched:
            return False
        if not any(_touches(hunk, span) for hunk in self._hunks.get(span.path, ((0, 1 << 30),))):
            return False  # as it was, or written back: git sees no difference between A and B
        return not self._is_followed(span)

    def is_put_back(self, span: Span) -> bool:
        """Does only blame tell that somebody had changed it?"""
        is_sound = span.path in self._touched and not self.is_endangered(span)
        return is_sound and not self._is_followed(span)

    def _is_followed(self, span: Span) -> bool:
        """Does blame lead all of its lines from B to A?"""
        rows = range(span.first, span.last + 1)
        told = next(n for n in rows if _tells(self._text(self._a, span.path)[n - 1]))
        return any(
            all(self._is_there(span.path, n, path, line + n - told) for n in rows)
            for path, line in self._places.get((span.path, told), set())
        )

    def _is_there(self, path: str, row: int, new: str, at: int) -> bool:
        old = self._text(self._a, path)[row - 1]
        if _tells(old):
            return (new, at) in self._places.get((path, row), set())
        now = self._text(self._b, new)
        return 0 < at <= len(now) and now[at - 1] == old

    def _text(self, commit: str, path: str) -> list[str]:
        if (commit, path) not in self._texts:
            self._texts[commit, path] = _lines(self._root, commit, path)
        return self._texts[commit, path]

    def _blame(self, path: str) -> None:
        words = ("blame", "--porcelain", "-M", "-C", "--first-parent", f"{self._a}..{self._b}", "--", path)
        try:
            out = git(self._root, *words)
        except subprocess.CalledProcessError:
            return
        names: dict[str, str] = {}
        commit = old = new = ""
        for line in out.split("\n"):
            if line.startswith("\t"):
                if commit == self._a:
                    key = (names.get(commit + old + new, names.get(commit, path)), int(old))
                    self._places.setdefault(key, set()).add((path, int(new)))
            elif (head := _HEAD.match(line)) is not None:
                commit, old, new = head[1], head[2], head[3]
            elif line.startswith("filename "):
                names[commit] = line[9:]
