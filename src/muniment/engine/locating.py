"""Which files to read: those that a person named, or those where harnesses keep their transcripts."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from io import FileIO
from pathlib import Path
from typing import NamedTuple

from muniment.capture.transcripts.adapters import adapters
from muniment.capture.transcripts.contract import Adapter
from muniment.errors import NotFoundError
from muniment.gate.intake import name
from muniment.model.ids import hash128

_HEAD = 1 << 16

Found = list[tuple[Adapter, Path]]


class Place(NamedTuple):
    """One file: how it is read, and the name under which it is known (absolute, links resolved, masked, no other's)."""

    adapter: Adapter
    path: Path
    uri: str

    @property
    def size(self) -> int:
        """In bytes; 0 where it cannot be told."""
        try:
            return self.path.stat().st_size
        except OSError:
            return 0


def readers() -> tuple[Adapter, ...]:
    """The adapters of all harnesses."""
    return tuple(adapters())


def distinct(found: Iterable[tuple[Adapter, Path]]) -> list[Place]:
    """Each file once, by whatever road it was named."""
    known: dict[str, Place] = {}
    folders: dict[str, str] = {}
    for adapter, path in found:
        real = _real(os.fspath(path), folders)
        # Readers take a session's name from the file's: where a link has another name, the link's is meant.
        read = Path(real) if os.path.basename(real) == path.name else path.absolute()
        known.setdefault(real, Place(adapter, read, _known(real)))
    return list(known.values())


def _known(path: str) -> str:
    """The masked path. What was masked told files apart: a few bits of it are kept, too few to find it by."""
    masked = name(path)
    return masked if masked == path else f"{masked}~{hash128('path', path).hex()[:6]}"


def _real(path: str, folders: dict[str, str]) -> str:
    """The path without links. Most files stand beside others: a folder is resolved once for all of them."""
    folder, file = os.path.split(path)
    if file in ("", os.curdir, os.pardir) or os.path.islink(path):
        return os.path.realpath(path)
    if folder not in folders:
        folders[folder] = os.path.realpath(folder)
    return os.path.join(folders[folder], file)


def sources(
    paths: Sequence[Path] | None, home: Path, variables: Mapping[str, str], platform: str
) -> tuple[Found, list[str]]:
    """What there is to read, and the files that no adapter takes: under `paths`, else where harnesses keep transcripts.

    NotFoundError if there is nothing to read.
    """
    found, unclaimed = locate(adapters(), paths) if paths else (discover(adapters(), home, variables, platform), [])
    if not found:
        usual = f"the places where {', '.join(a.name for a in adapters())} keep them"
        where = ", ".join(map(str, paths)) if paths else usual
        hint = "name a file or folder: `muniment index PATH`"
        raise NotFoundError(f"no transcripts in {where}", hint=hint, about=where)
    return found, unclaimed


def locate(known: Iterable[Adapter], paths: Sequence[Path]) -> tuple[Found, list[str]]:
    """The sources among files and folders that a person named; and the files that no adapter takes."""
    known = tuple(known)
    found: Found = []
    unclaimed: list[str] = []
    for path in paths:
        if not os.path.lexists(path):
            raise NotFoundError(f"no such file or folder: {path}", hint="check the path", about=str(path))
        for file in _files(path):
            adapter = _recogniser(known, file)
            if adapter is None:
                unclaimed.append(str(file))
            else:
                found.append((adapter, file))
    return found, unclaimed


def discover(known: Iterable[Adapter], home: Path, variables: Mapping[str, str], platform: str) -> Found:
    """Every source at the places where harnesses keep their transcripts."""
    return [
        (adapter, source)
        for adapter in known
        for place in adapter.places(home, variables, platform)
        if place.exists()
        for source in adapter.sources(place)
    ]


def _files(path: Path) -> list[Path]:
    """The file, or all files below the folder, those near the top first; each folder once, whatever leads to it."""
    if not os.path.isdir(path):
        return [path]
    found: list[Path] = []
    seen: set[tuple[int, int]] = set()
    for folder, inner, files in os.walk(path, followlinks=True):
        inner[:] = [child for child in inner if _is_new(os.path.join(folder, child), seen)]
        found.extend(Path(folder, file) for file in files)
    return sorted(found, key=lambda p: (len(p.parts), str(p)))


def _is_new(folder: str, seen: set[tuple[int, int]]) -> bool:
    try:
        status = os.stat(folder)
    except OSError:
        return False
    is_new = (status.st_dev, status.st_ino) not in seen
    seen.add((status.st_dev, status.st_ino))
    return is_new


def _recogniser(known: Iterable[Adapter], file: Path) -> Adapter | None:
    """Whose file it is. A pipe or a device is nobody's: to open it could wait for ever."""
    try:
        if not stat.S_ISREG(os.stat(file).st_mode):
            return None
        with FileIO(file) as stream:
            head = stream.read(_HEAD)
    except OSError:
        return None
    return next((a for a in known if a.recognises(file, head)), None)
