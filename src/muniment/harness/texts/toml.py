"""TOML by its tables: ours are whole tables with a header of their own, put at the end and cut out again."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from muniment.harness.texts.form import Form, Unreadable, form_of
from muniment.harness.texts.splice import Splice, applied, splice

_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")
_PLACE = re.compile(r"\(at line (\d+), column (\d+)\)|\(at end of document\)")


@dataclass(frozen=True, slots=True)
class Block:
    """A table: where its header starts, where the last line that says something in it ends, and its path."""

    start: int
    end: int
    path: tuple[str, ...]
    is_array: bool


def data(text: str) -> dict[str, Any]:
    """What the text says. Unreadable, with the place, if it is no TOML."""
    try:
        return tomllib.loads(text.replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        raise _problem(text, str(error)) from error
    except (ValueError, RecursionError) as error:  # a number longer, or nested deeper, than Python reads
        raise Unreadable(text, 0, "a number is too long, or something is nested too deeply") from error


def _problem(text: str, told: str) -> Unreadable:
    found = _PLACE.search(told)
    place = len(text)
    if found and found[1]:
        lines = text.splitlines(keepends=True)
        place = sum(map(len, lines[: int(found[1]) - 1])) + int(found[2]) - 1
    return Unreadable(text, place, _PLACE.sub("", told).strip())


def put_member(text: str, path: Sequence[str], value: Any) -> list[Splice]:
    """What makes the table `path` say `value`; nothing where it does already."""
    there: Any = data(text)
    for key in path:
        there = there.get(key) if isinstance(there, dict) else None
    if there == value:
        return []
    block = _table(text, tuple(path), value, form_of(text), is_array=False)
    own = [b for b in blocks(text) if b.path[: len(path)] == tuple(path)]
    if there is not None and not own:
        raise Unreadable(text, 0, f"{'.'.join(path)} is there, but not as a table of its own")
    return _checked(text, _replaced(text, own, block) if own else _appended(text, block), path)


def _replaced(text: str, own: Sequence[Block], block: str) -> list[Splice]:
    """The first of our tables becomes the block, the others go: what stands between them is somebody else's."""
    changes: list[Splice] = []
    for each in reversed(own[1:]):
        changes += _cut(applied(text, changes), each)
    return [*changes, splice(applied(text, changes), own[0].start, own[0].end, block.strip("\r\n"))]


def put_item(text: str, path: Sequence[str], value: Any, is_it: Callable[[Any], bool]) -> list[Splice]:
    """What makes `value` one of the tables `[[path]]`, in the place of the first one that it is a version of."""
    items = _items(text, path)
    for block, item in items:
        if is_it(item):
            same = item == value
            new = _table(text, tuple(path), value, form_of(text), is_array=True).strip("\r\n")
            return [] if same else _checked(text, [splice(text, block.start, block.end, new)], path)
    there: Any = data(text)
    for key in path:
        there = there.get(key) if isinstance(there, dict) else None
    if there and not items:
        if any(is_it(item) and item == value for item in there):
            return []
        raise Unreadable(text, 0, f"{'.'.join(path)} is written as one value, and not as tables [[{'.'.join(path)}]]")
    if there is not None and not items:
        return _checked(text, _in_empty(text, path, value), path)
    return _checked(text, _appended(text, _table(text, tuple(path), value, form_of(text), is_array=True)), path)


def take(text: str, path: Sequence[str]) -> list[Splice]:
    """What removes the table `path` and those below it."""
    changes: list[Splice] = []
    while found := next((b for b in reversed(list(blocks(text))) if b.path[: len(path)] == tuple(path)), None):
        changes += (step := _cut(text, found))
        text = applied(text, step)
    return changes


def take_items(text: str, path: Sequence[str], is_ours: Callable[[Any], bool]) -> list[Splice]:
    """What removes the tables `[[path]]` that are ours."""
    changes: list[Splice] = []
    while found := next((block for block, item in reversed(_items(text, path)) if is_ours(item)), None):
        changes += (step := _cut(text, found))
        text = applied(text, step)
    return changes


def blocks(text: str) -> Iterator[Block]:
    """The tables that have headers, in order. The text must be sound TOML."""
    heads = list(_headers(text))
    for number, (start, line_end) in enumerate(heads):
        stop = heads[number + 1][0] if number + 1 < len(heads) else len(text)
        path, is_array = _path(text[start:line_end])
        yield Block(start, _said_until(text, line_end, stop), path, is_array)


def _items(text: str, path: Sequence[str]) -> list[tuple[Block, Any]]:
    there: Any = data(text)
    for key in path:
        there = there.get(key) if isinstance(there, dict) else None
    own = [b for b in blocks(text) if b.is_array and b.path == tuple(path)]
    return list(zip(own, there, strict=True)) if isinstance(there, list) and len(own) == len(there) else []


