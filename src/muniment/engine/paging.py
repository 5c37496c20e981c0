"""Pages of a folder as documents: the file wins.

Each page is an event of a session of its own (`page/<uuid>`), which holds the file's whole text; what it says is drawn from
it as from a command. Another text under the same uuid is another content of the same event, and the one that was seen last
counts. A page that another supersedes, or that says so itself, states nothing that is shown by default, and stays readable.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from muniment.archive import parts
from muniment.capture.documents.pages import LONGEST, RESERVED, Page, page
from muniment.capture.extract import own
from muniment.engine import attaching
from muniment.engine.archiving import Archivist
from muniment.engine.core import Engine
from muniment.engine.extraction import OWN_HARNESS
from muniment.engine.world import WorkTree
from muniment.errors import NotFoundError, NothingChangedError, UsageError
from muniment.gate.intake import name, prepare
from muniment.model.event import Action, Argument, Call, Event, Kind, Origin, Role, SessionInfo, Span, TextBuilder
from muniment.model.fact import Standing
from muniment.model.ids import show
from muniment.model.kept import SourceState
from muniment.model.ports import Store
from muniment.model.stored import Prepared
from muniment.model.time import canonical

FOLDER = "memory"
"""Where pages are looked for, below the folder of a project, unless another is named."""
ADAPTER = "pages"
SESSION = "page/"
GONE = "gone"


@dataclass(frozen=True, slots=True)
class Listed:
    """One page: its uuid, name, title, how it stands, what supersedes it, how many addresses it gives, and its receipt."""

    uuid: str
    name: str
    title: str
    standing: str
    by: str
    evidence: int
    receipt: str
    problem: str = ""


@dataclass(slots=True)
class PagesReport:
    """What was read of a folder."""

    folder: str = ""
    read: int = 0
    known: int = 0
    new: int = 0
    changed: int = 0
    gone: int = 0
    ids: tuple[str, ...] = ()
    notes: list[str] = field(default_factory=list)
    pages: list[Listed] = field(default_factory=list)


def index(engine: Engine, folder: Path | None = None, *, allow_nothing: bool = False) -> PagesReport:
    """Read the pages of a folder. NotFoundError if there are none, NothingChangedError if all of them are as they were."""
    place, report, pages = _read(engine, folder)
    store = engine.store(create=True)
    if not pages and not _known(store, report.folder):
        raise NotFoundError(f"no page in {place}", hint="Markdown files with front matter", about=str(place))
    fresh = list(_fresh(engine, store, pages, report))
    _write(engine, fresh, report)
    report.read, report.pages = len(pages), listing(pages)
    if not fresh and not allow_nothing:
        raise NothingChangedError(f"the {len(pages)} pages of {place} are as they were", about=str(place))
    return report


def look(engine: Engine, folder: Path | None = None) -> PagesReport:
    """The pages of a folder as they stand; nothing is read in. NotFoundError if there are none."""
    place, report, pages = _read(engine, folder)
    if not pages:
        raise NotFoundError(f"no page in {place}", hint="Markdown files with front matter", about=str(place))
    report.read, report.pages = len(pages), listing(pages)
    return report


def _read(engine: Engine, folder: Path | None) -> tuple[Path, PagesReport, list[Page]]:
    root = Path(engine.workspace.root)
    place = (root / (folder or FOLDER)).resolve()
    if not place.is_dir():
        raise NotFoundError(f"no such folder: {place}", hint="name the folder in which pages lie", about=str(place))
    report = PagesReport(_shown(place, root))
    return place, report, distinct(read(place, report.notes), report.notes)


def again(engine: Engine) -> Iterator[str]:
    """Read the folders of pages that are known once more; what became of them."""
    for uri in engine.store().sources.named(f"{ADAPTER}:"):
        folder = Path(engine.workspace.root) / uri.removeprefix(f"{ADAPTER}:")
        if folder.is_dir():
            done = index(engine, folder, allow_nothing=True)
            yield from (f"{done.folder}: {note}" for note in done.notes)
            if done.new or done.changed or done.gone:
                yield f"{done.folder}: {done.new} pages new, {done.changed} changed, {done.gone} gone"


def listing(pages: Sequence[Page]) -> list[Listed]:
    """The pages as they stand among each other."""
    over = superseded(pages)
    return [
        Listed(
            p.uuid, p.name, p.title, str(_standing(p, over)), over.get(p.uuid, ""), len(p.evidence), f"{SESSION}{p.uuid}:0",
            p.problem,
        )
        for p in pages
    ]  # fmt: skip


# --- files


def files(place: Path) -> Iterator[Path]:
    """The Markdown files of a folder that may be pages, in order; links out of it are not followed."""
    for path in sorted(place.rglob("*.md")):
        inside = not path.is_symlink() and path.is_file()
        hidden = any(part.startswith(".") for part in path.relative_to(place).parts)
        if inside and not hidden and path.name not in RESERVED:
            yield path


def read(place: Path, notes: list[str]) -> Iterator[Page]:
    """Every page of a folder; what cannot be read is noted."""
    for path in files(place):
        shown = path.relative_to(place).as_posix()
        try:
            if path.stat().st_size > LONGEST:
                notes.append(f"{shown} is larger than {LONGEST} bytes and was not read")
                continue
            text = path.read_bytes().decode("utf-8")
        except OSError as error:
            notes.append(f"{shown} cannot be read: {error.strerror}")
            continue
        except UnicodeDecodeError:
            notes.append(f"{shown} is not UTF-8 and was not read")
            continue
        found = page(name(shown.removesuffix(".md")), text)
        if found.problem:
            notes.append(f"{shown}: {found.problem}")
        yield found


def distinct(pages: Iterable[Page], notes: list[str]) -> list[Page]:
    """One page for each uuid; who comes second is told."""
    found: dict[str, Page] = {}
    for each in pages:
        if each.uuid in found:
            notes.append(f"{each.name} has the uuid of {found[each.uuid].name} and was not read")
        else:
            found[each.uuid] = each
    return list(found.values())


def superseded(pages: Iterable[Page]) -> dict[str, str]:
    """The uuid of every page that another supersedes, and of the one that does."""
    return {old: p.uuid for p in sorted(pages, key=lambda p: p.uuid) for old in p.supersedes if old != p.uuid}


def _standing(p: Page, over: dict[str, str]) -> Standing:
    return Standing.SUPERSEDED if p.uuid in over else p.standing


def _shown(place: Path, root: Path) -> str:
    inside = place.is_relative_to(root.resolve())
    return place.relative_to(root.resolve()).as_posix() if inside else name(os.fspath(place))


# --- events


def _fresh(engine: Engine, store: Store, pages: Sequence[Page], report: PagesReport) -> Iterator[Prepared]:
    """The pages that are new or other than they were, and those whose file went."""
    over, now, world = superseded(pages), engine.now(), attaching.tree(engine)
    seen = set[bytes]()
    for each in pages:
        made = _event(engine, each, _standing(each, over), now, now)
        seen.add(made.uid)
        current = _current(store, made.uid)
        same = current is not None and bool(current.calls) and current.raw == made.raw
        evidence = _kept(current) if current is not None and same else _anchored(engine, each, world)
        at = current.at if current is not None and current.at is not None else now
        made = _event(engine, replace(each, evidence=evidence), _standing(each, over), now, at)
        if current is not None and current.content_hash == made.content_hash:
            report.known += 1
            continue
        report.new, report.changed = report.new + (current is None), report.changed + (current is not None)
        yield made
    for uid in _known(store, report.folder):
        gone = _current(store, uid)
        if uid not in seen and gone is not None and GONE not in gone.flags.split():
            report.gone += 1
            yield _without(gone, now)


def _kept(current: Prepared) -> tuple[str, ...]:
    """The evidence of a page whose text is what it was: with the anchors of then, or nothing could ever have moved."""
    args = current.calls[0].args if current.calls else {}
    spans = [args[f"evidence.{i}"] for i in range(len(args)) if f"evidence.{i}" in args]
    return tuple(current.text[at.start : at.end] for at in spans if isinstance(at, Span))


def _anchored(engine: Engine, p: Page, world: WorkTree) -> tuple[str, ...]:
    """The evidence of a page that is new or was written anew, as it is now; what cannot be looked at stays as written."""
    found: list[str] = []
    for ref in p.evidence:
        try:
            found += attaching.anchored(engine, [ref], world)
        except (NotFoundError, UsageError):
            found.append(ref)
    return tuple(dict.fromkeys(found))


def _current(store: Store, uid: bytes) -> Prepared | None:
    row = store.events.true_place(uid)
    return store.prepared(row[0]) if row is not None else None


def _known(store: Store, folder: str) -> list[bytes]:
    """The pages of a folder that were read before."""
    rows = store.db.rows(
        "SELECT DISTINCT p.uid FROM positions p JOIN sessions s ON s.n = p.session WHERE s.agent = ? ORDER BY p.uid",
        (f"{ADAPTER}:{folder}",),
    )
    return [row[0] for row in rows]


def _event(engine: Engine, p: Page, standing: Standing, now: str, first: str) -> Prepared:
    """The file's text, and behind it the words with which it is stated."""
    builder = TextBuilder()
    builder.add(p.text)
    words = {key: builder.add(value) for key, value in _words(engine, p, standing).items() if value}
    spans = p.answers()
    args: dict[str, Argument] = {**words, "page": Span(p.body, len(p.text))}
    calls = tuple(Call("", own.TOOL, Action.OTHER, {**args, "content": span}) for span in spans)
    made = Event(
        f"{SESSION}{p.uuid}", 0, Role.ASSISTANT, Origin.REPOSITORY, Kind.COMMAND, builder.text, p.text.encode("utf-8"),
        _time(engine, p) or first, native_id=f"{SESSION}{p.uuid}", calls=calls, updated_at=now,
    )  # fmt: skip
    return prepare(made, OWN_HARNESS, parts.encode)


