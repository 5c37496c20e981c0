"""Value keys: when two ways of writing a value are the same value."""

from __future__ import annotations

import re
import unicodedata

_SPACE = re.compile(r"\s+")


def normalised(literal: str) -> str:
    """The value key of a literal: compatibility form, lower case, single spaces, no full stop at the end."""
    text = literal.lower() if literal.isascii() else unicodedata.normalize("NFKC", literal).casefold()
    return _SPACE.sub(" ", text).strip().rstrip(".!").rstrip()
