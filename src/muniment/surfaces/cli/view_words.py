"""The words of `view`: one projection by its name, and what may be said to it."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError

NAMES = ("trace", "touched", "usage", "wake", "handoff", "timeline", "rules")


def view(p: ArgumentParser) -> None:
    """The words of `view`."""
    told = (
        "trace (who did what when), touched PATH (who read, wrote or moved a file), usage (tokens and cost), and as"
        " commands of their own wake, handoff, timeline, rules"
    )
    p.add_argument("name", choices=NAMES, metavar="NAME", help=told)
    p.add_argument("what", nargs="?", metavar="PATH", help="of touched: a file of the project, or a glob")
    told = "such as 'last tuesday 3pm' or 'last week' (default: of trace and timeline today, of the others all of time)"
    p.add_argument("--at", metavar="T", help=told)
    p.add_argument("--budget", type=_count, metavar="N", help="bytes of UTF-8, never one more (default: all of it)")
    group = p.add_argument_group("trace")
    group.add_argument("--agent", metavar="A", help="a harness, an agent or its role; * stands for anything")
    group.add_argument(
        "--session", metavar="S", help="a session with its sub-agents, or how it begins (handoff: its name)"
    )
    group.add_argument("--action", metavar="X", help="run, read, write, edit, patch, delegate, ... or prompt")
    group.add_argument("--tool", metavar="X", help="as the harness calls it; * stands for anything")
    group = p.add_argument_group("usage")
    told = "day, month, model, project, harness, session, role; by commas (default day,model,project)"
    group.add_argument("--by", type=_listed, metavar="G", help=told)
    told = "in every memory of this home (a person only); without it, of this project"
    group.add_argument("--everywhere", action="store_true", default=None, help=told)


def _count(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or len(text) > 15:
        raise ArgumentTypeError(f"not a whole number from 0: {text[:40]!r}")
    return int(text)


def _listed(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(","))
