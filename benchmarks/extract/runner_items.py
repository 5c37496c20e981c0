"""Labelled items of test runs: every runner that is on this machine is run, on tests written here."""

from __future__ import annotations

import json
import shutil

from fixture import Bench, Item, summary

PYTEST = (
    "import pytest\n\ndef test_a(): pass\n\ndef test_b(): pass\n\ndef test_c(): assert {ok}\n\n"
    "@pytest.mark.skip\ndef test_d(): pass\n"
)
UNITTEST = (
    "import unittest\n\nclass T(unittest.TestCase):\n    def test_a(self): pass\n    def test_b(self): assert {ok}\n"
    "    @unittest.skip('later')\n    def test_c(self): pass\n    def test_d(self): {do}\n\n"
    "if __name__ == '__main__':\n    unittest.main()\n"
)
NODE = (
    "const test = require('node:test'); const assert = require('node:assert');\n"
    "test('a', () => {}); test('b', () => assert.ok({ok})); test.skip('c', () => {}); test('d', () => {});\n"
)
CARGO = "#[test]\nfn a() {}\n#[test]\nfn b() { assert!({ok}); }\n#[test]\n#[ignore]\nfn c() {}\n#[test]\nfn d() {}\n"
GO = (
    'package {p}\n\nimport "testing"\n\nfunc TestA(t *testing.T) {}\n'
    'func TestB(t *testing.T) { if {ok} { t.Fatal("no") } }\n'
)
JS = "test('a', () => {}); test('b', () => { if ({ok}) throw new Error('no'); }); test.skip('c', () => {});\n"
MOCHA = "it('a', () => {}); it('b', () => { if ({ok}) throw new Error('no'); }); it.skip('c', () => {});\n"
PERL = "use Test::More tests => 3;\nok(1); ok({ok}); ok(1);\n"
CMAKE = "enable_testing()\nadd_test(a true)\nadd_test(b {ok})\nadd_test(c true)\n"


def make(folder, programs, node_modules):
    """The items of every runner that is here."""
    bench = Bench(folder, programs)
    items = [*pytests(bench), *unittests(bench), *refusals(bench), *makes(bench)]
    for program, maker in (("node", nodes), ("cargo", cargos), ("go", gos), ("prove", proves), ("ctest", ctests)):
        items += maker(bench) if shutil.which(program) else []
    if node_modules is not None:
        items += scripts(bench, node_modules)
    return items


def run(bench, name, command, tool, start, counts, *, end=None, joined=False):
    """Run one command and label its one summary. Behind `tail` the exit code is not that of the tests."""
    exit_known = " tail " not in command
    item = Item(f"test-{name}", joined=joined)
    _, result, output = bench.run(item, command)
    code = item.events[result]["results"][0]["exit_code"]
    words = f"tool:{tool} {counts}" + (f" exit:{code}" if exit_known else "")
    return item.expect(result, "passed", summary(output, start, end), context=words)


def pytests(bench):
    """pytest in the forms that agents call it."""
    bench.write({"py/test_ok.py": PYTEST.replace("{ok}", "True"), "py/test_bad.py": PYTEST.replace("{ok}", "False")})
    bench.write({"py/test_err.py": "import missing_module\n", "py/only.py": "def test_x(): pass\n"})
    good, bad = "passed:3 failed:0 skipped:1", "passed:2 failed:1 skipped:1"
    off = "-p no:cacheprovider -p no:randomly"
    yield run(bench, "pytest-ok", f"cd py && pytest {off} test_ok.py", "pytest", "3 passed", good)
    yield run(
        bench, "pytest-bad", f"cd py && python -m pytest {off} test_bad.py", "pytest", "1 failed", bad, joined=True
    )
    yield run(bench, "pytest-q", f"cd py && pytest -q {off} test_ok.py", "pytest", "3 passed", good)
    yield run(bench, "pytest-q-bad", f"pytest -q {off} py/test_bad.py", "pytest", "1 failed", bad, joined=True)
    yield run(bench, "pytest-x", f"FOO=1 timeout 60 pytest {off} -x py/test_ok.py", "pytest", "3 passed", good)
    yield run(bench, "pytest-tail", f"pytest {off} py/test_bad.py 2>&1 | tail -3", "pytest", "1 failed", bad)
    yield run(bench, "pytest-err", f"pytest {off} py/test_err.py", "pytest", "1 error", "passed:0 failed:0 errors:1")
    yield run(
        bench, "pytest-none", f"cd py && pytest {off} -k nothing only.py", "pytest", "1 deselected", "passed:0 failed:0"
    )
    yield run(
        bench,
        "pytest-empty",
        f"mkdir -p none && cd none && pytest {off}",
        "pytest",
        "no tests ran",
        "passed:0 failed:0",
    )
    yield run(
        bench, "pytest-colour", f"pytest {off} --color=yes -q py/only.py", "pytest", "1 passed", "passed:1 failed:0"
    )
    yield run(
        bench,
        "pytest-bash",
        f"bash -lc 'python -m pytest {off} -q py/only.py'",
        "pytest",
        "1 passed",
        "passed:1 failed:0",
    )
    yield run(
        bench,
        "pytest-out",
        f"pytest {off} -q py/only.py > out.log 2>&1; tail -1 out.log",
        "pytest",
        "1 passed",
        "passed:1 failed:0",
    )
    two = Item("test-pytest-two")
    _, result, output = bench.run(two, f"pytest -q {off} py/only.py && pytest -q {off} py/test_ok.py")
    two.expect(
        result,
        "passed",
        summary(output[: output.index("3 passed")], "1 passed"),
        context="tool:pytest passed:1 failed:0 exit:0",
    )
    yield two.expect(result, "passed", summary(output, "3 passed"), context=f"tool:pytest {good} exit:0")


