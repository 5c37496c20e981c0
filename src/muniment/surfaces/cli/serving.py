"""The commands that start servers. Doors do not know each other, so they are named here and not imported."""

from __future__ import annotations

import os
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from muniment.errors import NotFoundError, UsageError
from muniment.model.scope import workspace_of
from muniment.surfaces.cli import output
from muniment.surfaces.cli.invocation import Invocation

_SERVER = "muniment.surfaces.mcp.main"
_PORT = 8377
_HTTP = "muniment.surfaces.http"


def mcp(run: Invocation) -> int:
    """Serve until the other side is gone."""
    words = run.words
    if words.port is not None and not words.http:
        raise UsageError("--port goes with --http", hint="muniment mcp --http --port N", about="--port")
    if run.json:
        raise UsageError("the server speaks a protocol on stdout, so it takes no --json", about="--json")
    port = (_PORT if words.port is None else words.port) if words.http else None
    door = import_module(_SERVER)
    return int(door.serve(door.Serving(words.workspace, words.home, words.zone, port, words.profile)))


def serve(run: Invocation) -> int:
    """Serve the verbs by HTTP, and the agents' tools beside them where their kit is installed."""
    words = run.words
    if run.json:
        raise UsageError("the server answers by HTTP, so it takes no --json", hint="--log json", about="--json")
    folder = words.workspace or os.getcwd()
    door = import_module(f"{_HTTP}.main")
    beside = {} if words.no_mcp or find_spec("mcp") is None else {"/mcp": lambda _, token: _tools(run, folder, token)}
    return int(
        door.serve(
            door.Serving(
                folder, words.home, words.zone, words.host, words.port, tuple(words.allow_host), words.log, beside
            )
        )
    )


def _tools(run: Invocation, folder: str, token: str) -> Any:
    """The tool server as an application to be mounted."""
    return import_module(_SERVER).application(
        import_module(_SERVER).Serving(folder, run.words.home, run.words.zone, 0), token
    )


def server(run: Invocation) -> int:
    """Give out keys, list them, take them back."""
    return {"add": _key_add, "list": _key_list, "remove": _key_remove}[run.words.action](run)


def _key_add(run: Invocation) -> int:
    words, keys = run.words, import_module(f"{_HTTP}.keys")
    folder = str(workspace_of(words.workspace or os.getcwd()).root)
    home = Path(os.path.abspath(words.tenant)) if words.tenant else run.config.home
    if words.tenant and not home.is_dir():
        raise NotFoundError(
            f"no tenant {home}", hint="a tenant is a folder with its stores; make it first", about=str(home)
        )
    name = _named(run)
    token = keys.add(run.config.home, name, folder, str(home), words.speaks, words.right)
    told = {
        "name": name,
        "token": token,
        "folder": folder,
        "home": str(home),
        "speaks": words.speaks,
        "right": words.right,
    }
    _tell(run, told, f"{token}\n")
    output.say(f"muniment: key {name} opens {folder} for an {words.speaks} to {words.right}; it is shown this once")
    return 0


def _key_list(run: Invocation) -> int:
    known = import_module(f"{_HTTP}.keys").read(run.config.home)
    shown = [{"name": k.name, "folder": k.folder, "home": k.home, "speaks": k.speaks, "right": k.right} for k in known]
    rows = "".join(f"{k['name']}\t{k['speaks']}\t{k['right']}\t{k['folder']}\t{k['home']}\n" for k in shown)
    _tell(run, {"keys": shown}, rows)
    return 0


def _key_remove(run: Invocation) -> int:
    gone = import_module(f"{_HTTP}.keys").remove(run.config.home, _named(run))
    _tell(run, {"name": gone.name}, f"removed {gone.name}\n")
    return 0


def _named(run: Invocation) -> str:
    if not run.words.name:
        raise UsageError("the key's name is missing", hint=f"muniment server key {run.words.action} NAME", about="NAME")
    return str(run.words.name)


def _tell(run: Invocation, told: dict[str, Any], text: str) -> None:
    if run.json:
        output.record(told)
    else:
        output.data(text)
