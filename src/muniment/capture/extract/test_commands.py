"""Which segments of a command line run tests, and with what: `cat pytest.log` does not."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from muniment.capture.extract import programs, shell
from muniment.capture.extract.programs import Words

JS = ("vitest", "jest", "mocha", "node")
ALL = ("pytest", "unittest", "go", "cargo", "ctest", "prove", *JS)

_PYTHON = re.compile(r"(?:python|pypy)[\d.]*|py")
_TARGET = re.compile(r"(?:^|[-_:./])(?:tests?|check|unittests?|pytest)(?:$|[-_:./])")
_SCRIPT = re.compile(r"(?:.*/)?(?:tests?_[\w.-]*|[\w.-]*_tests?|tests?|run_?tests?)\.py")
_NOT_A_RUN = frozenset("--version -V --help -h --collect-only --co --fixtures --listTests --list --no-run".split())
_DIRECT: Mapping[str, tuple[str, ...]] = {
    "pytest": ("pytest",),
    "py.test": ("pytest",),
    "tox": ALL,
    "nox": ALL,
    "gotestsum": ("go",),
    "vitest": ("vitest",),
    "jest": ("jest",),
    "mocha": ("mocha",),
    "prove": ("prove",),
    "ctest": ("ctest",),
}
_BUILDERS = frozenset("make gmake just task ninja".split())
_PACKAGERS = frozenset("npm pnpm yarn bun".split())
_MODULES: Mapping[str, tuple[str, ...]] = {
    "pytest": ("pytest",),
    "unittest": ("unittest",),
    "tox": ALL,
    "nox": ALL,
}


class Suite(NamedTuple):
    """A segment that runs tests: with which tools, whether by a builder (`make`), whether the exit code is its own."""

    tools: tuple[str, ...]
    builds: bool
    decides: bool


def find(command: str) -> list[Suite]:
    """The test commands of a command line, in order."""
    segments = shell.segments(command)
    found = []
    for index, segment in enumerate(segments):
        words = programs.launched(segment.words)
        tools = _tools(words) if words and not _only_asks(words) else ()
        if tools:
            builds = programs.base_name(words[0]) in _BUILDERS
            found.append(Suite(tools, builds, index == len(segments) - 1 and segment.after in ("", ";", ")")))
    return found


def _only_asks(words: Words) -> bool:
    return any(word.value in _NOT_A_RUN for word in words[1:])


def _tools(words: Words) -> tuple[str, ...]:
    name, rest = programs.base_name(words[0]), words[1:]
    if name in _DIRECT:
        return _DIRECT[name]
    if _PYTHON.fullmatch(name) or name == "coverage":
        return _python(_after_run(rest) if name == "coverage" else rest)
    if name in _BUILDERS:
        return ALL if any(_TARGET.search(word.value) for word in rest if word.value[:1] != "-") else ()
    if name in _PACKAGERS:
        return _package(rest)
    return _compiled(name, [word.value for word in rest])


def _after_run(words: Words) -> Words:
    return words[1:] if words and words[0].value == "run" else ()


def _python(words: Words) -> tuple[str, ...]:
    """`python -m pytest`, `python -m unittest`, `python manage.py test`, `python tests/test_x.py`."""
    while words and words[0].value.startswith("-") and words[0].value not in ("-m", "-c"):
        words = words[2:] if words[0].value in ("-W", "-X") else words[1:]
    values = [word.value for word in words]
    if values[:1] == ["-m"] and len(values) > 1:
        return _python(_after_run(words[2:])) if values[1] == "coverage" else _MODULES.get(values[1], ())
    if values and (_SCRIPT.fullmatch(values[0]) or (values[1:2] == ["test"] and values[0].endswith("manage.py"))):
        return ("unittest", "pytest")
    return ()


def _package(words: Words) -> tuple[str, ...]:
    """`npm test`, `npm run test:unit`, `pnpm vitest run`, `yarn jest`."""
    words = programs.after_options(words, programs.OPTIONS_WITH_VALUE)
    values = [word.value for word in words if not word.value.startswith("-")]
    if values[:1] in (["run"], ["run-script"]):
        return JS if values[1:] and _TARGET.search(values[1]) else ()
    if values[:1] in (["test"], ["t"], ["tst"]):
        return JS
    return _DIRECT.get(values[0], ()) if values and values[0] in JS else ()


def _compiled(name: str, values: list[str]) -> tuple[str, ...]:
    """`go test`, `cargo test`, `cargo nextest run`, `node --test`."""
    if name == "node":
        return ("node",) if any(value == "--test" or value.startswith("--test-") for value in values) else ()
    values = [value for value in values if not value.startswith(("-", "+"))]
    if name == "go":
        return ("go",) if values[:1] == ["test"] else ()
    if name == "cargo":
        return ("cargo",) if values[:1] in (["test"], ["t"], ["nextest"]) else ()
    return ()
