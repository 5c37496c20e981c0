"""What was written where, so that all of it can be undone: kept in the home folder, with the bytes that were there before."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from muniment.errors import StoreError
from muniment.harness import files
from muniment.harness.contract import Item, Mark, Member, Own, Part
from muniment.harness.planning import Change
from muniment.harness.texts.splice import Splice

_FOLDER, _FILE, _ORIGINALS = "setup", "installed.json", "originals"
_VERSION = 1
_KINDS: dict[str, type[Any]] = {"member": Member, "item": Item, "mark": Mark, "own": Own}


@dataclass(slots=True)
class Entry:
    """One file that we wrote to. `original` names the bytes that were there, None where there was no file.

    `written` is the digest of what we left; as long as the file has it, putting back the original is all there is to do.
    `is_whole`: nobody else wrote between our first change and the last one.
    """

    path: str
    shown: str
    original: str | None
    mode: int
    written: str
    parts: list[tuple[str, Part]] = field(default_factory=list)
    steps: list[Splice] = field(default_factory=list)
    made: list[tuple[str, ...]] = field(default_factory=list)
    folders: list[str] = field(default_factory=list)
    is_whole: bool = True


class Record:
    """All entries of a home folder, by path."""

    def __init__(self, home: str) -> None:
        self.folder = os.path.join(home, _FOLDER)
        self.entries: dict[str, Entry] = {}
        self._load()

    def add(self, change: Change) -> None:
        """Note a change before it is made: what is there now, and what will be."""
        path, raw = change.settings.path, change.settings.raw
        entry = self.entries.get(path)
        if entry is None:
            original = None if raw is None else self._keep(raw)
            entry = self.entries[path] = Entry(path, change.shown, original, change.settings.mode, "")
        elif (None if raw is None else files.digest(raw)) == entry.original:
            # What was noted before was never written, or somebody took it back: the file is as it was before us.
            entry.parts, entry.steps, entry.made, entry.is_whole = [], [], [], True
        elif raw is None or files.digest(raw) != entry.written:
            entry.is_whole = False
        entry.written = files.digest(change.after)
        entry.steps += change.steps
        entry.made += [place for place in change.made if place not in entry.made]
        kept = [(name, part) for name, part in entry.parts if not _is_version_of_any(name, part, change.parts)]
        entry.parts = [*kept, *change.parts]

    def original(self, entry: Entry) -> bytes | None:
        """The bytes that were there before us; None where there was no file. StoreError if they are not kept any more."""
        if entry.original is None:
            return None
        path = self.place(entry)
        try:
            with open(path, "rb") as file:
                raw = file.read()
        except OSError as error:
            raise StoreError(
                f"{path}: {error.strerror}", hint="only our own entries can be taken out", about=path
            ) from error
        if files.digest(raw) != entry.original:
            raise StoreError(f"{path} is damaged", hint="only our own entries can be taken out", about=path)
        return raw

    def place(self, entry: Entry) -> str:
        """Where the bytes are kept that were there before us."""
        return os.path.join(self.folder, _ORIGINALS, entry.original or "")

    def save(self) -> None:
        """Write the record; where no entry is left, it goes, with all it kept."""
        path = os.path.join(self.folder, _FILE)
        if not self.entries:
            self._clear(path)
            return
        told = {"v": _VERSION, "files": [_plain(entry) for entry in self.entries.values()]}
        _write(path, json.dumps(told, ensure_ascii=False, indent=1).encode())
        self._drop({entry.original for entry in self.entries.values()})

    def _keep(self, raw: bytes) -> str:
        name = files.digest(raw)
        path = os.path.join(self.folder, _ORIGINALS, name)
        if not os.path.exists(path):
            _write(path, raw)
        return name

    def _drop(self, needed: Iterable[str | None]) -> None:
        folder = os.path.join(self.folder, _ORIGINALS)
        for name in os.listdir(folder) if os.path.isdir(folder) else ():
            if name not in needed:
                os.unlink(os.path.join(folder, name))

    def _clear(self, path: str) -> None:
        self._drop(())
        files.remove(path, [os.path.join(self.folder, _ORIGINALS), self.folder, os.path.dirname(self.folder)])

    def _load(self) -> None:
        path = os.path.join(self.folder, _FILE)
        try:
            with open(path, "rb") as file:
                told = json.loads(file.read())
            if told["v"] != _VERSION:
                raise StoreError(f"{path} was written by a newer muniment", hint="update muniment", about=path)
            self.entries = {each["path"]: _entry(each) for each in told["files"]}
        except FileNotFoundError:
            return
        except (OSError, ValueError, KeyError, TypeError) as error:
            hint = "what init wrote has to be taken out by hand; move this file away to begin anew"
            raise StoreError(f"{path} cannot be read: {error}", hint=hint, about=path) from error


def _is_version_of_any(name: str, part: Part, newer: Iterable[tuple[str, Part]]) -> bool:
    return any(
        name == other and type(part) is type(each) and getattr(part, "path", None) == getattr(each, "path", None)
        and _event(part) == _event(each)
        for other, each in newer
    )  # fmt: skip


def _event(part: Part) -> Any:
    if isinstance(part, Mark):
        return part.line
    value = getattr(part, "value", None)
    return value.get("event") if isinstance(value, dict) else value


def _write(path: str, raw: bytes) -> None:
    """Write a file of the home folder; whatever of the home is made with it is nobody else's to read."""
    folder = os.path.dirname(path)
    home = folder if os.path.basename(folder) == _FOLDER else os.path.dirname(folder)
    os.makedirs(os.path.dirname(os.path.dirname(home)), exist_ok=True)
    for each in files.missing(folder):
        os.mkdir(each, 0o700)
    expected = None
    if os.path.exists(path):
        with open(path, "rb") as file:
            expected = file.read()
    files.replace(path, raw, 0o600, expected)


def _plain(entry: Entry) -> dict[str, Any]:
    told = {
        name: getattr(entry, name) for name in ("path", "shown", "original", "mode", "written", "folders", "is_whole")
    }
    told["made"] = [list(place) for place in entry.made]
    told["steps"] = [asdict(step) for step in entry.steps]
    told["parts"] = [
        {"harness": name, "kind": type(part).__name__.lower(), **asdict(part)} for name, part in entry.parts
    ]
    return told


def _entry(told: dict[str, Any]) -> Entry:
    parts = []
    for each in told["parts"]:
        name, kind = each.pop("harness"), _KINDS[each.pop("kind")]
        if "path" in each:
            each["path"] = tuple(each["path"])
        parts.append((name, kind(**each)))
    steps = [Splice(**each) for each in told["steps"]]
    made = [tuple(place) for place in told["made"]]
    rest = {name: told[name] for name in ("path", "shown", "original", "mode", "written", "folders", "is_whole")}
    return Entry(parts=parts, steps=steps, made=made, **rest)
