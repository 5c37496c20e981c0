"""JSON with comments and trailing commas, as a tree of spans: what is not ours is never written again, only moved along."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from muniment.harness.texts.form import Form, Unreadable, form_of
from muniment.harness.texts.splice import Splice, applied, splice

_SPACE = re.compile(r"[ \t\r\n\v\f\u00a0\ufeff]*")
_BLOCK = re.compile(r"/\*.*?\*/", re.DOTALL)
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
_LITERALS = {"true": True, "false": False, "null": None}
_LINE_END = re.compile(r"[\r\n]")
_DEEPEST = 200


def _refuse(name: str) -> Any:
    raise ValueError(name)


_DECODER = json.JSONDecoder(parse_constant=_refuse)


class Node:
    """One value and where it stands; a member of an object has its key, and starts where the key does.

    `at` is where the value itself starts, `comma` where the comma after it stands, if there is one. What stands inside is read
    when it is first asked for: settings files can be large, and ours go to few places.
    """

    __slots__ = ("_children", "_inner", "_text", "at", "comma", "end", "key", "start", "value")

    def __init__(self, text: str, start: int, end: int, value: Any) -> None:
        self.start = self.at = start
        self.end, self.value = end, value
        self.key: str | None = None
        self.comma: int | None = None
        self._text, self._children, self._inner = text, list[Node](), -1

    @property
    def children(self) -> list[Node]:
        """The members or items."""
        self._read()
        return self._children

    @property
    def inner(self) -> int:
        """Of an empty object or array: where its first child would go, after what comments it holds."""
        self._read()
        return self._inner

    def filled(self, children: list[Node], inner: int) -> Node:
        """The node with what stands inside."""
        self._children, self._inner = children, inner
        return self

    def _read(self) -> None:
        if self._inner < 0 and isinstance(self.value, dict | list):
            reader = _Reader(self._text, self.at)
            node = reader.container(0)
            self._children, self._inner = node._children, node._inner


def parse(text: str) -> Node | None:
    """The tree; None where there is nothing but blanks. Unreadable, with the place, if it is no JSON with comments."""
    reader = _Reader(text)
    reader.skip()
    if reader.at == len(text):
        return None
    root = reader.value(0)
    reader.skip()
    if reader.at < len(text):
        raise reader.problem("something follows the end of the value")
    return root


def data(text: str) -> Any:
    """What the text says; an empty one says nothing, which is an empty object."""
    root = parse(text)
    return {} if root is None else root.value


class _Reader:
    def __init__(self, text: str, at: int = 0) -> None:
        self.text, self.at, self.told = text, at, 0

    def problem(self, why: str) -> Unreadable:
        return Unreadable(self.text, self.at, why)

    def skip(self) -> None:
        """Over blanks and comments; `told` is where the last comment ended."""
        while True:
            found = _SPACE.match(self.text, self.at)
            self.at = found.end() if found else self.at
            if self.text.startswith("//", self.at):
                self.at = line_end(self.text, self.at)
            elif self.text.startswith("/*", self.at):
                end = self.text.find("*/", self.at + 2)
                if end < 0:
                    raise self.problem("a comment is never closed")
                self.at = end + 2
            else:
                return
            self.told = self.at

    def value(self, depth: int) -> Node:
        if depth > _DEEPEST:
            raise self.problem("it is nested too deeply")
        start = self.at
        first = self.text[start : start + 1]
        if first in ("{", "["):
            return (self._plain(start) if depth else None) or self.container(depth)
        for name, value in _LITERALS.items():
            if self.text.startswith(name, start):
                self.at += len(name)
                return Node(self.text, start, self.at, value)
        found = (_STRING if first == '"' else _NUMBER).match(self.text, start)
        if found is None:
            raise self.problem("a value was expected" if first else "it ends too early")
        self.at = found.end()
        try:
            return Node(self.text, start, self.at, json.loads(found.group()))
        except ValueError as error:
            raise self.problem("a number is longer than can be read") from error

    def _plain(self, start: int) -> Node | None:
        """A value without comments or commas too many, whole and fast; None if it is no such one."""
        try:
            value, self.at = _DECODER.raw_decode(self.text, start)
        except (ValueError, RecursionError):
            return None
        return Node(self.text, start, self.at, value)

    def container(self, depth: int) -> Node:
        """An object or an array, with its children."""
        start, is_object = self.at, self.text[self.at] == "{"
        close, children = "}" if is_object else "]", list[Node]()
        self.at += 1
        self.told = self.at
        self.skip()
        inner = self.told
        while not self.text.startswith(close, self.at):
            if children and children[-1].comma is None:
                over = self.at >= len(self.text)
                raise self.problem("it ends too early" if over else f"a comma or {close} was expected")
            children.append(self._member(depth) if is_object else self.value(depth + 1))
            self.skip()
            if self.text.startswith(",", self.at):
                children[-1].comma = self.at
                self.at += 1
                self.skip()
        self.at += 1
        value = {c.key: c.value for c in children} if is_object else [c.value for c in children]
        return Node(self.text, start, self.at, value).filled(children, inner)

    def _member(self, depth: int) -> Node:
        start = self.at
        found = _STRING.match(self.text, start)
        if found is None:
            raise self.problem("a key in double quotes was expected" if self.text[start:] else "it ends too early")
        self.at = found.end()
        self.skip()
        if not self.text.startswith(":", self.at):
            raise self.problem("a colon was expected")
        self.at += 1
        self.skip()
        child = self.value(depth + 1)
        child.start, child.key = start, json.loads(found.group())
        return child


def at(root: Node | None, path: Sequence[str]) -> Node | None:
    """The value under these keys; of a key that stands twice, the last one counts."""
    for key in path:
        if root is None or not isinstance(root.value, dict):
            return None
        root = next((child for child in reversed(root.children) if child.key == key), None)
    return root


# --- putting in


def put_member(text: str, path: Sequence[str], value: Any) -> list[Splice]:
    """What makes `value` stand under these keys; nothing where it stands there already."""
    root = parse(text)
    found = at(root, path)
    if found is None:
        return _added(text, root, path[:-1], (path[-1], value))
    if found.value == value:
        return []
    return [splice(text, found.at, found.end, _written(text, value, form_of(text), found.at))]


def put_item(text: str, path: Sequence[str], value: Any, is_it: Callable[[Any], bool]) -> list[Splice]:
    """What makes `value` an item of the array under these keys, in the place of the first one that it is a version of."""
    root = parse(text)
    array = at(root, path)
    if array is None:
        return _added(text, root, path[:-1], (path[-1], [value]))
    if not isinstance(array.value, list):
        raise Unreadable(text, array.at, f"{'.'.join(path)} is no array")
    for child in array.children:
        if is_it(child.value):
            same = child.value == value
            return [] if same else [splice(text, child.at, child.end, _written(text, value, form_of(text), child.at))]
    return _inserted(text, array, None, value)


def _added(text: str, root: Node | None, path: Sequence[str], member: tuple[str, Any]) -> list[Splice]:
    """Insert a member, with the objects around it that are missing."""
    if root is None:
        key, value = member
        for name in reversed(path):
            key, value = name, {key: value}
        form = form_of(text)
        written = (
            json.dumps({key: value}, indent=form.unit, ensure_ascii=False).replace("\n", form.newline) + form.newline
        )
        return [splice(text, 0, len(text), written)]
    inner, depth = root, 0
    while depth < len(path) and (below := at(inner, path[depth : depth + 1])) is not None:
        inner, depth = below, depth + 1
    if not isinstance(inner.value, dict):
        raise Unreadable(text, inner.at, f"{'.'.join(path[:depth]) or 'the whole'} is no object")
    key, value = member
    for name in reversed(path[depth:]):
        key, value = name, {key: value}
    return _inserted(text, inner, key, value)


def _inserted(text: str, within: Node, key: str | None, value: Any) -> list[Splice]:
    form = form_of(text)
    broken = _is_broken(text, within)
    indent = _indent_of(text, within.children[0].start if within.children else within.at)
    indent = indent if within.children else indent + form.unit
    gap = form.newline + indent if broken or _ends_in_comment(text, within) else " " if within.children else ""
    written = gap + (
        "" if key is None else json.dumps(key, ensure_ascii=False) + (": " if broken or form.spaced else ":")
    )
    written += _rendered(value, form, indent) if broken else _inline(value, form)
    if within.children:
        return _after_last(text, within, written)
    closes = text[within.inner : within.end - 1].strip(" \t") == "" and broken
    return [
        splice(
            text, within.inner, within.inner, written + (form.newline + _indent_of(text, within.at) if closes else "")
        )
    ]


def _ends_in_comment(text: str, within: Node) -> bool:
    """Would what is put in stand behind `//`?"""
    begins = within.children[-1].end if within.children else within.at + 1
    before = text[begins : _behind_last(text, within) if within.children else within.inner]
    return "//" in _BLOCK.sub("", before).replace("\r", "\n").rsplit("\n", 1)[-1]


def _behind_last(text: str, within: Node) -> int:
    last = within.children[-1]
    return _after_comments(text, last.end if last.comma is None else last.comma + 1, within.end - 1)


def _after_last(text: str, within: Node, written: str) -> list[Splice]:
    last, place = within.children[-1], _behind_last(text, within)
    if last.comma is not None:
        return [splice(text, place, place, written + ",")]
    if place == last.end:
        return [splice(text, place, place, "," + written)]
    comma = splice(text, last.end, last.end, ",")
    return [comma, splice(applied(text, [comma]), place + 1, place + 1, written)]


def line_end(text: str, place: int) -> int:
    """Where the line of a place ends."""
    found = _LINE_END.search(text, place)
    return found.start() if found else len(text)


def _after_comments(text: str, place: int, limit: int) -> int:
    """Behind the comments that stand on the same line; where there are none, the place itself."""
    at_, told = place, place
    while at_ < limit:
        if text[at_] in " \t":
            at_ += 1
        elif text.startswith("//", at_):
            return min(line_end(text, at_), limit)
        elif text.startswith("/*", at_) and "\n" not in text[at_ : text.find("*/", at_)]:
            at_ = told = text.find("*/", at_) + 2
        else:
            break
    return told


def _is_broken(text: str, within: Node) -> bool:
    """Do its children stand on lines of their own?"""
    if within.children:
        return (
            "\n" in text[within.start : within.children[0].start]
            or "\r" in text[within.start : within.children[0].start]
        )
    return "\n" in text.strip() or "\r" in text.strip() or within.start == _first(text)


def _first(text: str) -> int:
    reader = _Reader(text)
    reader.skip()
    return reader.at


def _indent_of(text: str, place: int) -> str:
    line = max(text.rfind("\n", 0, place), text.rfind("\r", 0, place)) + 1
    found = re.match(r"[ \t]*", text[line:place])
    return found.group() if found else ""


def _written(text: str, value: Any, form: Form, place: int) -> str:
    return _rendered(value, form, _indent_of(text, place)) if "\n" in text or "\r" in text else _inline(value, form)


def _rendered(value: Any, form: Form, indent: str) -> str:
    return json.dumps(value, indent=form.unit, ensure_ascii=False).replace("\n", form.newline + indent)


def _inline(value: Any, form: Form) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": ") if form.spaced else (",", ":"))


# --- taking out


def take(text: str, path: Sequence[str]) -> list[Splice]:
    """What removes the member with these keys, and the comma that goes with it; nothing where there is none."""
    root = parse(text)
    within = at(root, path[:-1])
    if within is None or not isinstance(within.value, dict):
        return []
    for number in range(len(within.children) - 1, -1, -1):
        if within.children[number].key == path[-1]:
            return _without(text, within, number)
    return []


def take_items(text: str, path: Sequence[str], is_ours: Callable[[Any], bool]) -> list[Splice]:
    """What removes the items of an array that are ours; one that holds others' beside ours loses only ours."""
    changes: list[Splice] = []
    while True:
        array = at(parse(text), path)
        if array is None or not isinstance(array.value, list):
            return changes
        step = _first_of_ours(text, array, is_ours)
        if not step:
            return changes
        changes += step
        text = applied(text, step)


