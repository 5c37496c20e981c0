"""The OpenAPI document, made from the routes and the signatures of the verbs."""

from __future__ import annotations

from functools import cache
from inspect import Parameter
from typing import Any

from muniment.surfaces.http import problems, routes, wire
from muniment.surfaces.http.routes import PREFIX, ROUTES, Route

_JSON = "application/json"
_FILE = "application/octet-stream"


@cache
def document() -> dict[str, Any]:
    """The whole document."""
    from muniment import __version__

    named: dict[str, Any] = {"Problem": dict(problems.schema)}
    paths: dict[str, Any] = {}
    for route in ROUTES:
        paths.setdefault(PREFIX + route.path, {})[route.method.lower()] = _operation(route, named)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "muniment",
            "version": __version__,
            "description": "A memory for agents: the verbs of the library. The key of a request decides whose words it brings.",
        },
        "servers": [{"url": "/"}],
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "schemas": named,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "responses": {"Problem": _content("#/components/schemas/Problem")},
        },
    }


def _content(reference: str) -> dict[str, Any]:
    return {"description": "What went wrong.", "content": {problems.MEDIA_TYPE: {"schema": {"$ref": reference}}}}


def _operation(route: Route, named: dict[str, Any]) -> dict[str, Any]:
    kinds = wire.arguments_of(route.verb, route.then)
    inside, given = routes.in_path(route), routes.parameters(route)
    others = {name: each for name, each in given.items() if name not in inside}
    made: dict[str, Any] = {
        "operationId": route.verb,
        "summary": route.summary,
        "parameters": [_parameter(name, "path", wire.schema(kinds[name], named), True) for name in inside],
        "responses": _responses(route, named),
    }
    if route.method == "GET" or route.files:
        made["parameters"] += [
            _parameter(name, "query", wire.schema(kinds[name], named), each.default is each.empty)
            for name, each in others.items()
        ]
    else:
        made["requestBody"] = {"required": True, "content": {_JSON: {"schema": _body(others, kinds, named)}}}
    if route.files == "up":
        made["requestBody"] = {"required": True, "content": {_FILE: {"schema": {}}}}
    made["parameters"] += _headers(route)
    return made


def _parameter(name: str, place: str, kind: dict[str, Any], required: bool) -> dict[str, Any]:
    shown = dict(kind)
    if place == "path":
        shown |= {"minLength": 1}
    if isinstance(shown.get("type"), list):  # a query has no null: an argument that is not given is not there
        left = [each for each in shown["type"] if each != "null"]
        shown["type"] = left[0] if len(left) == 1 else left
    if "anyOf" in shown:
        shown = next(each for each in shown["anyOf"] if each.get("type") != "null")
    return {"name": name, "in": place, "required": required, "schema": shown}


def _body(given: dict[str, Parameter], kinds: Any, named: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {name: wire.schema(kinds[name], named) for name in given},
        "required": [name for name, each in given.items() if each.default is each.empty],
        "additionalProperties": False,
    }


def _headers(route: Route) -> list[dict[str, Any]]:
    if route.needs == "read":
        return []
    made = [
        {"name": "Idempotency-Key", "in": "header", "required": False, "schema": {"type": "string", "minLength": 1}}
    ]
    if route.is_revision:
        made.append(
            {"name": "If-Match", "in": "header", "required": False, "schema": {"type": "string", "minLength": 1}}
        )
    return made


def _responses(route: Route, named: dict[str, Any]) -> dict[str, Any]:
    status = "201" if route.verb == "add" else "200"
    kind = _FILE if route.files == "down" else _JSON
    answer = {} if route.files == "down" else wire.schema(wire.result_of(route.verb, route.then), named)
    made: dict[str, Any] = {status: {"description": "Done.", "content": {kind: {"schema": answer}}}}
    if route.verb in ("history", "why"):
        made["304"] = {"description": "As it was."}
    made["default"] = {"$ref": "#/components/responses/Problem"}
    return made
