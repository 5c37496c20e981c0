"""Encryption at rest, by the encrypting build of the same driver: whole pages, of the file and of its log.

The keys of homes are lent by who opens them: every way to a store (the verbs, a look of a hook, scoped SQL, a copy that is
checked) finds the key by the store's place, and none can forget to pass it on.
"""

from __future__ import annotations

import contextlib
import os
import re

import apsw

from muniment.errors import BusyError, EncryptedStoreError, MissingExtraError, WrongKeyError
from muniment.storage.sqlite.schema import APPLICATION_ID

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from muniment.storage.sqlite.lock import WriteLock

_MAGIC = b"SQLite format 3\0"
_PLAIN = b"\x40\x20\x20"
"""Bytes 21 to 24 of every database; the encrypting build leaves them as they are."""
_RAW = re.compile(r"[0-9A-Fa-f]{64}")
_HINT = "set MUNIMENT_KEY_FILE or MUNIMENT_KEY, or [encryption] in config.toml (docs/how-to/encrypt.md)"
_lent: dict[str, Callable[[], str | None]] = {}


def lend(home: str, key: Callable[[], str | None]) -> None:
    """Stores in this home are opened by that key, which is asked for at each opening; None for plain ones."""
    _lent[os.path.abspath(home)] = key


def key_of(path: str) -> str | None:
    """The key that was lent for the home of a store."""
    folder = os.path.dirname(os.path.abspath(path))
    while folder not in _lent:
        folder, before = os.path.dirname(folder), folder
        if folder == before:
            return None
    return _lent[folder]()


def is_encrypted(head: bytes) -> bool:
    """Do these first bytes look like a database of ours, encrypted? One that is damaged still names its program."""
    is_named = head[68:72] == APPLICATION_ID.to_bytes(4, "big")
    return len(head) >= 100 and not head.startswith(_MAGIC) and head[21:24] == _PLAIN and not is_named


def check(head: bytes, path: str) -> bool:
    """Is the file encrypted? EncryptedStoreError if that and the key that was lent do not go together."""
    encrypted, key = is_encrypted(head), key_of(path)
    if encrypted and key is None:
        raise EncryptedStoreError(f"{os.path.basename(path)} is encrypted, and there is no key", hint=_HINT, about=path)
    if key is not None and head.startswith(_MAGIC):
        hint = "`muniment rekey` without the key set encrypts it; the store was left as it is"
        message = f"{os.path.basename(path)} is not encrypted, though a key is set"
        raise EncryptedStoreError(message, hint=hint, about=path)
    return encrypted


def unlock(db: apsw.Connection, path: str, schema: str = "main") -> None:
    """Give a connection that has read nothing yet the key of its file; WrongKeyError if it does not fit."""
    key = key_of(path)
    if key is None:
        return
    _demand_build()
    db.pragma("key", _form(key), schema=schema)
    try:
        db.pragma("application_id", schema=schema)
    except apsw.NotADBError as error:
        raise _wrong(path) from error


def attach(db: apsw.Connection, uri: str, path: str, name: str) -> None:
    """Attach a store under a name, by its key if it has one."""
    key = key_of(path)
    if key is None:
        db.execute(f"ATTACH ? AS {name}", (uri,))
        return
    _demand_build()
    try:
        db.execute(f"ATTACH ? AS {name} KEY ?", (uri, _form(key)))
    except apsw.NotADBError as error:
        raise _wrong(path) from error


def rekey(path: Path, lock: WriteLock, old: str | None, new: str | None) -> bool:
    """Encrypt the file anew, all of it or nothing; False if it has the new key already.

    BusyError if anybody else has it open: the log has to be gone, so that nothing of it stays under the old key.
    """
    _demand_build()
    with lock.held(), contextlib.closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)) as db:
        if not _fits(db, old):
            with contextlib.closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)) as other:
                if _fits(other, new):
                    return False
            raise _wrong(str(path))
        with _alone(db, path):
            db.pragma("rekey", _form(new) if new else "")
    return True


@contextlib.contextmanager
def _alone(db: apsw.Connection, path: Path) -> Iterator[None]:
    try:
        mode = db.pragma("journal_mode")
        left = db.pragma("journal_mode", "delete")
    except apsw.BusyError as error:
        raise _in_use(path) from error
    if left != "delete":
        raise _in_use(path)
    try:
        yield
    finally:
        db.pragma("journal_mode", mode)


def _in_use(path: Path) -> BusyError:
    hint = "end the programs that use it (tool servers, `index --watch`), and run it again; nothing was changed"
    return BusyError(f"{path.name} is open in another program", hint=hint, about=str(path))


def _fits(db: apsw.Connection, key: str | None) -> bool:
    if key is not None:
        db.pragma("key", _form(key))
    try:
        db.pragma("application_id")
    except apsw.NotADBError:
        return False
    return True


def _form(key: str) -> str:
    """64 hexadecimal digits are the key itself; anything else is a passphrase, which is stretched at each opening."""
    return f"raw:{key}" if _RAW.fullmatch(key) else key


def _wrong(path: str) -> WrongKeyError:
    message = f"the key does not open {os.path.basename(path)}"
    hint = "it is another store's key, or an older one (or the file's first page is damaged); nothing was changed"
    return WrongKeyError(message, hint=hint, about=path)


def _demand_build() -> None:
    if not hasattr(apsw, "mc_version"):
        hint = "pip install 'muniment[encryption]', then pip install --force-reinstall --no-deps apsw-sqlite3mc"
        message = "a key is set, and the driver here is the build that cannot encrypt"
        raise MissingExtraError(message, hint=hint, about="apsw-sqlite3mc")
