"""The arguments of a request: taken from path, query and body, and held against the types that the verb names."""

from __future__ import annotations

import types
import typing
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Union

from muniment.errors import UsageError
from muniment.surfaces.http import routes, wire
from muniment.surfaces.http.routes import Route


def of_query(route: Route, pairs: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """The arguments in a query string; a list is a name given several times."""
    kinds, found = _kinds(route), dict[str, Any]()
    for name, text in pairs:
        kind = _known(route, kinds, name)
        if _is_list(kind):
            found.setdefault(name, []).append(text)
        elif name in found:
            raise UsageError(f"{name} is given twice", about=name)
        else:
            found[name] = _read(name, kind, text)
    return found


def of_body(route: Route, body: object) -> dict[str, Any]:
    """The arguments in a JSON object."""
    if not isinstance(body, dict):
        raise UsageError("the body must be a JSON object", hint="its names are those of the verb's arguments")
    kinds = _kinds(route)
    for name, value in body.items():
        if not fits(_known(route, kinds, name), value):
            raise UsageError(f"{name} must be {told(kinds[name])}, not {_shown(value)}", about=name)
    return dict(body)


def demand_all(route: Route, given: Mapping[str, Any]) -> None:
    """UsageError where an argument that the verb needs is not there."""
    for name, each in routes.parameters(route).items():
        if each.default is each.empty and name not in given:
            raise UsageError(f"{name} is missing", hint="the document at /openapi.json names the arguments", about=name)


def fits(kind: Any, value: object) -> bool:
    """Is a JSON value one of that type?"""
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in (Union, types.UnionType):
        return any(fits(each, value) for each in inner)
    if origin is typing.Literal:
        return value in inner
    if origin in (Sequence, Iterable, tuple, list):
        return isinstance(value, list) and all(fits(inner[0], each) for each in value)
    if kind is Any:
        return True
    if kind in (int, float):
        return isinstance(value, int | kind) and not isinstance(value, bool)
    return isinstance(kind, type) and isinstance(value, kind)


def told(kind: Any) -> str:
    """A type in words."""
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in (Union, types.UnionType):
        return " or ".join(told(each) for each in inner if hasattr(each, "__name__") or typing.get_origin(each))
    if origin is typing.Literal:
        return " or ".join(map(repr, inner))
    if origin in (Sequence, Iterable, tuple, list):
        return "a list"
    return {str: "a text", int: "a whole number", float: "a number", bool: "true or false"}.get(kind, "null")


def _kinds(route: Route) -> Mapping[str, Any]:
    return wire.arguments_of(route.verb, route.then)


def _known(route: Route, kinds: Mapping[str, Any], name: str) -> Any:
    if name not in routes.parameters(route) or name in routes.in_path(route):
        left = [each for each in routes.parameters(route) if each not in routes.in_path(route)]
        raise UsageError(f"unknown argument {name!r}", hint=f"known: {', '.join(left) or 'none'}", about=name[:80])
    return kinds[name]


def _is_list(kind: Any) -> bool:
    inner = typing.get_args(kind)
    if typing.get_origin(kind) in (Union, types.UnionType):
        return any(_is_list(each) for each in inner)
    return typing.get_origin(kind) in (Sequence, Iterable)


def _read(name: str, kind: Any, text: str) -> Any:
    wanted = {kind, *typing.get_args(kind)}
    if bool in wanted:
        if text not in ("true", "false"):
            raise UsageError(f"{name} must be true or false, not {text[:40]!r}", about=name)
        return text == "true"
    if int in wanted:
        return _number(name, text)
    if typing.get_origin(kind) is not typing.Literal or fits(kind, text):
        return text
    raise UsageError(f"{name} must be {told(kind)}, not {text[:40]!r}", about=name)


def _number(name: str, text: str) -> int:
    digits = text.removeprefix("-")
    if not digits.isascii() or not digits.isdigit() or len(digits) > 18:
        raise UsageError(f"{name} must be a whole number, not {text[:40]!r}", about=name)
    return int(text)


def _shown(value: object) -> str:
    return repr(value)[:60]
