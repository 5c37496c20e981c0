"""YAML in block style, by its lines: enough to put a mapping or an item under a key, and to take it out again.

Whole YAML needs a library that writes everything anew. What is written in another style where ours would go is refused, and
the person is told what to write.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from muniment.harness.texts.form import Form, Unreadable, form_of
from muniment.harness.texts.splice import Splice, applied, splice

_KEY = re.compile(
    r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#&*!|>%@`"'\[\]{},:-][^#]*?|-[^\s#:][^#]*?)[ \t]*:(?=[ \t]|\Z)"""
)
_NOTHING = re.compile(r"(?:[ \t]+(?P<value>~|null|\{[ \t]*\}|\[[ \t]*\])?)?[ \t]*(?:(?<=[ \t])#.*)?\Z")
_SCALAR_BLOCK = re.compile(r"[|>][+-]?\d?[+-]?[ \t]*(?:#.*)?\Z")


@dataclass(frozen=True, slots=True)
class Line:
    """A line that says something: where it stands, how far in, and what. What goes on over lines is one line here."""

    start: int
    end: int
    indent: int
    said: str


def check(text: str) -> None:
    """Unreadable, with the place, where the lines are no YAML in block style."""
    list(lines(text))


def lines(text: str) -> Iterator[Line]:
    """The lines that say something: no comments, no blank ones, not what belongs to a long text."""
    at, documents, said = 0, 0, False
    while at < len(text):
        end = _line_end(text, at)
        raw = text[at:end]
        content = raw.lstrip(" ")
        if content.startswith(("---", "...")) and len(raw) == len(content):
            if content.startswith("...") or content[3:].split("#", maxsplit=1)[0].strip():
                raise Unreadable(text, at, "nothing can be put behind this line")
            documents += said
            if documents and content.startswith("---"):
                raise Unreadable(text, at, "it holds more than one document")
        elif content and not content.startswith(("#", "%")):
            if content.startswith("\t") and content.strip():
                raise Unreadable(text, at, "it is indented by a tab")
            if content.strip():
                said, indent = True, len(raw) - len(content)
                end = _whole_end(text, at + indent, end, indent)
                yield Line(at, end, indent, text[at + indent : end])
        at = end
        at += 2 if text.startswith("\r\n", at) else 1


def _whole_end(text: str, at: int, line_end: int, indent: int) -> int:
    """Where a value that goes on over several lines ends: one in quotes or brackets, or the text of `|` or `>`."""
    depth, start, fresh = 0, at, True
    while at < len(text):
        sign = text[at]
        if sign in "\r\n" and depth == 0:
            break
        if sign == "#" and (at == start or text[at - 1] in " \t\r\n"):
            at = _line_end(text, at)
            continue
        if sign in "\"'" and fresh:
            at, fresh = _quoted_end(text, at), False
            continue
        if depth or fresh:
            depth += (sign in "[{") - (sign in "]}" and depth > 0)
        fresh = (fresh and sign in " \t\r\n") or _begins_value(text, at, start, depth)
        at += 1
    if depth:
        raise Unreadable(text, start, "a bracket is never closed")
    head = text[start:at].split(" #", maxsplit=1)[0].rstrip()
    if re.search(r"[|>]\d?\+\d?\Z", head) and (": " in head or head.startswith("- ")):
        raise Unreadable(text, start, "a text that keeps its blank lines (+) ends where only a whole reader knows")
    if _SCALAR_BLOCK.search(head.rpartition(" ")[2]) and (": " in head or head.startswith("- ")):
        return _text_end(text, at, indent)
    return max(at, line_end) if "\n" not in text[start:at] else at


def _begins_value(text: str, at: int, start: int, depth: int) -> bool:
    """May a quote or a bracket after this sign begin a value?"""
    if depth and text[at] in "[{,:":
        return True
    return (
        text[at] in ":-"
        and text[at + 1 : at + 2] in (" ", "\t")
        and (text[at] == ":" or not text[start:at].strip("- "))
    )


def _quoted_end(text: str, at: int) -> int:
    quote, start = text[at], at
    at += 1
    while at < len(text):
        if (text[at] == "\\" and quote == '"') or (quote == "'" and text.startswith("''", at)):
            at += 2
        elif text[at] == quote:
            return at + 1
        else:
            at += 1
    raise Unreadable(text, start, "a quote is never closed")


