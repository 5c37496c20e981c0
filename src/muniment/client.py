"""A memory on a server, used as a local one: `connect(url)` instead of `Memory.open(path)`."""

from __future__ import annotations

from muniment.surfaces.http.client import RemoteMemory, connect

__all__ = ["RemoteMemory", "connect"]
