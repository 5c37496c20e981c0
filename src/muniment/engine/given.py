"""What is asked of a file that somebody names."""

from __future__ import annotations

from pathlib import Path

from muniment.errors import UsageError


def demand_regular(path: Path) -> None:
    """UsageError for a pipe, a socket or a device: opening one may wait for ever, or never end."""
    if not path.is_file():
        hint = "name a regular file, or give a dash and pipe into the command"
        raise UsageError(f"{path} is no regular file", hint=hint, about=str(path))
