"""The journal of uses: what was returned and opened, and what led to success or failure; beside the store, no part of it.

It changes no standing and no rank (reading and using do not make a fact truer); it answers which work a fact was good for.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from muniment.engine import deliveries, finding
from muniment.engine.core import Engine
from muniment.engine.hot import append
from muniment.errors import ReadOnlyStoreError, UsageError
from muniment.gate.masks import mask
from muniment.model.ids import show

HOW = ("success", "failure")
RETURNED, OPENED = "returned", "opened"
_EVERY = (*HOW, RETURNED, OPENED)
_READ = 8 << 20
"""Bytes of the journal that are counted, the last ones."""
_VERSION = 1
_NOTE_CAP = 1000


def path_of(engine: Engine) -> Path:
    """The journal of the engine's workspace."""
    return engine.settings.home / deliveries.FOLDER / f"{engine.workspace.id}.uses.jsonl"


def record(engine: Engine, text: str, how: str, note: str = "", session: str | None = None) -> str:
    """Note how the fact with that id served; its whole id comes back."""
    if how not in _EVERY:
        raise UsageError(f"a fact leads to {' or '.join(HOW)}, not to {how!r}", about=how)
    id_ = show(finding.fact(engine, text).row.id)
    note_all(engine, [id_], how, note, session)
    return id_


def note_all(engine: Engine, ids: Iterable[str], how: str, note: str = "", session: str | None = None) -> None:
    """The same of whole ids that are known to be there."""
    told = {"v": _VERSION, "session": session, "how": how, "note": mask(note)[0][:_NOTE_CAP], "at": engine.now()}
    lines = [json.dumps({**told, "fact": id_}, separators=(",", ":")).encode("ascii") for id_ in ids]
    path = path_of(engine)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if lines:
            append(os.fspath(path), b"\n".join(lines))
    except OSError as error:
        message = f"the journal of uses cannot be written: {error.strerror}"
        raise ReadOnlyStoreError(message, hint="nothing was noted", about=str(path)) from error


def counted(engine: Engine) -> dict[str, int]:
    """How often each fact served, by id; a failure takes one away. A journal that cannot be read counts nothing."""
    found: Counter[str] = Counter()
    try:
        with path_of(engine).open("rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - _READ))
            for line in file:
                told = _object(line)
                fact, how = told.get("fact"), told.get("how")
                if isinstance(fact, str) and how in _EVERY:
                    found[fact] += -1 if how == "failure" else 1
    except OSError:
        return {}
    return dict(found)


def _object(line: bytes) -> dict[str, object]:
    """A line of the journal; what is torn says nothing."""
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}
