"""Who may speak here, and as whom: the token of the home's owner, and keys that the owner gave out.

A key names the store that it opens, so no request can ask for another: there is no tenant and no workspace in any address.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
import secrets
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from muniment.errors import ConflictError, NotFoundError, ReadOnlyStoreError, UsageError

KEYS_FILE = "http-keys.json"
SPEAKERS = ("person", "agent", "import")
RIGHTS = ("read", "write", "own")
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}")


@dataclass(frozen=True, slots=True)
class Key:
    """What a token opens: a store (of a home and a folder), with which rights, and whose words it brings."""

    name: str
    hash: str
    home: str
    folder: str
    speaks: str
    right: str
    may_vouch: bool = False
    """May its bearer say that a person stands behind a request?"""

    def allows(self, needs: str) -> bool:
        """Each right holds those before it."""
        return RIGHTS.index(self.right) >= RIGHTS.index(needs)


def hashed(token: str) -> str:
    """How a token is kept: of 32 random bytes a plain hash tells nothing."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def find(keys: Iterable[Key], token: str) -> Key | None:
    """The key of a token; every key is compared, so that the time says nothing."""
    wanted, found = hashed(token), None
    for key in keys:
        if hmac.compare_digest(key.hash, wanted):
            found = key
    return found


def read(home: Path) -> list[Key]:
    """The keys that were given out."""
    path = home / KEYS_FILE
    try:
        listed = json.loads(path.read_text(encoding="utf-8"))
        return [Key(**each) for each in listed["keys"]]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, TypeError, KeyError) as error:
        hint = "move it away, and give the keys out again with `muniment server key add`"
        raise UsageError(f"{path} is no list of keys ({error})", hint=hint, about=str(path)) from error


def add(home: Path, name: str, folder: str, tenant_home: str, speaks: str, right: str) -> str:
    """Give out a key; its token, which is shown once and kept nowhere."""
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} is no name for a key", hint="small letters, digits, dots and dashes", about=name)
    known = read(home)
    if any(key.name == name for key in known):
        raise ConflictError(f"there is a key {name}", hint=f"muniment server key remove {name}", about=name)
    token = "mk_" + secrets.token_urlsafe(32)
    _write(home, [*known, Key(name, hashed(token), tenant_home, folder, speaks, right)])
    return token


def remove(home: Path, name: str) -> Key:
    """Take a key back. A server that runs refuses it from the next request on."""
    known = read(home)
    gone = next((key for key in known if key.name == name), None)
    if gone is None:
        raise NotFoundError(f"no key {name}", hint="muniment server key list", about=name)
    _write(home, [key for key in known if key is not gone])
    return gone


def _write(home: Path, keys: list[Key]) -> None:
    path = home / KEYS_FILE
    beside = path.with_suffix(f".{os.getpid()}.tmp")
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        number = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(number, "w", encoding="utf-8") as file:
            json.dump({"keys": [asdict(key) for key in keys]}, file, indent=1)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except OSError as error:
        message = f"the keys cannot be kept in {path}: {error.strerror}"
        raise ReadOnlyStoreError(message, about=str(path)) from error


def owner(home: Path, folder: str, token: str) -> Key:
    """The owner's key: whoever can read the home may do everything, and may vouch for the person who sits at it."""
    return Key("owner", hashed(token), str(home), folder, "import", "own", may_vouch=True)
