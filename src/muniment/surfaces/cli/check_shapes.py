"""The shapes of what `check` and `review --stale` print."""

from __future__ import annotations

_REPORT = (
    ("drifts", "[Drift]", "what is in doubt by its evidence, the newest finding first; at most 200"),
    ("addresses", "whole", "all of them, also beyond those that are told"),
    ("facts", "whole", "facts in doubt"),
)
SHAPES: dict[str, tuple[tuple[str, str, str], ...]] = {
    "Drifts": _REPORT,
    "Checked": (
        ("addresses", "whole", "that were asked about"),
        ("looked", "whole", "of them not as they were when they were looked at last"),
        ("states", "{whole}", "ok, moved, changed, missing, unknown"),
        ("without_evidence", "whole", "states that hold and name no evidence"),
        ("suspect", "[text]", "facts that this check made suspect"),
        ("healed", "[text]", "facts whose evidence is back"),
        ("receipt", "text", "of the check, where it found anything new"),
        ("unknown", "[(text, text)]", "address, and why nobody can say"),
        ("drifts", "[Drift]", "what is in doubt now, also by earlier checks"),
        ("drifting", "whole", "addresses that put facts in doubt"),
        ("facts", "whole", "facts in doubt"),
    ),
    "Drift": (
        ("address", "text", "kind:place@anchor"),
        ("state", "text", "changed or missing"),
        ("place", "text", "where what stands there now is"),
        ("by", "text", "the short id of a commit, a session, or outside"),
        ("commit", "text", ""),
        ("author", "text", ""),
        ("at", "text", "when, as git has it"),
        ("title", "text", "of the commit"),
        ("session", "text", "the one that is known to have done it"),
        ("found_at", "text", ""),
        ("receipt", "text", "of the check"),
        ("facts", "[Leaning]", ""),
        ("diff", "[text]", "of what was cited"),
    ),
    "Leaning": (
        ("id", "text", ""),
        ("text", "text", ""),
        ("standing", "text", ""),
        ("origin", "text", ""),
        ("receipt", "text", ""),
    ),
}

COMMANDS: dict[str, str] = {
    "check": "Checked",
    "review --stale": "Drifts",
    **dict.fromkeys(("review confirm", "review retract", "review supersede"), "Admission"),
}
