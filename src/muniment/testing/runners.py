"""What test runners print: pytest, unittest, go, cargo, vitest, jest and make, with counts that are known.

Each function returns the finished command and its counts; output stays within about `size` bytes where it can.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from muniment.testing.lexicon import Dice, Lexicon
from muniment.testing.project import Project, camel


class Output(NamedTuple):
    """One finished command."""

    command: str
    stdout: str
    stderr: str
    exit_code: int


class Counts(NamedTuple):
    """How a test run ended."""

    runner: str
    passed: int
    failed: int
    skipped: int


Tested = tuple[Output, Counts]


def _counts(dice: Dice, runner: str, size: int, per_test: int) -> Counts:
    total = max(2, min(size // per_test, 900))
    failed = dice.between(1, max(1, min(total // 8, 6))) if dice.chance(0.28) else 0
    skipped = dice.below(4) if total > 12 and dice.chance(0.3) else 0
    return Counts(runner, total - failed - skipped, failed, skipped)


def _names(dice: Dice, words: Lexicon, count: int) -> list[str]:
    return dice.choices(words.identifiers, k=count)


def _seconds(dice: Dice) -> float:
    return dice.lognormal(180, 4_000, 90_000) / 100


def pytest(project: Project, size: int) -> Tested:
    """pytest, terse or verbose, with tracebacks for failures."""
    dice, words = project.dice, project.words
    quiet = dice.chance(0.6)
    counts = _counts(dice, "pytest", size, 6 if quiet else 80)
    total = counts.passed + counts.failed + counts.skipped
    files = dice.choices(words.nouns, k=max(1, total // 12))
    lines = (
        []
        if quiet
        else [
            "=" * 29 + " test session starts " + "=" * 30,
            "platform linux -- Python 3.12.7, pytest-8.4.1, pluggy-1.6.0",
            f"collected {total} items",
            "",
        ]
    )
    if quiet:
        marks = "." * counts.passed + "s" * counts.skipped + "F" * counts.failed
        lines += [f"{marks[n : n + 72]:72} [{min(100, (n + 72) * 100 // total):3d}%]" for n in range(0, total, 72)]
    else:
        names = _names(dice, words, total)
        lines += [
            f"tests/test_{files[n * len(files) // total]}.py::test_{name} {'FAILED' if n >= total - counts.failed else 'PASSED'} [{(n + 1) * 100 // total:3d}%]"
            for n, name in enumerate(names)
        ]
    broken = [(dice.pick(files), dice.pick(words.identifiers), dice.pick(words.nouns)) for _ in range(counts.failed)]
    if broken:
        lines += ["", "=" * 35 + " FAILURES " + "=" * 35]
        for file, name, noun in broken:
            have, want = dice.below(500), dice.below(500)
            lines += [
                f"_____ test_{name} _____",
                "",
                f"    def test_{name}({noun}):",
                f"        # {dice.pick(words.clauses)}",
                f"        {noun} = {dice.pick(words.identifiers)}({want})",
            ]
            lines += [
                f">       assert {noun} == {want}",
                f"E       AssertionError: assert {have} == {want}",
                "",
                f"tests/test_{file}.py:{dice.between(5, 400)}: AssertionError",
            ]
        lines += ["=" * 27 + " short test summary info " + "=" * 27]
        lines += [
            f"FAILED tests/test_{file}.py::test_{name} - AssertionError: {dice.pick(words.clauses)}"
            for file, name, _ in broken
        ]
    parts = (
        [f"{counts.failed} failed"] * bool(counts.failed)
        + [f"{counts.passed} passed"]
        + [f"{counts.skipped} skipped"] * bool(counts.skipped)
    )
    lines.append(
        f"{', '.join(parts)} in {_seconds(dice):.2f}s"
        if quiet
        else f"======== {', '.join(parts)} in {_seconds(dice):.2f}s ========"
    )
    target = f" tests/test_{files[0]}.py" if dice.chance(0.5) else ""
    return Output(
        f"{dice.pick(('', 'uv run ', 'python -m '))}pytest {'-q' if quiet else '-v'}{target}",
        "\n".join(lines),
        "",
        int(counts.failed > 0),
    ), counts


def unittest(project: Project, size: int) -> Tested:
    """The standard library's runner; prints to standard error."""
    dice, words = project.dice, project.words
    counts = _counts(dice, "unittest", size, 70)
    total = counts.passed + counts.failed + counts.skipped
    suite = camel(dice.pick(words.nouns))
    verdicts = ["ok"] * counts.passed + ["FAIL"] * counts.failed + ["skipped 'slow'"] * counts.skipped
    lines = [
        f"test_{name} (tests.test_{suite.lower()}.{suite}Test) ... {verdict}"
        for name, verdict in zip(_names(dice, words, total), verdicts, strict=True)
    ]
    lines += ["-" * 70, f"Ran {total} tests in {_seconds(dice):.3f}s", ""]
    skipped = f"skipped={counts.skipped}" if counts.skipped else ""
    if counts.failed:
        lines.append(f"FAILED (failures={counts.failed}{', ' + skipped if skipped else ''})")
    else:
        lines.append(f"OK ({skipped})" if skipped else "OK")
    return Output("python -m unittest -v", "", "\n".join(lines), int(counts.failed > 0)), counts


