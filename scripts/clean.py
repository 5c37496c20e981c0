"""Remove what can be made again: caches and builds; with `--all` the environment too. Nothing that git tracks."""

import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MADE = [
    "build",
    "dist",
    ".cache",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    ".import_linter_cache",
    ".hypothesis",
]


def main():
    folders = [ROOT / name for name in MADE]
    for top in ("src", "tests", "scripts"):
        folders += (ROOT / top).rglob("__pycache__")
    if "--all" in sys.argv[1:]:
        folders.append(ROOT / ".venv")
    for folder in folders:
        if folder.is_dir():
            shutil.rmtree(str(folder))
            print("removed", folder.relative_to(ROOT))


if __name__ == "__main__":
    main()
