"""The world beyond files and git: databases, the web where it is allowed, tickets and declared commands."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from muniment.lifecycle.world import CannotLookError
from muniment.model.checks import Allowed, Declared

_MOST = 8 << 20
_SECONDS = 20.0
_IDS, _STATES = ("id", "key", "number", "name"), ("state", "status")
_COLUMNS = """SELECT column_name, data_type, is_nullable, coalesce(column_default, '') FROM information_schema.columns
    WHERE table_schema = %s AND table_name = %s ORDER BY ordinal_position"""


class Outer:
    """What is asked beside the files of a project."""

    def __init__(self, root: str, allowed: Allowed, page: Callable[[str], str | None] | None = None) -> None:
        self._root = root
        self._allowed = allowed
        self._page = page

    # -- databases

    def table(self, database: str, name: str) -> str | None:
        """The schema of a table as text: columns, keys and what is unique, whatever the words of its making."""
        return _postgres(database, name) if "://" in database else _sqlite(Path(database), name)

    # -- the web

    def url(self, url: str) -> bytes | None:
        """What a page says, if its address begins as one of those that are allowed."""
        if not any(url.startswith(start) for start in self._allowed.urls):
            raise CannotLookError("the network is not allowed: name the URL under [check] urls in config.toml")
        return _fetched(url, self._allowed.urls)

    # -- tickets and commands

    def ticket(self, tracker: str, name: str) -> str | None:
        """What the command of a tracker says of a ticket: its first line."""
        declared = self._allowed.trackers.get(tracker)
        if declared is None:
            raise CannotLookError(
                f"no tracker {tracker!r}: no such file, and none under [check.trackers] in config.toml"
            )
        code, output = self._run(Declared(tuple(w.replace("{id}", name) for w in declared.words), declared.timeout))
        said = output.decode("utf-8", "replace").strip().split("\n")[0].strip()
        if code:
            raise CannotLookError(f"the command of tracker {tracker} ended with {code}")
        return said or None

    def ticket_in(self, data: bytes | None, name: str) -> str | None:
        """What a state file says of a ticket: an object or a list in JSON, or lines of name and state."""
        text = (data or b"").decode("utf-8", "replace")
        try:
            return _state_in(json.loads(text), name)
        except ValueError:
            rows = (line.replace(":", " ", 1).replace(",", " ", 1).split(None, 1) for line in text.splitlines())
            return next((row[1].strip() for row in rows if len(row) == 2 and row[0] == name), None)

    def command(self, name: str) -> tuple[int, bytes]:
        """The exit and the output of a declared command."""
        declared = self._allowed.commands.get(name)
        if declared is None:
            raise CannotLookError(f"no command {name!r} is declared under [check.commands] in config.toml")
        return self._run(declared)

    def _run(self, declared: Declared) -> tuple[int, bytes]:
        try:
            done = subprocess.run(
                list(declared.words), cwd=self._root, stdin=subprocess.DEVNULL, capture_output=True,
                timeout=declared.timeout, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired as error:
            raise CannotLookError(f"{declared.words[0]} took more than {declared.timeout:g} seconds") from error
        except (OSError, ValueError) as error:
            raise CannotLookError(f"{declared.words[0]} cannot be run: {error}") from error
        return done.returncode, done.stdout[:_MOST]

    # -- pages

    def page(self, uuid: str) -> str | None:
        """The version of a page."""
        if self._page is None:
            raise CannotLookError("no pages are kept here")
        return self._page(uuid)


def _state_in(told: Any, name: str) -> str | None:
    """The state of a ticket in what a file of JSON holds."""
    rows: Sequence[Any] = told if isinstance(told, list) else []
    if isinstance(told, Mapping):
        inner = next((told[k] for k in ("tickets", "issues", "items") if isinstance(told.get(k), list)), None)
        if inner is None:
            found = told.get(name)
            return _state_of(found) if isinstance(found, Mapping) else None if found is None else str(found)
        rows = inner
    alike = (r for r in rows if isinstance(r, Mapping) and any(str(r.get(k)) == name for k in _IDS))
    return next((_state_of(r) for r in alike), None)


def _state_of(row: Mapping[str, Any]) -> str | None:
    return next((str(row[k]) for k in _STATES if row.get(k) is not None), None)


def _sqlite(path: Path, name: str) -> str | None:
    from muniment.storage.sqlite.foreign import open_foreign

    if not path.exists():
        return None
    try:
        database = open_foreign(path)
        try:
            return _schema(database.execute, name)
        finally:
            database.close()
    except OSError as error:
        raise CannotLookError(f"{path.name} cannot be read: {error}") from error


def _schema(ask: Callable[[str, Sequence[Any]], Any], name: str) -> str | None:
    columns = [
        f"{n} {t.upper()}{' NOT NULL' if required else ''}{f' DEFAULT {d}' if d is not None else ''}{f' KEY {k}' if k else ''}"
        for n, t, required, d, k in ask(
            'SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_xinfo(?)', (name,)
        )
    ]
    if not columns:
        return None
    foreign = sorted(
        f"FOREIGN {a} -> {t}.{b}"
        for t, a, b in ask('SELECT "table", "from", coalesce("to", \'\') FROM pragma_foreign_key_list(?)', (name,))
    )
    unique = []
    for (index,) in list(ask('SELECT name FROM pragma_index_list(?) WHERE "unique" = 1', (name,))):
        over = (str(c) for (c,) in ask("SELECT coalesce(name, '') FROM pragma_index_info(?) ORDER BY seqno", (index,)))
        unique.append(f"UNIQUE {' '.join(over)}")
    return "\n".join([*columns, *foreign, *sorted(unique)])


def _postgres(url: str, name: str) -> str | None:
    from importlib import import_module

    try:
        psycopg = import_module("psycopg")
    except ImportError as error:
        raise CannotLookError("psycopg is not installed: pip install 'muniment[postgres]'") from error
    schema, _, table = name.rpartition(".")
    try:
        with psycopg.connect(url, connect_timeout=5, options="-c default_transaction_read_only=on") as database:
            rows = database.execute(_COLUMNS, (schema or "public", table)).fetchall()
    except psycopg.Error as error:
        raise CannotLookError(f"the database cannot be asked: {type(error).__name__}") from error
    return "\n".join(" ".join(map(str, row)) for row in rows) or None


def _fetched(url: str, allowed: Sequence[str]) -> bytes | None:
    from urllib import error, request

    class Within(request.HTTPRedirectHandler):
        """What is not allowed is not allowed by way of another page either."""

        def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Any:
            if not any(newurl.startswith(start) for start in allowed):
                raise CannotLookError(f"it leads to {newurl}, which is not allowed")
            return super().redirect_request(req, fp, code, msg, headers, newurl)

    if not url.startswith(("http://", "https://")):
        raise CannotLookError("only http and https are fetched")
    try:
        with request.build_opener(Within).open(url, timeout=_SECONDS) as answer:  # the schemes are looked at above
            data: bytes = answer.read(_MOST + 1)
    except error.HTTPError as problem:
        if problem.code in (404, 410):
            return None
        raise CannotLookError(f"the server says {problem.code}") from problem
    except (OSError, ValueError) as problem:
        raise CannotLookError(f"it cannot be fetched: {problem}") from problem
    if len(data) > _MOST:
        raise CannotLookError(f"it is larger than {_MOST} bytes")
    return data
