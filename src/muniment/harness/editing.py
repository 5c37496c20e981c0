"""Parts put into the text of a file and taken out again, whatever language it is written in."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from muniment.harness.contract import Item, Mark, Member, Part, is_our_server, is_ours
from muniment.harness.texts import jsonc, toml, yaml
from muniment.harness.texts.form import form_of
from muniment.harness.texts.splice import Splice, applied, splice

Place = tuple[str, ...]

_LANGUAGES: dict[str, Any] = {
    ".json": jsonc, ".jsonc": jsonc, ".json5": jsonc, ".toml": toml, ".yaml": yaml, ".yml": yaml,
}  # fmt: skip


def put(file: str, text: str, part: Part) -> tuple[list[Splice], list[Place]]:
    """What makes the text hold the part, and the containers that are made for it. Unreadable if the text cannot take it."""
    if isinstance(part, Mark):
        return _marked(text, part.line), []
    language = _language(file)
    if isinstance(part, Item):
        inside = [part.path[: n + 1] for n in range(len(part.path))]
        changes = language.put_item(text, part.path, part.value, _like(part))
    elif isinstance(part, Member):
        inside = [part.path[: n + 1] for n in range(len(part.path) - 1)]
        changes = language.put_member(text, part.path, part.value)
    else:
        raise TypeError(part)
    made = [] if language is toml else [place for place in inside if not _is_there(language, text, place)]
    return changes, made if changes else []


def taken(file: str, text: str, parts: Sequence[Part], made: Iterable[Place]) -> str:
    """The text without the parts, and without the containers made for them that are empty now."""
    for part in reversed(parts):
        text = applied(text, _out(file, text, part))
    language = _LANGUAGES.get(_suffix(file))
    for place in sorted(map(tuple, made), key=len, reverse=True):
        if language is not None and _is_empty(language, text, place):
            text = applied(text, language.take(text, place))
    return text


def holds(file: str, text: str, part: Part) -> bool:
    """Does the text hold anything of this part, in whatever version?"""
    return bool(_out(file, text, part))


def moved(file: str, text: str, parts: Iterable[Part]) -> list[Part]:
    """Items of these that stand under another name beside the one that they were put under: a person moved them."""
    language = _LANGUAGES.get(_suffix(file))
    if language in (None, yaml):
        return []
    found: dict[tuple[str, ...], Part] = {}
    said = language.data(text)
    for part in parts:
        if not isinstance(part, Item) or len(part.path) < 2:
            continue
        within = _at(said, part.path[:-1])
        for name in within if isinstance(within, dict) else ():
            other = Item(file, (*part.path[:-1], name), part.value)
            if name != part.path[-1] and isinstance(within[name], list) and holds(file, text, other):
                found[other.path] = other
    return list(found.values())


def _at(said: Any, path: Place) -> Any:
    for name in path:
        said = said.get(name) if isinstance(said, dict) else None
    return said


def says(file: str, text: str) -> Any:
    """What the text says, for comparing; the text itself where it is not known to us. Unreadable if it is not sound."""
    language = _LANGUAGES.get(_suffix(file))
    if language is yaml:
        yaml.check(text)
    return text.split() if language in (None, yaml) else language.data(text)


def gist(file: str, text: str) -> Any:
    """What the text says, without what is empty: an empty list and none at all are the same to a harness."""
    said = says(file, text)
    if isinstance(said, list):
        return [word for word in said if word not in ("{}", "[]")]
    return _filled(said)


def _filled(said: Any) -> Any:
    if isinstance(said, dict):
        return {key: kept for key, value in said.items() if (kept := _filled(value)) not in ({}, [], None)}
    return [_filled(each) for each in said] if isinstance(said, list) else said


def tidied(file: str, text: str, model: str, parts: Iterable[Part]) -> str:
    """The text without commas at the end of what our entries stood in, where `model` has none there."""
    if _LANGUAGES.get(_suffix(file)) is not jsonc:
        return text
    places = {part.path[:n] for part in parts if isinstance(part, Item | Member) for n in range(len(part.path) + 1)}
    for place in sorted(places):
        text = applied(text, jsonc.without_last_comma(text, model, place))
    return text


def _out(file: str, text: str, part: Part) -> list[Splice]:
    if isinstance(part, Mark):
        return _unmarked(text, part.line)
    language = _language(file)
    if isinstance(part, Item):
        found: list[Splice] = language.take_items(text, part.path, _like(part))
        return found
    taken_out: list[Splice] = language.take(text, part.path) if isinstance(part, Member) else []
    return taken_out


def _like(part: Item) -> Callable[[Any], bool]:
    """By what an earlier version of the item is known."""
    value = part.value
    if isinstance(value, str):
        return lambda other: other == value or (isinstance(other, str) and other.strip().strip("\"'- ") == value)
    if is_ours(value):
        event = value.get("event")
        return lambda other: (
            is_ours(other) and (event is None or not isinstance(other, dict) or other.get("event") == event)
        )
    return is_our_server


def _language(file: str) -> Any:
    return _LANGUAGES[_suffix(file)]


def _suffix(file: str) -> str:
    return os.path.splitext(file)[1].lower()


def _is_there(language: Any, text: str, place: Place) -> bool:
    if language is jsonc:
        return jsonc.at(jsonc.parse(text), place) is not None
    return bool(yaml.take(text, place))


def _is_empty(language: Any, text: str, place: Place) -> bool:
    if language is jsonc:
        node = jsonc.at(jsonc.parse(text), place)
        return node is not None and node.value in ({}, [])
    return language is yaml and yaml.is_empty(text, place)


# --- one line in a file of text


def _marked(text: str, line: str) -> list[Splice]:
    if line in text.splitlines():
        return []
    old = next((each for each in text.splitlines() if _is_version(each, line)), None)
    if old is not None:
        start = text.index(old)
        return [splice(text, start, start + len(old), line)]
    newline = form_of(text).newline
    gap = "" if not text or text.endswith(("\n", "\r")) else newline
    return [splice(text, len(text), len(text), f"{gap}{line}{newline}")]


def _unmarked(text: str, line: str) -> list[Splice]:
    at = 0
    for each in text.splitlines(keepends=True):
        bare = each.rstrip("\r\n")
        if bare == line or _is_version(bare, line):
            return [splice(text, at, at + len(each), "")]
        at += len(each)
    return []


def _is_version(other: str, line: str) -> bool:
    return line.startswith(BEGIN) and other.startswith(BEGIN)


BEGIN = "<!-- muniment:begin -->"
END = "<!-- muniment:end -->"
