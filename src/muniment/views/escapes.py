"""What `rows.escaped` does, without its regular expression: for the few texts that hooks show besides stored rows."""

from __future__ import annotations

_NAMED = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\\": "\\\\"}
_RANGES = (
    (0x00, 0x1F), (0x7F, 0x9F), (0x200B, 0x200B), (0x200E, 0x200F), (0x2028, 0x202E), (0x2066, 0x2069),
    (0xFEFF, 0xFEFF), (0xD800, 0xDFFF), (0xE0000, 0xE007F),
)  # fmt: skip


def escaped(text: str) -> str:
    """The text with everything that could break a row, or a terminal, written out."""
    if text.isascii() and text.isprintable() and "\\" not in text:
        return text
    return "".join(_escape(character) for character in text)


def _escape(character: str) -> str:
    if character in _NAMED:
        return _NAMED[character]
    number = ord(character)
    return f"\\u{number:04x}" if any(low <= number <= high for low, high in _RANGES) else character
