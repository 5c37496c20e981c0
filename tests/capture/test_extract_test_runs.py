from __future__ import annotations

import pytest
from tests.capture.extract_cases import call, drafts, joined, ran, result

from muniment.model.entity import SELF
from muniment.model.event import Span
from muniment.model.fact import Draft


def runs(command, output, **facts):
    return [(d.literal, d.context) for d in ran(command, output, only="passed", **facts)]


def test_a_test_run_is_a_fact_of_the_result() -> None:
    output = "..F\n===== 1 failed, 2 passed, 1 skipped in 0.34s =====\n"
    made, said = call("run", {"command": "pytest"}), result(output, exit_code=1)
    assert drafts(made, said, only="passed") == [
        Draft(
            "passed",
            SELF,
            Span(10, 48),
            literal="1 failed, 2 passed, 1 skipped in 0.34s",
            rung=2,
            context="tool:pytest passed:2 failed:1 skipped:1 exit:1",
        )
    ]
    (draft,) = [d for d in drafts(joined("run", {"command": "pytest"}, output)) if d.predicate == "passed"]
    assert draft.witness is None


MOCHA = "  3 passing (9ms)\n  1 pending\n  2 failing\n\n  1) x\n"
NODE = "# tests 4\n# suites 0\n# pass 2\n# fail 1\n# cancelled 0\n# skipped 1\n# todo 0\n"
PROVE = (
    "t/a.t (Wstat: 256 (exited 1) Tests: 3 Failed: 1)\n  Failed test:  2\n"
    "Files=1, Tests=3,  0 wallclock secs\nResult: FAIL\n"
)
CARGO = (
    "test result: ok. 5 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n"
    "test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n"
)


@pytest.mark.parametrize(
    ("command", "output", "literal", "context"),
    [
        ("pytest -q", "12 passed in 0.3s", "12 passed in 0.3s", "tool:pytest passed:12 failed:0"),
        ("pytest", "== 3 passed, 2 warnings in 61.20s (0:01:01) ==", None, "tool:pytest passed:3 failed:0"),
        ("pytest", "=== 1 passed, 2 errors in 1.1s ===", None, "tool:pytest passed:1 failed:0 errors:2"),
        ("pytest", "no tests ran in 0.01s", "no tests ran in 0.01s", "tool:pytest passed:0 failed:0"),
        (
            "python -m unittest",
            "Ran 5 tests in 0.010s\n\nOK",
            "Ran 5 tests in 0.010s\n\nOK",
            "tool:unittest passed:5 failed:0",
        ),
        (
            "python3.12 -m unittest -v",
            "Ran 6 tests in 1s\n\nFAILED (failures=1, errors=2, skipped=1)\n",
            None,
            "tool:unittest passed:2 failed:1 skipped:1 errors:2",
        ),
        (
            "go test ./...",
            "ok  \ta\t0.01s\nFAIL\tb\t0.02s\nFAIL\n",
            "FAIL\tb\t0.02s",
            "tool:go passed:1 failed:1 unit:package",
        ),
        (
            "go test -v ./a",
            "--- PASS: TestA (0.00s)\n    --- SKIP: TestA/x (0.00s)\nPASS\nok  \ta\t(cached)\n",
            "ok  \ta\t(cached)",
            "tool:go passed:1 failed:0 skipped:1",
        ),
        ("cargo +nightly test", CARGO, CARGO.split("\n")[1], "tool:cargo passed:7 failed:0 skipped:1"),
        (
            "cargo nextest run",
            "     Summary [   0.005s] 3 tests run: 2 passed, 1 failed, 4 skipped",
            None,
            "tool:cargo passed:2 failed:1 skipped:4",
        ),
        (
            "npx vitest run",
            "      Tests  1 failed | 5 passed (6)\n",
            "Tests  1 failed | 5 passed (6)",
            "tool:vitest passed:5 failed:1",
        ),
        ("npm test", "Tests:       1 failed, 5 passed, 6 total\n", None, "tool:jest passed:5 failed:1"),
        ("npx mocha", MOCHA, "3 passing (9ms)\n  1 pending\n  2 failing", "tool:mocha passed:3 failed:2 skipped:1"),
        ("node --test", NODE, "# pass 2\n# fail 1", "tool:node passed:2 failed:1 skipped:1"),
        ("prove -l", PROVE, "Files=1, Tests=3,  0 wallclock secs\nResult: FAIL", "tool:prove passed:2 failed:1"),
        ("ctest", "67% tests passed, 1 tests failed out of 3\n", None, "tool:ctest passed:2 failed:1"),
        ("make test", "12 passed in 0.3s\n", "12 passed in 0.3s", "tool:pytest passed:12 failed:0"),
        (
            "pytest",
            "\x1b[32m== \x1b[1m2 passed\x1b[0m in 0.1s ==\x1b[0m",
            "2 passed\x1b[0m in 0.1s",
            "tool:pytest passed:2 failed:0",
        ),
    ],
)
def test_the_summaries_of_known_runners_are_counted(command, output, literal, context) -> None:
    ((text, words),) = runs(command, output)
    assert words == context
    assert literal is None or text == literal