def _words(engine: Engine, p: Page, standing: Standing) -> dict[str, str | None]:
    context = f"uuid:{p.uuid}" + ("" if p.evidence else " no-evidence")
    words = {
        "predicate": "ingested", "subject_kind": "page", "subject": p.name, "tags": " ".join(p.tags), "context": context,
        "standing": None if standing == Standing.CONFIRMED else str(standing), "title": p.title, "summary": p.summary,
        "source": p.source, "expires_at": canonical(p.expires, engine.settings.zone) if p.expires else None,
    }  # fmt: skip
    return words | {f"evidence.{i}": ref for i, ref in enumerate(p.evidence)}


def _time(engine: Engine, p: Page) -> str | None:
    """When it was written, as far as it says so."""
    told = [t for text in (p.updated, p.created) if text and (t := canonical(text, engine.settings.zone)) is not None]
    return min(told[0], engine.now()) if told else None


def _without(gone: Prepared, now: str) -> Prepared:
    """The page as one whose file went: its text stays readable, and states nothing."""
    made = Event(
        f"{SESSION}{(gone.native_id or '').removeprefix(SESSION)}", 0, Role(gone.role), Origin(gone.origin), Kind(gone.kind),
        gone.text, gone.raw, gone.at, native_id=gone.native_id, updated_at=now, flags=(GONE,),
    )  # fmt: skip
    return prepare(made, OWN_HARNESS, parts.encode)


def _write(engine: Engine, fresh: Sequence[Prepared], report: PagesReport) -> None:
    """One transaction: what was read, and that the folder is known."""
    store, cwd = engine.store(), name(engine.workspace.root)
    sessions = {
        e.session: (SessionInfo(e.session, OWN_HARNESS, cwd=cwd, agent=f"{ADAPTER}:{report.folder}"), cwd)
        for e in fresh
    }
    state = SourceState(ADAPTER, {}, 0, 0, {})
    remember: Callable[[object], None] = lambda _: store.sources.put(f"{ADAPTER}:{report.folder}", state, engine.now())  # noqa: E731
    done = Archivist(store).write(sessions, fresh, durable=True, also=remember)
    report.ids = tuple(map(show, done.derived.stored))
    if done.erased:
        report.notes.append(f"{done.erased} pages were erased here and stay so; a new uuid makes a new page")
