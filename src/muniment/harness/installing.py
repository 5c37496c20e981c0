"""Changes made, and undone: each file whole or not at all, with word of it left before."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from muniment.errors import StoreError
from muniment.harness import editing, files
from muniment.harness.contract import MARK, Member, Own, Part
from muniment.harness.planning import Change
from muniment.harness.record import Entry, Record
from muniment.harness.texts.form import Unreadable
from muniment.harness.texts.splice import unapplied
from muniment.harness.turns import turn

EDITED = "it was edited by hand since"
"""Why a file that we made is its person's now."""


def install(home: str, changes: Iterable[Change]) -> list[Change]:
    """Make the changes; those that had an effect. What a crash leaves half done, `undo` takes back.

    BusyError, and nothing is written, if a file is no longer as it was when the changes were worked out.
    """
    wanted = list(changes)
    for folder in {os.path.dirname(change.settings.path) for change in wanted}:
        files.sweep(folder)
    effective = [change for change in wanted if change.changes]
    if not effective:
        return []
    with turn(home):
        for change in effective:
            files.demand_unchanged(change.settings, change.shown)
        return _made(home, effective)


def _made(home: str, effective: list[Change]) -> list[Change]:
    record = Record(home)
    for change in effective:
        record.add(change)
    record.save()
    for change in effective:
        made = files.replace(change.settings.path, change.after, change.settings.mode, change.settings.raw)
        record.entries[change.settings.path].folders += made
        if made:
            record.save()
    return effective


@dataclass(frozen=True, slots=True)
class Undone:
    """What became of one file: restored (byte for byte), removed, cleaned (only ours taken out), left (why), kept
    (for another harness), or gone."""

    path: str
    what: str
    why: str = ""


@dataclass(slots=True)
class _Target:
    entry: Entry
    after: bytes | None
    undone: Undone
    rest: list[tuple[str, Part]] = field(default_factory=list)
    stays: bool = False
    """Nothing could be done: it stays written down, so that it can be tried again."""


def undo(
    home: str, names: Collection[str] = (), *, rendered: Collection[str] = (), is_trial: bool = False
) -> list[Undone]:
    """Take out what `install` wrote for these harnesses, or for all. `rendered` are digests of views as we last wrote them.

    A file that is as we left it gets its old bytes back; of one that was edited since only our entries go.
    """
    if is_trial:
        return [target.undone for target in _targets(Record(home), names, rendered)]
    with turn(home):
        record = Record(home)
        targets = _targets(record, names, rendered)
        for target in targets:
            files.sweep(os.path.dirname(target.entry.path))
            _carry_out(record, target)
    return [target.undone for target in targets]


def _targets(record: Record, names: Collection[str], rendered: Collection[str]) -> list[_Target]:
    names = _with_the_last(record, names)
    return [_target(record, entry, names, rendered) for entry in record.entries.values() if _concerns(entry, names)]


def _concerns(entry: Entry, names: Collection[str]) -> bool:
    return not names or any(name in names for name, _ in entry.parts)


def _with_the_last(record: Record, names: Collection[str]) -> Collection[str]:
    """With the last harness goes what was written for all of them."""
    present = {name for entry in record.entries.values() for name, _ in entry.parts}
    return () if names and present & set(names) and present <= {*names, MARK} else names


def _target(record: Record, entry: Entry, names: Collection[str], rendered: Collection[str]) -> _Target:
    rest = [(name, part) for name, part in entry.parts if names and name not in names]
    ours = [part for name, part in entry.parts if not names or name in names]
    settings = files.read(entry.path)
    if settings.raw is None:
        return _Target(entry, None, Undone(entry.shown, "gone", "somebody deleted it"), rest)
    now = files.digest(settings.raw)
    if any(isinstance(part, Own) for part in ours):
        if rest:
            return _Target(entry, settings.raw, Undone(entry.shown, "kept", "another harness needs it"), rest)
        if now == entry.written or now in rendered:
            return _Target(entry, None, Undone(entry.shown, "removed"), rest)
        return _Target(entry, settings.raw, Undone(entry.shown, "left", EDITED), rest)
    if now == entry.written and entry.is_whole and not rest:
        return _restored(record, entry, settings)
    return _cleaned(record, entry, settings, ours, rest)


