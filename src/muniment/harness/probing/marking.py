"""The marking hook: `python marking.py SHAPE MARK EVENT < event.json` answers with a mark that names the event and its source.

It stands alone, so that it starts anywhere; what it marks is looked for in the requests of the harness.
"""

from __future__ import annotations

import json
import sys

SHAPES = ("nested", "top", "context", "cline", "plain")


def answer(shape: str, mark: str, event: str, told: dict[str, object]) -> str:
    """The mark in the form that a harness takes."""
    source = told.get("source")
    text = f"{mark}-{event}-{source}" if isinstance(source, str) else f"{mark}-{event}"
    forms: dict[str, object] = {
        "nested": {"hookSpecificOutput": {"hookEventName": event, "additionalContext": f"{text};"}},
        "top": {"additionalContext": f"{text};"},
        "context": {"context": f"{text};"},
        "cline": {"cancel": False, "contextModification": f"{text};", "errorMessage": ""},
    }
    return json.dumps(forms[shape]) if shape in forms else f"{text};"


def main(arguments: list[str]) -> None:
    """Answer the event on stdin."""
    try:
        told = json.loads(sys.stdin.read() or "{}")
    except ValueError:
        told = {}
    sys.stdout.write(answer(arguments[0], arguments[1], arguments[2], told if isinstance(told, dict) else {}) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
