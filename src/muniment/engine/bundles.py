"""`export` and `load` for bundles of pages: OKF (a folder or zip of Markdown) and memoryfield (a flat zip of it).

Files travel as they are: what a bundle held is what it holds after it was loaded and exported again. Only what a format
demands is added or changed: OKF's `type` and its `index.md`; memoryfield's flat names, and pages of at most 8,192 bytes.
"""

from __future__ import annotations

import os
import re
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from muniment.capture.documents.front_matter import Malformed, split
from muniment.capture.documents.front_matter import read as matter
from muniment.capture.documents.pages import LONGEST, RESERVED, page
from muniment.engine import paging
from muniment.engine.core import Engine
from muniment.errors import ConflictError, NotFoundError, NothingChangedError, UsageError

OKF, MEMORYFIELD = "okf", "memoryfield"
FORMATS = (OKF, MEMORYFIELD)
PAGE_BYTES = 8192
"""A page of a memoryfield is no longer."""
_OKF_VERSION = "0.2"
_MOST_FILES, _MOST_BYTES = 20_000, 256 << 20
_EPOCH = (1980, 1, 1, 0, 0, 0)
_DEEP = re.compile(r"^muniment:[ \t]*\r?\n((?:[ ]+\S.*(?:\r?\n|\Z)|[ \t]*\r?\n)+)", re.MULTILINE)

Files = Mapping[str, bytes]


class Bundled(NamedTuple):
    """What was written."""

    format: str
    path: str
    pages: int
    bytes: int
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class Unpacked:
    """What was loaded: files written, files that were there already, and what became of the pages."""

    format: str
    folder: str
    written: list[str] = field(default_factory=list)
    known: int = 0
    notes: list[str] = field(default_factory=list)
    ids: tuple[str, ...] = ()


def export(engine: Engine, format: str, target: Path, folder: Path | None = None) -> Bundled:
    """Write the pages of a folder as a bundle: a zip where the target is called so, or else a folder (of OKF)."""
    place = Path(engine.workspace.root) / (folder or paging.FOLDER)
    if not place.is_dir():
        raise NotFoundError(f"no such folder: {place}", hint="name the folder in which pages lie", about=str(place))
    notes: list[str] = []
    files = _okf(place, notes) if format == OKF else _memoryfield(place, notes)
    if not files:
        raise NotFoundError(f"no page in {place}", about=str(place))
    if format == MEMORYFIELD or target.suffix == ".zip":
        _zip(target, files)
    else:
        _lay_down(target, files)
    return Bundled(format, str(target), len(files), sum(map(len, files.values())), tuple(notes))


def load(engine: Engine, format: str, source: Path, folder: Path | None = None) -> Unpacked:
    """Put the files of a bundle into a folder of pages, and read them. Nothing that is there is overwritten.

    ConflictError, and nothing written, where a file is there with other words; NothingChangedError where all are there.
    """
    place = Path(engine.workspace.root) / (folder or paging.FOLDER)
    done = Unpacked(format, str(place))
    files = dict(_opened(source, done.notes))
    if not files:
        raise NotFoundError(f"{source} holds no page", hint="Markdown files, in a zip or a folder", about=str(source))
    _demand_conforming(format, files, source, done.notes)
    fresh = _fresh(place, files, done)
    if not fresh:
        raise NothingChangedError(f"all {len(files)} files of {source} are there already", about=str(source))
    _lay_down(place, fresh)
    done.written = sorted(fresh)
    read = paging.index(engine, place, allow_nothing=True)
    done.ids, done.notes = read.ids, [*done.notes, *read.notes]
    return done


def problems(files: Files) -> Iterator[tuple[str, str]]:
    """(file, what is wrong) by the three rules of OKF: front matter that can be read, a type, and reserved names in shape."""
    for name, data in sorted(files.items()):
        text = data.decode("utf-8", "replace")
        base = PurePosixPath(name).name
        try:
            fields = matter(text).fields
        except Malformed as error:
            yield name, str(error)
            continue
        if base in RESERVED:
            is_root = name == "index.md"
            if split(text)[1] and not (is_root and set(fields) == {"okf_version"}):
                yield name, "it may have no front matter, but for the version in the first index"
        elif not fields.get("type"):
            yield name, "it has no type"


