"""From a file to chats. The format is seen from what stands in the file; nothing has to be said about it."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from muniment.errors import NotFoundError, UsageError
from muniment.evals.recall import beam, locomo, longmemeval, madial
from muniment.evals.recall.data import Chat, Data

FORMATS = "LoCoMo, BEAM, LongMemEval, MADial, or lines of your own with question and relevant"
_FAULTS = (KeyError, TypeError, ValueError, AttributeError, IndexError)


@dataclass(frozen=True, slots=True)
class Label:
    """A question of one's own store, and the receipts or ids that answer it."""

    question: str
    relevant: tuple[str, ...]
    category: str = "own"


def load(path: Path, lang: str = "en", audit: Path | None = None) -> Data | list[Label]:
    """The chats in a file (or folder, for MADial), or one's own labels.

    UsageError if it is of no format that is known, or is not what its format says.
    """
    if not path.exists():
        raise NotFoundError(f"no such file: {path}", hint="--data FILE", about=str(path))
    try:
        return _load(path, lang, audit)
    except _FAULTS as error:
        what = f"{type(error).__name__}: {error}"
        raise UsageError(
            f"{path} is not what its format says: {what}", hint=f"formats: {FORMATS}", about=str(path)
        ) from error


def _load(path: Path, lang: str, audit: Path | None) -> Data | list[Label]:
    if path.is_dir():
        return Data("madial", [madial.chat(*madial.files(path, lang))])
    text = _text(path)
    whole = _json(text)
    if audit is not None and not _is_list_of(whole, "qa"):
        raise UsageError("an audit file belongs to LoCoMo", hint="leave --audit out", about=str(audit))
    if _is_list_of(whole, "qa"):
        return Data("locomo", list(locomo.chats(whole, _json(_text(audit)) if audit else ())))
    if _is_list_of(whole, "haystack_sessions"):
        return Data("longmemeval", list(longmemeval.chats(whole)))
    if isinstance(whole, dict) and "chats" in whole:
        return Data("beam", list(beam.chats(whole)))
    rows = [_row(line, number) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if rows and "relevant" in rows[0]:
        return [label(row) for row in rows]
    if madial.is_memory(rows):
        return Data("madial", [madial.chat(path, madial.dialogues_beside(path))])
    raise UsageError(f"{path} has none of the formats that are known", hint=f"formats: {FORMATS}", about=str(path))


def label(row: Any) -> Label:
    """A label as it stands in a file; UsageError if a field is missing or is not what it should be."""
    question = row.get("question") if isinstance(row, dict) else None
    relevant = row.get("relevant") if isinstance(row, dict) else None
    relevant = [relevant] if isinstance(relevant, str) else relevant
    if not isinstance(question, str) or not question.strip():
        raise UsageError(f"a label without a question: {str(row)[:80]}", hint='{"question": "...", "relevant": [...]}')
    if not isinstance(relevant, list) or not relevant or not all(isinstance(r, str) and r for r in relevant):
        raise UsageError(f"no receipts or ids are relevant to {question[:60]!r}", hint='"relevant": ["session:seq"]')
    return Label(question, tuple(relevant), str(row.get("category", "own")))


def _text(path: Path) -> str:
    open_: Callable[..., Any] = gzip.open if path.suffix == ".gz" else open
    try:
        with open_(path, "rt", encoding="utf-8") as stream:
            return str(stream.read())
    except (EOFError, gzip.BadGzipFile, UnicodeDecodeError) as error:
        raise UsageError(
            f"{path} cannot be read: {error}", hint="JSON in UTF-8, or that in gzip", about=str(path)
        ) from error


def _json(text: str) -> Any:
    """The whole file as one JSON value; None if it is not one (it may be lines)."""
    try:
        return json.loads(text)
    except ValueError:
        return None


def _row(line: str, number: int) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except ValueError as error:
        raise ValueError(f"line {number}: {error}") from error
    if not isinstance(value, dict):
        raise TypeError(f"line {number} is no JSON object")
    return value


def _is_list_of(value: Any, key: str) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict) and key in value[0]


def questions_of(chats: list[Chat]) -> Iterator[str]:
    """The words of every question."""
    for chat in chats:
        yield from (question.text for question in chat.questions)
