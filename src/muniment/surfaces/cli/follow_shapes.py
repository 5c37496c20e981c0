"""What `--json` prints of the commands that follow consequences; a part of the table in `shapes`."""

from __future__ import annotations

Fields = tuple[tuple[str, str, str], ...]

SHAPES: dict[str, Fields] = {
    "Blast": (
        ("of", "text", "what was asked about"),
        ("facts", "[Reached]", "the facts themselves"),
        ("derived", "[Reached]", "what derives from them, the nearest first"),
        ("given", "[GivenTo]", "answers that carried them"),
        ("sessions", "[text]", "that received them, the first first"),
        ("used", "[Used]", ""),
        ("files", "[TouchedAfter]", "written in those sessions after they were given one"),
    ),
    "Reached": (
        ("id", "text", ""),
        ("standing", "text", ""),
        ("predicate", "text", ""),
        ("text", "text", ""),
        ("via", "text?", "derived: the fact that it was reached by"),
    ),
    "GivenTo": (
        ("session", "text", ""),
        ("at", "text", ""),
        ("surface", "text", "the door: library, mcp, hook, ..."),
        ("query", "text", "what was asked"),
        ("ids", "[text]", "of these facts"),
    ),
    "Used": (
        ("id", "text", ""),
        ("how", "text", "returned, opened, success or failure"),
        ("at", "text", ""),
        ("session", "text?", ""),
        ("note", "text", ""),
    ),
    "TouchedAfter": (
        ("path", "text", ""),
        ("session", "text", ""),
        ("at", "text", ""),
        ("receipt", "text", ""),
    ),
    "Diff": (
        ("start", "text", ""),
        ("end", "text", ""),
        ("changes", "[Change]", "by subject and predicate"),
        ("same", "whole", "statements that are as they were"),
        ("is_partial", "flag", "there is more than is compared at once"),
    ),
    "Change": (
        ("kind", "text", "new, gone or changed"),
        ("before", "[Belief]", ""),
        ("after", "[Belief]", ""),
    ),
    "Belief": (
        ("id", "text", ""),
        ("predicate", "text", "with its topic"),
        ("subject", "text", ""),
        ("value", "text", ""),
        ("receipt", "text", ""),
        ("since", "text", "from when it held"),
    ),
}

COMMANDS: dict[str, str] = {"blast": "Blast", "diff": "Diff"}
"""Which shape each command prints."""
