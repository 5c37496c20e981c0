"""A look at one address: is what a fact leans on still there, did it move, is it another thing by now, or gone?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256

from muniment.errors import MissingExtraError
from muniment.lifecycle import spans, symbols
from muniment.lifecycle.spans import Pair, Span
from muniment.lifecycle.world import CannotLookError, Look, World, unknown
from muniment.model.address import CHANGED, MISSING, MOVED, OK, Address, shown_lines, span_of
from muniment.model.ids import hash128

_NO_ANCHOR = "it was cited without an anchor, so nobody knows what it was"


def look(address: Address, world: World) -> Look:
    """What is at an address now, against its anchor. Never raises for what the world does."""
    if not address.anchor:
        return unknown(_NO_ANCHOR)
    try:
        return _LOOKS[address.kind](address, world)
    except CannotLookError as error:
        return unknown(str(error))
    except MissingExtraError as error:
        return unknown(f"{error.message}: {error.hint}")


def content_mark(data: bytes) -> str:
    """What names content that is no file of a commit."""
    return hash128("content", data).hex()


# --- files


def _file(a: Address, world: World) -> Look:
    commit, wanted = a.token("git"), a.token("sha256")
    if wanted and (now := world.now(a.path)) is not None and sha256(now).hexdigest() == wanted:
        return Look(OK)
    old = world.then(commit, a.path) if commit else None
    if old is not None and world.is_same(commit, a.path):
        return Look(OK)
    where = world.where(commit, a.path) if commit else a.path
    now = world.now(where) if where is not None else None
    if where is None or now is None:
        return Look(MISSING)
    if old is None and not wanted:
        return unknown(f"commit {commit[:12]} has no {a.path}")
    is_equal = _even(now) == _even(old) if old is not None else sha256(now).hexdigest() == wanted
    state = (OK if where == a.path else MOVED) if is_equal else CHANGED
    return Look(state, sha256(now).hexdigest(), where if where != a.path else "")


def _even(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n")


def _lines(a: Address, world: World) -> Look:
    path, first, last = span_of(a.place)
    commit, span = a.token("git"), Span(first, last)
    if first < 1 or last < first:
        return unknown(f"no such lines: {a.place}")
    try:
        old = world.then(commit, path) if commit else None
    except CannotLookError:
        if not a.token("b3"):
            raise
        old = None
    if old is None:
        return _marked(a, world, path, span)
    if world.is_same(commit, path):
        return Look(OK)
    return _followed(commit, path, span, world)


def _followed(commit: str, path: str, span: Span, world: World) -> Look:
    """Lines that a commit has, in what has become of their file; else put into another."""
    where = world.where(commit, path)
    pair = world.pair(commit, path, where if where is not None else path)
    if span.first > len(pair.old):
        return unknown(f"commit {commit[:12]} has {len(pair.old)} lines in {path}")
    found = pair.kept(span) if where is not None else None
    if found is None and where is not None and (put := pair.put(span)) is not None:
        found = None if world.was_gone(commit, path, pair.old[span.first - 1 : span.last]) else put
    if found is not None and where is not None:
        is_there = found == span and where == path
        return Look(OK if is_there else MOVED, place="" if is_there else shown_lines(where, *found))
    if far := _far(commit, pair.old, span, world, (path, where)):
        return Look(MOVED, place=far)
    if where is None or world.now(where) is None:
        return Look(MISSING)
    place = pair.place(span)
    told = shown_lines(where, *place) if place.last >= place.first else where
    return Look(CHANGED, spans.mark(pair.now(span)), told)


def _far(commit: str, lines: Sequence[str], span: Span, world: World, own: Sequence[str | None]) -> str:
    """Lines that were put into another file since."""
    around = lines[max(span.first - 1 - _AROUND, 0) : span.last + _AROUND]
    for path in world.holding(commit, around):
        found = world.pair(commit, path, path).carried(lines, span) if path not in own else None
        if found is not None:
            return shown_lines(path, *found)
    return ""


_AROUND = 3
"""Lines on each side that went along with those that are cited."""


def _marked(a: Address, world: World, path: str, span: Span) -> Look:
    """Lines of which only the hash is known: there somewhere in the file, or not."""
    wanted, now = a.token("b3"), world.now(path)
    if not wanted:
        return unknown(f"commit {a.token('git')[:12]} has no {path}")
    if now is None:
        return Look(MISSING)
    lines, size = spans.lines_of(now), span.last - span.first + 1
    found = spans.marked(lines, size, wanted, span.first)
    if found is None:
        return Look(CHANGED, spans.mark(lines[span.first - 1 : span.last]), path)
    return Look(OK) if found == span else Look(MOVED, place=shown_lines(path, *found))


# --- symbols


def _symbol(a: Address, world: World) -> Look:
    path, _, name = a.place.partition("#")
    commit, wanted = a.token("git"), a.token(symbols.SCHEME)
    if commit and _is_same(world, commit, path):
        return Look(OK)
    where = _where(world, commit, path)
    now = world.now(where) if where is not None else None
    found = symbols.find(where, now, name) if where is not None and now is not None else None
    wanted = _then(world, commit, path, name) or wanted
    if not wanted:
        return unknown(f"commit {commit[:12]} has no {a.place}")
    if found is not None and found.structure == wanted and where is not None:
        return Look(OK) if where == path else Look(MOVED, place=f"{where}#{found.name}")
    if found is None and commit and (far := _far_symbol(a, world, wanted)):
        return Look(MOVED, place=far)
    return Look(MISSING) if found is None else Look(CHANGED, found.structure, f"{where}#{found.name}")


def _is_same(world: World, commit: str, path: str) -> bool:
    try:
        return world.then(commit, path) is not None and world.is_same(commit, path)
    except CannotLookError:
        return False


def _where(world: World, commit: str, path: str) -> str | None:
    try:
        return world.where(commit, path) if commit else path
    except CannotLookError:
        return path


def _then(world: World, commit: str, path: str, name: str) -> str:
    """The structure by the grammar that is installed now, which may be another than the anchor was made with."""
    try:
        old = world.then(commit, path) if commit else None
    except CannotLookError:
        return ""
    found = symbols.find(path, old, name) if old is not None else None
    return found.structure if found is not None else ""


def _far_symbol(a: Address, world: World, wanted: str) -> str:
    """A definition that was put into another file since."""
    path, _, name = a.place.partition("#")
    last = name.rpartition(".")[2]
    for other in _defining(a, world, path, last):
        now = world.now(other)
        found = symbols.find(other, now, name) or symbols.find(other, now, last) if now is not None else None
        if found is not None and found.structure == wanted:
            return f"{other}#{found.name}"
    return ""


def _defining(a: Address, world: World, path: str, name: str) -> list[str]:
    try:
        return world.defining(a.token("git"), path, name)
    except CannotLookError:
        return []


# --- the rest of the world


def _table(a: Address, world: World) -> Look:
    database, _, name = a.place.rpartition("#")
    return _by_mark(world.table(database, name), a)


def _url(a: Address, world: World) -> Look:
    data = world.url(a.place)
    if data is None:
        return Look(MISSING)
    now = sha256(data).hexdigest()
    return Look(OK) if now == a.token("sha256") else Look(CHANGED, now)


def _ticket(a: Address, world: World) -> Look:
    tracker, _, name = a.place.rpartition("#")
    state = world.ticket(tracker, name)
    if state is None:
        return Look(MISSING)
    return Look(OK) if state == a.token("state") else Look(CHANGED, state)


def _command(a: Address, world: World) -> Look:
    code, output = world.command(a.place)
    is_so = a.token("exit") in ("", str(code)) and a.token("b3") in ("", content_mark(output))
    return Look(OK) if is_so else Look(CHANGED, f"exit:{code},{content_mark(output)}")


def _page(a: Address, world: World) -> Look:
    return _by_mark(world.page(a.place), a)


def _by_mark(text: str | None, a: Address) -> Look:
    if text is None:
        return Look(MISSING)
    now = content_mark(text.encode("utf-8", "surrogateescape"))
    return Look(OK) if now == a.token("b3") else Look(CHANGED, now)


_LOOKS: Mapping[str, Callable[[Address, World], Look]] = {
    "file": _file, "lines": _lines, "symbol": _symbol, "table": _table, "url": _url, "ticket": _ticket,
    "command": _command, "page": _page,
}  # fmt: skip

__all__ = ["Pair", "content_mark", "look"]