def go_test(project: Project, size: int) -> Tested:
    """go test -v."""
    dice, words = project.dice, project.words
    counts = _counts(dice, "go", size, 60)
    lines = []
    for n, name in enumerate(_names(dice, words, counts.passed + counts.skipped + counts.failed)):
        mark = "PASS" if n < counts.passed else "SKIP" if n < counts.passed + counts.skipped else "FAIL"
        lines.append(f"--- {mark}: Test{camel(name)} ({dice.below(200) / 100:.2f}s)")
        if mark == "FAIL":
            lines.append(
                f"    {dice.pick(words.nouns)}_test.go:{dice.between(9, 300)}: got {dice.below(99)}, want {dice.below(99)}: {dice.pick(words.clauses)}"
            )
    package = f"example.com/{project.package}/internal/{dice.pick(words.nouns)}"
    if counts.failed:
        lines += ["FAIL", f"FAIL\t{package}\t{_seconds(dice):.3f}s", "FAIL"]
    else:
        lines += ["PASS", f"ok  \t{package}\t{_seconds(dice):.3f}s"]
    return Output(
        dice.pick(("go test -v ./...", "go test ./... -v -race", "go test -v ./internal/...")),
        "\n".join(lines),
        "",
        int(counts.failed > 0),
    ), counts


def cargo_test(project: Project, size: int) -> Tested:
    """cargo test; exit code 101 on failure."""
    dice, words = project.dice, project.words
    counts = _counts(dice, "cargo", size, 55)
    total = counts.passed + counts.failed + counts.skipped
    verdicts = ["ok"] * counts.passed + ["FAILED"] * counts.failed + ["ignored"] * counts.skipped
    names = [f"{dice.pick(words.nouns)}::tests::{name}" for name in _names(dice, words, total)]
    lines = [
        "",
        f"running {total} tests",
        *(f"test {name} ... {verdict}" for name, verdict in zip(names, verdicts, strict=True)),
        "",
    ]
    for name in names[counts.passed : counts.passed + counts.failed]:
        lines += [
            f"---- {name} stdout ----",
            "",
            f"thread '{name}' panicked at src/{dice.pick(words.nouns)}.rs:{dice.between(5, 600)}:{dice.between(5, 40)}:",
            f"assertion `left == right` failed: {dice.pick(words.clauses)}",
            f"  left: {dice.below(90)}",
            f" right: {dice.below(90)}",
            "",
        ]
    verdict = "FAILED" if counts.failed else "ok"
    lines.append(
        f"test result: {verdict}. {counts.passed} passed; {counts.failed} failed; {counts.skipped} ignored; 0 measured; 0 filtered out; finished in {_seconds(dice):.2f}s"
    )
    building = f"   Compiling {project.package} v0.{dice.below(30)}.{dice.below(9)} (/home/dev/demo)\n    Finished `test` profile [unoptimized + debuginfo] target(s) in {_seconds(dice):.2f}s"
    return Output(
        dice.pick(("cargo test", "cargo test --workspace")), "\n".join(lines), building, 101 if counts.failed else 0
    ), counts


