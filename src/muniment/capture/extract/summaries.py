"""The lines in which test runners sum up a run, and the counts in them.

Each reader gets the lines of an output and gives `Summary` values in the order of the text. Lines are matched whole,
one at a time, and long ones are passed over, so the work is linear in the output.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

_LONGEST = 400
_N = r"(\d{1,9})"


class Line(NamedTuple):
    """One line without its white space, and where it stands in the output."""

    text: str
    start: int
    end: int


class Summary(NamedTuple):
    """A run's summary: its place in the output and its counts."""

    start: int
    end: int
    passed: int
    failed: int
    skipped: int = 0
    errors: int = 0
    unit: str = ""

    def words(self, tool: str) -> list[str]:
        """The counts as words of a draft's context."""
        words = [f"tool:{tool}", f"passed:{self.passed}", f"failed:{self.failed}"]
        words += [f"skipped:{self.skipped}"] if self.skipped else []
        words += [f"errors:{self.errors}"] if self.errors else []
        return words + ([f"unit:{self.unit}"] if self.unit else [])


def lines(output: str) -> list[Line]:
    """The non-empty lines of an output that are short enough to be a summary."""
    found, pos = [], 0
    for line in output.split("\n"):
        bare = line.strip()
        if bare and len(bare) <= _LONGEST:
            start = pos + len(line) - len(line.lstrip())
            found.append(Line(bare, start, start + len(bare)))
        pos += len(line) + 1
    return found


_COUNT = re.compile(_N + r" +([a-z]+)")


def _counts(text: str) -> dict[str, int]:
    return {word.rstrip("s") if word == "errors" else word: int(number) for number, word in _COUNT.findall(text)}


_PYTEST = re.compile(
    r"=* *((?:\d{1,9} +[a-z]+(?:, +|))+|no tests ran) +in +\d+(?:\.\d+)?s(?: +\(\d+(?: days?, \d+)?:\d\d:\d\d\))? *=*"
)
_PYTEST_WORDS = frozenset("passed failed skipped error deselected xfailed xpassed".split())


def _pytest(text: list[Line]) -> Iterator[Summary]:
    """`12 passed, 1 failed, 2 skipped in 0.34s`, with or without its rule of `=`."""
    for line in text:
        found = _PYTEST.fullmatch(line.text) if "s" in line.text and " in " in line.text else None
        if found is None:
            continue
        counts = _counts(found[1])
        if counts.keys() & _PYTEST_WORDS or found[1] == "no tests ran":
            bare = line.text.strip("= ")
            start = line.start + line.text.index(bare)
            passed, failed = counts.get("passed", 0), counts.get("failed", 0)
            yield Summary(start, start + len(bare), passed, failed, counts.get("skipped", 0), counts.get("error", 0))


_RAN = re.compile(r"Ran " + _N + r" tests? in \d+(?:\.\d+)?s")
_VERDICT = re.compile(r"(OK|FAILED|NO TESTS RAN)(?: \(([\w ]+=\d{1,9}(?:, [\w ]+=\d{1,9})*)\))?")
_DETAIL = re.compile(r"([\w ]+)=(\d{1,9})")


def _unittest(text: list[Line]) -> Iterator[Summary]:
    """`Ran 5 tests in 0.01s` and the verdict on the next line that is not empty."""
    for line, after in pairwise(text):
        ran = _RAN.fullmatch(line.text)
        verdict = _VERDICT.fullmatch(after.text) if ran is not None else None
        if ran is not None and verdict is not None:
            details = {name.strip(): int(n) for name, n in _DETAIL.findall(verdict[2] or "")}
            skipped, errors = details.pop("skipped", 0), details.pop("errors", 0)
            others = sum(details.values())
            failed = details.get("failures", 0) + details.get("unexpected successes", 0)
            passed = max(0, int(ran[1]) - skipped - errors - others)
            yield Summary(line.start, after.end, passed, failed, skipped, errors)


_GO_PACKAGE = re.compile(
    r"(?:(ok)[ \t]+\S+[ \t]+(?:\(cached\)|\d[\d.]*s).*|(FAIL)[ \t]+\S+(?:[ \t]+(?:\d[\d.]*s|\[.*\]))?)"
)
_GO_TEST = re.compile(r"--- (PASS|FAIL|SKIP): \S+ \(\d[\d.]*s\)")


def _go(text: list[Line]) -> Iterator[Summary]:
    """Packages (`ok pkg 0.01s`, `FAIL pkg 0.01s`); with `-v` the single tests are counted instead."""
    packages = [(line, found) for line in text if (found := _GO_PACKAGE.fullmatch(line.text)) is not None]
    if not packages:
        return
    tests = [found[1] for line in text if (found := _GO_TEST.fullmatch(line.text)) is not None]
    failed = [line for line, found in packages if found[2]]
    place = (failed or [line for line, _ in packages])[-1]
    if "PASS" in tests or "SKIP" in tests:
        yield Summary(place.start, place.end, tests.count("PASS"), tests.count("FAIL"), tests.count("SKIP"))
    else:
        yield Summary(place.start, place.end, len(packages) - len(failed), len(failed), unit="package")


_CARGO = re.compile(r"test result: (ok|FAILED)\. " + _N + r" passed; " + _N + r" failed; " + _N + r" ignored;.*")
_NEXTEST = re.compile(r"Summary \[ *\d[\d.]*s\] *" + _N + r" tests? run: (.*)")


