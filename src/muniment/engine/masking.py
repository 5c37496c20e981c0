"""The verb `mask`: what is stored already is masked by the rules of today, wherever it stands.

A rule may come late: a pattern that the person adds, a newer program. Looking is free and changes nothing. Applying covers
the primary rows in place (a mask keeps the length, so receipts hold), names claims and facts anew where their value was
covered, replays everything derived, and writes the file anew, so that no page keeps what was there. Files beside the
store (journal, spool) are covered line by line. One workspace at a time; a second run finds nothing.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from muniment.archive import parts
from muniment.engine import rebuilding
from muniment.engine.core import DATABASE, Engine
from muniment.errors import BusyError, NothingChangedError
from muniment.gate import excluding, intake, masks, own_rules
from muniment.gate.admission import claim_id
from muniment.gate.masks import MARK
from muniment.model.fact import Verdict
from muniment.model.ids import hash128, show
from muniment.model.ports import Store
from muniment.model.stored import FactRow, Prepared
from muniment.storage.sqlite.masking import MaskTable

Progress = Callable[[int, int, str], None]
_HEX = re.compile(r"[0-9a-f]{32}")
_KEPT = frozenset(("method", "standing", "predicate", "span", "uid", "witness", "fact", "key", "claim", "anchor"))
_LEAST = 4
_PERSON_S = frozenset(("config.toml", "purpose.md", "setup"))
"""What a person wrote, or had before us: it is told of and left alone."""
_BESIDE = (".json", ".jsonl")


@dataclass(frozen=True, slots=True)
class MaskReport:
    """What today's rules cover of what is stored: receipts of events, ids of verdicts, sessions, facts whose words were
    covered (as they were called, and are called now), and files. `left` tells what was not touched, and why.
    """

    applied: bool
    events: tuple[str, ...] = ()
    verdicts: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    files: tuple[str, ...] = ()
    left: tuple[str, ...] = field(default=())

    @property
    def is_empty(self) -> bool:
        """Is there nothing that today's rules would cover?"""
        return not (self.events or self.verdicts or self.sessions or self.files)


class _Row(NamedTuple):
    """One content of an event, as it is and as it may be kept."""

    n: int
    receipt: str
    old: Prepared
    new: Prepared


def look(engine: Engine) -> MaskReport:
    """What `mask` would cover; nothing is written."""
    store = engine.store()
    with store.reading():
        sweep = _Sweep(store)
        rows = list(sweep.rows(lambda *_: None))
        facts = [f for r in rows for f in _touched(store, r)]
        told = MaskReport(
            False, tuple(r.receipt for r in rows), tuple(v.id.hex() for v, _ in sweep.verdicts()),
            tuple(masks.mask(str(t[0]))[0] for _, t, _ in sweep.texts("sessions")), tuple((show(f), "") for f in facts),
        )  # fmt: skip
    files = tuple(_shown(engine, path) for path, _ in _files(engine, sweep.pieces))
    return replace(told, files=files, left=tuple(_left(engine, sweep.pieces)))


def apply(engine: Engine, progress: Progress | None = None) -> MaskReport:
    """Cover it. NothingChangedError where there is nothing to cover and no old page to let go; BusyError, with all of it
    covered, where other readers keep the old pages alive."""
    store, tell = engine.store(), progress or (lambda *_: None)
    with store.writing():
        store.begin_batch()
        sweep = _Sweep(store)
        report = sweep.run(tell)
    files = []
    for path, data in _files(engine, sweep.pieces):
        _put(path, data)
        files.append(_shown(engine, path))
    report = replace(report, files=tuple(files), left=tuple(_left(engine, sweep.pieces)))
    table = MaskTable(store.db, store.events)
    if report.is_empty and not table.has_remains():
        raise NothingChangedError("today's rules cover nothing that is not covered already", about=str(engine.path))
    engine.freshness().close()
    (engine.settings.home / "cache.db").unlink(
        missing_ok=True
    )  # names of files and their hashes; made again when asked
    if not table.scrub():
        hint = "let other programs close the store, then run it again"
        raise BusyError(
            "everything is covered, but old pages of the file are still being read", hint=hint, about=str(engine.path)
        )
    return report


