"""Is memory well? Four lights, each proved now; when it last worked; and what waits to be taken in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from muniment.engine import health, hot, pending, written
from muniment.engine.core import Engine
from muniment.engine.health import Light
from muniment.model.time import from_ms


@dataclass(frozen=True, slots=True)
class Health:
    """`ok`: all lights are on. `last_success` is the last write that reached the disk, or use of this handle; `backlog` counts
    writes, transcripts and assertions that wait, `oldest` is since when. `reason` says what stands against the first dark light."""

    ok: bool
    lights: tuple[Light, ...]
    last_success: str | None
    backlog: int
    oldest: str | None
    reason: str = ""
    refused: int = 0
    """Writes that waited and that no store would take; they lie in the spool with the ending `.refused`."""

    def __bool__(self) -> bool:
        return self.ok


def healthy(engine: Engine, last_used: str | None = None) -> Health:
    """Look now. Never writes what stays, and never raises for the store."""
    lights = health.lights(engine)
    waits = sorted(_waiting(engine))
    moments = [at for at in (last_used, _last_write(engine)) if at]
    refused = _files(written.folder(engine), ".refused")
    return Health(
        all(light.ok for light in lights), lights, max(moments, default=None), len(waits), waits[0] if waits else None,
        next((light.detail for light in lights if not light.ok), ""), len(list(refused)),
    )  # fmt: skip


def unreachable(reason: str) -> Health:
    """Where not even the place of the memory is known."""
    dark = tuple(Light(name, False, reason) for name in ("reachable", "storing", "recalled"))
    return Health(False, (health.installed(), *dark), None, 0, None, reason)


def _waiting(engine: Engine) -> Iterator[str]:
    yield from (at for path in written.waiting(engine) if (at := _moment(path)))
    queue = engine.settings.home / hot.SPOOL / hot.QUEUE / engine.workspace.id
    yield from (at for path in _files(queue, ".json") if (at := _moment(path)))
    yield from (each.at for each in pending.listed(engine) if each.state == pending.WAITS)


def _files(folder: Path, ending: str) -> list[Path]:
    try:
        return [path for path in folder.iterdir() if path.suffix == ending]
    except OSError:
        return []


def _last_write(engine: Engine) -> str | None:
    files = (engine.path, engine.path.with_name(f"{engine.path.name}-wal"))
    return max((at for path in files if (at := _moment(path))), default=None)


def _moment(path: Path) -> str | None:
    with suppress(OSError):
        return from_ms(path.stat().st_mtime_ns // 1_000_000)
    return None
