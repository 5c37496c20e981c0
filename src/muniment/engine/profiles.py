"""Profiles of scoped SQL: small TOML files in the home's `profiles` folder, checked by name before anything is opened.

They live in the home and not in the project, since whoever works in a project must not widen what he may see of its memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from muniment.engine.core import Engine
from muniment.errors import NotFoundError, ScopeError, UsageError
from muniment.model import time as times
from muniment.model.profile import MOST, Filter, Grant, Limits, Profile, Redaction
from muniment.storage.sqlite.relations import RELATIONS

FOLDER = "profiles"
PROJECT = "project"
"""The profile that is there without a file: all relations of the project, every column and row."""
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_KEYS = ("about", "memory_sql", "beside", "only", "never", "relations", "limits")
_GRANT_KEYS = ("columns", "only", "never", "redact", "since", "until")
_LONGEST = 100
_LARGEST = 1 << 18


def profile(engine: Engine, name: str) -> Profile:
    """The profile of that name. NotFoundError if there is none, UsageError with file and key if it makes no sense."""
    if not _NAME.fullmatch(name):
        hint = f"small letters, digits, - and _; the file is {engine.settings.home / FOLDER}/NAME.toml"
        raise UsageError(f"no name of a profile: {name[:80]!r}", hint=hint, about="profile")
    path = engine.settings.home / FOLDER / f"{name}.toml"
    if not path.exists():
        if name == PROJECT:
            return Profile(PROJECT, tuple(_whole(relation) for relation in RELATIONS), memory_sql=True, beside=True)
        hint = (
            f"write {path}, or use {PROJECT!r}, which sees all of this project; there are: {', '.join(_names(engine))}"
        )
        raise NotFoundError(f"no profile {name}", hint=hint, about=str(path))
    return read(path)


def read(path: Path) -> Profile:
    """The profile in a file."""
    import tomllib

    try:
        told = tomllib.loads(path.read_bytes()[:_LARGEST].decode("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path}: {error}", hint="a profile is a TOML file in UTF-8", about=str(path)) from error
    return _Reader(path).profile(told)


def demand_tool(profile: Profile) -> None:
    """ScopeError unless the profile lets agents use it as a tool."""
    if not profile.memory_sql:
        hint = "write `memory_sql = true` at the top of the profile"
        raise ScopeError(f"profile {profile.name} does not grant the tool memory_sql", hint=hint, about=profile.name)


def _whole(relation: str) -> Grant:
    return Grant(relation, tuple(column.name for column in RELATIONS[relation].columns))


def _names(engine: Engine) -> list[str]:
    try:
        found = {p.stem for p in (engine.settings.home / FOLDER).iterdir() if p.suffix == ".toml"}
    except OSError:
        found = set()
    return sorted(found | {PROJECT})


class _Reader:
    """One file; each complaint names it and the key."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def profile(self, told: Mapping[str, Any]) -> Profile:
        self._known("", told, _KEYS)
        tables = self._table("relations", told.get("relations", {}))
        if not tables:
            hint = f"[relations.v_now] grants one; there are {', '.join(RELATIONS)}"
            raise self._wrong("relations", "names no relation", hint)
        self._known("relations.", tables, RELATIONS)
        shared = self._only_and_never("", told)
        grants = tuple(self._grant(name, self._table(f"relations.{name}", t), shared) for name, t in tables.items())
        is_tool, is_beside = (
            self._of(key, told.get(key, False), bool, "true or false") for key in ("memory_sql", "beside")
        )
        about = self._of("about", told.get("about", ""), str, "a text")
        return Profile(self._path.stem, grants, self._limits(told.get("limits", {})), is_tool, is_beside, about)

    def _grant(self, name: str, told: Mapping[str, Any], shared: Mapping[str, Mapping[str, Any]]) -> Grant:
        where = f"relations.{name}"
        self._known(f"{where}.", told, _GRANT_KEYS)
        known = [column.name for column in RELATIONS[name].columns]
        columns = self._names(f"{where}.columns", told.get("columns", known))
        self._known(f"{where}.columns: ", columns, known)
        redact = self._table(f"{where}.redact", told.get("redact", {}))
        self._known(f"{where}.redact.", redact, columns)
        filters = [
            *self._filters(name, "", shared),
            *self._filters(name, f"{where}.", self._only_and_never(f"{where}.", told)),
        ]
        how = {column: self._redaction(f"{where}.redact.{column}", value) for column, value in redact.items()}
        since, until = (self._time(f"{where}.{key}", told.get(key)) for key in ("since", "until"))
        return Grant(name, tuple(c for c in known if c in columns), tuple(filters), how, since, until)

    def _only_and_never(self, where: str, told: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
        return {key: self._table(f"{where}{key}", told.get(key, {})) for key in ("only", "never")}

    def _filters(self, relation: str, where: str, told: Mapping[str, Mapping[str, Any]]) -> Iterator[Filter]:
        known = RELATIONS[relation].filterable
        for key, table in told.items():
            for column, values in table.items():
                place = f"{where}{key}.{column}"
                if column not in known:
                    hint = (
                        f"{relation} can be filtered by {', '.join(known)}; a filter for some relations stands in them"
                    )
                    raise self._wrong(place, f"is no column of {relation}", hint)
                yield Filter(column, self._values(place, values), is_never=key == "never")

    def _values(self, where: str, told: Any) -> tuple[str | int, ...]:
        values = told if isinstance(told, list) else [told]
        for value in values:
            if not isinstance(value, str | int) or isinstance(value, bool):
                raise self._wrong(where, f"must be a text, a whole number or a list of them, not {value!r:.80}")
            if isinstance(value, str) and (len(value) > _LONGEST or "\0" in value):
                raise self._wrong(where, f"holds a value of more than {_LONGEST} characters, or a NUL")
        if not values:
            raise self._wrong(
                where, "is an empty list", "leave the key out to see every row, or the relation to see none"
            )
        return tuple(values)

    def _limits(self, told: Any) -> Limits:
        table = self._table("limits", told)
        self._known("limits.", table, MOST)
        for name, value in table.items():
            if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= MOST[name]:
                raise self._wrong(f"limits.{name}", f"must be a whole number from 1 to {MOST[name]}, not {value!r:.40}")
        return Limits(**table)

    def _redaction(self, where: str, told: Any) -> Redaction:
        if told not in list(Redaction):
            raise self._wrong(where, f"is {told!r:.40}", f"redactions: {', '.join(Redaction)}")
        return Redaction(told)

    def _time(self, where: str, told: Any) -> str | None:
        if told is None:
            return None
        found = times.canonical(str(told))
        if found is None:
            raise self._wrong(where, f"is no time: {told!r:.40}", "such as 2026-01-31, or 2026-01-31T09:00:00Z")
        return found

    def _names(self, where: str, told: Any) -> list[str]:
        if not isinstance(told, list) or not told or not all(isinstance(each, str) for each in told):
            raise self._wrong(where, f"must be a list of names, not {told!r:.80}")
        return told

    def _table(self, where: str, told: Any) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self._of(where, told, dict, "a table")
        return found

    def _of(self, where: str, told: Any, kind: type[Any], called: str) -> Any:
        if not isinstance(told, kind):
            raise self._wrong(where, f"must be {called}, not {told!r:.80}")
        return told

    def _known(self, where: str, given: Any, known: Any) -> None:
        for name in given:
            if name not in known:
                raise self._wrong(f"{where}{name}", "is unknown", f"known there: {', '.join(known)}")

    def _wrong(self, where: str, what: str, hint: str = "") -> UsageError:
        return UsageError(f"{self._path}: {where} {what}", hint=hint, about=str(self._path))
