"""The journal of uses: whether a fact led to success or failure, beside the store and no part of it.

It changes no standing and no rank (reading and using do not make a fact truer); it answers which work a fact was good for.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from muniment.engine import deliveries, finding
from muniment.engine.core import Engine
from muniment.errors import ReadOnlyStoreError, UsageError
from muniment.gate.masks import mask
from muniment.model.ids import show

HOW = ("success", "failure")
_VERSION = 1
_NOTE_CAP = 1000


def path_of(engine: Engine) -> Path:
    """The journal of the engine's workspace."""
    return engine.settings.home / deliveries.FOLDER / f"{engine.workspace.id}.uses.jsonl"


def record(engine: Engine, text: str, how: str, note: str = "", session: str | None = None) -> str:
    """Note how the fact with that id served; its whole id comes back."""
    if how not in HOW:
        raise UsageError(f"a fact leads to {' or '.join(HOW)}, not to {how!r}", about=how)
    id_ = show(finding.fact(engine, text).row.id)
    told = {"v": _VERSION, "fact": id_, "session": session, "how": how, "note": mask(note)[0][:_NOTE_CAP]}
    line = json.dumps({**told, "at": engine.now()}, separators=(",", ":")).encode("ascii") + b"\n"
    path = path_of(engine)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        number = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600)
        with os.fdopen(number, "ab") as file:
            file.write(line)
    except OSError as error:
        message = f"the journal of uses cannot be written: {error.strerror}"
        raise ReadOnlyStoreError(message, hint="nothing was noted", about=str(path)) from error
    return id_
