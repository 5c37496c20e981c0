"""What adapters share: safe looks into foreign JSON, arguments as spans, our own marks, files that a record proves."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

from muniment.capture.transcripts.contract import OWN_MARK, OWN_SERVER
from muniment.model.event import Argument, Span, TextBuilder
from muniment.model.trace import CACHED, COST

_EMPTY: Mapping[str, Any] = {}
_DEPTH = 16
_MANY = 1000
_MICROS = 1_000_000
# Our command where a command line begins, behind `cd x &&`, assignments and the usual launchers.
_OWN_COMMAND = re.compile(
    r"\s*(?:cd\s+[^\n;&|]+&&\s*)?(?:\w+=\S*\s+)*(?:(?:uvx|uv run|pipx run|python3? -m)\s+)?(?:\S*/)?"
    + OWN_SERVER
    + r"(?:\.exe)?(?=\s|$)"
)
_WEB_TOOL = re.compile(r"fetch|brows|http|url|crawl|scrape|web", re.IGNORECASE)


def obj(value: Any) -> Mapping[str, Any]:
    """The object, or an empty one where something else stands."""
    return value if isinstance(value, dict) else _EMPTY


def items(value: Any) -> list[Any]:
    """The list; a lone value as a list of one; nothing for null."""
    if isinstance(value, list):
        return value
    return [] if value is None else [value]


def word(value: Any) -> str | None:
    """The string if it is one and not empty."""
    return value if isinstance(value, str) and value else None


def number(value: Any) -> int | None:
    """A whole number, also one written as a float or a string of digits."""
    if isinstance(value, str) and value.isascii() and len(value) <= 18:
        value = int(value) if value.lstrip("-").isdigit() and value.rfind("-") <= 0 else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1 << 62:
        return None
    return int(value)


def tag(value: Any) -> str:
    """A `type` or the like, as a string whatever stands there: it is looked up and shown."""
    return value if isinstance(value, str) else "missing" if value is None else f"<{type(value).__name__}>"


def texts(content: Any) -> Iterator[str]:
    """The text pieces of a content value: a string, or a list of strings and of blocks with a `text`."""
    for block in items(content):
        text = block if isinstance(block, str) else obj(block).get("text")
        if isinstance(text, str):
            yield text


def remember(table: dict[str, Any], key: str, value: Any, most: int = 64) -> None:
    """Put an entry into a table that holds `most` of them; the oldest goes."""
    table.pop(key, None)
    table[key] = value
    if len(table) > most:
        del table[next(iter(table))]


def spread(given: Any, into: TextBuilder, names: Mapping[str, str]) -> dict[str, Argument]:
    """A tool's input as arguments: each string a span of its own, what is nested under dotted names.

    `names` maps the harness's names to the well-known ones.
    """
    arguments: dict[str, Argument] = {}
    for key, value in (given if isinstance(given, dict) else {"input": given}).items():
        name = names.get(key, key)
        if isinstance(value, str):
            arguments[name if name not in arguments else key] = into.add(value)
        else:
            _leaves(name, value, into, arguments, 0)
    return arguments


def _leaves(name: str, value: Any, into: TextBuilder, arguments: dict[str, Argument], depth: int) -> None:
    if isinstance(value, str):
        arguments[name] = into.add(value)
    elif value is None or isinstance(value, bool | int | float):
        arguments[name] = value
    elif depth < _DEPTH and len(arguments) < _MANY:
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            _leaves(f"{name}.{key}", inner, into, arguments, depth + 1)


def spending(cost: Any = None, cached: Any = None) -> tuple[str, ...]:
    """Flags of what a record cost, given in dollars, and of its tokens that came from a cache; none for nothing."""
    dollars = cost if isinstance(cost, int | float) and not isinstance(cost, bool) else None
    found = ((COST, number(dollars * _MICROS + 0.5) if dollars is not None else None), (CACHED, number(cached)))
    return tuple(f"{mark}{count}" for mark, count in found if count is not None and count > 0)


def active(arguments: dict[str, Argument], items_of: Any, listed: str, label: str) -> None:
    """Name the item of a plan that is being worked on, `active`: a second name for the span it has already."""
    for index, item in enumerate(items(items_of)):
        if obj(item).get("status") == "in_progress":
            span = arguments.get(f"{listed}.{index}.{label}")
            if isinstance(span, Span):
                arguments["active"] = span
                return


def is_own(text: str) -> bool:
    """True for a block of text that we put before a model."""
    return OWN_MARK in text[:256] and text.lstrip().startswith(OWN_MARK)


def runs_own(command: str) -> bool:
    """True for a command line that asks us: its output is our words, not the world's."""
    return OWN_SERVER in command and _OWN_COMMAND.match(command) is not None


def is_own_tool(server: str) -> bool:
    """True for the name under which a harness knows our MCP server."""
    return server == OWN_SERVER


def reads_web(tool: str) -> bool:
    """True for an MCP tool that by its name brings pages in: what it returns has a page's authority."""
    return _WEB_TOOL.search(tool) is not None


def file_hash(content: str) -> str | None:
    """SHA-256 of a file with this text; None where the text cannot be the whole truth (it was decoded with losses)."""
    if "\ufffd" in content:
        return None
    try:
        return sha256(content.encode()).hexdigest()
    except UnicodeEncodeError:
        return None
