"""Which program a segment of a command line really starts, once prefixes and launchers are taken off."""

from __future__ import annotations

import re

from muniment.capture.extract.shell import Word

Words = tuple[Word, ...]

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=")
_KEYWORDS = frozenset("if then else elif do while until ! { time".split())
_WRAPPERS = frozenset(
    "sudo env nohup command exec builtin nice ionice stdbuf timeout gtimeout chronic unbuffer".split()
)
_DURATION = re.compile(r"\d+(?:\.\d+)?[smhd]?")
_RUNNERS = frozenset("uv poetry pipenv pdm hatch rye pixi npx pnpx bunx pnpm yarn bun conda mamba".split())
_DIRECT = frozenset("npx pnpx bunx".split())
OPTIONS_WITH_VALUE = frozenset(
    "--with --python -p --extra --group --project --directory -u -k -s --env-file --package -n --name --filter -C --cwd"
    " --prefix -w --workspace --only-group".split()
)
_WRAPPER_VALUES = frozenset("-u -g -n -k -s --user --signal --kill-after".split())


def base_name(word: Word) -> str:
    """The program's name without its folder or `.exe`."""
    return word.value.replace("\\", "/").rpartition("/")[2].removesuffix(".exe")


def stripped(words: Words) -> Words:
    """The words from the program on: no assignments, shell keywords or wrappers such as `timeout 60`."""
    while words:
        rest = _without_prefix(words)
        if rest is words:
            return words
        words = rest
    return words


def _without_prefix(words: Words) -> Words:
    first = words[0].value
    if _ASSIGNMENT.match(first) or first in _KEYWORDS:
        return words[1:]
    if base_name(words[0]) in _WRAPPERS:
        return after_options(words[1:], _WRAPPER_VALUES, durations=True)
    return words


def after_options(words: Words, with_value: frozenset[str], durations: bool = False) -> Words:
    """The words after the leading options, and after the values of those options that take one."""
    while words:
        value = words[0].value
        if value in with_value:
            words = words[2:]
        elif value.startswith("-") or (durations and _DURATION.fullmatch(value)):
            words = words[1:]
        else:
            return words
    return words


def launched(words: Words) -> Words:
    """The words from the program on, also behind `uv run`, `poetry run`, `npx`, `pnpm exec` and the like."""
    words = stripped(words)
    if not words or base_name(words[0]) not in _RUNNERS:
        return words
    if base_name(words[0]) in _DIRECT:
        return after_options(words[1:], OPTIONS_WITH_VALUE)
    rest = after_options(words[1:], OPTIONS_WITH_VALUE)
    if rest and rest[0].value in ("run", "exec", "dlx", "x") and base_name(words[0]) not in ("pnpm", "yarn", "bun"):
        return stripped(after_options(rest[1:], OPTIONS_WITH_VALUE))
    if rest and rest[0].value in ("exec", "dlx", "x"):
        return after_options(rest[1:], OPTIONS_WITH_VALUE)
    return words


def git_verb(words: Words) -> tuple[str, Words, Word | None] | None:
    """Of a git command: the verb, the words after it, and the folder of `-C`; None for any other program."""
    words, folder = stripped(words), None
    if not words or base_name(words[0]) != "git":
        return None
    rest = words[1:]
    while rest and rest[0].value.startswith("-"):
        folder = rest[1] if rest[0].value == "-C" and len(rest) > 1 else folder
        rest = rest[2:] if rest[0].value in ("-C", "-c") else rest[1:]
    return (rest[0].value, rest[1:], folder) if rest else None
