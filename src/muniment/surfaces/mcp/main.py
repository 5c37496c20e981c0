"""Starting the tool server: one workspace, by stdio for the harness that started us, or by HTTP on this machine."""

from __future__ import annotations

import logging
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from muniment import config
from muniment.engine.calling import before
from muniment.engine.core import Engine, Settings
from muniment.errors import MissingExtraError, NotFoundError
from muniment.model.scope import workspace_of
from muniment.surfaces.mcp import caller, project

if TYPE_CHECKING:
    from muniment.engine.scoped import Scoped
    from muniment.surfaces.mcp.server import MemoryServer

_EARLIER = 2.0
"""Minutes before us that a session may have begun: some harnesses write the first prompt down and then start their servers."""


@dataclass(frozen=True, slots=True)
class Serving:
    """What the server is asked to do: for which folder, with which home and zone; by HTTP if it has a port; by SQL as far as a
    profile grants it, if one is named here or by the configuration."""

    folder: str | None = None
    home: str | None = None
    zone: str | None = None
    port: int | None = None
    profile: str | None = None


def serve(wanted: Serving) -> int:
    """Serve until the other side is gone. Nothing but the protocol goes to stdout; what is to be said goes to stderr."""
    _demand_kit()
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="muniment: %(message)s")
    with _engine(wanted) as engine:
        view = _view(engine, wanted.profile or config.tool_profile(engine.settings.home))
        if wanted.port is None:
            return _by_stdio(_server(engine, before(engine.now(), _EARLIER), view))
        from muniment.surfaces.mcp import http

        return http.serve(_server(engine, None, view), engine.settings.home, wanted.port)


def application(wanted: Serving, token: str) -> Any:
    """The tool server as an application for another server to mount; it lives as long as the process does."""
    _demand_kit()
    from muniment.surfaces.mcp import http

    engine = _engine(wanted)
    view = _view(engine, wanted.profile or config.tool_profile(engine.settings.home))
    return http.mounted(_server(engine, None, view), token)


def _by_stdio(server: MemoryServer) -> int:
    import anyio
    from mcp.server.stdio import stdio_server

    async def run() -> None:
        async with stdio_server() as (read, write):
            protocol = server.protocol
            await protocol.run(read, write, protocol.create_initialization_options())

    anyio.run(run)
    return 0


def _view(engine: Engine, profile: str | None) -> Scoped | None:
    """What the profile sees; ScopeError if it does not grant the tool."""
    if profile is None:
        return None
    from muniment.engine import profiles, scoped

    view = scoped.scoped(engine, profile)
    profiles.demand_tool(view.profile)
    return view


def _server(engine: Engine, since: str | None, view: Scoped | None) -> MemoryServer:
    from muniment.surfaces.mcp.server import MemoryServer

    return MemoryServer(engine, caller.here(engine.settings.home, since), _version(), view)


def _engine(wanted: Serving) -> Engine:
    folder = wanted.folder or project.here(os.getcwd(), os.environ)
    if not os.path.isdir(folder):
        raise NotFoundError(f"no such folder: {folder}", hint="-C takes a folder of the project", about=folder)
    settings = config.read(os.environ, Path.home(), sys.platform, home=wanted.home, zone=wanted.zone)
    seams = config.seams(settings.home, os.environ, Path.home())
    return Engine(workspace_of(folder), Settings(settings.home, settings.zone, **seams))


def _demand_kit() -> None:
    """MissingExtraError where the protocol's kit is not installed, or is of an older line."""
    try:
        import anyio
        from mcp.server import CacheHint
    except ImportError as error:
        hint = "install it: pip install 'muniment[mcp]'"
        message = f"the tool server needs the package mcp, version 2.3 or later ({error})"
        raise MissingExtraError(message, hint=hint, about="mcp") from error
    del anyio, CacheHint


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("muniment")
    except PackageNotFoundError:
        return "0+source"