def unittests(bench):
    """unittest through -m and as a script."""
    for name, ok, do in (("ok", True, "pass"), ("bad", False, "pass"), ("err", True, "raise OSError")):
        bench.write({f"un/test_{name}.py": UNITTEST.format(ok=ok, do=do)})
    end, off = "(skipped", "python -W error -m unittest"
    yield run(
        bench,
        "unittest-ok",
        "cd un && python -m unittest test_ok",
        "unittest",
        "Ran 4",
        "passed:3 failed:0 skipped:1",
        end="OK (",
    )
    yield run(
        bench,
        "unittest-bad",
        f"cd un && {off} test_bad",
        "unittest",
        "Ran 4",
        "passed:2 failed:1 skipped:1",
        end="FAILED (",
        joined=True,
    )
    yield run(
        bench,
        "unittest-err",
        "cd un && python test_err.py -v",
        "unittest",
        "Ran 4",
        "passed:2 failed:0 skipped:1 errors:1",
        end="FAILED (",
    )
    yield run(
        bench,
        "unittest-script",
        "cd un && python test_ok.py",
        "unittest",
        "Ran 4",
        "passed:3 failed:0 skipped:1",
        end=f"OK {end}",
    )


def makes(bench):
    """`make` around a runner we know, and around one we do not."""
    bench.write(
        {
            "mk/Makefile": "test:\n\tpytest -q -p no:cacheprovider -p no:randomly\ncheck:\n\t@sh run.sh\n",
            "mk/test_m.py": "def test_m(): pass\n",
            "mk/run.sh": "echo checking; echo all 7 checks hold\n",
        }
    )
    yield run(bench, "make-pytest", "make -C mk test", "pytest", "1 passed", "passed:1 failed:0")
    plain = Item("test-make-check")
    _, result, _ = bench.run(plain, "cd mk && make -s check")
    yield plain.expect(result, "passed", "all 7 checks hold", context="tool:make exit:0")


def nodes(bench):
    """`node --test`, and npm in front of it."""
    bench.write({"nd/ok.test.js": NODE.replace("{ok}", "true"), "bad/bad.test.js": NODE.replace("{ok}", "false")})
    bench.write(
        {
            "nd/package.json": json.dumps(
                {"name": "demo", "scripts": {"test": "node --test", "test:unit": "node --test ok.test.js"}}
            )
        }
    )
    good, bad = "passed:3 failed:0 skipped:1", "passed:2 failed:1 skipped:1"
    yield run(bench, "node-ok", "cd nd && node --test", "node", "# pass", good, end="# fail")
    yield run(bench, "node-bad", "cd bad && node --test", "node", "# pass", bad, end="# fail", joined=True)
    yield run(
        bench,
        "node-spec",
        "cd nd && node --test --test-reporter=spec ok.test.js",
        "node",
        "\u2139 pass",
        good,
        end="\u2139 fail",
    )
    yield run(bench, "npm-test", "cd nd && npm test --silent", "node", "# pass", good, end="# fail")
    yield run(bench, "npm-run", "npm --prefix nd run test:unit 2>&1", "node", "# pass", good, end="# fail")


def cargos(bench):
    """cargo test: one crate with unit, integration and documentation tests."""
    manifest = '[package]\nname = "demo"\nversion = "0.1.0"\nedition = "2021"\n'
    for name, ok in (("cg", "true"), ("cb", "false")):
        bench.write(
            {f"{name}/Cargo.toml": manifest, f"{name}/src/lib.rs": "", f"{name}/tests/t.rs": CARGO.replace("{ok}", ok)}
        )
    ended = "test result: "
    yield run(bench, "cargo-ok", "cd cg && cargo test", "cargo", ended, "passed:3 failed:0 skipped:1")
    yield run(
        bench,
        "cargo-bad",
        "cd cb && cargo test 2>&1",
        "cargo",
        ended + "FAILED",
        "passed:2 failed:1 skipped:1",
        joined=True,
    )
    yield run(bench, "cargo-quiet", "cd cg && cargo test -q --test t", "cargo", ended, "passed:3 failed:0 skipped:1")


