"""The words of `pages`."""

from __future__ import annotations

from argparse import ArgumentParser

FORMATS = ("okf", "memoryfield")
TOLD = "okf or memoryfield (bundles of pages)"


def pages(p: ArgumentParser) -> None:
    """A folder, and whether it is only looked at."""
    p.add_argument("folder", nargs="?", metavar="FOLDER", help="of the project, with Markdown files (default: memory)")
    p.add_argument("--list", action="store_true", help="only list the pages, as they stand; nothing is read in")


def folder(p: ArgumentParser) -> None:
    """Of `export` and `load`."""
    p.add_argument("--folder", metavar="DIR", help="okf, memoryfield: the folder of pages (default: memory)")
