"""Real agent harnesses, installed and run against a model of our own: what we give them is read off what they send.

    python scripts/live.py [HARNESS[@VERSION] ...]          all of them where none is named
        --folder DIR     where they are installed and run (default: a folder of the system's temporary one); kept for next time
        --latest         the newest versions instead of those that were last seen to work
        --by-recipe      register our hooks and tools by the recipe, not by `muniment init`
        --no-install     only those that are installed already
        --page           run nothing: write the page from the rows that are there
        --no-write       keep no row, and leave the page as it is

Each is installed from npm or PyPI, run headless in a home of its own with a clean environment, and behind a wall (a network
with loopback only) where the system allows it. No account, no tokens, no word from the model is believed: a line says what
the recorded requests show. One failure stops nothing; the exit code is 1 if anything that was to be seen was not. Rows go to
benchmarks/results/live.jsonl, the last one of each version to docs/harnesses.md.
"""

import argparse
import datetime as dt
import json
import os
import shutil
import sys
import tempfile
import traceback
from dataclasses import asdict, replace
from pathlib import Path

import setup

RESULTS = setup.ROOT / "benchmarks" / "results" / "live.jsonl"
PAGE = setup.ROOT / "docs" / "harnesses.md"


def main():
    given = _words()
    from live_parts import install, table
    from muniment.harness.probing import RECIPES
    from muniment.harness.probing.playing import wall

    if given.page:
        PAGE.write_text(table.page(_latest(RECIPES)), encoding="utf-8")
        return
    chosen = [_chosen(name, RECIPES) for name in given.harness] or list(RECIPES.values())
    room = Path(given.folder or Path(tempfile.gettempdir(), "muniment-live")).resolve()
    prefix = wall()
    print(f"live: {room}; {'behind a wall, loopback only' if prefix else 'no network namespaces here: not walled off'}")
    rows = []
    for recipe in chosen:
        row = _one(recipe, room, prefix, given, install)
        rows.append(row)
        print(table.line(row), flush=True)
        if not given.no_write:
            with RESULTS.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")
    print(f"\n{table.markdown(rows)}\n{table.sums(rows)}")
    if not given.no_write:
        PAGE.write_text(table.page(_latest(RECIPES)), encoding="utf-8")
    sys.exit(1 if any(row["missing"] for row in rows) else 0)


def _latest(recipes):
    """The last row of each version of each harness, of this run or an earlier one, in the order of the recipes."""
    rows = [json.loads(line) for line in RESULTS.read_text(encoding="utf-8").splitlines()]
    last = {(row["harness"], row["version"]): row for row in rows}
    return [row for name in recipes for (harness, _), row in sorted(last.items()) if harness == name]


def _chosen(told, recipes):
    """A recipe by its name, with another version of the program where one is named."""
    name, _, version = told.partition("@")
    if name not in recipes:
        sys.exit(f"live: unknown harness {name}; there are {', '.join(recipes)}")
    recipe = recipes[name]
    return replace(recipe, package=replace(recipe.package, version=version)) if version else recipe


def _words():
    words = argparse.ArgumentParser(prog="scripts/live.py", description=__doc__.splitlines()[0])
    words.add_argument("harness", nargs="*")
    words.add_argument("--folder")
    words.add_argument("--latest", action="store_true")
    words.add_argument("--by-recipe", action="store_true")
    words.add_argument("--no-install", action="store_true")
    words.add_argument("--page", action="store_true")
    words.add_argument("--no-write", action="store_true")
    return words.parse_args()


def _one(recipe, room, prefix, given, install):
    """One harness from its installation to its verdict; what goes wrong is its row's."""
    from muniment.harness.probing import prepared

    row = {
        "harness": recipe.harness, "title": recipe.title, "package": recipe.package.name, "version": recipe.package.version,
        "date": dt.datetime.now(dt.UTC).date().isoformat(), "walled": bool(prefix), "missing": ["run"],
        "note": recipe.note,
    }  # fmt: skip
    try:
        found = install.ensure(
            recipe.package, room / "installed", latest=given.latest, may_install=not given.no_install
        )
        root = room / "runs" / recipe.harness
        shutil.rmtree(root, ignore_errors=True)
        root.mkdir(parents=True)
        path = os.pathsep.join([str((found.folder / recipe.package.program).parent), found.path])
        probe = prepared(root, recipe, found.folder, sys.executable, path, prefix, ours=given.by_recipe)
        if not given.by_recipe:  # as a person sets it up
            told = probe.run("init", "--harness", recipe.harness, "--yes", "--trust-hooks")
            (root / "init.log").write_text(told, encoding="utf-8")
        verdict = probe.play()
        told = {**asdict(verdict), "missing": verdict.missing}
        row |= {"version": found.version, **told, "seconds": round(sum(s["seconds"] for s in probe.steps()), 1)}
    except Exception as problem:  # noqa: BLE001 - the next harness is run whatever befell this one
        row["error"] = " ".join(f"{type(problem).__name__}: {problem}".split())[:300]
        (room / f"{recipe.harness}.error").write_text(traceback.format_exc(), encoding="utf-8")
    return row


if __name__ == "__main__":
    setup.enter()
    main()