def gos(bench):
    """go test over two packages."""
    bench.write({"go/go.mod": "module example.com/demo\n\ngo 1.19\n"})
    for package, ok in (("good", "false"), ("bad", "true")):
        bench.write({f"go/{package}/x_test.go": GO.replace("{p}", package).replace("{ok}", ok)})
    offline = "GOFLAGS=-mod=mod GOPROXY=off"
    yield run(bench, "go-ok", f"cd go && {offline} go test ./good", "go", "ok  \t", "passed:1 failed:0 unit:package")
    yield run(
        bench,
        "go-bad",
        f"cd go && {offline} go test ./...",
        "go",
        "FAIL\t",
        "passed:1 failed:1 unit:package",
        joined=True,
    )
    yield run(bench, "go-v", f"cd go && {offline} go test -v ./good", "go", "ok  \t", "passed:2 failed:0")
    yield run(
        bench, "go-cached", f"cd go && {offline} go test ./good", "go", "ok  \t", "passed:1 failed:0 unit:package"
    )


def proves(bench):
    """TAP through prove."""
    bench.write({"tap/t/ok.t": PERL.replace("{ok}", "1"), "tap/x/bad.t": PERL.replace("{ok}", "0")})
    yield run(bench, "prove-ok", "cd tap && prove", "prove", "Files=", "passed:3 failed:0", end="Result:")
    yield run(bench, "prove-bad", "cd tap && prove x/bad.t", "prove", "Files=", "passed:2 failed:1", end="Result:")


def ctests(bench):
    """ctest on a hand-written test file."""
    for name, ok in (("ok", "true"), ("bad", "false")):
        lines = "".join(f"add_test({n} {c})\n" for n, c in (("a", "true"), ("b", ok), ("c", "true")))
        bench.write({f"ct-{name}/CTestTestfile.cmake": lines})
    yield run(bench, "ctest-ok", "cd ct-ok && ctest", "ctest", "100% tests", "passed:3 failed:0")
    yield run(bench, "ctest-bad", "cd ct-bad && ctest", "ctest", "67% tests", "passed:2 failed:1")


def scripts(bench, node_modules):
    """vitest, jest and mocha."""
    for name, ok in (("ok", "false"), ("bad", "true")):
        bench.write(
            {
                f"js-{name}/a.test.js": JS.replace("{ok}", ok),
                f"js-{name}/a.spec.cjs": MOCHA.replace("{ok}", ok),
                f"js-{name}/package.json": "{}",
                f"js-{name}/vitest.config.mjs": "export default { test: { globals: true, include: ['*.test.js'] } }\n",
            }
        )
        (bench.folder / f"js-{name}" / "node_modules").symlink_to(node_modules.resolve())
        good, code = ("passed:2 failed:0 skipped:1" if name == "ok" else "passed:1 failed:1 skipped:1"), name == "bad"
        yield run(bench, f"vitest-{name}", f"cd js-{name} && npx vitest run", "vitest", "Tests  ", good, joined=code)
        yield run(bench, f"jest-{name}", f"cd js-{name} && npx jest a.test.js", "jest", "Tests: ", good)
        last = "failing" if code else "pending"
        yield run(
            bench,
            f"mocha-{name}",
            f"cd js-{name} && mocha a.spec.cjs",
            "mocha",
            f"{2 - code} passing",
            good,
            end=last,
            joined=code,
        )


def refusals(bench):
    """Summaries that are no run: printed, searched, echoed, listed; and runs that did not start."""
    bench.write(
        {
            "old.log": "...\n== 12 passed, 1 failed in 0.34s ==\nRan 5 tests in 0.01s\n\nOK\n"
            "test result: ok. 5 passed; 0 failed; 0 ignored; 0 measured\n"
        }
    )
    bench.write(
        {
            "idle/Makefile": ".PHONY: build\ntest:\nbuild:\n\t@cat ../old.log\n",
            "idle/test": "",
            "show.py": "print(open('old.log').read())\n",
        }
    )
    lines = {
        "cat": "cat old.log",
        "echo": 'echo "12 passed in 0.3s"',
        "grep": "grep passed old.log",
        "tail": "tail -20 old.log | head -3",
        "script": "python show.py",
        "collect": "pytest --collect-only -q -p no:cacheprovider py; cat old.log",
        "version": "pytest --version && cat old.log",
        "make-build": "make -C idle build",
        "make-idle": "make -C idle test",
        "missing": "pytest-nope && cat old.log",
        "comment": "cat old.log # pytest",
        "heredoc": "cat <<'EOF'\npytest -q\n3 passed in 0.1s\nEOF",
        "words": "echo pytest; cat old.log",
        "fail": "make -C mk nothing-here",
        "install": "echo npm install jest && cat old.log",
    }
    for number, (name, command) in enumerate(lines.items()):
        item = Item(f"no-test-{name}", joined=number % 3 == 2)
        bench.run(item, command)
        yield item
    later = Item("no-test-printed-after", note="known limit: the run printed nothing, and an old log stands in for it")
    bench.run(later, "pytest -q -p no:cacheprovider py/only.py > /dev/null; cat old.log")
    yield later