def _headers(text: str) -> Iterator[tuple[int, int]]:
    """(start, end of line) of each header: a bracket that begins a line outside of strings and arrays."""
    at, depth, is_line_start = 0, 0, True
    while at < len(text):
        sign = text[at]
        if sign == "[" and is_line_start and depth == 0:
            end = _line_end(text, at)
            yield at, end
            at = end
            continue
        if sign in "\"'":
            at = _string_end(text, at)
        elif sign == "#":
            at = _line_end(text, at)
        else:
            depth += (sign in "[{") - (sign in "]}")
            at += 1
        is_line_start = sign in "\r\n" or (is_line_start and sign in " \t")


def _string_end(text: str, at: int) -> int:
    quote = text[at]
    long = text.startswith(quote * 3, at)
    close = quote * 3 if long else quote
    at += len(close)
    while at < len(text) and not text.startswith(close, at):
        at += 2 if text[at] == "\\" and quote == '"' else 1
    at += len(close)
    while long and text.startswith(quote, at):
        at += 1  # up to two quotes may stand before the closing three
    return at


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end - (text[end - 1] == "\r")


def _path(header: str) -> tuple[tuple[str, ...], bool]:
    found: Any = tomllib.loads(header)
    names, is_array = [], False
    while found:
        (name, found), *_ = found.items()
        names.append(name)
        if isinstance(found, list):
            is_array, found = True, None
    return tuple(names), is_array


def _said_until(text: str, start: int, stop: int) -> int:
    """Where the last line with a key ends: comments and blank lines before the next header belong to that."""
    end, at = start, start
    while at < stop:
        sign = text[at]
        if sign in "\"'":
            at = end = _string_end(text, at)
        elif sign == "#":
            line = _line_end(text, at)
            end = (
                line if text[max(end, text.rfind("\n", 0, at) + 1) : at].strip() or _shares_line(text, end, at) else end
            )
            at = line
        else:
            at += 1
            end = end if sign.isspace() else at
    return min(end, stop)


def _shares_line(text: str, end: int, at: int) -> bool:
    return "\n" not in text[end:at] and end > text.rfind("\n", 0, at)


def _appended(text: str, block: str) -> list[Splice]:
    form = form_of(text)
    gap = "" if not text.strip() else form.newline if text.endswith(("\n", "\r")) else form.newline * 2
    return [splice(text, len(text), len(text), gap + block)]


def _in_empty(text: str, path: Sequence[str], value: Any) -> list[Splice]:
    """An array that is written and empty takes inline tables: `hooks = []`."""
    found = re.search(rf"^[ \t]*{re.escape(path[-1])}[ \t]*=[ \t]*\[[ \t]*\]", text, re.MULTILINE)
    if found is None or len(path) != 1:
        raise Unreadable(text, 0, f"{'.'.join(path)} is written as one value, and not as tables [[{'.'.join(path)}]]")
    block = _table(text, tuple(path), value, form_of(text), is_array=True)
    return [
        splice(text, found.start(), found.end(), ""),
        *_appended(text[: found.start()] + text[found.end() :], block),
    ]


def _table(text: str, path: tuple[str, ...], value: dict[str, Any], form: Form, *, is_array: bool) -> str:
    del text
    header = ".".join(map(_key, path))
    lines = [f"[[{header}]]" if is_array else f"[{header}]"]
    lines += [f"{_key(name)} = {_value(each)}" for name, each in value.items()]
    return form.newline.join(lines) + form.newline


def _key(name: str) -> str:
    return name if _BARE.match(name) else _value(name)


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(k)} = {_value(v)}" for k, v in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _cut(text: str, block: Block) -> list[Splice]:
    """The block and its line end; and the blank line before it, unless something follows at once."""
    start, end = block.start, block.end
    start = max(text.rfind("\n", 0, start) + 1, 0)
    for newline in ("\r\n", "\n"):
        if text.startswith(newline, end):
            end += len(newline)
            break
    rest, before = text[end:], text[:start]
    for newline in ("\r\n", "\n"):
        if before.endswith(newline * 2) and (not rest or rest.startswith(("\n", "\r\n"))):
            start -= len(newline)
            break
    return [splice(text, start, end, "")]


def _checked(text: str, changes: list[Splice], path: Sequence[str]) -> list[Splice]:
    """The changes, if what they make is TOML and says all that was said before."""
    try:
        after = data(applied(text, changes))
    except Unreadable as error:
        raise Unreadable(text, 0, f"[{'.'.join(path)}] cannot be put beside what is there ({error.why})") from error
    if _others(data(text), path) != _others(after, path):
        raise Unreadable(text, 0, f"[{'.'.join(path)}] cannot be put in without changing something else")
    return changes


def _others(said: dict[str, Any], path: Sequence[str]) -> dict[str, Any]:
    """What is said beside a path, without the tables that hold nothing else."""
    rest = dict(said)
    inner = rest.get(path[0])
    if len(path) > 1 and isinstance(inner, dict):
        rest[path[0]] = inner = _others(inner, path[1:])
    if len(path) == 1 or not inner:
        rest.pop(path[0], None)
    return rest
