"""All that is checked without running the program. `python scripts/check.py [NAME ...]` runs those named, else all.

    format      ruff format would change nothing
    lint        ruff finds nothing
    types       mypy, strict, over src
    contracts   who may import what (import-linter; the contracts stand in pyproject.toml)
    libraries   every third-party import in src is a declared dependency, so that no contract is missing for one
    size        no file, function or package over the limit
    docs        links and decision records
    places      no file names a place on somebody's machine

Every check runs even if an earlier one failed; the last line names those that did.
"""

import ast
import re
import subprocess
import sys
import time
from pathlib import Path

import docs
import setup

HOME_FOLDER = re.compile(r"(?<![\w.$}*-])/(?:root|home/(?!dev\b)[A-Za-z_][\w.-]*|Users/(?!dev\b)[A-Za-z_][\w.-]*)/")
READ_AS_DATA = re.compile(r"^tests/")
"""Tests feed paths of all kinds to the program; there they are inputs, not places."""


OF_THE_HOST = {"opentelemetry"}
"""Loaded by the program that we are part of, or not at all: nothing of ours asks for it to be installed."""


def tool(*command):
    """A check that is a command: good when it ends with 0."""
    return lambda: subprocess.call([sys.executable, *command], cwd=str(setup.ROOT)) == 0


def libraries():
    """Third-party imports in src that pyproject.toml does not declare."""
    import tomllib

    project = tomllib.loads((setup.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = (line for name, lines in project["optional-dependencies"].items() if name != "dev" for line in lines)
    declared = {re.split(r"[^\w.-]", line)[0] for line in (*project["dependencies"], *extras)}
    modules = {name.replace("-", "_") for name in declared}
    known = declared | modules | OF_THE_HOST | sys.stdlib_module_names | {"muniment"}
    problems = []
    for path in sorted((setup.ROOT / "src").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names = [node.module]
            problems += [
                f"{path.relative_to(setup.ROOT).as_posix()}:{node.lineno}: {name} is not a declared dependency"
                for name in names
                if name.split(".")[0] not in known
            ]
    return say(problems)


def places():
    """Home folders of a machine in files that are not test data."""
    problems = []
    for name, path in docs.files():
        if READ_AS_DATA.match(name):
            continue
        content = path.read_bytes()
        if b"\0" in content:
            continue
        for number, line in enumerate(content.decode("utf-8", "replace").splitlines(), 1):
            problems += [f"{name}:{number}: {found}" for found in HOME_FOLDER.findall(line)]
    return say(problems)


def say(problems):
    """Print what was found; good when that is nothing."""
    print("\n".join(problems) or "nothing found")
    return not problems


CHECKS = {
    "format": tool("-m", "ruff", "format", "--check", "--output-format=concise", "."),
    "lint": tool("-m", "ruff", "check", "--output-format=concise", "."),
    "types": tool("-m", "mypy"),
    "contracts": tool("-c", "from importlinter.cli import lint_imports_command as run; run()", "--no-logo"),
    "libraries": libraries,
    "size": tool(str(Path("scripts", "size.py"))),
    "docs": tool(str(Path("scripts", "docs.py"))),
    "places": places,
}


def main():
    names = sys.argv[1:] or list(CHECKS)
    unknown = sorted(set(names) - set(CHECKS))
    if unknown:
        sys.exit(f"check: no check named {', '.join(unknown)}; there are: {', '.join(CHECKS)}")
    failed = []
    for name in names:
        print(f"== {name}", flush=True)
        began = time.monotonic()
        if not CHECKS[name]():
            failed.append(name)
        print(f"   {time.monotonic() - began:.1f} s", flush=True)
    if failed:
        sys.exit("check: failed: " + ", ".join(failed))
    print("check: all good (" + ", ".join(names) + ")")


if __name__ == "__main__":
    setup.enter()
    main()
