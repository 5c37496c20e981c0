"""Words that a person wants gone, and where they stand: in whatever case, across line ends and escapes of JSON."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from muniment.model.ports import Store
from muniment.model.stored import Prepared

_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})")
_LIGHT = re.compile(r"\\[nrt]|\\(?=[\"/\\])|\s+")


def plain(text: str) -> str:
    """The text as it is compared: no case, no blanks, no escapes, so that words found in parts are found."""
    if "\\u" in text:
        text = (
            _ESCAPED.sub(lambda m: chr(int(m[1], 16)), text)
            .encode("utf-16", "surrogatepass")
            .decode("utf-16", "replace")
        )
    return unicodedata.normalize("NFC", _LIGHT.sub("", text).casefold())


def held_in(text: str, words: Iterable[str]) -> bool:
    """Does a text hold one of these?"""
    sought = [plain(w) for w in words]
    return bool(sought) and any(w in found for found in (plain(text),) for w in sought)


def events_with(store: Store, words: Iterable[str]) -> Iterator[bytes]:
    """The events of which anything holds one of these: text, raw record, names, who spoke."""
    sought = [w for w in map(plain, words) if w]
    for n in store.erasure.events() if sought else ():
        event = store.prepared(n)
        found = plain(_all_of(event))
        if any(w in found for w in sought):
            yield event.uid


def _all_of(event: Prepared) -> str:
    names = (event.native_id, event.parent_id, event.model, event.flags, event.speaker, event.parts, event.vouched)
    return "\0".join((event.text, event.raw.decode("utf-8", "replace"), *(n for n in names if n)))


def verdicts_with(store: Store, words: Iterable[str]) -> Iterator[bytes]:
    """The verdicts whose reason or draft holds one of these."""
    sought = list(words)
    for v in store.facts.verdicts() if sought else ():
        if held_in(f"{v.reason}\0{v.draft}\0{v.target}", sought):
            yield v.id
