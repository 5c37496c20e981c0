"""What a text names exactly: paths, identifiers, commits, tickets, addresses, versions, quotations, proper names.

Each word is judged by its shape, and by what stands before it where the shape leaves room for doubt. What is quoted is
named as a whole, and so is what stands inside; apart from that nothing named overlaps.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Final, Literal, NamedTuple, TypeAlias

from muniment.model.propernames import proper_names

Kind: TypeAlias = Literal["path", "identifier", "commit", "ticket", "url", "email", "version", "quoted", "name"]


class Named(NamedTuple):
    """Something named at the characters [start, end)."""

    start: int
    end: int
    kind: Kind
    text: str


_CHUNK: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,20}://\S+|[^\s,;()]+")
_OPENING: Final = "([{<\"'`“”\u2018’«»*,;:!?¿¡|"
_CLOSING: Final = ")]}>\"'`“”\u2018’«»*.,;:!?|…"
# Bounded, so that quotation marks without a partner cost no more than the text is long.
_QUOTED: Final = re.compile(
    r"\"([^\"\n]{1,300})\"|“([^”\n]{1,300})”|«([^»\n]{1,300})»|`{1,3}([^`\n]{1,300})`{1,3}"
    r"|(?<![\w'])'([^'\n]{2,300})'(?!\w)|\u2018([^’\n]{2,300})’(?!\w)"
)
_URL: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,20}://\S+|www\.\S+\.\S+")
_DOMAIN: Final = re.compile(
    r"[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|io|dev|ai|edu|gov|co)(?:/\S*)?", re.IGNORECASE
)
_EMAIL: Final = re.compile(r"[^\s@:/]+@[^\s@/]+\.[^\W\d_]{2,}")
_TICKET: Final = re.compile(r"#\d{1,9}|[A-Z][A-Z0-9]{1,9}-\d{1,7}|[\w.-]+/[\w.-]+#\d{1,9}|GH-\d+", re.ASCII)
_STANDARDS: Final = frozenset("utf sha iso rfc gpt covid aes rsa md ieee ecma cve ansi mp pep ipv".split())
_VERSION: Final = re.compile(
    r"[vV]\d{1,6}(?:\.\d{1,9})*(?:[-+][\w.+-]+)?|\d{1,6}(?:\.\d{1,9}){2,3}(?:[-+][\w.+-]+)?", re.ASCII
)
_SHORT_VERSION: Final = re.compile(r"\d{1,4}\.\d{1,6}", re.ASCII)
_ADDRESS: Final = re.compile(r"(?:\d{1,3}\.){3}\d{1,3}(?::\d{1,5})?|localhost:\d{1,5}", re.ASCII)
_HEX: Final = re.compile(r"[0-9a-f]{7,40}|[0-9A-F]{7,40}", re.ASCII)
_LINE: Final = re.compile(r"(?::\d+){1,2}(?:-\d+)?$|#L\d+(?:-L?\d+)?$", re.ASCII)
_FILE: Final = re.compile(r"[\w@.+*-]*\w\.([A-Za-z][A-Za-z0-9]{0,9})")
_FOLDERS: Final = frozenset(
    """src lib libs test tests spec docs doc app apps pkg packages cmd bin etc usr var home opt tmp scripts include node_modules
    internal public static assets config configs migrations vendor examples benchmarks tools dist build target""".split()
)
_SUFFIXES: Final = frozenset(
    """c cc cpp h hpp cs java kt kts scala go rs py pyi pyx ipynb rb php pl lua sh bash zsh fish ps1 bat cmd js jsx mjs cjs ts
    tsx vue svelte css scss less html htm xml svg json jsonl json5 yaml yml toml ini cfg conf env lock md mdx rst txt csv tsv
    parquet sql db sqlite proto graphql tf hcl swift m mm dart ex exs erl hs clj r jl zig nim log out gz zip tar zst whl pdf
    png jpg jpeg gif webp ico dockerfile makefile gradle properties plist service map wasm so dll exe""".split()
)
_FLAG: Final = re.compile(r"--[A-Za-z][\w-]*(?:=\S+)?")
_SCOPED: Final = re.compile(
    r"(?:[$@%][A-Za-z_][\w./:-]*\w|[A-Za-z_~][\w~]*(?:::~?\w+)+|[A-Za-z_]\w*(?:#\w+))", re.ASCII
)
_DOTTED: Final = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)+")
_WORD: Final = re.compile(r"\w+")
_QUARTER: Final = re.compile(r"[qQhH][1-4]")


def named(text: str) -> list[Named]:
    """What a text names, in its order. Never raises; time grows with the length."""
    quoted = list(_quoted(text))
    shaped = list(_shaped(text, quoted))
    taken = [(each.start, each.end) for each in shaped]
    names = [Named(start, end, "name", text[start:end]) for start, end in proper_names(text, taken)]
    return sorted([*quoted, *shaped, *names])


def pieces(word: str) -> tuple[str, ...]:
    """The words inside a name, in lower case: of snake_case, camelCase, kebab-case, paths and dotted names."""
    found: list[str] = []
    for part in re.findall(r"[^\W_]+", word):
        found.extend(_humps(part))
    return tuple(found)


def _humps(part: str) -> Iterator[str]:
    start = 0
    for at in range(1, len(part)):
        rises = part[at].isupper() and not part[at - 1].isupper()
        ends_capitals = part[at].isupper() and part[at + 1 : at + 2].islower()
        if rises or ends_capitals:
            yield part[start:at].lower()
            start = at
    yield part[start:].lower()


def _quoted(text: str) -> Iterator[Named]:
    for match in _QUOTED.finditer(text):
        group = match.lastindex or 0
        if match[group].strip():
            yield Named(match.start(group), match.end(group), "quoted", match[group])


def _shaped(text: str, quoted: list[Named]) -> Iterator[Named]:
    """The words that show by their shape that they name something, with what is quoted as code."""
    code = {each.start for each in quoted if text[each.start - 1] == "`" and _WORD.fullmatch(each.text)}
    before = ""
    for match in _CHUNK.finditer(text):
        start, end = _bare(text, *match.span())
        word = text[start:end]
        kind = _kind(word, before) if word else None
        if kind is None and start in code:
            kind = "identifier"
        if kind is not None:
            end = start + len(_kept(word, kind))
            yield Named(start, end, kind, text[start:end])
        before = word


def _bare(text: str, start: int, end: int) -> tuple[int, int]:
    """A chunk without the punctuation around it and without a possessive."""
    while start < end and text[start] in _OPENING:
        start += 1
    while start < end and text[end - 1] in _CLOSING:
        end -= 1
    for mark in ("'s", "’s"):
        if text.endswith(mark, start, end):
            end -= 2
    return start, max(start, end)


def _kept(word: str, kind: Kind) -> str:
    return _LINE.sub("", word) if kind == "path" else word


def _kind(word: str, before: str) -> Kind | None:
    if word.isalpha() and not _is_camel(word):
        return "commit" if _is_commit(word, before) else None
    for kind, holds in _SHAPES:
        if holds(word, before):
            return kind
    return None


def _is_url(word: str, _: str) -> bool:
    return _URL.fullmatch(word) is not None or _DOMAIN.fullmatch(word) is not None


def _is_email(word: str, _: str) -> bool:
    return _EMAIL.fullmatch(word) is not None


def _is_ticket(word: str, _: str) -> bool:
    return _TICKET.fullmatch(word) is not None and word.split("-", maxsplit=1)[0].lower() not in _STANDARDS


def _is_version(word: str, before: str) -> bool:
    if _ADDRESS.fullmatch(word):
        return False
    if _SHORT_VERSION.fullmatch(word):
        return before.lower() in {"version", "release"} or (before[:1].isupper() and before[1:2].islower())
    return _VERSION.fullmatch(word) is not None


def _is_commit(word: str, before: str) -> bool:
    if not _HEX.fullmatch(word):
        return False
    mixes = any(c.isdigit() for c in word) and not word.isdigit()
    return mixes or before.lower() in {"commit", "sha", "hash", "revision", "rev"}


def _is_path(word: str, _: str) -> bool:
    path = _LINE.sub("", word).replace("\\", "/")
    parts = path.split("/")
    if len(parts) == 1:
        file = _FILE.fullmatch(path)
        return file is not None and file[1].lower() in _SUFFIXES and not path[0].isdigit()
    if not any(_WORD.search(part) for part in parts):
        return False
    if parts[0] in {"", "~", ".", ".."} or re.fullmatch("[A-Za-z]:", parts[0]):
        return True
    last = _FILE.fullmatch(parts[-1])
    return (last is not None and not parts[-1][0].isdigit()) or _is_folder_path(parts)


def _is_folder_path(parts: list[str]) -> bool:
    # "and/or" and "24/7" name no place; "src/billing", "docs/" and "feature/a/b" do.
    if all(part.isdigit() for part in parts if part):
        return False
    words = [part for part in parts if part]
    if parts[0].lower() in _FOLDERS or len(words) > 2 or parts[-1] == "":
        return True
    return any("_" in part or "-" in part or _is_camel(part) for part in words)


def _is_identifier(word: str, _: str) -> bool:
    if _ADDRESS.fullmatch(word) or _FLAG.fullmatch(word) or _SCOPED.fullmatch(word):
        return True
    if _TICKET.fullmatch(word):
        return True
    if _DOTTED.fullmatch(word):
        return _is_dotted_name(word)
    if not _WORD.fullmatch(word) or word.isdigit():
        return False
    if "_" in word:
        return word.strip("_") != "" and not word.strip("_").isdigit()
    return _is_camel(word) or _mixes_digits(word)


def _is_dotted_name(word: str) -> bool:
    # "e.g", "U.S" and "done.Then" name nothing.
    parts = word.split(".")
    return all(len(part) > 1 for part in parts) and not (len(parts) == 2 and parts[0].islower() and parts[1].istitle())


def _is_camel(word: str) -> bool:
    if word.islower() or word[1:].islower() or word.startswith(("Mc", "Mac", "O'")):
        return False
    return any(one.islower() and other.isupper() for one, other in pairwise(word))


def _mixes_digits(word: str) -> bool:
    return word[0].isalpha() and any(c.isdigit() for c in word) and not _QUARTER.fullmatch(word)


_SHAPES: Final[tuple[tuple[Kind, Callable[[str, str], bool]], ...]] = (
    ("url", _is_url),
    ("email", _is_email),
    ("ticket", _is_ticket),
    ("version", _is_version),
    ("commit", _is_commit),
    ("path", _is_path),
    ("identifier", _is_identifier),
)
