"""MADial-Bench: one-sentence memories, and dialogues in which an assistant should recall some of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from muniment.errors import NotFoundError
from muniment.evals.recall.data import Chat, Question, Turn
from muniment.evals.recall.dates import iso

_LAST = 3
"""Utterances before the turn to be made: together they are the question."""
_NAME = re.compile(r"^<[^>]*>:?\s*")


def files(folder: Path, lang: str) -> tuple[Path, Path]:
    """The memories and the dialogues of a language in a folder."""
    found = [folder / f"madial_{lang}_{what}.jsonl" for what in ("memory", "dialogue")]
    for path in found:
        if not path.exists():
            raise NotFoundError(f"no such file: {path}", hint="--lang names the language", about=str(path))
    return found[0], found[1]


def dialogues_beside(memories: Path) -> Path:
    """The dialogues that belong to a file of memories."""
    path = memories.with_name(memories.name.replace("memory", "dialogue"))
    if path == memories or not path.exists():
        raise NotFoundError(f"no dialogues beside {memories}", hint=f"expected {path.name}", about=str(memories))
    return path


def is_memory(rows: list[dict[str, Any]]) -> bool:
    """Is it a file of memories?"""
    first = next(iter(rows[0].values()), None) if rows else None
    return isinstance(first, dict) and "event" in first


def chat(memories: Path, dialogues: Path) -> Chat:
    """Each memory is a session of its own: they stand in no order and have no neighbours."""
    turns = [_turn(name, told) for row in _rows(memories) for name, told in row.items()]
    known = {turn.id for turn in turns}
    questions = [q for row in _rows(dialogues) if (q := _question(row, known)).gold and q.text]
    return Chat(memories.stem, turns, questions)


def _turn(name: str, told: dict[str, Any]) -> Turn:
    return Turn(name, name, 0, str(told["event"]), iso(told.get("time")), str(told.get("scene") or "") or None, "user")


def _question(row: dict[str, Any], known: set[str]) -> Question:
    stop = min(row["test-turn"]) if row["test-turn"] else len(row["dialogue"])
    said = [_NAME.sub("", text).strip().strip('"') for text in row["dialogue"][1:stop]]
    return Question(" ".join(said[-_LAST:]), "recall", frozenset(map(str, row["relevant-id"])) & known)


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text("utf-8").splitlines():
        if line.strip():
            yield json.loads(line)