def _text_end(text: str, at: int, indent: int) -> int:
    """Behind a text of `|` or `>`: all lines that are blank or stand further in."""
    last = at
    while at < len(text):
        at += 2 if text.startswith("\r\n", at) else 1
        end = _line_end(text, at)
        raw = text[at:end]
        if raw.strip():
            if len(raw) - len(raw.lstrip(" ")) <= indent:
                break
            last = end
        at = end
    return last


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end - (end > at and text[end - 1] == "\r")


# --- finding


@dataclass(frozen=True, slots=True)
class _Entry:
    """A member of a mapping or an item of a list: its line, and those that belong to it."""

    head: Line
    body: tuple[Line, ...]
    key: str | None
    rest: str

    @property
    def end(self) -> int:
        """Where its last line ends."""
        return (self.body[-1] if self.body else self.head).end


def _entries(found: Sequence[Line]) -> list[_Entry]:
    """What stands side by side in these lines, the first of which sets how far in that is."""
    entries: list[_Entry] = []
    at = 0
    while at < len(found):
        head, stop = found[at], at + 1
        is_item = head.said.startswith("- ") or head.said == "-"
        while stop < len(found) and (
            found[stop].indent > head.indent
            or (not is_item and found[stop].indent == head.indent and _is_item(found[stop]))
        ):
            stop += 1
        key = None if is_item else _KEY.match(head.said)
        rest = head.said[1:] if is_item else head.said[key.end() :] if key else ""
        entries.append(_Entry(head, tuple(found[at + 1 : stop]), _plain(key[1]) if key else None, rest))
        at = stop
    return entries


def _is_item(line: Line) -> bool:
    return line.said.startswith("- ") or line.said == "-"


def _plain(key: str) -> str:
    if key.startswith('"'):
        try:
            return str(json.loads(key))
        except ValueError:
            return key
    return key[1:-1].replace("''", "'") if key.startswith("'") else key


def _walk(text: str, path: Sequence[str]) -> tuple[list[_Entry], list[str]]:
    """The entries along the path as far as they are there, and the keys that are missing."""
    found: list[Line] = list(lines(text))
    along: list[_Entry] = []
    for depth, key in enumerate(path):
        entries = _entries(found)
        if any(e.key is None for e in entries):
            raise Unreadable(
                text, entries[0].head.start, f"{'.'.join(path[:depth]) or 'the whole'} is no mapping in block style"
            )
        entry = next((e for e in entries if e.key == key), None)
        if entry is None:
            return along, list(path[depth:])
        if sum(e.key == key for e in entries) > 1:
            raise Unreadable(text, entry.head.start, f"{key} stands there twice")
        if entry.body and entry.rest.split("#", maxsplit=1)[0].strip():
            raise Unreadable(text, entry.head.start, f"{key} has an anchor or a tag: what goes in might show elsewhere")
        along.append(entry)
        found = list(entry.body)
        if not entry.body and _NOTHING.match(entry.rest) is None and depth < len(path) - 1:
            raise Unreadable(text, entry.head.start, f"{key} is not written in block style")
    return along, []


# --- putting in


def put_member(text: str, path: Sequence[str], value: Any) -> list[Splice]:
    """What makes `value` stand under these keys; nothing where it stands there already."""
    along, missing = _walk(text, path)
    form = form_of(text)
    if not missing:
        entry = along[-1]
        pad = " " * entry.head.indent
        new = _block({path[-1]: value}, pad, form)
        old = text[entry.head.start : entry.end]
        return [] if _same(old, new) else [splice(text, entry.head.start, entry.end, new)]
    for key in reversed(missing[1:]):
        value = {key: value}
    return _under(text, along, {missing[0]: value}, form)


def put_item(text: str, path: Sequence[str], value: Any, is_it: Callable[[str], bool]) -> list[Splice]:
    """What makes `value` an item of the list under these keys, in the place of the first one that it is a version of."""
    along, missing = _walk(text, path)
    form = form_of(text)
    if missing:
        wrapped: Any = [value]
        for key in reversed(missing):
            wrapped = {key: wrapped}
        return _under(text, along, wrapped, form)
    for entry in _entries(along[-1].body):
        old = text[entry.head.start : entry.end]
        if is_it(old):
            new = _block([value], " " * entry.head.indent, form)
            return [] if _same(old, new) else [splice(text, entry.head.start, entry.end, new)]
    return _under(text, along, [value], form)


