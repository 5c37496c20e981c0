"""For how long what is remembered counts, by type and by scope, as a person configured it. Nothing ends unless it is named."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from muniment.errors import UsageError
from muniment.model.vocabulary import TYPES

ARCHIVE = "archive"
"""The key for what was said and done itself, whatever was drawn from it."""
_SPAN = re.compile(r"([1-9][0-9]{0,4})(h|d|w|y)")
_HOURS = {"h": 1, "d": 24, "w": 168, "y": 8766}
_HINT = 'such as event = "90d": h hours, d days, w weeks, y years; types: ' + ", ".join((*TYPES, ARCHIVE))


@dataclass(frozen=True, slots=True)
class Retention:
    """Milliseconds by type; `scopes` says otherwise for a workspace, by its id or folder."""

    types: Mapping[str, int] = field(default_factory=dict)
    scopes: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    def of(self, *names: str) -> dict[str, int]:
        """What holds in the workspace that has one of these names."""
        own = next((self.scopes[name] for name in names if name in self.scopes), {})
        return {**self.types, **own}


def retention(place: str, table: Mapping[str, Any]) -> Retention:
    """Read the table `[retention]`: types, and tables of types by workspace. UsageError if it makes no sense."""
    plain = {name: value for name, value in table.items() if not isinstance(value, dict)}
    scoped = {name: value for name, value in table.items() if isinstance(value, dict)}
    where = f"{place}: [retention"
    return Retention(
        _spans(f"{where}]", plain), {name: _spans(f"{where}.{name}]", each) for name, each in scoped.items()}
    )


def _spans(where: str, table: Mapping[str, Any]) -> dict[str, int]:
    return {name: _span(f"{where} {name}", name, value) for name, value in table.items()}


def _span(where: str, name: str, value: Any) -> int:
    found = _SPAN.fullmatch(value) if isinstance(value, str) else None
    if name not in (*TYPES, ARCHIVE) or found is None:
        raise UsageError(f"{where} = {value!r} is no time for which something is kept", hint=_HINT, about=where)
    return int(found[1]) * _HOURS[found[2]] * 3_600_000
