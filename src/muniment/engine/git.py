"""Git, asked in few calls: nothing is written, no hook, filter or other program of the repository's is run, and no network."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Sequence
from typing import NamedTuple

_GIT = (
    "git", "--no-optional-locks", "--literal-pathspecs", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null",
    "-c", "safe.directory=*", "-c", "protocol.allow=never", "-c", "core.quotePath=false", "-c", "log.showSignature=false",
    "-c", "diff.renameLimit=20000", "-c", "merge.renameLimit=20000",
)  # fmt: skip
_DIFF = ("--no-color", "--no-ext-diff", "--no-textconv", "-M")
_SECONDS = 120


class Object(NamedTuple):
    """What `commit:path` names: the id of a blob, and how large it is."""

    id: str
    size: int


class Change(NamedTuple):
    """A commit: its id, who made it, when (as git has it), and its first line."""

    commit: str
    author: str
    at: str
    title: str


class Git:
    """One work tree."""

    def __init__(self, root: str) -> None:
        self._root = root

    def head(self) -> str | None:
        """The commit that is checked out; None where there is none, or no repository."""
        return self.commit("HEAD")

    def commit(self, name: str) -> str | None:
        """The commit that a name or a part of an id means."""
        if name.startswith("-") or not name:
            return None
        found = self._run("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
        return found.decode().strip() or None if found is not None else None

    def known(self, commits: Iterable[str]) -> dict[str, str]:
        """The full ids of those commits that are here, by how they were written."""
        named = sorted(set(commits))
        answers = self._batch("--batch-check", [f"{c}^{{commit}}" for c in named]).decode().splitlines()
        found = zip(named, (a.split(" ") for a in answers), strict=False)
        return {name: words[0] for name, words in found if len(words) == 3 and words[1] == "commit"}

    def objects(self, places: Sequence[tuple[str, str]]) -> dict[tuple[str, str], Object]:
        """The files (commit, path) that are there."""
        asked = [p for p in places if "\n" not in p[1]]
        answers = self._batch("--batch-check", [f"{c}:{p}" for c, p in asked]).decode("utf-8", "replace").split("\n")
        found = zip(asked, (a.split(" ") for a in answers), strict=False)
        return {place: Object(w[0], int(w[2])) for place, w in found if len(w) == 3 and w[1] == "blob"}

    def contents(self, ids: Iterable[str]) -> dict[str, bytes]:
        """The bytes of blobs."""
        out, at, found = self._batch("--batch", sorted(set(ids))), 0, {}
        while at < len(out):
            end = out.index(b"\n", at)
            words = out[at:end].decode().split(" ")
            at = end + 1
            if len(words) == 3:
                size = int(words[2])
                found[words[0]] = out[at : at + size]
                at += size + 1
        return found

    def renamed(self, commit: str) -> dict[str, str]:
        """Where the files of a commit are in the work tree, of those that it has under another name."""
        words = self._words("diff", *_DIFF, "--name-status", "-z", "--diff-filter=R", commit, "--")
        return dict(zip(words[1::3], words[2::3], strict=False))

    def renamed_since(self, commit: str, path: str) -> str | None:
        """Where a file went, commit by commit, each time it was renamed; None if it ended."""
        for _ in range(20):
            gone = self._words("log", "-1", "--format=%H", "--diff-filter=D", "--no-renames", "-m", "--first-parent",
                               f"{commit}..HEAD", "--", path)  # fmt: skip
            if not gone:
                return None
            last = gone[0].strip()
            words = self._words("diff", *_DIFF, "--name-status", "-z", "--diff-filter=R", f"{last}^", last, "--")
            moved = dict(zip(words[1::3], words[2::3], strict=False)).get(path)
            if moved is None or self.has(moved):
                return moved
            commit, path = last, moved
        return None

    def has(self, path: str) -> bool:
        """Is it in the commit that is checked out?"""
        return bool(self.objects([("HEAD", path)]))

    def changed(self, commit: str) -> list[str]:
        """The files of the work tree that are not as the commit has them; with those that git does not know."""
        known = self._words("diff", *_DIFF, "--name-only", "-z", "--diff-filter=AMRT", commit, "--")
        return [*known, *self.untracked()]

    def touched(self, commit: str) -> list[str]:
        """The same with those that are gone, under every name that they had."""
        words = self._words("diff", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--name-only", "-z",
                            commit, "--")  # fmt: skip
        return [*words, *self.untracked()]

    def untracked(self) -> list[str]:
        """The files that git does not know and does not ignore."""
        return self._words("ls-files", "-z", "--others", "--exclude-standard")

    def dirty(self) -> frozenset[str]:
        """The files that are not as the commit has them that is checked out."""
        return frozenset(self._words("diff", "--no-ext-diff", "--no-renames", "--name-only", "-z", "HEAD", "--"))

    def log(self, since: str, paths: Sequence[str], most: int = 5_000) -> list[tuple[Change, frozenset[str]]]:
        """The commits since one that touched these files, the newest first, each with those that it touched."""
        out = self._run("log", f"-{most}", "--no-renames", "-m", "--first-parent", "--name-only", "-z",
                        "--format=%x01%H%x02%an%x02%aI%x02%s", f"{since}..HEAD", "--", *paths)  # fmt: skip
        found = []
        for piece in (out or b"").decode("utf-8", "replace").split("\x01")[1:]:
            head, _, rest = piece.partition("\0")
            names = frozenset(n.strip("\n") for n in rest.split("\0") if n.strip("\n"))
            found.append((Change(*head.split("\x02", 3)), names))
        return found

    def is_ancestor(self, commit: str) -> bool:
        """Does the commit that is checked out come after this one?"""
        return self._run("merge-base", "--is-ancestor", commit, "HEAD") is not None

    def last_with(self, since: str, path: str, words: str) -> Change | None:
        """The last commit that changed how often a line stands in a file."""
        return self._one("log", "-1", f"-S{words}", f"{since}..HEAD", "--", path)

    def last_at(self, since: str, path: str, span: tuple[int, int]) -> Change | None:
        """The last commit that touched lines as they are in the commit that is checked out."""
        return self._one("log", "-1", "-s", f"-L{span[0]},{span[1]}:{path}", f"{since}..HEAD")

    def _one(self, *words: str) -> Change | None:
        out = self._run(*words[:1], "--format=%H%x02%an%x02%aI%x02%s", *words[1:])
        parts = (out or b"").decode("utf-8", "replace").split("\n")[0].split("\x02", 3)
        return Change(*parts) if len(parts) == 4 else None

    def _words(self, *words: str) -> list[str]:
        out = self._run(*words)
        return [w for w in (out or b"").decode("utf-8", "surrogateescape").split("\0") if w]

    def _batch(self, how: str, asked: Sequence[str]) -> bytes:
        if not asked:
            return b""
        given = "".join(f"{a}\n" for a in asked).encode("utf-8", "surrogateescape")
        return self._run("cat-file", how, given=given) or b""

    def _run(self, *words: str, given: bytes | None = None) -> bytes | None:
        """What git says; None where it cannot."""
        try:
            done = subprocess.run(
                [*_GIT, *words], cwd=self._root, input=given, stdin=None if given is not None else subprocess.DEVNULL,
                capture_output=True, timeout=_SECONDS, check=False,
            )  # fmt: skip
        except (OSError, subprocess.SubprocessError, ValueError):
            return None
        return done.stdout if done.returncode == 0 else None