def _under(text: str, along: Sequence[_Entry], value: Any, form: Form) -> list[Splice]:
    """Put a mapping or a list under the last of these entries, after what stands there."""
    if not along:
        gap = "" if not text or text.endswith(("\n", "\r")) else form.newline
        return [splice(text, len(text), len(text), gap + _block(value, "", form) + form.newline)]
    entry = along[-1]
    if entry.body:
        _demand_kind(text, entry, value)
        pad = " " * entry.body[0].indent
        return [splice(text, entry.end, entry.end, form.newline + _block(value, pad, form))]
    nothing = _NOTHING.match(entry.rest)
    if nothing is None:
        raise Unreadable(text, entry.head.start, f"{entry.key} is not written in block style")
    step = form.unit if form.unit.isspace() and "\t" not in form.unit else "  "
    block = form.newline + _block(value, " " * entry.head.indent + step, form)
    changes = []
    if nothing["value"]:
        start = entry.head.end - len(entry.rest) + nothing.start("value")
        changes.append(splice(text, start, start + len(nothing["value"]), ""))
    end = entry.head.end - len(nothing["value"] or "")
    return [*changes, splice(applied(text, changes), end, end, block)]


def _demand_kind(text: str, entry: _Entry, value: Any) -> None:
    is_list = _is_item(entry.body[0])
    if is_list != isinstance(value, list):
        raise Unreadable(text, entry.head.start, f"{entry.key} is {'a list' if is_list else 'no list'}")


def _block(value: Any, pad: str, form: Form) -> str:
    """The lines of a mapping or list in block style, without the last line end; scalars and inner lists as JSON."""
    return form.newline.join(pad + line for line in _rendered(value))


def _rendered(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, each in value.items():
            name = key if re.fullmatch(r"[A-Za-z_][\w-]*", key) else json.dumps(key, ensure_ascii=False)
            is_deep = isinstance(each, dict) or (isinstance(each, list) and any(isinstance(e, dict) for e in each))
            if is_deep or (isinstance(each, list) and name in _AS_LINES):
                yield f"{name}:"
                yield from ("  " + line for line in _rendered(each))
            else:
                yield f"{name}: {json.dumps(each, ensure_ascii=False)}"
    else:
        for each in value:
            inner = list(_rendered(each)) if isinstance(each, dict) else [json.dumps(each, ensure_ascii=False)]
            yield from (("- " if n == 0 else "  ") + line for n, line in enumerate(inner))


_AS_LINES = ("read",)
"""Lists that people add to by hand."""


def _same(old: str, new: str) -> bool:
    def bare(text: str) -> list[str]:
        return [line.strip() for line in text.splitlines() if line.strip()]

    return bare(old) == bare(new)


# --- taking out


def take(text: str, path: Sequence[str]) -> list[Splice]:
    """What removes the member with these keys, and all that belongs to it."""
    along, missing = _walk(text, path)
    return [] if missing else [_cut(text, along[-1])]


def take_items(text: str, path: Sequence[str], is_ours: Callable[[str], bool]) -> list[Splice]:
    """What removes the items of a list that are ours."""
    changes: list[Splice] = []
    while True:
        along, missing = _walk(text, path)
        items = [] if missing else _entries(along[-1].body)
        found = next((e for e in items if e.key is None and is_ours(text[e.head.start : e.end])), None)
        if found is None:
            return changes
        changes.append(_cut(text, found))
        text = applied(text, changes[-1:])


def is_empty(text: str, path: Sequence[str]) -> bool:
    """Does nothing stand under these keys, though the last of them is there?"""
    along, missing = _walk(text, path)
    return not missing and not along[-1].body and _NOTHING.match(along[-1].rest) is not None


def _cut(text: str, entry: _Entry) -> Splice:
    start, end = entry.head.start, entry.end
    if text.startswith("\r\n", end):
        end += 2
    elif text.startswith("\n", end):
        end += 1
    elif start > 0:
        start -= 2 if text[:start].endswith("\r\n") else 1
    return splice(text, start, end, "")
