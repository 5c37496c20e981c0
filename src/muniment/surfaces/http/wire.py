"""Values on the wire: results as JSON and back, and as schemas, all read off the types that the verbs of `Memory` name.

A result is a dataclass whose fields are plain values, other such classes, or lists and tables of them; its JSON object has the
same fields. A client makes the same class of it again, so that a program cannot tell a remote memory from a local one.
"""

from __future__ import annotations

import ast
import inspect
import types
import typing
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple, Union


class Scored(NamedTuple):
    """What an answer knows of a row beside its text."""

    score: int
    origin: str


@cache
def memory_class() -> type[Any]:
    """The class whose verbs are served."""
    from muniment import Memory

    return Memory


def called(verb: str, then: str = "") -> list[Any]:
    """The functions that answer: the verb, and where there is one the method of what it gives back."""
    first = getattr(memory_class(), verb)
    return [first, getattr(_hints(first)["return"], then)] if then else [first]


@cache
def result_of(verb: str, then: str = "") -> Any:
    """The type that a verb gives back."""
    return _hints(called(verb, then)[-1]).get("return")


@cache
def arguments_of(verb: str, then: str = "") -> Mapping[str, Any]:
    """The types of a verb's arguments."""
    hints = {name: kind for each in called(verb, then) for name, kind in _hints(each).items()}
    return {name: kind for name, kind in hints.items() if name != "return"}


def encode(value: Any) -> Any:
    """A result as plain JSON values."""
    if _is_record(type(value)):
        given = {name: getattr(value, name) for name in _names(type(value))}
        return {name: _scores(each) if name == "ranked" else encode(each) for name, each in given.items()}
    if isinstance(value, Mapping):
        return {str(key): encode(each) for key, each in value.items()}
    if isinstance(value, str | int | float | bool) or value is None:
        return value
    if isinstance(value, set | frozenset):
        return sorted(encode(each) for each in value)
    return [encode(each) for each in value]


def _scores(ranked: Iterable[Any]) -> list[dict[str, Any]]:
    """What an answer knows of its rows: of whatever class they are here, two attributes are all that is promised."""
    return [{"score": each.score, "origin": str(each.origin)} for each in ranked]


def decode(kind: Any, value: Any) -> Any:
    """What `encode` was given, of the type `kind`."""
    if value is None:
        return None
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in (Union, types.UnionType):
        return _decode_union(inner, value)
    if kind is _ranked():
        return Scored(**value)
    if _is_record(kind):
        return _decode_class(kind, value)
    if origin in (tuple, list, set, frozenset, Sequence, Iterable):
        return _decode_list(origin, inner, value)
    if origin in (dict, Mapping, Counter):
        made = {key: decode(inner[-1] if origin is not Counter else int, each) for key, each in value.items()}
        return Counter(made) if origin is Counter else made
    return value


def _decode_union(kinds: Sequence[Any], value: Any) -> Any:
    kept = [kind for kind in kinds if kind is not type(None)]
    shape = sorted(value) if isinstance(value, Mapping) else None
    fitting = [kind for kind in kept if _is_record(kind) and sorted(_names(kind)) == shape]
    return decode(fitting[0] if fitting else kept[0], value)


def _decode_class(kind: Any, value: Mapping[str, Any]) -> Any:
    hints = _hints(kind)
    given = {name: decode(hints[name], value[name]) for name in _names(kind) if name in value}
    if hasattr(kind, "_fields"):
        return kind(**given)
    made: Any = object.__new__(kind)  # what a class makes of its fields was made on the other side
    for name, each in given.items():
        object.__setattr__(made, name, each)
    return made


def _decode_list(origin: Any, inner: Sequence[Any], value: Sequence[Any]) -> Any:
    if origin is tuple and inner and inner[-1] is not Ellipsis:
        return tuple(decode(kind, each) for kind, each in zip(inner, value, strict=False))
    made = [decode(inner[0] if inner else Any, each) for each in value]
    return made if origin is list else set(made) if origin in (set, frozenset) else tuple(made)


def schema(kind: Any, named: dict[str, Any]) -> dict[str, Any]:
    """A type as JSON Schema; classes go into `named` and are referred to."""
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in (Union, types.UnionType):
        return _schema_union(inner, named)
    if origin is typing.Literal:
        return {"enum": list(inner)}
    if kind is _ranked():
        return {"type": "object", "properties": {"score": {"type": "integer"}, "origin": {"type": "string"}}}
    if _is_record(kind):
        return _schema_class(kind, named)
    if origin is tuple and inner and inner[-1] is not Ellipsis:
        return {"type": "array", "minItems": len(inner), "maxItems": len(inner)}
    if origin in (tuple, list, set, frozenset, Sequence, Iterable):
        return {"type": "array", "items": schema(inner[0], named) if inner else {}}
    if origin in (dict, Mapping, Counter):
        return {"type": "object", "additionalProperties": schema(int if origin is Counter else inner[-1], named)}
    return dict(_PLAIN.get(kind, {}))


_PLAIN: Mapping[Any, dict[str, Any]] = {
    str: {"type": "string"}, int: {"type": "integer"}, float: {"type": "number"}, bool: {"type": "boolean"},
    type(None): {"type": "null"},
}  # fmt: skip


def _schema_union(kinds: Sequence[Any], named: dict[str, Any]) -> dict[str, Any]:
    made = [schema(kind, named) for kind in kinds]
    if all(set(each) == {"type"} for each in made):
        return {"type": [each["type"] for each in made]}
    return {"anyOf": made}


def _schema_class(kind: Any, named: dict[str, Any]) -> dict[str, Any]:
    if kind.__name__ not in named:
        named[kind.__name__] = {}  # a class may hold itself
        hints = _hints(kind)
        shown = list(_names(kind))
        properties = {name: schema(hints[name], named) for name in shown}
        named[kind.__name__] = {"type": "object", "properties": properties, "required": shown}
    return {"$ref": f"#/components/schemas/{kind.__name__}"}


def _is_record(kind: Any) -> bool:
    return isinstance(kind, type) and (is_dataclass(kind) or hasattr(kind, "_fields"))


def _names(kind: Any) -> tuple[str, ...]:
    named = [each.name for each in fields(kind)] if is_dataclass(kind) else list(kind._fields)
    return tuple(name for name in named if not name.startswith("_"))


@cache
def _ranked() -> Any:
    """What an answer says of its rows; a promise of attributes, of which the wire carries two."""
    return vars(import_module(result_of("query").__module__))["Ranked"]


@cache
def _hints(of: Any) -> dict[str, Any]:
    """The types that a class or a verb names; some of the names were imported for type checkers alone."""
    home = import_module(of.__module__)
    return typing.get_type_hints(of, {**_for_checkers(home), **vars(home)}, {})


@cache
def _for_checkers(home: types.ModuleType) -> dict[str, Any]:
    """What a module imports for type checkers alone, read off its source."""
    found: dict[str, Any] = {}
    for part in ast.parse(inspect.getsource(home)).body:
        if isinstance(part, ast.If) and isinstance(part.test, ast.Name) and part.test.id == "TYPE_CHECKING":
            for line in part.body:
                if isinstance(line, ast.ImportFrom) and line.module:
                    source = vars(import_module(line.module))
                    found |= {each.asname or each.name: source[each.name] for each in line.names if each.name in source}
    return found
