"""Settings files on disk: read whole, replaced whole, with their mode, their byte order mark and their links kept."""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import tempfile
import time
from dataclasses import dataclass

from muniment.errors import BusyError, ReadOnlyStoreError, RefusedError

_BOM = b"\xef\xbb\xbf"
_WRITABLE = 0o222
_MODE = 0o644
_MOST = 16 << 20


@dataclass(frozen=True, slots=True)
class Settings:
    """A file as it is: `path` without links, `raw` None where there is none."""

    path: str
    raw: bytes | None
    mode: int
    bom: bool = False

    @property
    def text(self) -> str:
        """Its text, without the byte order mark."""
        return decoded(self.raw or b"")

    def encoded(self, text: str) -> bytes:
        """The bytes of a text, with the byte order mark if the file had one."""
        return (_BOM if self.bom else b"") + text.encode("utf-8")


def decoded(raw: bytes) -> str:
    """The text of these bytes, without the byte order mark."""
    return raw.removeprefix(_BOM).decode("utf-8")


def read(path: str) -> Settings:
    """The file behind a path and its links. RefusedError if it is no file of text that may be written."""
    real = os.path.realpath(path)
    try:
        found = os.stat(real)
        if not stat.S_ISREG(found.st_mode) and not stat.S_ISDIR(found.st_mode):
            raise _refused(path, "it is no regular file")
        if found.st_size > _MOST:
            raise _refused(path, f"it has {found.st_size:,} bytes; settings have at most {_MOST:,}")
        raw, mode = _bytes(real), found.st_mode & 0o7777
    except FileNotFoundError:
        return Settings(real, None, _MODE)
    except NotADirectoryError as error:
        raise _refused(path, "a part of its path is a file, not a folder") from error
    except OSError as error:
        raise _refused(path, f"it cannot be read: {error.strerror}") from error
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _refused(path, f"it is not UTF-8 (byte {error.start})", "save it as UTF-8") from error
    return Settings(real, raw, mode, raw.startswith(_BOM))


def _bytes(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def demand_writable(settings: Settings, shown: str) -> None:
    """RefusedError for a file that says that it must not be written (a person, or what manages their files, made it so)."""
    if settings.raw is not None and not settings.mode & _WRITABLE:
        raise _refused(shown, "it is read-only", f"chmod u+w {shown}, or leave that harness out")


def _refused(
    path: str, why: str, hint: str = "mend it, or name the harnesses to set up with --harness"
) -> RefusedError:
    return RefusedError(f"{path}: {why}", hint=f"{hint}; nothing was written", about=path)


def replace(path: str, raw: bytes, mode: int, expected: bytes | None) -> list[str]:
    """Put these bytes in the file's place, whole or not at all; the folders that had to be made.

    BusyError if the file is not as it was when it was read; ReadOnlyStoreError if it cannot be written.
    """
    made = _folders(os.path.dirname(path))
    part = ""
    try:
        handle, part = tempfile.mkstemp(prefix=_PART, dir=os.path.dirname(path))
        with os.fdopen(handle, "wb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        _like(path, part, mode)
        if _now(path) != expected:
            hint = "run it again; nothing was written to it"
            raise BusyError(f"{path} was changed by something else at this moment", hint=hint, about=path)
        os.replace(part, path)
    except OSError as error:
        _gone(part)
        raise ReadOnlyStoreError(
            f"{path} cannot be written: {error.strerror}", hint="it was left as it is", about=path
        ) from error
    except BaseException:
        _gone(part)
        raise
    return made


def _like(path: str, part: str, mode: int) -> None:
    """The mode that the file had, and its owner where we may set it."""
    os.chmod(part, mode)
    if hasattr(os, "chown") and os.path.exists(path):
        there = os.stat(path)
        if (there.st_uid, there.st_gid) != (os.geteuid(), os.getegid()):
            try:
                os.chown(part, there.st_uid, there.st_gid)
            except PermissionError:
                return  # a file of another owner that we may replace becomes ours, as with any editor


def _now(path: str) -> bytes | None:
    try:
        return _bytes(path)
    except FileNotFoundError:
        return None


def demand_unchanged(settings: Settings, shown: str) -> None:
    """BusyError if the file is no longer as it was when it was read."""
    if _now(settings.path) != settings.raw:
        hint = "run it again; nothing was written"
        raise BusyError(f"{shown} was changed by something else at this moment", hint=hint, about=shown)


def sweep(folder: str) -> None:
    """Remove what a write that was cut off left there; a younger file may be of one that is under way."""
    for name in os.listdir(folder) if os.path.isdir(folder) else ():
        path = os.path.join(folder, name)
        with contextlib.suppress(OSError):
            if name.startswith(_PART) and time.time() - os.stat(path).st_mtime > _OLD_S:
                os.unlink(path)


_PART = ".muniment-"
_OLD_S = 60


def _gone(path: str) -> None:
    if path and os.path.exists(path):
        os.unlink(path)


def missing(folder: str) -> list[str]:
    """The folder and those above it that are not there, the outermost first."""
    found: list[str] = []
    while folder and not os.path.isdir(folder):
        found.insert(0, folder)
        folder = os.path.dirname(folder)
    return found


def _folders(folder: str) -> list[str]:
    """Make the folder and those above it; the ones that were not there, the outermost first."""
    made = missing(folder)
    for each in made:
        try:
            os.mkdir(each)
        except OSError as error:
            message = f"{each} cannot be made: {error.strerror}"
            raise ReadOnlyStoreError(message, hint="nothing was written to it", about=each) from error
    return made


def remove(path: str, folders: list[str]) -> None:
    """Delete a file of ours, and those folders made for it that are empty now."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)
    for folder in sorted(folders, key=len, reverse=True):
        try:
            os.rmdir(folder)
        except OSError:
            continue  # somebody else has put something there


def digest(raw: bytes) -> str:
    """A name for these bytes."""
    return hashlib.sha256(raw).hexdigest()
