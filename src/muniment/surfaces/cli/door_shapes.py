"""What `--json` prints of the commands over servers; a part of the table in `shapes`."""

from __future__ import annotations

Fields = tuple[tuple[str, str, str], ...]

SHAPES: dict[str, Fields] = {
    "Keys": (
        ("keys", "[Key]", "the one that was given out or taken back; list: all"),
        ("token", "text?", "of the one that was given out; shown this once"),
    ),
    "Key": (
        ("name", "text", ""),
        ("speaks", "text", "whose words it brings: agent, person or import"),
        ("right", "text", "read, write or own"),
        ("folder", "text", "of the project whose store it opens"),
        ("home", "text", "of the tenant whose store it is"),
    ),
}

COMMANDS: dict[str, str] = {"server key": "Keys"}
