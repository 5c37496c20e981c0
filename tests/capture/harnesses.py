"""The samples of all harnesses whose adapter is a small one: laid out as on a machine, read, shown, and damaged.

python -m tests.capture.harnesses --write     rewrites tests/capture/golden/harnesses/*.json

A folder `samples/<harness>` holds files as their harness wrote them; a database is kept as SQL (`x.db.sql`).
"""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.capture.drift import ODD, mutated
from tests.capture.extract_cases import Session

from muniment.capture.extract import registry
from muniment.capture.transcripts.adapters import adapters
from muniment.capture.transcripts.contract import Adapter, Checkpoint, Cursor, Item, Source
from muniment.engine.indexing import LENT
from muniment.engine.locating import locate
from muniment.model.event import Event, SessionInfo, Skipped, Span
from muniment.model.fact import Archived
from muniment.storage.sqlite.foreign import open_foreign

HERE = Path(__file__).parent
GOLDEN = HERE / "golden" / "harnesses"
OLDER = frozenset({"claude-code", "codex", "copilot-cli", "opencode"})
"""Harnesses that have test files of their own."""
HARNESSES = sorted(
    folder.name for folder in (HERE / "samples").iterdir() if folder.is_dir() and folder.name not in OLDER
)
_ODD = list(getattr(ODD, "elements", ())) or [None, "x", 7, True, 1.5, [], {}, ["a"], {"type": "text"}, "", -1]


NAMES = {"kilo-code": {"kilo-code", "kilo"}, "trae": {"trae", "trae-cli"}}
"""Folders that hold the samples of two adapters."""


def lay_out(harness: str, folder: Path) -> Path:
    """A copy of a harness's samples, with databases for their SQL."""
    root = folder / harness
    shutil.copytree(HERE / "samples" / harness, root, ignore=shutil.ignore_patterns("README.md"))
    for script in sorted(root.rglob("*.sql")):
        build(script.with_suffix(""), script.read_text("utf-8"))
        script.unlink()
    return root


def build(path: Path, script: str) -> None:
    with sqlite3.connect(path) as db:
        db.executescript(script.replace('DELETE FROM "sqlite_sequence";', ""))
    db.close()


def found(root: Path) -> list[tuple[Adapter, Path]]:
    """What a person gets who names the folder."""
    return locate(adapters(), [root])[0]


def read(adapter: Adapter, path: Path, cursor: Cursor | None = None, finished: bool = True) -> list[Item]:
    return list(adapter.read(Source(path, open_foreign, finished=finished, extra=dict(LENT)), cursor))


def shown(root: Path) -> list[Any]:
    """Everything that is read of a harness's samples, as JSON; and the kinds of facts drawn from it."""
    rows: list[Any] = []
    predicates: set[str] = set()
    for adapter, path in found(root):
        items = read(adapter, path)
        rows += [[adapter.name, path.relative_to(root).as_posix()], *(row for i in items if (row := _shown(i, root)))]
        predicates |= {draft.predicate for draft in facts(items, adapter.name)}
    return [*rows, ["facts", *sorted(predicates)]]


def _shown(item: Item, root: Path) -> Any:
    if isinstance(item, SessionInfo):
        told = {name: getattr(item, name) for name in SessionInfo.__slots__ if name != "source_uri"}
        return {"session": {key: _at_home(value, root) for key, value in told.items() if value is not None}}
    if isinstance(item, Skipped):
        return {"skipped": [item.reason, item.offset, item.count]}
    return _event(item) if isinstance(item, Event) else None


def _at_home(value: str, root: Path) -> str:
    return "/home/dev/" + Path(value).relative_to(root).as_posix() if value.startswith(str(root)) else value


def _event(event: Event) -> dict[str, Any]:
    text = event.text
    calls = [
        [call.call_id, call.tool, call.action, {key: said(text, value) for key, value in call.args.items()}]
        for call in event.calls
    ]
    results = [[*result[:1], said(text, result.span), *result[2:]] for result in event.results]
    row: dict[str, Any] = {"at": f"{event.session}:{event.seq}", "who": f"{event.role} {event.origin} {event.kind}"}
    row["text"] = text if len(text) < 500 else f"{text[:200]}... {len(text)}"
    more = {"calls": calls, "results": results, "flags": list(event.flags)}
    names = ("at", "native_id", "updated_at", "parent_id", "model", "tokens_in", "tokens_out")
    more["more"] = {name: value for name in names if (value := getattr(event, name)) is not None}
    return row | {key: value for key, value in more.items() if value}


def said(text: str, value: Any) -> Any:
    return text[value.start : value.end][:120] if isinstance(value, Span) else value