class _Sweep:
    """One pass over the primary rows, inside the caller's transaction."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._table = MaskTable(store.db, store.events)
        self.pieces: set[str] = set()
        """What was covered: it goes wherever it stands, also where nothing beside it betrays it."""

    def rows(self, tell: Progress) -> Iterator[_Row]:
        """The events of which something is to be covered."""
        listed = self._table.events()
        if own_rules.has_paths():  # calls first: a result tells only which call it answers
            for n, session, _ in listed:
                excluding.readmitted(self._store.prepared(n), session or "")
        for done, (n, session, seq) in enumerate(listed):
            if done % 500 == 0:
                tell(done, len(listed), "looking")
            old = self._store.prepared(n)
            given = excluding.readmitted(old, session or "") if own_rules.has_paths() else old
            new = intake.readmit(given, parts.encode)
            if new != old:
                if given is old:  # the lines of a file that is excluded are too common to be looked for elsewhere
                    self._note(old.text, new.text)
                yield _Row(n, f"{masks.mask(session or '')[0]}:{seq}", old, new)

    def _note(self, old: str, new: str) -> None:
        """What is covered now and was not."""
        for start, end in _new_marks(old, new):
            self.pieces.update(p for p in old[start:end].split("\n") if _is_telling(p))

    def texts(self, table: str) -> Iterator[tuple[Any, tuple[str | None, ...], tuple[str | None, ...]]]:
        """(row, texts, texts as they may be kept) of those in which something is to be covered."""
        for name, texts in self._table.texts(table):
            new = tuple(None if t is None else self._covered(t) for t in texts)
            if new != texts:
                yield name, texts, new

    def verdicts(self) -> Iterator[tuple[Verdict, Verdict]]:
        """(verdict, as it may be kept)."""
        for verdict in self._store.facts.verdicts():
            draft = json.dumps(self._walk(json.loads(verdict.draft), ""), ensure_ascii=False, sort_keys=True)
            is_same = json.loads(draft) == json.loads(verdict.draft)
            new = verdict._replace(reason=self._covered(verdict.reason), draft=verdict.draft if is_same else draft)
            if new != verdict:
                yield verdict, new

    def _walk(self, value: Any, name: str) -> Any:
        match value:
            case dict():
                return {key: self._walk(item, key) for key, item in value.items()}
            case list():
                return [self._walk(item, name) for item in value]
            case str() if name not in _KEPT and not _HEX.fullmatch(value):
                return self._covered(value)
        return value

    def _covered(self, text: str) -> str:
        covered = masks.mask(text)[0]
        for piece in sorted(self.pieces, key=lambda p: (-len(p), p)):
            if piece in covered:
                covered = covered.replace(piece, MARK * len(piece))
        return covered

    def run(self, tell: Progress) -> MaskReport:
        """Cover all of it, and derive again."""
        rows = list(self.rows(tell))
        uids = {row.old.uid for row in rows}
        before = {f.id: f for uid in sorted(uids) for f in _facts_of(self._store, uid)}
        verdicts = list(self.verdicts())
        before |= {f.id: f for v, _ in verdicts for f in _facts_of(self._store, _uid_of(v))}
        sessions = list(self.texts("sessions"))
        for row in rows:
            self._table.put(row.n, row.new)
        for name, _, new in sessions:
            self._table.put_texts("sessions", name, new)
        for name, _, new in list(self.texts("skips")):
            self._table.put_texts("skips", name, new)
        for old, v in verdicts:
            self._table.put_verdict(old.id, v)
        self._cursors()
        renamed: list[tuple[str, str]] = []
        if rows or verdicts or sessions:
            self._table.forget_looks()
            rebuilding.replay(self._store, tell)
            renamed = self._renamed(before, tell)
        return MaskReport(
            True, tuple(row.receipt for row in rows), tuple(v.id.hex() for v, _ in verdicts),
            tuple(str(new[0]) for _, _, new in sessions), tuple(renamed),
        )  # fmt: skip

    def _cursors(self) -> None:
        for uri, cursor in self._table.cursors():
            state = json.loads(cursor)
            if (masked := intake.prepare_state(state)) != state:
                self._table.put_cursor(uri, json.dumps(masked, separators=(",", ":")))

    def _renamed(self, before: dict[bytes, FactRow], tell: Progress) -> list[tuple[str, str]]:
        """Verdicts name facts and claims; those that have another name now are named by it, and all is derived again."""
        now = {_place(f): f for uid in {f.uid for f in before.values()} for f in _facts_of(self._store, uid)}
        pairs = [(old, now[_place(old)]) for old in before.values() if _place(old) in now]
        names: dict[str, str] = {}
        for old, new in pairs:
            if old.id != new.id or claim_id(old) != claim_id(new):
                names |= {old.id.hex(): new.id.hex(), claim_id(old).hex(): claim_id(new).hex()}
                if old.key is not None and new.key is not None:
                    names[old.key.hex()] = new.key.hex()
        if names and self._rename(names):
            rebuilding.replay(self._store, tell)
        return sorted((show(old.id), show(new.id)) for old, new in pairs if old.id != new.id)

    def _rename(self, names: dict[str, str]) -> bool:
        changed = False
        for v in self._store.facts.verdicts():
            fields = tuple(_HEX.sub(lambda m: names.get(m[0], m[0]), each) for each in (v.target, v.value, v.draft))
            if fields != (v.target, v.value, v.draft):
                id_ = hash128("verdict", v.action, fields[0], v.uid)  # named by what it decides
                self._table.put_verdict(v.id, v._replace(id=id_, target=fields[0], value=fields[1], draft=fields[2]))
                changed = True
        return changed


def _new_marks(old: str, new: str) -> Iterator[tuple[int, int]]:
    at = 0
    while at < len(new):
        if new[at] == old[at]:
            at += 1
            continue
        end = at
        while end < len(new) and new[end] == MARK:
            end += 1
        yield at, max(end, at + 1)
        at = max(end, at + 1)


def _is_telling(piece: str) -> bool:
    """Is it so much of a secret that it may be covered wherever it stands? A short word stands in too many places."""
    return len(piece) >= _LEAST + 2 * piece.isalpha() and bool(piece.strip(MARK))


def _place(fact: FactRow) -> tuple[Any, ...]:
    return fact.uid, fact.span_start, fact.span_end, fact.predicate, fact.method.partition("@")[0], fact.subject.kind


def _facts_of(store: Store, uid: bytes | None) -> list[FactRow]:
    if uid is None:
        return []
    return [f.row for f in store.facts.numbered(store.facts.of_event(uid).values()).values()]


def _uid_of(verdict: Verdict) -> bytes | None:
    from muniment.engine.drafts import uid_of

    return uid_of(verdict)


def _touched(store: Store, row: _Row) -> Iterator[bytes]:
    """The facts whose words are to be covered."""
    if len(row.old.text) == len(row.new.text):
        for fact in _facts_of(store, row.old.uid):
            if row.old.text[fact.span_start : fact.span_end] != row.new.text[fact.span_start : fact.span_end]:
                yield fact.id


# --- files beside the store -------------------------------------------------------------------------------------------


def _files(engine: Engine, pieces: set[str]) -> Iterator[tuple[Path, bytes]]:
    """Our own files in which something is to be covered, and what they are to hold."""
    home = engine.settings.home
    for path in sorted(home.rglob("*")):
        if path.suffix in _BESIDE and path.is_file() and path.relative_to(home).parts[0] not in _PERSON_S:
            old = path.read_bytes()
            new = b"".join(_line(line, pieces) for line in old.splitlines(keepends=True))
            if new != old:
                yield path, new


def _line(line: bytes, pieces: Iterable[str]) -> bytes:
    body = line.rstrip(b"\r\n")
    masked = masks.mask_bytes_json(body, pieces) if body else body
    return line if masked == body else json.dumps(_loaded(masked)).encode("ascii") + line[len(body) :]


def _loaded(masked: bytes) -> Any:
    try:
        return json.loads(masked)
    except ValueError:
        return masked.decode("utf-8", "replace")


def _put(path: Path, data: bytes) -> None:
    beside = path.with_name(f"{path.name}.{os.getpid()}.masked")
    with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(data)
    os.replace(beside, path)


def _left(engine: Engine, pieces: set[str]) -> Iterator[str]:
    """What is not ours to change, or belongs to another workspace."""
    home = engine.settings.home
    for path in sorted(home.rglob("*")):
        is_person_s = (path.is_file() and path.relative_to(home).parts[0] in _PERSON_S) or path.name in _PERSON_S
        if is_person_s and path.is_file():
            text = path.read_text("utf-8", "replace")
            if path.name != "config.toml" and (masks.find(text) or any(p in text for p in pieces)):
                yield f"{_shown(engine, path)} holds something of it: it was written by a person, or is needed to undo"
    others = [p for p in sorted(home.glob(f"*/*/{DATABASE}")) if p != engine.path]
    if others:
        yield f"{len(others)} other stores of this home were not looked at: run it in their folders"


def _shown(engine: Engine, path: Path) -> str:
    return intake.name(str(path.relative_to(engine.settings.home)))