def without_last_comma(text: str, model: str, path: Sequence[str]) -> list[Splice]:
    """What removes the comma after the last child under these keys, if there is none in `model`."""
    node, other = at(parse(text), path), at(parse(model), path)
    if node is None or not node.children or (comma := node.children[-1].comma) is None:
        return []
    if other is not None and other.children and other.children[-1].comma is not None:
        return []
    return [splice(text, comma, comma + 1, "")]


def _first_of_ours(text: str, array: Node, is_ours: Callable[[Any], bool]) -> list[Splice]:
    for number, child in enumerate(array.children):
        if not is_ours(child.value):
            continue
        group = at(child, ("hooks",))
        others = [] if group is None else [c for c in group.children if not is_ours(c.value)]
        if group is None or not others:
            return _without(text, array, number)
        ours = next((n for n, c in enumerate(group.children) if is_ours(c.value)), None)
        if ours is not None:
            return _without(text, group, ours)
    return []


def _without(text: str, within: Node, number: int) -> list[Splice]:
    children = within.children
    child = children[number]
    start = _back_over_space(text, child.start)
    stop = child.end if child.comma is None else child.comma + 1
    if child.comma is not None and text[child.end : child.comma].strip():
        stop = child.end  # a comment stands before the comma: both stay where they are
    gone = [splice(text, start, stop, _kept_line(text, start, stop))]
    if stop == child.end and child.comma is not None:
        comma = child.comma - (child.end - start) + len(gone[0].inserted)
        gone.append(splice(applied(text, gone), comma, comma + 1, ""))
    elif child.comma is None and number > 0 and (comma_at := children[number - 1].comma) is not None:
        gone.append(splice(applied(text, gone), comma_at, comma_at + 1, ""))
    return gone


def _back_over_space(text: str, place: int) -> int:
    while place > 0 and text[place - 1] in " \t\r\n":
        place -= 1
    return place


def _kept_line(text: str, start: int, stop: int) -> str:
    """A line comment before what goes must not swallow what follows it."""
    line = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    if "//" not in text[line:start] or re.match(r"[ \t]*(?:\r|\n|\Z)", text[stop:]):
        return ""
    return "\r\n" if "\r\n" in text else "\n"