def facts(items: list[Item], harness: str) -> list[Any]:
    """The drafts of the structural extractors."""
    events = [archived(item, harness) for item in items if isinstance(item, Event)]
    drafts = []
    for session in {event.session: None for event in events}:
        window = Session(tuple(event for event in events if event.session == session))
        drafts += [draft for event in window.events for _, draft in registry.draw(event, window)]
    return drafts


def archived(event: Event, harness: str) -> Archived:
    return Archived(
        uid=f"{event.session}:{event.seq}".encode(),
        session=event.session,
        seq=event.seq,
        harness=harness,
        role=event.role,
        origin=event.origin,
        kind=event.kind.value,
        text=event.text,
        order_at=event.at or "2026-01-01T00:00:00.000Z",
        calls=event.calls,
        results=event.results,
        flags=event.flags,
    )


def counted(items: list[Item]) -> tuple[int, int]:
    """Records kept or skipped up to the last checkpoint, and what that checkpoint says of them."""
    done = waiting = ordinal = 0
    for item in items:
        if isinstance(item, Checkpoint):
            done, waiting, ordinal = done + waiting, 0, item.cursor.ordinal
        elif isinstance(item, Event):
            waiting += 1
        elif isinstance(item, Skipped) and item.reason != "unfinished":
            waiting += item.count
    return done, ordinal


def damage(path: Path, dice: random.Random) -> None:
    """Change a file somewhere: bytes, or values within its JSON or its rows."""
    if path.read_bytes().startswith(b"SQLite format 3") and dice.random() < 0.8:
        _damage_rows(path, dice)
    elif path.suffix in (".json", ".jsonl") and dice.random() < 0.7:
        lines = path.read_text("utf-8", "replace").split("\n") if path.suffix == ".jsonl" else [path.read_text("utf-8")]
        at = dice.randrange(len(lines))
        lines[at] = _damaged(lines[at], dice)
        path.write_text("\n".join(lines), "utf-8")
    else:
        path.write_bytes(_torn(path.read_bytes(), dice))


def _damaged(text: str, dice: random.Random) -> str:
    try:
        value = json.loads(text)
    except ValueError:
        return _torn(text.encode(), dice).decode("utf-8", "replace")
    if not value or not isinstance(value, dict | list):
        return json.dumps(dice.choice(_ODD))
    deeper: Any = lambda places: dice.choice([place for place in places if len(place) > 1])  # noqa: E731
    return json.dumps(mutated({"_": value}, deeper, dice.choice(_ODD), dice.random() < 0.5)["_"])


def _torn(data: bytes, dice: random.Random) -> bytes:
    start = dice.randrange(len(data) + 1)
    end = min(len(data), start + dice.randrange(1, 200))
    middle = dice.choice([b"", b"\n", b"\0" * 9, b"\xff", b"{", data[start:end] * 2, b"\n# x\n", dice.randbytes(5)])
    return data[:start] + middle + data[dice.choice([start, end]) :]


def _damage_rows(path: Path, dice: random.Random) -> None:
    with sqlite3.connect(path) as db:
        places = list(_cells(db))
        if not places:
            return
        table, column, row, value = dice.choice(places)
        new: Any = (
            _damaged(value, dice)
            if isinstance(value, str) and value[:1] in "{["
            else dice.choice([None, "", "x", -1, 1 << 62, b"\xff\x00", "{}", "[]", "null"])
        )
        try:
            if dice.random() < 0.1:
                db.execute(f'DELETE FROM "{table}" WHERE rowid = ?', (row,))
            else:
                db.execute(f'UPDATE "{table}" SET "{column}" = ? WHERE rowid = ?', (new, row))
        except sqlite3.IntegrityError:
            pass
    db.close()


def _cells(db: sqlite3.Connection) -> Iterator[tuple[str, str, int, Any]]:
    for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND sql IS NOT NULL").fetchall():
        columns = [row[1] for row in db.execute(f'PRAGMA table_info("{table}")')]
        for rowid, *values in db.execute(f'SELECT rowid, * FROM "{table}"').fetchall():
            yield from ((table, column, rowid, value) for column, value in zip(columns, values, strict=True))


def golden(harness: str) -> Path:
    return GOLDEN / f"{harness}.json"


def as_text(rows: list[Any]) -> str:
    return "[\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n]\n"


def write() -> None:
    GOLDEN.mkdir(parents=True, exist_ok=True)
    for harness in HARNESSES:
        with tempfile.TemporaryDirectory() as folder:
            golden(harness).write_text(as_text(shown(lay_out(harness, Path(folder)))), "utf-8")


if __name__ == "__main__" and sys.argv[1:] == ["--write"]:
    write()
