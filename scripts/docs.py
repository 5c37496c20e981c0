"""Check the documents: every relative link leads somewhere; every decision has a number, a status and one page; the
generated reference pages are as the program would make them now.

    python scripts/docs.py [--check]    check
    python scripts/docs.py --write      write the generated pages of docs/reference
"""

import re
import subprocess
import sys

import reference
import setup

LINK = re.compile(r"(?<!!)\[[^\]\n]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
DECISIONS = setup.ROOT / "docs" / "decisions"
ONE_PAGE = 70


def main():
    if "--write" in sys.argv[1:]:
        reference.write()
    problems = list(reference.differences())
    for path in documents():
        problems += dead_links(path)
    problems += decisions()
    if problems:
        sys.exit("docs:\n  " + "\n  ".join(problems))


def documents():
    """The Markdown files of the repository, but not those that tests or the package read as data."""
    return [path for name, path in files() if name.endswith(".md") and not name.startswith(("tests/", "src/"))]


def files():
    """The files of the repository: those git tracks and those it would; without git, all that do not hide."""
    listed = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "-co", "--exclude-standard", "-z"],
        cwd=str(setup.ROOT),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    if listed.returncode == 0:
        names = sorted(set(filter(None, listed.stdout.decode().split("\0"))))
    else:
        everything = (path.relative_to(setup.ROOT) for path in setup.ROOT.rglob("*"))
        names = sorted(path.as_posix() for path in everything if not path.parts[0].startswith("."))
    return [(name, setup.ROOT / name) for name in names if (setup.ROOT / name).is_file()]


def dead_links(path):
    """Relative links whose file is missing, or whose heading is."""
    where = path.relative_to(setup.ROOT).as_posix()
    for target in LINK.findall(FENCE.sub("", path.read_text(encoding="utf-8"))):
        if re.match(r"[a-z][a-z0-9+.-]*:", target):
            continue
        name, _, anchor = target.partition("#")
        file = (path.parent / name) if name else path
        if not file.exists():
            yield f"{where}: no such file: {target}"
        elif anchor and file.suffix == ".md" and anchor not in headings(file):
            yield f"{where}: no such heading: {target}"


def headings(path):
    """The anchors a reader's browser gives to the headings of a page."""
    text = FENCE.sub("", path.read_text(encoding="utf-8"))
    titles = re.findall(r"^#+ +(.+?) *$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def decisions():
    """Decision records: `NNNN-title.md`, no number twice, none missing, a status, one page."""
    records = sorted(DECISIONS.glob("*.md"))
    numbers = [path.name[:4] for path in records]
    if numbers != [f"{n:04d}" for n in range(len(records))]:
        yield f"docs/decisions: numbers are not 0000 to {len(records) - 1:04d} once each: {' '.join(numbers)}"
    for path in records:
        text = path.read_text(encoding="utf-8")
        if not re.search(r"^Status: (proposed|accepted|replaced by \d{4})", text, re.MULTILINE):
            yield f"{path.name}: no line 'Status: proposed | accepted | replaced by NNNN'"
        if len(text.splitlines()) > ONE_PAGE:
            yield f"{path.name}: longer than a page ({ONE_PAGE} lines)"


if __name__ == "__main__":
    setup.enter()
    main()
