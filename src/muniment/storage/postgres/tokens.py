"""SQL as a list of its words: enough to find tables, parameters and parentheses, without understanding the rest."""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"""\s+|--[^\n]*|(?P<word>'(?:[^']|'')*'|"(?:[^"]|"")*"|[xX]'[0-9a-fA-F]*'|[A-Za-z_]\w*|\?\d*|:\w+
    |\d+(?:\.\d+)?|\|\||<>|<=|>=|!=|<<|>>|->>?|.)""",
    re.VERBOSE | re.DOTALL,
)
_TIGHT_BEFORE = frozenset(",).;[]")
_TIGHT_AFTER = frozenset("(.[")
_KEYWORDS = frozenset(
    "in and or on values as from join where select by having then else when not exists union all is".split()
)


def split(sql: str) -> list[str]:
    """The words of a statement."""
    return [word for m in _TOKEN.finditer(sql) if (word := m["word"])]


def commas(tokens: list[str]) -> list[list[str]]:
    """The parts between the commas that stand outside all parentheses."""
    parts, depth = [list[str]()], 0
    for token in tokens:
        depth += {"(": 1, ")": -1}.get(token, 0)
        if token == "," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def written(tokens: list[str]) -> str:
    """The words as a statement again."""
    text, last = "", "("
    for token in tokens:
        is_call = token == "(" and last[:1].isalpha() and last.lower() not in _KEYWORDS
        glued = token in _TIGHT_BEFORE or last in _TIGHT_AFTER or is_call
        text += token if glued else f" {token}"
        last = token
    return text.strip()
