"""Reads protocol buffers by a table of the fields that matter; what the table does not name is passed over.

A table maps a field's number to a `Field`. The rules of the wire format hold: of a field that comes twice the last one
counts, messages that come twice are merged, of the arms of a `oneof` the last one counts.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Any, NamedTuple, Union

Table = Mapping[int, "Field"]
Kind = Union[str, "Table"]
_DEPTH = 32


class Field(NamedTuple):
    """A field: its name and what it holds (`text`, `int`, `struct`, or the table of a message)."""

    name: str
    kind: Kind = "text"
    many: bool = False
    arm: bool = False
    """Is it an arm of the message's `oneof`?"""


def wire(data: bytes) -> list[tuple[int, Any]]:
    """Numbers and values: whole numbers and bytes. Raises ValueError where it is no such message."""
    found: list[tuple[int, Any]] = []
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        number, kind = key >> 3, key & 7
        value: Any
        if kind == 0:
            value, at = _varint(data, at)
        elif kind == 2:
            size, at = _varint(data, at)
            value, at = data[at : at + size], at + size
        elif kind in (1, 5):
            size = 8 if kind == 1 else 4
            value, at = data[at : at + size], at + size
        else:
            raise ValueError(f"wire type {kind}")
        if at > len(data) or not number:
            raise ValueError("the message ends within a field")
        found.append((number, value))
    return found


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while at < len(data) and shift < 70:
        byte = data[at]
        value, at = value | (byte & 127) << shift, at + 1
        if byte < 128:
            return value & (1 << 64) - 1, at
        shift += 7
    raise ValueError("a number without an end")


def decode(data: bytes, table: Table, depth: int = 0) -> dict[str, Any]:
    """The fields that the table names. Raises ValueError where the bytes are no such message."""
    if depth > _DEPTH:
        raise ValueError("nested too deeply")
    held: dict[int, list[Any]] = {}
    for number, value in wire(data):
        field = table.get(number)
        if field is None:
            continue
        if field.arm:
            for other in [n for n in held if n != number and table[n].arm]:
                del held[other]
        held.setdefault(number, []).append(value)
    return {table[number].name: _value(values, table[number], depth) for number, values in held.items()}


def _value(values: list[Any], field: Field, depth: int) -> Any:
    if field.many:
        return [_value([value], field._replace(many=False), depth) for value in values]
    last = values[-1]
    if field.kind == "int":
        if not isinstance(last, int):
            raise ValueError(f"{field.name} is no number")
        return last - (1 << 64) if last >> 63 else last
    if not all(isinstance(value, bytes) for value in values):
        raise ValueError(f"{field.name} is a number")
    if field.kind == "struct":
        return _struct(b"".join(values), depth)
    if isinstance(field.kind, str):
        return last.decode("utf-8", "replace")
    return decode(b"".join(values), field.kind, depth + 1)


def _struct(data: bytes, depth: int) -> dict[str, Any]:
    found = {}
    for number, entry in wire(data):
        if number == 1 and isinstance(entry, bytes):
            pair = dict(wire(entry))
            found[bytes(pair.get(1, b"")).decode("utf-8", "replace")] = _json(bytes(pair.get(2, b"")), depth + 1)
    return found


def _json(data: bytes, depth: int) -> Any:
    """A `google.protobuf.Value`."""
    if depth > _DEPTH:
        raise ValueError("nested too deeply")
    value: Any = None
    for number, held in wire(data):
        if number == 2:
            value = struct.unpack("<d", held)[0] if isinstance(held, bytes) and len(held) == 8 else None
        elif number == 3:
            value = bytes(held).decode("utf-8", "replace")
        elif number == 4:
            value = bool(held)
        elif number == 5:
            value = _struct(bytes(held), depth + 1)
        elif number == 6:
            value = [_json(bytes(each), depth + 1) for _, each in wire(bytes(held))]
    return value
