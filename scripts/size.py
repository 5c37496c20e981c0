"""The size report: lines per package, long files, long functions. Fails where the house says no.

function: ask at 40 lines, refuse at 80        file: ask at 400 lines, refuse at 700
the package without surfaces, evals and testing: 18,000 lines
"""

import ast
import sys

import setup

ASK_FUNCTION, REFUSE_FUNCTION = 40, 80
ASK_FILE, REFUSE_FILE = 400, 700
# Four adapters with every version of their formats (5,000 lines), the masks (1,400) and forty-three small adapters with what
# they share (7,000), and search with times, names and questions in words, previews and vectors (7,500) are most of what is above
# 10,000; what hooks give and leave (1,000), what agents assert, with finding out whose words they are (1,500), trajectories, out
# and in, with the views of who did what and what it cost (1,100), and the settings files of thirty harnesses, changed and put
# back without touching a byte of anybody else's in four languages (2,000), came then; the verbs of a memory's whole life, with
# conflicts, review, rules and an older store (2,900), and what people tell in their own turns (4,000: tables of frames in five
# languages, names of tools, and what tells prose from pastes); then came the world that facts lean on, looked at again (3,500),
# forgetting, pages and rules files (4,000), the walls of scoped SQL, a handle that runs on and encryption (2,500), ports and a
# store on a server (3,000), late masks, numbers and shares (2,500), reading turns by their grammar (5,000), and what follows
# from a fact (700).
# The limit is there so that growth needs a sentence here.
REFUSE_CORE = 75_000
AT_THE_EDGE = {"surfaces", "evals", "testing"}
PACKAGE = setup.ROOT / "src" / "muniment"


def main():
    report, refused = [], []
    core = packages(report)
    if core > REFUSE_CORE:
        refused.append(f"the core has {core} lines (limit {REFUSE_CORE})")
    asked = []
    for top in ("src", "scripts"):
        for path in sorted((setup.ROOT / top).rglob("*.py")):
            long_things(path, asked, refused)
    report += ["", f"long files (over {ASK_FILE}) and functions (over {ASK_FUNCTION}): {len(asked) or 'none'}", *asked]
    print("\n".join(report))
    if refused:
        sys.exit("size: refused\n  " + "\n  ".join(refused))


def packages(report):
    """One line a package; the lines of the core."""
    rows = {}
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE).parts
        name = parts[0] if len(parts) > 1 else path.stem
        files, lines = rows.get(name, (0, 0))
        rows[name] = (files + 1, lines + count(path))
    report.append(f"{'package':<14}{'files':>6}{'lines':>8}")
    report += [f"{name:<14}{files:>6}{lines:>8}" for name, (files, lines) in sorted(rows.items())]
    core = sum(lines for name, (_, lines) in rows.items() if name not in AT_THE_EDGE)
    tests = sum(count(path) for path in (setup.ROOT / "tests").rglob("*.py"))
    report.append(f"{'all':<14}{sum(f for f, _ in rows.values()):>6}{sum(n for _, n in rows.values()):>8}")
    report.append(f"core {core} of {REFUSE_CORE}; tests {tests}")
    return core


def long_things(path, asked, refused):
    """Long files and functions, each as `where: lines`."""
    where, lines = path.relative_to(setup.ROOT).as_posix(), count(path)
    if lines > ASK_FILE:
        (refused if lines > REFUSE_FILE else asked).append(f"  {where}: {lines} lines")
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = node.end_lineno - node.lineno + 1
            if length > ASK_FUNCTION:
                (refused if length > REFUSE_FUNCTION else asked).append(
                    f"  {where}:{node.lineno} {node.name}: {length} lines"
                )


def count(path):
    return len(path.read_text(encoding="utf-8").splitlines())


if __name__ == "__main__":
    setup.enter()
    main()