def _cargo(text: list[Line]) -> Iterator[Summary]:
    """All `test result:` lines of a run summed up (one a crate), or the summary of nextest."""
    found = [(line, match) for line in text if (match := _CARGO.fullmatch(line.text)) is not None]
    if found:
        place = next((line for line, match in found if match[1] == "FAILED"), found[-1][0])
        passed, failed, ignored = (sum(int(match[group]) for _, match in found) for group in (2, 3, 4))
        yield Summary(place.start, place.end, passed, failed, ignored)
    for line in text:
        nextest = _NEXTEST.fullmatch(line.text)
        if nextest is not None:
            counts = _counts(nextest[2])
            yield Summary(
                line.start, line.end, counts.get("passed", 0), counts.get("failed", 0), counts.get("skipped", 0)
            )


_VITEST = re.compile(r"Tests +(?:no tests|(?:\d{1,9} +[a-z ]+?(?: +\| +|))+) *\(" + _N + r"\)")
_JEST = re.compile(r"Tests: +((?:\d{1,9} [a-z]+, )*)" + _N + r" total")


def _vitest(text: list[Line]) -> Iterator[Summary]:
    """`Tests  1 failed | 5 passed (6)`"""
    for line in text:
        if line.text.startswith("Tests ") and _VITEST.fullmatch(line.text):
            counts = _counts(line.text)
            skipped = counts.get("skipped", 0) + counts.get("todo", 0)
            yield Summary(line.start, line.end, counts.get("passed", 0), counts.get("failed", 0), skipped)


def _jest(text: list[Line]) -> Iterator[Summary]:
    """`Tests: 1 failed, 5 passed, 6 total`"""
    for line in text:
        found = _JEST.fullmatch(line.text) if line.text.startswith("Tests:") else None
        if found is not None:
            counts = _counts(found[1])
            skipped = counts.get("skipped", 0) + counts.get("todo", 0)
            yield Summary(line.start, line.end, counts.get("passed", 0), counts.get("failed", 0), skipped)


_MOCHA = re.compile(_N + r" (passing|failing|pending)(?: +\(\d[\d.]*m?s\))?")


def _mocha(text: list[Line]) -> Iterator[Summary]:
    """`5 passing (9ms)` with the lines `1 pending` and `1 failing` that may follow it."""
    for index, line in enumerate(text):
        first = _MOCHA.fullmatch(line.text)
        if first is None or first[2] != "passing":
            continue
        counts, last = {"passing": int(first[1])}, line
        for after in text[index + 1 : index + 3]:
            more = _MOCHA.fullmatch(after.text)
            if more is None or more[2] in counts:
                break
            counts[more[2]], last = int(more[1]), after
        yield Summary(line.start, last.end, counts["passing"], counts.get("failing", 0), counts.get("pending", 0))


_NODE = re.compile(r"[#\u2139] (tests|suites|pass|fail|cancelled|skipped|todo) " + _N)


def _node(text: list[Line]) -> Iterator[Summary]:
    """The block `# pass 5`, `# fail 0`, `# cancelled 0`, `# skipped 0` at the end of `node --test`."""
    matches = [_NODE.fullmatch(line.text) for line in text]
    for index, match in enumerate(matches):
        if match is None or match[1] != "pass":
            continue
        block = {m[1]: int(m[2]) for m in matches[index : index + 5] if m is not None}
        last = text[index + 1] if index + 1 < len(text) and matches[index + 1] is not None else text[index]
        failed, skipped = (
            block.get("fail", 0) + block.get("cancelled", 0),
            block.get("skipped", 0) + block.get("todo", 0),
        )
        yield Summary(text[index].start, last.end, block["pass"], failed, skipped)


_PROVE = re.compile(r"Files=\d{1,9}, Tests=" + _N + r", .*")
_PROVE_RESULT = re.compile(r"Result: (PASS|FAIL|NOTESTS)")
_PROVE_FAILED = re.compile(r"\S+ +\(Wstat: .*Failed: " + _N + r"\)")


def _prove(text: list[Line]) -> Iterator[Summary]:
    """`Files=1, Tests=3, ...` and `Result: PASS`; how many failed stands in the report above."""
    failed = 0
    for line, after in pairwise(text):
        report = _PROVE_FAILED.fullmatch(line.text)
        failed += int(report[1]) if report is not None else 0
        files = _PROVE.fullmatch(line.text)
        if files is not None and _PROVE_RESULT.fullmatch(after.text):
            yield Summary(line.start, after.end, max(0, int(files[1]) - failed), failed)
            failed = 0


_CTEST = re.compile(r"\d{1,3}% tests passed, " + _N + r" tests? failed out of " + _N)


def _ctest(text: list[Line]) -> Iterator[Summary]:
    """`67% tests passed, 1 tests failed out of 3`"""
    for line in text:
        found = _CTEST.fullmatch(line.text)
        if found is not None:
            yield Summary(line.start, line.end, max(0, int(found[2]) - int(found[1])), int(found[1]))


READERS: Mapping[str, Callable[[list[Line]], Iterator[Summary]]] = {
    "pytest": _pytest,
    "unittest": _unittest,
    "go": _go,
    "cargo": _cargo,
    "vitest": _vitest,
    "jest": _jest,
    "mocha": _mocha,
    "node": _node,
    "prove": _prove,
    "ctest": _ctest,
}
