"""The arguments of a call, held to the schema that the tool publishes; what is wrong is said so that a model can mend it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from muniment.errors import UsageError
from muniment.views.tools import Tool

_TYPES: Mapping[str, type | tuple[type, ...]] = {"string": str, "integer": int, "boolean": bool, "array": list}

_HARNESSES_OWN = frozenset({"wait_for_previous"})
"""What a harness puts into every tool's schema for itself, and sends along: Gemini CLI 0.61."""


def checked(tool: Tool, given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments with their defaults; null is as good as absent. UsageError names what is wrong and what is right."""
    given = {name: value for name, value in given.items() if name not in _HARNESSES_OWN}
    unknown = sorted(set(given) - set(tool.arguments))
    if unknown:
        hint = f"{tool.name} takes {', '.join(tool.arguments)}"
        raise UsageError(f"unknown argument {unknown[0]!r}", hint=hint, about=unknown[0])
    missing = [name for name in tool.required if given.get(name) is None]
    if missing:
        hint = f"{tool.name} needs {', '.join(tool.required)}"
        raise UsageError(f"missing argument {missing[0]!r}", hint=hint, about=missing[0])
    values = {name: schema.get("default") for name, schema in tool.arguments.items()}
    for name, value in given.items():
        if value is not None:
            values[name] = _fit(name, value, tool.arguments[name])
    return values


def _fit(name: str, value: Any, schema: Mapping[str, Any]) -> Any:
    wanted = schema["type"]
    if wanted == "array" and isinstance(value, str):
        value = [value]  # one name for a list of one: what is meant is plain
    if not isinstance(value, _TYPES[wanted]) or (wanted == "integer" and isinstance(value, bool)):
        raise UsageError(f"{name} must be of type {wanted}, not {value!r:.80}", about=name)
    if "enum" in schema and value not in schema["enum"]:
        hint = f"{name} is one of: {', '.join(schema['enum'])}"
        raise UsageError(f"{name} cannot be {value!r:.80}", hint=hint, about=name)
    if wanted == "integer" and not schema["minimum"] <= value <= schema["maximum"]:
        raise UsageError(f"{name} must be from {schema['minimum']} to {schema['maximum']}, not {value}", about=name)
    return _fit_list(name, cast("list[Any]", value), schema) if wanted == "array" else value


def _fit_list(name: str, value: list[Any], schema: Mapping[str, Any]) -> list[str]:
    if not all(isinstance(each, str) for each in value):
        raise UsageError(f"{name} must be a list of strings", about=name)
    least, most = schema.get("minItems", 0), schema.get("maxItems", len(value))
    if not least <= len(value) <= most:
        raise UsageError(f"{name} takes {least} to {most} entries, not {len(value)}", about=name)
    return value