def _restored(record: Record, entry: Entry, settings: files.Settings) -> _Target:
    try:
        before = record.original(entry)
    except StoreError:
        return _cleaned(record, entry, settings, [part for _, part in entry.parts], [])
    return _Target(entry, before, Undone(entry.shown, "removed" if before is None else "restored"))


def _cleaned(
    record: Record, entry: Entry, settings: files.Settings, ours: list[Part], rest: list[tuple[str, Part]]
) -> _Target:
    made = entry.made if not rest else ()
    try:
        ours = [*ours, *editing.moved(entry.path, settings.text, ours)]
        text = editing.taken(entry.path, settings.text, ours, made)
        exact = None if rest else unapplied(settings.text, entry.steps)
        if _stood_before(record, entry, ours):  # the person's own entry, in whose place ours was put
            if exact is None:
                why = f"what stood in our place cannot be put back for sure; the file as it was: {record.place(entry)}"
                return _Target(entry, settings.raw, Undone(entry.shown, "left", why), rest, stays=True)
            editing.gist(entry.path, exact)
            text = exact
        elif exact is not None and _is_as_good(entry.path, exact, text, ours):
            text = editing.tidied(entry.path, exact, text, ours)
    except Unreadable as error:
        why = f"it cannot be read (line {error.line}: {error.why})"
        return _Target(entry, settings.raw, Undone(entry.shown, "left", why), rest, stays=True)
    if entry.original is None and not rest and _says_nothing(entry.path, text):
        return _Target(entry, None, Undone(entry.shown, "removed"))
    after = settings.encoded(text)
    is_ours_gone = after == settings.raw
    undone = (
        Undone(entry.shown, "gone", "nothing of ours was in it") if is_ours_gone else Undone(entry.shown, "cleaned")
    )
    return _Target(entry, after, undone, rest)


def _stood_before(record: Record, entry: Entry, ours: list[Part]) -> bool:
    """Was there something in our place already, which looks like ours?"""
    try:
        raw = record.original(entry)
    except StoreError:
        return False
    text = "" if raw is None else files.decoded(raw)
    return any(editing.holds(entry.path, text, part) for part in ours)


def _is_as_good(path: str, exact: str, text: str, ours: list[Part]) -> bool:
    """Is the text with the steps taken back as sound as the one with our entries cut out, and as free of us?"""
    try:
        same = editing.gist(path, exact) == editing.gist(path, text)
        return same and not any(editing.holds(path, exact, part) for part in ours)
    except Unreadable:
        return False


def _says_nothing(path: str, text: str) -> bool:
    said = editing.says(path, text)
    return not text.strip() or (
        isinstance(said, dict) and set(said) <= {"version"} and "//" not in text and "#" not in text
    )


def _carry_out(record: Record, target: _Target) -> None:
    if target.stays:
        return
    entry, raw = target.entry, files.read(target.entry.path).raw
    if target.undone.what == "removed":
        files.remove(entry.path, entry.folders)
    elif target.after is not None and target.after != raw:
        mode = entry.mode if target.undone.what == "restored" else files.read(entry.path).mode
        files.replace(entry.path, target.after, mode, raw)
    if target.rest:
        entry.parts, entry.is_whole = target.rest, False
        entry.written = files.digest(target.after or b"")
    else:
        del record.entries[entry.path]
        _hand_over(record, entry.folders)
    record.save()


def _hand_over(record: Record, folders: Iterable[str]) -> None:
    """A folder that we made and that is still needed goes with the last file of ours in it."""
    for folder in folders:
        inside = os.path.join(folder, "")
        heir = next((each for each in record.entries.values() if each.path.startswith(inside)), None)
        if heir is not None and folder not in heir.folders:
            heir.folders.append(folder)


@contextmanager
def watched(home: str, path: str, name: str) -> Iterator[list[tuple[str, str]]]:
    """Somebody else writes what we asked for into a file of ours: what it wrote is ours to take back.

    The caller puts the keys and hashes that were asked for into the list.
    """
    with turn(home):
        before = files.read(path)
        granted: list[tuple[str, str]] = []
        yield granted
        after = files.read(path)
        if after.raw is None or after.raw == before.raw:
            return
        parts: list[Part] = [Member(path, ("hooks", "state", key), {"trusted_hash": value}) for key, value in granted]
        change = Change(path, before, after.raw, [(name, part) for part in parts])
        record = Record(home)
        record.add(change)
        record.save()