# --- out


def _okf(place: Path, notes: list[str]) -> dict[str, bytes]:
    files = {n: d if PurePosixPath(n).name in RESERVED else _typed(d) for n, d in _verbatim(place, notes)}
    if files and "index.md" not in files:
        files["index.md"] = _index(files)
    return files


def _typed(data: bytes) -> bytes:
    """With a type, which OKF demands; all else as it is."""
    text = data.decode("utf-8")
    inner, body = split(text)
    end = "\r\n" if "\r\n" in text[:200] else "\n"
    if not body:
        return f"---{end}type: page{end}---{end}{text}".encode()
    if re.search(r"^type[ \t]*:[ \t]*\S", inner, re.MULTILINE):
        return data
    at = text.index("\n") + 1
    return f"{text[:at]}type: page{end}{text[at:]}".encode()


def _index(files: Files) -> bytes:
    lines = [f'---\nokf_version: "{_OKF_VERSION}"\n---\n\n# Pages\n']
    for name, data in sorted(files.items()):
        if PurePosixPath(name).name not in RESERVED:
            found = page(name.removesuffix(".md"), data.decode("utf-8"))
            lines.append(f"- [{found.title}](/{name})" + (f": {found.summary}" if found.summary else ""))
    return ("\n".join(lines) + "\n").encode()


def _memoryfield(place: Path, notes: list[str]) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    for name, data in _verbatim(place, notes):
        if name == "log.md":
            notes.append("log.md has no place in a memoryfield")
            continue
        flat = name if name == "index.md" else _slug(name)
        for part, each in _parts(flat, _flat(data)):
            if part in files:
                raise ConflictError(f"two pages would be called {part}", hint="rename one of them", about=name)
            files[part] = each
    return files


def _slug(name: str) -> str:
    words = re.sub(r"[^a-z0-9]+", "-", name.removesuffix(".md").lower()).strip("-")
    return f"{words or 'page'}.md" if name != f"{words}.md" else name


def _flat(data: bytes) -> bytes:
    """What stands under `muniment:` at the top level, where nobody has to know of us to read it."""
    text = data.decode("utf-8")
    inner, body = split(text)
    found = _DEEP.search(inner) if body else None
    if found is None:
        return data
    lines = found[1].splitlines(keepends=True)
    indent = min(len(line) - len(line.lstrip(" ")) for line in lines if line.strip())
    raised = "".join(line[indent:] if line.strip() else line for line in lines)
    top = inner[: found.start()] + inner[found.end() :]
    if set(re.findall(r"^(\w+)[ \t]*:", top, re.MULTILINE)) & set(re.findall(r"^(\w+)[ \t]*:", raised, re.MULTILINE)):
        return data
    start = text.index(inner, 3)
    return (text[: start + found.start()] + raised + text[start + found.end() :]).encode()