@pytest.mark.parametrize(
    "command",
    [
        "cd src && pytest -q",
        "FOO=1 timeout 60 python -m pytest",
        "uv run --with x pytest",
        "poetry run python -m pytest",
        "tox -e py311",
        "bash -lc 'pytest -q'",
        "python -m coverage run -m pytest",
        "./venv/bin/pytest tests/test_a.py::test_b",
        "python tests/test_a.py",
        "make -C sub check",
        "pytest -q > out.log; cat out.log",
        "(pytest -q) 2>&1 | tail -3",
        "if pytest; then echo good; fi",
    ],
)
def test_many_ways_lead_to_a_test_run(command) -> None:
    assert [words for _, words in runs(command, "3 passed in 0.10s\n")] == ["tool:pytest passed:3 failed:0"]


@pytest.mark.parametrize(
    "command",
    [
        "cat pytest.log",
        "echo '3 passed in 0.10s'",
        "grep passed log",
        "echo pytest; cat log",
        "pytest --collect-only; cat log",
        "pytest --version",
        "npm install jest",
        "npm run build",
        "make build",
        "go build ./...",
        "cargo build",
        "node script.js",
        "python script.py",
        "cat log # pytest",
        "cat <<EOF\npytest\n3 passed in 0.10s\nEOF",
        "git commit -m 'pytest'",
        "pytest '",
    ],
)
def test_a_printed_summary_is_no_run(command) -> None:
    assert runs(command, "3 passed in 0.10s\nTests: 3 passed, 3 total\n", exit_code=0) == []


def test_no_more_summaries_are_believed_than_commands_that_make_one() -> None:
    output = "9 passed in 9.00s\n1 passed in 0.10s\n2 passed in 0.20s\n"
    assert [text for text, _ in runs("cat old.log && pytest a", output)] == ["2 passed in 0.20s"]
    assert [text for text, _ in runs("pytest a && pytest b", output)] == ["1 passed in 0.10s", "2 passed in 0.20s"]


def test_the_exit_code_is_told_only_where_it_is_that_of_the_tests() -> None:
    assert runs("pytest | tail -1", "1 failed in 0.1s", exit_code=0) == [
        ("1 failed in 0.1s", "tool:pytest passed:0 failed:1")
    ]
    assert runs("cd a && pytest", "1 passed in 0.1s", exit_code=0)[0][1].endswith(" exit:0")


def test_make_without_a_known_summary_counts_when_it_ended_well() -> None:
    assert runs("make check", "checking\nall good\n", exit_code=0) == [("all good", "tool:make exit:0")]
    assert runs("make check", "checking\nall good\n", exit_code=2) == []
    assert runs("make check", "make: Nothing to be done for 'check'.\n", exit_code=0) == []
    assert runs("make check", "", exit_code=0) == []


def test_only_the_end_of_a_long_output_is_looked_at() -> None:
    assert runs("pytest", "1 passed in 0.1s\n" + "x\n" * 40_000) == []
    assert len(runs("pytest", "x\n" * 40_000 + "1 passed in 0.1s\n")) == 1


def test_a_result_without_its_call_tells_nothing() -> None:
    assert drafts(result("1 passed in 0.1s")) == []
