"""One event as the table reads it, and an answer in the shape that the table gives it."""

from __future__ import annotations

import os

from muniment.model import notation
from muniment.surfaces.hook.table import FIELDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from muniment.views.wake import Rendered

_LONGEST = 4096


class Event:
    """What a harness says: which moment of which session, where, to which agent. Nothing of it is trusted to be there."""

    def __init__(
        self, row: Mapping[str, Any], harness: str, arguments: Sequence[str], text: str, variables: Mapping[str, str]
    ) -> None:
        self._row, self.harness = row, harness
        self._told = _object(text)
        named = arguments[0] if arguments else ""
        self.name = self._text("event") or named
        self.moment = _moment(row["events"], self.name, named, self._text("source"))
        self.session = self._text("session")
        self.transcript: str | None = self._text("transcript") or None
        self.agent = self._text("agent") or "main"
        self.cwd = _folder(self._text("cwd"))
        self.is_foreign = any(self._shows(sign, variables) for sign in row.get("others", ()))

    def shaped(self, shape: Any, text: str) -> bytes:
        """An answer as the harness reads it; no byte where it has no shape."""
        if shape is None:
            return b""
        filled = _filled(shape, self.name, text)
        return (filled if isinstance(filled, str) else notation.write(filled)).encode("utf-8", "replace")

    def fitted(self, shape: Any, view: Rendered, most: int) -> bytes:
        """The answer with as many whole lines of the view as leave it at most so many characters. `view` keeps what is given."""
        from muniment.views.wake import capped

        room = most
        while text := capped(view.text, room):
            out = self.shaped(shape, text)
            excess = len(out.decode("utf-8")) - most
            if excess <= 0:
                view.text = text
                view.entries = [e for e in view.entries if not e.id or e.id in text]
                return out
            room = len(text) - excess
        return b""

    def _text(self, field: str) -> str:
        for name in self._row.get("fields", {}).get(field, FIELDS[field]):
            value = self._told.get(name)
            value = value[0] if isinstance(value, list) and value else value
            if isinstance(value, str) and 0 < len(value) <= _LONGEST and "\0" not in value:
                return value
        return ""

    def _shows(self, sign: tuple[str, str, str], variables: Mapping[str, str]) -> bool:
        kind, name, unless = sign
        if kind == "key":
            return name in self._told
        return bool(variables.get(name)) and not (self.session and variables.get(unless) == self.session)


def _object(text: str) -> dict[str, Any]:
    try:
        found = notation.read(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _moment(events: Mapping[str, Any], name: str, named: str, source: str) -> str:
    found = events.get(name, events.get(named, "other"))
    if isinstance(found, dict):
        return str(found.get(source, found[""]))
    return str(found)


def _folder(told: str) -> str:
    try:
        if told and os.path.isabs(told) and os.path.isdir(told):
            return told
        return os.getcwd()
    except (OSError, ValueError):
        return os.path.expanduser("~")


def _filled(shape: Any, event: str, text: str) -> Any:
    if isinstance(shape, dict):
        return {key: _filled(value, event, text) for key, value in shape.items()}
    return {"$event": event, "$text": text}.get(shape, shape) if isinstance(shape, str) else shape
