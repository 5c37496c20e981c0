"""The smallest value that meets a JSON schema, and a tool's arguments made from what the script gives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

OTHER_NAMES = {
    "command": ("cmd", "script", "commands"),
    "path": ("file_path", "filePath", "absolute_path", "target_file", "file_paths", "filepath"),
}
"""What harnesses call the same argument of their own tools."""

_WORDS = {
    "command": "echo done", "cmd": "echo done", "path": "README.md", "file_path": "README.md", "filePath": "README.md",
    "prompt": "Say pong.", "security_risk": "LOW",
}  # fmt: skip


def smallest(schema: Mapping[str, Any], name: str = "") -> Any:
    """A value that meets the schema, with no property that is not required."""
    if "const" in schema:
        return schema["const"]
    if schema.get("enum"):
        return schema["enum"][0]
    for key in ("anyOf", "oneOf", "allOf"):
        if schema.get(key):
            return smallest(schema[key][0], name)
    return _of_kind(_kind(schema), schema, name)


def _kind(schema: Mapping[str, Any]) -> str:
    kind = schema.get("type") or ("object" if "properties" in schema else "string")
    if isinstance(kind, list):
        kind = next((one for one in kind if one != "null"), "null")
    return str(kind).lower()


def _of_kind(kind: str, schema: Mapping[str, Any], name: str) -> Any:
    if kind == "object":
        inner = schema.get("properties") or {}
        return {key: smallest(inner.get(key) or {}, key) for key in schema.get("required") or ()}
    if kind == "array":
        return [smallest(schema.get("items") or {}, name)] * int(schema.get("minItems") or 0)
    if kind in ("integer", "number"):
        return schema.get("minimum", 1)
    return {"boolean": False, "null": None}.get(kind, _WORDS.get(name, "stub"))


def arguments(schema: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """What the script gives, under the names that the tool has for it, and the least that else is required."""
    made = smallest(schema) if schema else {}
    made = made if isinstance(made, dict) else {}
    known = schema.get("properties") or {}
    for key, value in given.items():
        named = next((name for name in (key, *OTHER_NAMES.get(key, ())) if name in known), None)
        if named is not None or not known:
            made[named or key] = _listed(known.get(named) or {}, named, value)
    return made


def _listed(schema: Mapping[str, Any], name: str | None, value: Any) -> Any:
    """A text where the tool wants a list of them."""
    kinds = schema.get("type")
    if not isinstance(value, str) or "array" not in (kinds if isinstance(kinds, list) else [kinds]):
        return value
    return ["bash", "-lc", value] if name == "command" else [value]
