"""The front matter of a page: the part of YAML that pages use, read and never written anew.

Mappings, lists, quoted and plain text, lists and mappings in brackets on one line, and text over several lines (`|`, `>`).
Every scalar is text: `yes`, a date and `1.10` stay what was written. What is beyond this (anchors, tags, several documents)
is a `Malformed` with its line, and the page is read without fields.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

Value = str | list["Value"] | dict[str, "Value"]
Fields = dict[str, Value]

_KEY = re.compile(
    r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#&*!|>%@`"'\[\]{},:-][^:#]*?|[^\s:]+?)[ \t]*:(?:[ \t]+|$)"""
)
_COMMENT = re.compile(r"(?:^|[ \t]+)#.*$")
_BEYOND = frozenset("&*!%@`")


class Malformed(ValueError):
    """What stands on a line is no front matter that can be read."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line


class _Line(NamedTuple):
    number: int
    indent: int
    text: str


class Matter(NamedTuple):
    """The fields, and where in the text the body begins."""

    fields: Fields
    body: int


def split(text: str) -> tuple[str, int]:
    """The lines between the two `---`, and where the body begins; ("", 0) where there is no front matter."""
    head = re.match(r"\ufeff?---[ \t]*\r?\n", text)
    if head is None:
        return "", 0
    end = re.compile(r"^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.MULTILINE).search(text, head.end())
    return (text[head.end() : end.start()], end.end()) if end is not None else ("", 0)


def read(text: str) -> Matter:
    """The front matter of a page; no fields where it has none. Raises Malformed."""
    inner, body = split(text)
    if not body:
        return Matter({}, 0)
    parser = _Parser(inner)
    found = parser.block(0)
    if parser.at < len(parser.lines):
        raise Malformed(parser.lines[parser.at].number, "it is indented in a way that fits nothing above it")
    if found in ("", []):
        return Matter({}, body)
    if not isinstance(found, dict):
        raise Malformed(2, "it is a list, not fields")
    return Matter(found, body)


class _Parser:
    """Goes through the lines once."""

    def __init__(self, text: str) -> None:
        self.raw = text.splitlines()
        self.lines = [
            _Line(n, len(line) - len(line.lstrip(" ")), line.strip())
            for n, line in enumerate(self.raw, 2)
            if line.strip() and not line.lstrip().startswith("#")
        ]
        self.at = 0

    def block(self, least: int) -> Value:
        """The value that begins at this line, indented by `least` or more."""
        line = self._here()
        if line is None or line.indent < least:
            return ""
        return self._list(line.indent) if _is_item(line.text) else self._mapping(line.indent)

    def _here(self) -> _Line | None:
        return self.lines[self.at] if self.at < len(self.lines) else None

    def _mapping(self, indent: int) -> Fields:
        found: Fields = {}
        while (line := self._here()) is not None and line.indent == indent and not _is_item(line.text):
            key = _KEY.match(line.text)
            if key is None or line.text[0] in _BEYOND or "\t" in line.text[: key.end()].rstrip():
                raise Malformed(line.number, "it is no `key: value`")
            name = _scalar(key[1], line.number)
            if name in found:
                raise Malformed(line.number, f"{name} stands there twice")
            self.at += 1
            found[name] = self._value(line, line.text[key.end() :], indent)
        return found

    def _list(self, indent: int) -> list[Value]:
        found: list[Value] = []
        while (line := self._here()) is not None and line.indent == indent and _is_item(line.text):
            rest = line.text[1:].lstrip()
            is_mapping = _KEY.match(rest) is not None and rest[0] not in "\"'[{"
            if is_mapping or _is_item(rest):
                # What the item holds begins on the line of the dash.
                inner = line.indent + len(line.text) - len(rest)
                self.lines[self.at] = _Line(line.number, inner, rest)
                found.append(self._mapping(inner) if is_mapping else self._list(inner))
                continue
            self.at += 1
            found.append(self._value(line, rest, indent))
        return found

    def _value(self, line: _Line, rest: str, indent: int) -> Value:
        plain = _COMMENT.sub("", rest).strip() if rest[:1] not in "\"'[{" else rest.strip()
        if re.fullmatch(r"[|>][+-]?", plain):
            return self._long(line, indent, folded=plain[0] == ">")
        if plain:
            return _flow(plain, line.number)
        following = self._here()
        if (
            following is None
            or following.indent < indent
            or (following.indent == indent and not _is_item(following.text))
        ):
            return ""
        return self.block(indent + (0 if _is_item(following.text) else 1))

    def _long(self, line: _Line, indent: int, *, folded: bool) -> str:
        """Text over several lines, without the indent of its first."""
        kept: list[str] = []
        first = None
        for raw in self.raw[line.number - 1 :]:
            depth = len(raw) - len(raw.lstrip(" "))
            if raw.strip() and depth <= indent:
                break
            first = depth if first is None and raw.strip() else first
            kept.append(raw[first or 0 :].rstrip())
        while self.at < len(self.lines) and self.lines[self.at].number <= line.number + len(kept):
            self.at += 1
        return (" " if folded else "\n").join(kept).strip()


def _is_item(text: str) -> bool:
    return text == "-" or text.startswith("- ")


def _flow(text: str, number: int) -> Value:
    """A scalar, or a list or mapping in brackets on one line."""
    if text[0] not in "[{":
        return _scalar(text, number)
    value, rest = _flow_value(text, number)
    if _COMMENT.sub("", rest).strip():
        raise Malformed(number, "something stands behind the bracket")
    return value


def _flow_value(text: str, number: int) -> tuple[Value, str]:
    if text[:1] not in ("[", "{"):
        end = _flow_end(text, number)
        return _scalar(text[:end].strip(), number), text[end:]
    closing, is_list = ("]", True) if text[0] == "[" else ("}", False)
    listed, mapped, rest = list[Value](), Fields(), text[1:].lstrip()
    while not rest.startswith(closing):
        if not rest:
            raise Malformed(number, "a bracket is not closed on its line")
        if is_list:
            value, rest = _flow_value(rest, number)
            listed.append(value)
        else:
            key = _KEY.match(rest)
            if key is None:
                raise Malformed(number, "it is no `key: value`")
            mapped[_scalar(key[1], number)], rest = _flow_value(rest[key.end() :], number)
        rest = rest.lstrip().removeprefix(",").lstrip()
    return (listed if is_list else mapped), rest[1:]


def _flow_end(text: str, number: int) -> int:
    if text[:1] in ("'", '"'):
        return _quoted_end(text, number)
    found = re.search(r"[,\]}]", text)
    if found is None:
        raise Malformed(number, "a bracket is not closed on its line")
    return found.start()


def _quoted_end(text: str, number: int) -> int:
    found = re.match(r"""'(?:[^']|'')*'|"(?:[^"\\]|\\.)*\"""", text)
    if found is None:
        raise Malformed(number, "a quotation is not closed on its line")
    return found.end()


def _scalar(text: str, number: int) -> str:
    if text[:1] not in ("'", '"'):
        if text[:1] in _BEYOND and text[:1]:
            raise Malformed(number, f"{text[:1]} has a meaning in YAML that is not read here; put the value in quotes")
        return "" if text in ("~", "null") else text
    end = _quoted_end(text, number)
    if _COMMENT.sub("", text[end:]).strip():
        raise Malformed(number, "something stands behind the quotation")
    if text[0] == "'":
        return text[1 : end - 1].replace("''", "'")
    try:
        return str(json.loads(text[:end]))
    except ValueError:
        raise Malformed(number, "an escape in the quotation is not understood") from None


def texts(value: Value | None) -> Iterator[str]:
    """Every text of a value: of a list its items, of a mapping its values."""
    if isinstance(value, str):
        if value:
            yield value
    elif isinstance(value, list):
        for each in value:
            yield from texts(each)
    elif value is not None:
        for each in value.values():
            yield from texts(each)
