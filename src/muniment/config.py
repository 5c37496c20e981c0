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
