"""`server key`: keys of the HTTP server given out, listed and taken back."""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path
from typing import Any

from muniment.errors import NotFoundError, UsageError
from muniment.model.scope import workspace_of
from muniment.surfaces.cli import output
from muniment.surfaces.cli.invocation import Invocation

_KEYS = "muniment.surfaces.http.keys"
_FIELDS = ("name", "speaks", "right", "folder", "home")


def keys(run: Invocation) -> int:
    """Give out a key, list all, take one back."""
    if run.words.action is None:
        raise UsageError(
            "what about keys?", hint="muniment server key add NAME, or list, or remove NAME", about="ACTION"
        )
    return {"add": _add, "list": _list, "remove": _remove}[run.words.action](run)


def _add(run: Invocation) -> int:
    words, kept, name = run.words, import_module(_KEYS), _named(run)
    folder = str(workspace_of(words.workspace or os.getcwd()).root)
    home = Path(os.path.abspath(words.tenant)) if words.tenant else run.config.home
    if words.tenant and not home.is_dir():
        hint = "a tenant is a folder with its stores; make it first"
        raise NotFoundError(f"no tenant {home}", hint=hint, about=str(home))
    token = kept.add(run.config.home, name, folder, str(home), words.speaks, words.right)
    key = next(each for each in kept.read(run.config.home) if each.name == name)
    _tell(run, [key], f"{token}\n", token)
    output.say(f"muniment: key {name} opens {folder} and brings words of origin {words.speaks}; it is shown this once")
    return 0


def _list(run: Invocation) -> int:
    known = import_module(_KEYS).read(run.config.home)
    _tell(run, known, "".join("\t".join(str(getattr(key, f)) for f in _FIELDS) + "\n" for key in known))
    return 0


def _remove(run: Invocation) -> int:
    gone = import_module(_KEYS).remove(run.config.home, _named(run))
    _tell(run, [gone], f"removed {gone.name}\n")
    return 0


def _named(run: Invocation) -> str:
    if not run.words.name:
        raise UsageError("the key's name is missing", hint=f"muniment server key {run.words.action} NAME", about="NAME")
    return str(run.words.name)


def _tell(run: Invocation, shown: list[Any], text: str, token: str | None = None) -> None:
    if run.json:
        output.record({"keys": [{f: getattr(key, f) for f in _FIELDS} for key in shown], "token": token})
    else:
        output.data(text)