def _parts(name: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    """A page as it is, or where it is too long for the format in pieces that break at lines."""
    if len(data) <= PAGE_BYTES:
        yield name, data
        return
    title, count, room, kept = page(name, data.decode("utf-8")).title, 1, PAGE_BYTES, b""
    for line in _lines(data):
        if kept and len(kept) + len(line) > room:
            yield _numbered(name, count), kept
            count += 1
            kept = f'---\ntitle: "{title.replace(chr(34), "")} ({count})"\n---\n'.encode()
        kept += line
    yield _numbered(name, count), kept


def _lines(data: bytes) -> Iterator[bytes]:
    for line in data.splitlines(keepends=True):
        text = line.decode("utf-8")
        step = PAGE_BYTES // 8  # a character has at most four bytes, and the head of a piece needs room
        yield from (text[at : at + step].encode() for at in range(0, len(text), step))


def _numbered(name: str, count: int) -> str:
    return name if count == 1 else f"{name.removesuffix('.md')}-{count}.md"


def _verbatim(place: Path, notes: list[str]) -> Iterator[tuple[str, bytes]]:
    reserved = (p for p in sorted(place.rglob("*.md")) if p.name in RESERVED and p.is_file() and not p.is_symlink())
    for path in (*paging.files(place), *reserved):
        name, data = path.relative_to(place).as_posix(), path.read_bytes()
        try:
            data.decode("utf-8")
        except UnicodeDecodeError:
            notes.append(f"{name} is not UTF-8 and was left out")
            continue
        yield name, data


def _zip(target: Path, files: Files) -> None:
    """The same files give the same bytes; the zip appears when it is whole."""
    if not target.parent.is_dir():
        raise NotFoundError(f"no such folder: {target.parent}", about=str(target))
    beside = target.with_name(f".{target.name}.new")
    try:
        with zipfile.ZipFile(beside, "w", zipfile.ZIP_DEFLATED) as made:
            for name, data in sorted(files.items()):
                info = zipfile.ZipInfo(name, _EPOCH)
                info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
                made.writestr(info, data)
        os.replace(beside, target)
    finally:
        beside.unlink(missing_ok=True)


def _lay_down(place: Path, files: Files) -> None:
    for name, data in sorted(files.items()):
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(f".{path.name}.new")
        beside.write_bytes(data)
        os.replace(beside, path)


# --- in


def _opened(source: Path, notes: list[str]) -> Iterator[tuple[str, bytes]]:
    """(name, bytes) of the Markdown files of a zip or folder."""
    if source.is_dir():
        yield from _verbatim(source, notes)
        return
    if not source.exists():
        raise NotFoundError(f"no such file: {source}", hint="a zip, or a folder of Markdown files", about=str(source))
    try:
        with zipfile.ZipFile(source) as found:
            yield from _members(found, source, notes)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        raise UsageError(f"{source} cannot be read as a zip: {error}", about=str(source)) from error


def _members(found: zipfile.ZipFile, source: Path, notes: list[str]) -> Iterator[tuple[str, bytes]]:
    members = [m for m in found.infolist() if not m.is_dir()]
    if len(members) > _MOST_FILES or sum(m.file_size for m in members) > _MOST_BYTES:
        raise UsageError(f"{source} holds more than a bundle of pages may", about=str(source))
    for member in members:
        name = member.filename.replace("\\", "/")
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or ":" in name or "\0" in name:
            raise UsageError(f"{source} holds a file outside of itself: {name}", hint="nothing was written", about=name)
        if path.suffix != ".md" or any(part.startswith(".") for part in path.parts):
            notes.append(f"{name} is no page and was left out")
            continue
        if member.file_size > LONGEST:
            raise UsageError(f"{name} is larger than {LONGEST} bytes", about=name)
        yield name, found.read(member)


def _demand_conforming(format: str, files: Files, source: Path, notes: list[str]) -> None:
    if format == OKF:
        notes.extend(f"{name}: {what}" for name, what in problems(files))
    elif deep := [name for name in files if "/" in name]:
        raise UsageError(f"a memoryfield is flat; {source} has {deep[0]}", hint="load okf takes folders", about=deep[0])


def _fresh(place: Path, files: Files, done: Unpacked) -> dict[str, bytes]:
    fresh: dict[str, bytes] = {}
    for name, data in files.items():
        path = place / name
        if path.is_symlink() or not path.resolve().is_relative_to(place.resolve()):
            raise ConflictError(f"{path} leads out of the folder", hint="nothing was written", about=name)
        if not path.exists():
            fresh[name] = data
        elif path.is_file() and path.read_bytes() == data:
            done.known += 1
        else:
            raise ConflictError(f"{path} is there with other words", hint="nothing was written: move it", about=name)
    return fresh