def vitest(project: Project, size: int) -> Tested:
    """vitest, also behind npm test."""
    dice, words = project.dice, project.words
    counts = _counts(dice, "vitest", size, 14)
    files = max(1, (counts.passed + counts.failed) // 6)
    bad = min(counts.failed, files)
    lines = ["", f" RUN  v3.2.{dice.below(9)} /home/dev/demo", ""]
    lines += [
        f" {'❯' if n < bad else '✓'} src/{noun}.test.ts ({dice.between(1, 12)} tests{' | 1 failed' if n < bad else ''}) {dice.between(2, 900)}ms"
        for n, noun in enumerate(dice.choices(words.nouns, k=files))
    ]
    for _ in range(counts.failed):
        lines += [
            "",
            f" FAIL  src/{dice.pick(words.nouns)}.test.ts > {dice.pick(words.clauses)}",
            f"AssertionError: expected {dice.below(99)} to be {dice.below(99)}",
            f" ❯ src/{dice.pick(words.nouns)}.test.ts:{dice.between(3, 200)}:{dice.between(2, 40)}",
        ]
    failed = f"{counts.failed} failed | " if counts.failed else ""
    lines += [
        "",
        f" Test Files  {f'{bad} failed | ' if bad else ''}{files - bad} passed ({files})",
        f"      Tests  {failed}{counts.passed} passed{f' | {counts.skipped} skipped' if counts.skipped else ''} ({counts.passed + counts.failed + counts.skipped})",
        f"   Duration  {_seconds(dice):.2f}s",
    ]
    return Output(
        dice.pick(("npx vitest run", "npm test", "pnpm vitest run")), "\n".join(lines), "", int(counts.failed > 0)
    ), counts


def jest(project: Project, size: int) -> Tested:
    """jest; prints to standard error."""
    dice, words = project.dice, project.words
    counts = _counts(dice, "jest", size, 14)
    suites = max(1, (counts.passed + counts.failed) // 6)
    bad = min(counts.failed, suites)
    lines = [
        f"{'FAIL' if n < bad else 'PASS'} src/{noun}.test.ts"
        for n, noun in enumerate(dice.choices(words.nouns, k=suites))
    ]
    for _ in range(counts.failed):
        lines += [
            f"  ● {dice.pick(words.nouns)} › {dice.pick(words.clauses)}",
            "",
            "    expect(received).toBe(expected) // Object.is equality",
            "",
            f"    Expected: {dice.below(99)}",
            f"    Received: {dice.below(99)}",
            "",
        ]
    skipped = f"{counts.skipped} skipped, " if counts.skipped else ""
    lines += [
        "",
        f"Test Suites: {f'{bad} failed, ' if bad else ''}{suites - bad} passed, {suites} total",
        f"Tests:       {f'{counts.failed} failed, ' if counts.failed else ''}{skipped}{counts.passed} passed, {counts.passed + counts.failed + counts.skipped} total",
    ]
    lines += ["Snapshots:   0 total", f"Time:        {_seconds(dice):.3f} s", "Ran all test suites."]
    return Output(
        dice.pick(("npx jest", "npm test -- --ci", "yarn jest --runInBand")),
        "",
        "\n".join(lines),
        int(counts.failed > 0),
    ), counts


def make_test(project: Project, size: int) -> Tested:
    """A test target of a Makefile; exit code 2 on failure."""
    dice, words = project.dice, project.words
    counts = _counts(dice, "make", size, 45)
    nouns = dice.choices(words.nouns, k=counts.passed + counts.failed)
    lines = [
        f"cc -O2 -Wall -Wextra -Iinclude -c src/{noun}.c -o build/{noun}.o" for noun in nouns[: 1 + len(nouns) // 4]
    ]
    lines += [f"[{'  OK  ' if n < counts.passed else ' FAIL '}] test_{noun}" for n, noun in enumerate(nouns)]
    lines.append(f"{counts.passed} passed, {counts.failed} failed")
    error = f"make: *** [Makefile:{dice.between(8, 80)}: test] Error 1" if counts.failed else ""
    return Output(
        dice.pick(("make test", "make check", "make -j8 test")), "\n".join(lines), error, 2 if counts.failed else 0
    ), counts


RUNNERS: dict[str, Callable[[Project, int], Tested]] = {
    "pytest": pytest, "unittest": unittest, "go": go_test, "cargo": cargo_test,
    "vitest": vitest, "npm": vitest, "jest": jest, "make": make_test,
}  # fmt: skip
