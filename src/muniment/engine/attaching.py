"""Evidence as it is attached: an address as written becomes one with an anchor, taken from the world at this moment."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path

from muniment.engine.core import Engine
from muniment.engine.outer import Outer
from muniment.engine.wording import masked
from muniment.engine.world import WorkTree
from muniment.errors import MissingExtraError, NotFoundError, UsageError
from muniment.lifecycle import spans, symbols
from muniment.lifecycle.judging import content_mark
from muniment.lifecycle.world import CannotLookError
from muniment.model import address
from muniment.model.address import FILE_KINDS, Address, shown_lines, span_of
from muniment.model.entity import path_key

_MOST = 64
"""Addresses of one fact."""


def tree(engine: Engine) -> WorkTree:
    """The world around a workspace."""
    root = engine.workspace.root
    return WorkTree(root, Outer(root, engine.settings.checks(), lambda uuid: page_version(engine, uuid)))


def anchored(engine: Engine, evidence: Sequence[str], world: WorkTree | None = None) -> tuple[str, ...]:
    """The addresses in full, each with its anchor as far as the world gives one now.

    UsageError if one makes no sense, NotFoundError if it names lines or a symbol that are not there.
    """
    if len(evidence) > _MOST:
        raise UsageError(f"a fact has at most {_MOST} addresses of evidence", about="evidence")
    if not evidence:
        return ()
    seen = world or tree(engine)
    return tuple(dict.fromkeys(_anchored(engine, seen, text).text for text in evidence))


def loose(evidence: Iterable[str]) -> tuple[str, ...]:
    """What to tell of addresses that got no anchor: no check will ever say anything of them."""
    found = (address.parse(text) for text in evidence)
    named = [a for a in found if not a.anchor and a.kind not in ("fact", "receipt")]
    return tuple(
        f"evidence {masked(a.text)}: nothing is there to anchor it, so a check finds it unknown" for a in named
    )


def again(engine: Engine, evidence: Iterable[Address]) -> tuple[str, ...]:
    """The same places as they are now; those that are there no more are left out."""
    seen, found = tree(engine), []
    for each in evidence:
        try:
            found.append(_anchored(engine, seen, each._replace(anchor="").text).text)
        except (NotFoundError, UsageError):
            continue
    return tuple(dict.fromkeys(found))


def page_version(engine: Engine, uuid: str) -> str | None:
    """The text of a page that is kept in the project; None if none has that uuid."""
    from muniment.engine import paging  # pages have evidence of their own, so they come here as well

    pages = paging.read(Path(engine.workspace.root, paging.FOLDER), [])
    return next((page.text for page in pages if page.uuid == uuid), None)


def _anchored(engine: Engine, world: WorkTree, text: str) -> Address:
    if not text.strip() or "\n" in text or "\0" in text:
        raise UsageError(f"no address of evidence: {text!r}", hint=_HINT, about="evidence")
    found = _with_commit(world, text.strip())
    try:
        if found.kind in FILE_KINDS:
            return _of_file(world, _keyed(engine, found))
        return found if found.anchor or found.kind in ("fact", "receipt") else _of_world(world, found)
    except CannotLookError:
        return found
    except MissingExtraError as error:
        raise UsageError(f"{text}: {error.message}", hint=error.hint, about=text) from error


_HINT = (
    "such as src/x.py, src/x.py#L3-L9, src/x.py::Client.retry, data.db#users, https://..., ticket:FILE#ID, command:NAME"
)


def _with_commit(world: WorkTree, text: str) -> Address:
    """A name of a commit (HEAD, a branch, a tag, a short id) as the commit that it means now."""
    found = address.parse(text)
    given = found.token("git")
    if given:
        full = world.git.commit(given)
        return found._replace(anchor=found.anchor.replace(f"git:{given}", f"git:{full}")) if full else found
    head, _, name = text.rpartition("@")
    if head and not found.anchor and (full := world.git.commit(name)) is not None:
        return address.parse(f"{head}@git:{full}")
    return found


def _keyed(engine: Engine, found: Address) -> Address:
    root = engine.workspace.root
    path = path_key(found.path, root, root)
    if path in (".", "") or path.startswith("../"):
        raise UsageError(f"no file: {found.path}", hint=_HINT, about=found.text)
    return found._replace(place=path + found.place[len(found.path) :])


def _of_file(world: WorkTree, found: Address) -> Address:
    """With the commit that has it as it is, and what names the content in itself."""
    path, commit = found.path, found.token("git")
    if commit:
        data = world.then(commit, path)
        if data is None:
            raise NotFoundError(f"commit {commit[:12]} has no {path}", hint=_HINT, about=found.text)
    elif found.anchor:
        return found
    else:
        data = world.now(path)
        if data is None:
            return _absent(found)
        commit = _committed(world, found, data)
    tokens = [f"git:{commit}"] if commit else []
    place, mark = _CONTENT[found.kind](found, data)
    return Address(found.kind, place, ",".join([*tokens, mark]))


def _committed(world: WorkTree, found: Address, data: bytes) -> str:
    """The commit that is checked out, if it has what is cited as it is; else nothing keeps the words."""
    head = world.head
    if head is None or world.is_same(head, found.path):
        return head or ""
    try:
        then = world.then(head, found.path)
        content = _CONTENT[found.kind]
        return head if then is not None and content(found, then) == content(found, data) else ""
    except (CannotLookError, NotFoundError):
        return ""


def _absent(found: Address) -> Address:
    if found.kind == "file":
        return found
    raise NotFoundError(f"no such file: {found.path}", hint=_HINT, about=found.text)


def _whole(found: Address, data: bytes) -> tuple[str, str]:
    return found.place, f"sha256:{sha256(data).hexdigest()}"


def _cited(found: Address, data: bytes) -> tuple[str, str]:
    path, first, last = span_of(found.place)
    lines = spans.lines_of(data)
    if not 1 <= first <= last <= len(lines):
        hint = f"{path} has {len(lines)} lines"
        raise NotFoundError(f"no such lines: {shown_lines(path, first, last)}", hint=hint, about=found.text)
    return shown_lines(path, first, last), f"b3:{spans.mark(lines[first - 1 : last])}"


def _defined(found: Address, data: bytes) -> tuple[str, str]:
    path, _, name = found.place.partition("#")
    if not symbols.is_code(path):
        hint = "cite its lines (#L3-L9): Python, JavaScript, TypeScript, Go, Rust, Java, C and C++ have symbols"
        raise UsageError(f"no grammar for {path}", hint=hint, about=found.text)
    there = symbols.find(path, data, name)
    if there is None:
        known = ", ".join(symbols.names(path, data)[:12])
        raise NotFoundError(f"no one definition {name!r} in {path}", hint=f"there are: {known}", about=found.text)
    return f"{path}#{there.name}", f"{symbols.SCHEME}:{there.structure}"


_CONTENT = {"file": _whole, "lines": _cited, "symbol": _defined}


def _of_world(world: WorkTree, found: Address) -> Address:
    """What is there now; where nobody can look, the address is kept without an anchor."""
    anchor = ""
    if found.kind in ("table", "page"):
        database, _, name = found.place.rpartition("#")
        text = world.table(database, name) if found.kind == "table" else world.page(found.place)
        if text is None:
            raise NotFoundError(f"no such {found.kind}: {found.place}", hint=_HINT, about=found.text)
        anchor = f"b3:{content_mark(text.encode('utf-8', 'surrogateescape'))}"
    elif found.kind == "url" and (data := world.url(found.place)) is not None:
        anchor = f"sha256:{sha256(data).hexdigest()}"
    elif found.kind == "ticket":
        state = world.ticket(*_ticket(found))
        anchor = f"state:{state}" if state is not None else ""
    elif found.kind == "command":
        code, output = world.command(found.place)
        anchor = f"exit:{code}" + (f",b3:{content_mark(output)}" if output else "")
    return found._replace(anchor=anchor)


def _ticket(found: Address) -> tuple[str, str]:
    tracker, _, name = found.place.rpartition("#")
    if not tracker or not name:
        raise UsageError(f"no ticket: {found.place}", hint="ticket:TRACKER#ID", about=found.text)
    return tracker, name
