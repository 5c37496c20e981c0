"""Text as the full-text indexes see it: any script, any string.

Words are found by the engine's Unicode tokenizer. Scripts written without spaces have no words to find, so each run of
them is indexed as its overlapping pairs; a query's run becomes the phrase of the same pairs.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

_CASES = (
    bytes(
        ord("a") if chr(n).islower() else ord("A") if chr(n).isupper() else ord("0") if chr(n).isdigit() else ord(" ")
        for n in range(128)
    )
    + b" " * 128
)
_HUMPS = (b"aA", b"a0A", b"AAaa")
"""How the cases of letters change inside `userName`, `server2Config` and `HTTPServer`, and in no other words."""
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_LONGEST_NAME = 80
_SHORTEST_PARTS = 3
"""Letters that the parts of a name have on average; what has fewer is no name but bytes written as text."""
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3100-\u312f\u31a0-\u31bf\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
_RUN = re.compile(f"([{_UNSPACED}]+)")
_TOKEN = re.compile(r"[^\W_]+")
_ACCENTS = re.compile("[\u0300-\u036f]")
_DOTLESS = str.maketrans("\u0131", "i")
TOOL_TEXT_CAP = 16 * 1024
"""Characters of a tool call or result that are searchable; what people and agents say is searchable whole."""


def indexed(text: str) -> str:
    """The text to hand to the index."""
    if text.isascii():
        return text.replace("\0", " ")
    text = folded(text)
    return _RUN.sub(lambda run: f" {_pairs(run.group())} {run.group()[-1]} ", text).replace("\0", " ")


def parts(text: str) -> str:
    """The words inside names like `getUserName`, each name's once, a blank before each; empty for most texts.

    An index's tokenizer parts names at signs (`get_user_name`, `src/user.ts`) but not where only the case changes. Looked for
    among the cases alone, since this is asked of all that is archived.
    """
    told = text.encode("utf-8", "replace")
    cases = told.translate(_CASES)
    if not any(hump in cases for hump in _HUMPS):
        return ""
    names = dict.fromkeys(told[start:end] for start, end in _humped(cases))
    return "".join(f" {part}" for name in names for part in _parts(name.decode("ascii")))


def _humped(cases: bytes) -> Iterator[tuple[int, int]]:
    """Where the names with humps stand, some of them more than once."""
    for hump in _HUMPS:
        at = cases.find(hump)
        while at >= 0:
            end = cases.find(b" ", at)
            end = len(cases) if end < 0 else end
            yield cases.rfind(b" ", 0, at) + 1, end
            at = cases.find(hump, end)


def _parts(name: str) -> list[str]:
    found = _PART.findall(name) if len(name) <= _LONGEST_NAME else []
    return found if _SHORTEST_PARTS * len(found) <= len(name) + 2 else []


def folded(text: str) -> str:
    """Without case, accents and width: `Straße` and `STRASSE`, `ΒΑΣΗ` and `βάση`, full-width digits and plain ones.

    Done here because the index's tokenizer knows few of these. Marks that make another letter (kana, Thai) stay.
    """
    parted = unicodedata.normalize("NFKD", text).casefold()
    return unicodedata.normalize("NFC", _ACCENTS.sub("", parted)).translate(_DOTLESS)


def _pairs(run: str) -> str:
    return " ".join(run[i : i + 2] for i in range(len(run) - 1))


def phrase(text: str) -> str | None:
    """A full-text expression that finds `text`, or None if it holds nothing that is indexed (only signs, say)."""
    pieces = _RUN.split(folded(text))
    parts = [_quoted(p) for p in pieces if any(c.isalnum() for c in p)]
    return " AND ".join(parts) or None


def _quoted(piece: str) -> str:
    """One piece as a phrase; a lone character of an unspaced script also matches the pairs that begin with it."""
    if not _RUN.fullmatch(piece):
        return '"' + piece.replace('"', " ").replace("\0", " ") + '"'
    return f'"{_pairs(piece)}"' if len(piece) > 1 else f'"{piece}"*'


def contains(text: str, words: str) -> bool:
    """Would the index find `words` in `text`, which stands in no index? Signs alone are looked for as they are."""
    if phrase(words) is None:
        return words in text
    found = _tokens(indexed(text))
    pieces = _RUN.split(folded(words))
    return all(_sought(p) in found for p in pieces if any(c.isalnum() for c in p))


def _sought(piece: str) -> str:
    if not _RUN.fullmatch(piece):
        return _tokens(piece)
    return _tokens(_pairs(piece)) if len(piece) > 1 else _tokens(piece).rstrip()


def _tokens(text: str) -> str:
    """The words as the index's tokenizer sees them: without case and accents, a space around each."""
    return f" {' '.join(_TOKEN.findall(text.lower()))} "
