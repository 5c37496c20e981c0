"""Rules of the person's own: what a configuration says is secret, beside the shapes that every program knows.

They hold in the whole process, whichever door a text comes in by: masking takes no argument that a door could forget to
pass. Where memories of two homes are open at once, each masks by the rules of both; to mask more is the safe side.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

_MOST = 100


class Rules(NamedTuple):
    """Patterns of secrets, and globs of files whose content is never kept."""

    patterns: tuple[re.Pattern[str], ...] = ()
    paths: tuple[str, ...] = ()


_held: dict[str, Rules] = {}
_all = Rules()


def hold(owner: str, rules: Rules) -> None:
    """From now on these are the rules of that owner (a home folder)."""
    global _all  # noqa: PLW0603 - the one place where they are
    if _held.get(owner, Rules()) != rules:
        _held[owner] = rules
        each = [r for _, r in sorted(_held.items())]
        _all = Rules(
            tuple(dict.fromkeys(p for r in each for p in r.patterns)),
            tuple(dict.fromkeys(p for r in each for p in r.paths)),
        )


def are_there() -> bool:
    """Is there any pattern beside the shipped ones?"""
    return bool(_all.patterns)


def find(text: str) -> list[tuple[int, int]]:
    """Where a pattern of the person's own finds something: its first group if it has one, else all of it."""
    found = (m.span(1 if p.groups else 0) for p in _all.patterns for m in p.finditer(text))
    return [(start, end) for start, end in found if 0 <= start < end]


def excludes(path: str, root: str | None = None) -> bool:
    """Is the content of this file never to be kept? `root` is the folder that a relative path is in."""
    if not _all.paths or not path:
        return False
    return any(_matches(path, root, glob) for glob in _all.paths)


def has_paths() -> bool:
    """Is any path excluded?"""
    return bool(_all.paths)


def mentions(words: str, root: str | None = None) -> bool:
    """Does a command name such a file, by what its words say?"""
    return has_paths() and any(excludes(word, root) for word in re.split(r"[\s'\"`;|&<>()=]+", words) if word)


def _matches(path: str, root: str | None, glob: str) -> bool:
    whole = os.path.normpath(path if os.path.isabs(path) or root is None else os.path.join(root, path))
    names = {whole.replace("\\", "/"), path.replace("\\", "/")}
    return any(_expression(form).fullmatch(name) is not None for form in _forms(glob) for name in names)


def _forms(glob: str) -> Iterable[str]:
    """A glob without a slash is a name in any folder; one that does not begin at the top holds below any folder."""
    return (glob,) if glob.startswith("/") else (glob, f"**/{glob}")


@lru_cache(maxsize=256)
def _expression(glob: str) -> re.Pattern[str]:
    """`**` passes over folders, `*` and `?` do not."""
    made = (_GLOB.get(piece) or re.escape(piece) for piece in re.split(r"(\*\*/|\*\*|\*|\?)", glob))
    return re.compile("".join(made), re.DOTALL)


_GLOB = {"": "", "**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}


def compiled(patterns: Sequence[str], paths: Sequence[str]) -> Rules:
    """The rules as written in a configuration. ValueError names what is wrong with one."""
    if len(patterns) > _MOST or len(paths) > _MOST:
        raise ValueError(f"at most {_MOST} patterns and {_MOST} paths")
    made = []
    for pattern in patterns:
        try:
            made.append(re.compile(pattern))
        except (re.error, RecursionError, OverflowError) as error:
            raise ValueError(f"{pattern!r} is no regular expression: {error}") from None
        if made[-1].search(""):
            raise ValueError(f"{pattern!r} finds something in nothing at all")
    return Rules(tuple(made), tuple(paths))
