"""JSON for what has no time to import `json`: read by the interpreter's own scanner, written by a few lines.

`json` costs half of what a hook may take, nearly all of it for regular expressions that its scanner never uses.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_BLANK = " \t\n\r"
_scan: Callable[[str, int], tuple[Any, int]]
_quoted: Callable[[str], str]


class _Plain:
    """What the scanner asks for: no hooks, the usual numbers."""

    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float
    memo: dict[str, str] = {}  # noqa: RUF012 - the scanner wants the name


try:
    from _json import encode_basestring as _quoted  # type: ignore[import-not-found,no-redef,unused-ignore]
    from _json import make_scanner

    _scan = make_scanner(_Plain)  # type: ignore[arg-type,unused-ignore]
except ImportError:  # another interpreter
    import json

    _scan = json.JSONDecoder(strict=False).raw_decode

    def _quoted(text: str) -> str:
        return json.dumps(text, ensure_ascii=False)


def read(text: str) -> Any:
    """The value that a text is; ValueError if it is none, or not one alone."""
    try:
        value, end = _scan(text, len(text) - len(text.lstrip(_BLANK)))
    except (StopIteration, SystemError):  # the second: it looks for an error class that nobody has imported
        raise ValueError("no JSON value") from None
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if text[end:].strip(_BLANK):
        raise ValueError("more than one JSON value")
    return value


def write(value: Any) -> str:
    """The text of texts, numbers, None, flags, lists and objects, in one line and with no blank that is not needed."""
    if value is None or value is True or value is False:
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{_quoted(k)}:{write(v)}" for k, v in value.items()) + "}"
    return "[" + ",".join(map(write, value)) + "]"


def write_ascii(value: Any) -> str:
    """The same in ASCII, lone surrogates included, for lines of a file."""
    return "".join(c if c < "\x7f" else _escape(ord(c)) for c in write(value))


def _escape(number: int) -> str:
    if number < 0x10000:
        return f"\\u{number:04x}"
    number -= 0x10000
    return f"\\u{0xD800 + (number >> 10):04x}\\u{0xDC00 + (number & 0x3FF):04x}"
