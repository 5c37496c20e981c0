"""What stands beside a store, and what of it goes with an erasure: journals, the spool, the cache of hashes."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from muniment.engine import deliveries, hot, pending, uses
from muniment.engine.core import Engine
from muniment.engine.wanted import events_with, held_in

if TYPE_CHECKING:
    from muniment.engine.erasing import Going


def clean(engine: Engine, what: Going) -> Iterator[str]:
    """Go through the files of the home; each that changed is named."""
    gone, ids, receipts = set(what.sessions), set(what.facts), set(what.receipts)

    def delivery(told: dict[str, Any]) -> dict[str, Any] | None:
        if told.get("session") in gone:
            return None
        left = {**told, "fact_ids": _less(told.get("fact_ids"), ids), "events": _less(told.get("events"), receipts)}
        if held_in(str(told.get("query", "")), what.words):
            left["query"] = ""
        return left if left["fact_ids"] or left["events"] or told.get("moment") else None

    def use(told: dict[str, Any]) -> dict[str, Any] | None:
        is_gone = told.get("fact") in ids or told.get("session") in gone
        return None if is_gone or held_in(str(told.get("note", "")), what.words) else told

    if _filtered(deliveries.path_of(engine), delivery):
        yield f"journal/{deliveries.path_of(engine).name}"
    if _filtered(uses.path_of(engine), use):
        yield f"journal/{uses.path_of(engine).name}"
    yield from _spool(engine, what)
    cache = engine.settings.home / "cache.db"
    for suffix in ("", "-wal", "-shm", "-journal"):  # it holds hashes of files by their names, and is made again
        path = cache.with_name(cache.name + suffix)
        if path.exists():
            path.unlink()
            yield path.name


def _less(value: object, gone: set[str]) -> list[str]:
    listed = value if isinstance(value, list) else []
    return [
        text for text in listed if isinstance(text, str) and text not in gone and text.partition("@")[0] not in gone
    ]


def _filtered(path: Path, keep: Callable[[dict[str, Any]], dict[str, Any] | None]) -> bool:
    """Write a file of JSON lines anew without what is not kept; torn lines go too."""
    try:
        lines = path.read_bytes().splitlines()
    except FileNotFoundError:
        return False
    kept: list[bytes] = []
    for line in lines:
        try:
            told = json.loads(line)
        except (ValueError, RecursionError):
            continue
        left = keep(told) if isinstance(told, dict) else None
        if left is not None:
            kept.append(line if left == told else json.dumps(left, separators=(",", ":")).encode("ascii"))
    if kept == lines:
        return False
    beside = path.with_name(f".{path.name}.new")
    with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(b"".join(line + b"\n" for line in kept))
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    return True


def _spool(engine: Engine, what: Going) -> Iterator[str]:
    """Notes of hooks about sessions that are gone, and assertions that wait with words that are."""
    spool = engine.settings.home / hot.SPOOL
    for folder in (
        pending.folder(engine),
        spool / hot.QUEUE / engine.workspace.id,
        spool / hot.MISSED / engine.workspace.id,
    ):
        for path in sorted(folder.glob("*.json")) if folder.is_dir() else ():
            text = path.read_text(encoding="utf-8", errors="replace")
            if _speaks_of(text, what):
                path.unlink(missing_ok=True)
                yield path.relative_to(engine.settings.home).as_posix()


def _speaks_of(text: str, what: Going) -> bool:
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        return True  # torn: nobody reads it
    names = {told.get("session"), *(told.get("sessions") or ())} if isinstance(told, dict) else set()
    return bool(names & set(what.sessions)) or held_in(text, what.words)


_TEXTS = frozenset({".md", ".toml", ".json", ".jsonl", ".txt"})


def left(engine: Engine, words: tuple[str, ...]) -> Iterator[str]:
    """Where the words still stand after all: nothing is claimed that was not looked at."""
    if not words:
        return
    store = engine.store()
    still = sum(1 for _ in events_with(store, words))
    if still:
        yield f"{still} events hold the words"
    for path in sorted(p for p in engine.settings.home.rglob("*") if p.is_file() and p.suffix in _TEXTS):
        if held_in(path.read_text(encoding="utf-8", errors="replace"), words):
            yield f"{path.relative_to(engine.settings.home).as_posix()}: a person's file, left alone"
    named = [session for session, told in store.erasure.described() if held_in(told, words)]
    if named:
        yield f"the name, folder or file of {len(named)} sessions: forget --session erases each with all it holds"
