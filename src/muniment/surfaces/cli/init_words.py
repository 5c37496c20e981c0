"""The words of `init` and `run`."""

from __future__ import annotations

import argparse


def init(p: argparse.ArgumentParser) -> None:
    """The arguments of `init`."""
    told = "set up this one, installed or not; may be repeated (default: all that show on this machine)"
    p.add_argument("--harness", action="append", default=[], metavar="H", help=told)
    p.add_argument("--print", action="store_true", help="show what would be written, and write nothing")
    p.add_argument("--yes", action="store_true", help="write without asking")
    p.add_argument("--alongside", action="store_true", help="also beside another memory, which is named otherwise")
    lines = p.add_mutually_exclusive_group()
    told = "put one marked line into this file of the project, such as AGENTS.md; may be repeated"
    lines.add_argument("--instructions", action="append", default=[], metavar="FILE", help=told)
    told = "put that line into the files that the harnesses read: AGENTS.md, CLAUDE.md, GEMINI.md, QWEN.md"
    lines.add_argument("--rules", action="store_true", help=told)
    p.add_argument(
        "--trust-hooks", action="store_true", help="tell Codex that its hooks of ours are trusted, without asking"
    )
    told = "then let each harness that can be run read a marker back, against a model that is not one; no account, no tokens"
    proofs = p.add_mutually_exclusive_group()
    proofs.add_argument("--offline", action="store_true", help=told)
    told = "then give each harness one turn of your own, which may cost tokens (without: asked for at a terminal)"
    proofs.add_argument("--live", action="store_true", help=told)
    p.add_argument("--undo", action="store_true", help="put every file back as it was, and say what is left")


def run(p: argparse.ArgumentParser) -> None:
    """The arguments of `run`."""
    p.add_argument("harness", metavar="HARNESS", help="as `muniment init` names it, such as claude-code")
    p.add_argument("arguments", nargs=argparse.REMAINDER, metavar="...", help="passed on as they are")
