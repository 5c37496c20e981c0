"""What commands print: searches, logs, compilers, version control. Plausible, sized, varied.

Each function returns the finished command; output stays within about `size` bytes where it can be that short.
"""

from __future__ import annotations

from muniment.testing.project import Project
from muniment.testing.runners import Output


def search(project: Project, size: int) -> Output:
    """rg or grep; at times without a match, which is exit code 1."""
    dice, words = project.dice, project.words
    name, count = dice.pick(words.identifiers), max(1, size // 75)
    paths, blocks = dice.choices(project.paths, k=count), dice.choices(words.clauses, k=count)
    lines = [f"{path}:{dice.below(900) + 1}:    {name}({clause})" for path, clause in zip(paths, blocks, strict=True)]
    command = dice.pick(
        (f'rg -n "{name}"', f'grep -rn "{name}" .', f'rg -n "{name}|{dice.pick(words.identifiers)}" src')
    )
    return Output(command, "", "", 1) if dice.chance(0.12) else Output(command, "\n".join(lines), "", 0)


def logs(project: Project, size: int) -> Output:
    """The end of some log."""
    dice = project.dice
    lines = dice.choices(project.words.lines, k=max(2, size // 130))
    noun = dice.pick(project.words.nouns)
    command = dice.pick(
        (
            f"docker compose logs --tail {len(lines)} {noun}",
            f"kubectl logs deploy/{noun} --tail={len(lines)}",
            f"tail -n {len(lines)} log/{noun}.log",
            f"journalctl -u {noun} -n {len(lines)}",
        )
    )
    return Output(command, "\n".join(lines), "", 0)


def listing(project: Project, size: int) -> Output:
    """Paths or a long listing of a folder."""
    dice = project.dice
    count = max(2, min(size // 40, 2_000))
    if dice.chance(0.5):
        return Output(
            dice.pick(("git ls-files | head -2000", "find . -type f -not -path './.git/*'", "fd -t f")),
            "\n".join(dice.choices([*project.paths, *project.words.paths], k=count)),
            "",
            0,
        )
    names = dice.choices(project.words.nouns, k=count)
    lines = [
        f"-rw-r--r--  1 dev dev {dice.below(99_999):6d} Nov {dice.between(1, 28):2d} 1{dice.below(10)}:{dice.between(10, 59)} {name}.{project.language.extension}"
        for name in names
    ]
    return Output(
        f"ls -la {dice.pick(project.paths).rsplit('/', 1)[0]}", f"total {count * 4}\n" + "\n".join(lines), "", 0
    )


def diff(project: Project, size: int) -> Output:
    """A unified diff."""
    dice, words = project.dice, project.words
    path, count = dice.pick(project.paths), max(4, size // 48)
    marks = dice.choices("  ++-", k=count)
    lines = [
        f"diff --git a/{path} b/{path}",
        f"index {dice.hex(7)}..{dice.hex(7)} 100644",
        f"--- a/{path}",
        f"+++ b/{path}",
        f"@@ -{dice.below(300) + 1},{count} +{dice.below(300) + 1},{count} @@",
    ]
    lines += [f"{mark}    {clause}" for mark, clause in zip(marks, dice.choices(words.clauses, k=count), strict=True)]
    return Output(
        dice.pick(("git diff", "git diff --staged", "git show HEAD", f"git diff HEAD -- {path}")),
        "\n".join(lines),
        "",
        0,
    )


def history(project: Project, size: int) -> Output:
    """Commits, one a line."""
    dice, words = project.dice, project.words
    lines = [f"{dice.hex(7)} {clause}" for clause in dice.choices(words.openings, k=max(2, size // 52))]
    return Output(f"git log --oneline -{len(lines)}", "\n".join(lines), "", 0)


def status(project: Project, size: int) -> Output:
    """The state of the work tree."""
    dice = project.dice
    count = max(1, min(size // 40, 25))
    body = "\n".join(f"\tmodified:   {path}" for path in dice.choices(project.paths, k=count))
    return Output(
        "git status",
        f"On branch main\nYour branch is ahead of 'origin/main' by {count} commits.\n\nChanges not staged for commit:\n{body}\n\nno changes added to commit",
        "",
        0,
    )


def lint(project: Project, size: int) -> Output:
    """A linter or type checker; exit code 1 when it found something."""
    dice, words = project.dice, project.words
    count = max(1, size // 85)
    rules = dice.choices(
        ("E501", "F841", "no-unused-vars", "TS2345", "arg-type", "SA4006", "clippy::needless_clone"), k=count
    )
    lines = [
        f"{path}:{dice.below(700) + 1}:{dice.below(80) + 1}: {rule} {clause}"
        for path, rule, clause in zip(
            dice.choices(project.paths, k=count), rules, dice.choices(words.openings, k=count), strict=True
        )
    ]
    command = dice.pick(
        ("ruff check .", "npx eslint src", "mypy --strict src", "npx tsc --noEmit", "golangci-lint run", "cargo clippy")
    )
    return (
        Output(command, "\n".join([*lines, f"Found {count} errors."]), "", 1)
        if dice.chance(0.55)
        else Output(command, "All checks passed!", "", 0)
    )


def install(project: Project, size: int) -> Output:
    """A package manager."""
    dice, words = project.dice, project.words
    lines = [
        f"Collecting {noun}>={dice.below(9)}.{dice.below(20)}"
        for noun in dice.choices(words.nouns, k=max(1, size // 30))
    ]
    if dice.chance(0.15):
        return Output(
            "pip install -e .",
            "\n".join(lines),
            f"ERROR: No matching distribution found for {dice.pick(words.nouns)}",
            1,
        )
    return Output(
        dice.pick(("pip install -e .", "npm ci", "uv sync", "go mod tidy", "cargo fetch")),
        "\n".join([*lines, f"Successfully installed {len(lines)} packages"]),
        "",
        0,
    )


def answer(project: Project, size: int) -> Output:
    """JSON from a local service."""
    dice, words = project.dice, project.words
    rows = zip(
        dice.choices(words.identifiers, k=max(1, size // 110)),
        dice.choices(words.clauses, k=max(1, size // 110)),
        strict=True,
    )
    body = ",".join(
        f'{{"id":"{dice.hex(12)}","name":"{name}","count":{dice.below(10_000)},"note":"{note}"}}' for name, note in rows
    )
    return Output(
        f"curl -s localhost:{dice.between(3000, 9999)}/api/{dice.pick(words.nouns)} | jq -c .",
        f'{{"items":[{body}],"next":null}}',
        "",
        0,
    )


def quiet(project: Project, _: int) -> Output:
    """A command that prints nothing."""
    dice = project.dice
    path = dice.pick(project.paths)
    return Output(
        dice.pick(
            (f"mkdir -p {path.rsplit('/', 1)[0]}", f"git add {path}", "git add -A", f"touch {path}", f"chmod +x {path}")
        ),
        "",
        "",
        0,
    )


def crash(project: Project, size: int) -> Output:
    """A script that ended with a traceback."""
    dice, words = project.dice, project.words
    frames = [
        f'  File "/home/dev/demo/{path}", line {dice.below(500) + 1}, in {name}\n    {clause}'
        for path, name, clause in zip(
            dice.choices(project.paths, k=max(1, size // 130)),
            words.identifiers,
            dice.choices(words.clauses, k=max(1, size // 130)),
            strict=False,
        )
    ]
    error = f"Traceback (most recent call last):\n{chr(10).join(frames)}\n{dice.pick(('ValueError', 'KeyError', 'RuntimeError', 'TimeoutError'))}: {dice.pick(words.clauses)}"
    return Output(
        f"python scripts/{dice.pick(words.nouns)}.py --{dice.pick(words.nouns)} {dice.below(90)}",
        "",
        error,
        dice.pick((1, 1, 1, 2, 124, 137)),
    )


COMMANDS = (search, search, search, logs, listing, diff, history, status, lint, install, answer, quiet, quiet, crash)
