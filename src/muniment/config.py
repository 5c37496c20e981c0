"""What this machine and this user want, read once by a surface and handed down as plain values.

Nothing here looks at the environment by itself: a surface passes in the variables and the user's home folder.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any

from muniment.errors import UsageError
from muniment.model.services import EmbeddingService, RerankService, Services

APPLICATION = "muniment"
ZONE_LINK = "/etc/localtime"
_ZONE_FOLDER = "zoneinfo/"


@dataclass(frozen=True, slots=True)
class Config:
    """Where the memory lives, how its reader counts time, and how output may look."""

    home: Path
    zone: tzinfo
    caller: str | None = None
    """`agent` or `import`: a caller who wants less authority than the channel gives. Never more."""
    colour: bool = False
    progress: bool = False
    debug: bool = False


def read(
    variables: Mapping[str, str],
    user_home: Path,
    platform: str,
    *,
    home: str | os.PathLike[str] | None = None,
    zone: str | None = None,
    is_terminal: bool = False,
) -> Config:
    """The configuration of this process. `home` and `zone` are what the caller asked for.

    UsageError if a variable or a zone makes no sense.
    """
    chosen = home or variables.get("MUNIMENT_HOME") or None
    place = Path(os.path.abspath(chosen)) if chosen else data_folder(variables, user_home, platform)
    plain = bool(variables.get("NO_COLOR")) or variables.get("TERM") == "dumb"
    return Config(
        home=place,
        zone=named_zone(zone) if zone else LazyZone(variables.get("TZ")),
        caller=_caller(variables.get("MUNIMENT_CALLER")),
        colour=is_terminal and not plain,
        progress=is_terminal,
        debug=variables.get("MUNIMENT_DEBUG", "") not in ("", "0"),
    )


def data_folder(variables: Mapping[str, str], user_home: Path, platform: str) -> Path:
    """The user data directory of the platform, and in it ours."""
    if platform == "win32":
        base = Path(variables.get("LOCALAPPDATA") or user_home / "AppData" / "Local")
    elif platform == "darwin":
        base = user_home / "Library" / "Application Support"
    else:
        given = variables.get("XDG_DATA_HOME") or ""
        base = Path(given) if os.path.isabs(given) else user_home / ".local" / "share"
    return base / APPLICATION


_FILE = "config.toml"
_EMBEDDINGS: Mapping[str, type[Any]] = {
    "url": str, "model": str, "key_variable": str, "timeout": float, "batch": int, "longest": int, "query_prefix": str,
    "passage_prefix": str,
}  # fmt: skip
_RERANK: Mapping[str, type[Any]] = {"url": str, "model": str, "key_variable": str, "timeout": float, "top": int}


def services(home: Path, variables: Mapping[str, str]) -> Services:
    """The servers that `config.toml` in the home folder names: none where there is no such file.

        [embeddings]                                [search]
        url = "http://localhost:11434/v1"           rerank_url = "http://localhost:8080/v1"
        model = "nomic-embed-text"                  rerank_model = "bge-reranker-v2-m3"
        key_variable = "EMBEDDINGS_KEY"             rerank_top = 20

    UsageError, with the place, if the file makes no sense. A key is never in the file: a variable that it names holds it.
    """
    tables = _tables(home / _FILE)
    search = {key.removeprefix("rerank_"): value for key, value in tables.get("search", {}).items() if "rerank_" in key}
    place = str(home / _FILE)
    embeddings = _checked(place, "embeddings", tables.get("embeddings", {}), _EMBEDDINGS, variables)
    return Services(
        EmbeddingService(**embeddings), RerankService(**_checked(place, "search", search, _RERANK, variables))
    )


def _tables(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}", hint="it must be TOML in UTF-8", about=str(path)) from error
    import tomllib

    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path}: {error}", hint="it must be TOML", about=str(path)) from error
    for name, table in found.items():
        if not isinstance(table, dict):
            raise UsageError(f"{path}: {name} stands outside of a table", hint=f"[{name}] begins one", about=str(path))
    return found


def _checked(
    place: str, table: str, given: Mapping[str, Any], known: Mapping[str, type[Any]], variables: Mapping[str, str]
) -> dict[str, Any]:
    """The values of a table, of the types that they must have; a key taken from its variable."""
    values: dict[str, Any] = {}
    prefix = "rerank_" if table == "search" else ""
    for name, value in given.items():
        where = f"{place}: [{table}] {prefix}{name}"
        if name not in known:
            hint = f"known there: {', '.join(prefix + each for each in known)}"
            raise UsageError(f"{where} is unknown", hint=hint, about=place)
        _demand_fitting(where, place, value, known[name])
        if name == "key_variable":
            values["key"] = _key(where, value, variables)
        else:
            values[name] = value
    return values


def _demand_fitting(where: str, place: str, value: Any, wanted: type[Any]) -> None:
    accepted = (int, float) if wanted is float else wanted
    if not isinstance(value, accepted) or isinstance(value, bool):
        raise UsageError(f"{where} must be {_KINDS[wanted]}, not {value!r}", about=place)
    if wanted is not str and not 0 < value <= _MOST:
        raise UsageError(f"{where} must be above 0 and at most {_MOST}, not {value!r}", about=place)


_KINDS = {str: "a text", int: "a whole number", float: "a number"}
_MOST = 100_000


def _key(where: str, name: str, variables: Mapping[str, str]) -> str:
    value = variables.get(name, "")
    if not value or not value.isascii() or not value.isprintable():
        raise UsageError(
            f"{where} names the variable {name}, which holds no key", hint=f"export {name}=...", about=name
        )
    return value


def _caller(text: str | None) -> str | None:
    if not text:
        return None
    if text not in ("person", "agent", "import"):
        raise UsageError(f"MUNIMENT_CALLER is {text!r}", hint="it may be agent, import or person")
    return None if text == "person" else text


def named_zone(name: str) -> tzinfo:
    """A zone by its name, such as Europe/Paris; UsageError if there is none."""
    found = _zone(name)
    if found is None:
        raise UsageError(f"unknown time zone {name!r}", hint="write it like Europe/Paris, or UTC", about=name)
    return found


def _zone(name: str) -> tzinfo | None:
    if name in ("UTC", "Z"):
        return UTC
    import zoneinfo

    try:
        return zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        return None


def system_zone(tz: str | None, link: str = ZONE_LINK) -> tzinfo:
    """The zone that TZ names, else the one that the system's link names, else the system's offset of today."""
    name = tz.removeprefix(":") if tz else ""
    if not name and os.path.islink(link):
        target = os.path.realpath(link)
        name = target.partition(_ZONE_FOLDER)[2]
    found = _zone(name) if name and not os.path.isabs(name) else None
    return found or datetime.now(UTC).astimezone().tzinfo or UTC


class LazyZone(tzinfo):
    """The reader's zone, found out when a time is first converted: most questions name none, and looking is slow."""

    def __init__(self, tz: str | None) -> None:
        self._tz = tz
        self._real: tzinfo | None = None

    def _zone(self) -> tzinfo:
        if self._real is None:
            self._real = system_zone(self._tz)
        return self._real

    def __reduce__(self) -> tuple[Any, ...]:
        return LazyZone, (self._tz,)

    def utcoffset(self, moment: datetime | None) -> timedelta | None:
        """As the real zone says."""
        return None if moment is None else moment.replace(tzinfo=self._zone()).utcoffset()

    def dst(self, moment: datetime | None) -> timedelta | None:
        """As the real zone says."""
        return None if moment is None else moment.replace(tzinfo=self._zone()).dst()

    def tzname(self, moment: datetime | None) -> str | None:
        """As the real zone says."""
        return None if moment is None else moment.replace(tzinfo=self._zone()).tzname()

    def fromutc(self, moment: datetime) -> datetime:
        """As the real zone says; what comes out is in this zone."""
        real = self._zone()
        return real.fromutc(moment.replace(tzinfo=real)).replace(tzinfo=self)
