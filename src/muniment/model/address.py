"""Addresses in the world that facts depend on: `kind:place@anchor`.

The anchor is what the place held when the fact was observed, so an address says all that is needed to ask again:

    file:src/billing.py@sha256:9f86...            the bytes of a file
    file:src/billing.py@git:3f2a...               the same, as a commit has it
    lines:src/billing.py#L10-L20@git:3f2a...,b3:51c0...   lines, by their content
    symbol:src/billing.py#Client.retry@git:3f2a...,ts1:77ab...   a definition, by its structure
    table:data/app.db#users@b3:...                the schema of a table; or postgresql://host/db#schema.table
    url:https://example.org/spec@sha256:...       what a page of the web says
    ticket:tracker#ABC-12@state:open              the state of a ticket
    command:lint@exit:0                           what a declared command says
    page:UUID@b3:...                              a page of ours
    fact:ID, receipt:SESSION:SEQ                  another fact, or an event of the archive
"""

from __future__ import annotations

import re
from typing import NamedTuple

from muniment.model.ids import hash128

KINDS = ("file", "lines", "symbol", "table", "url", "ticket", "command", "page", "fact", "receipt")
FILE_KINDS = frozenset({"file", "lines", "symbol"})
OK, MOVED, CHANGED, MISSING, UNKNOWN = "ok", "moved", "changed", "missing", "unknown"
STATES = (OK, MOVED, CHANGED, MISSING, UNKNOWN)
BROKEN = frozenset({CHANGED, MISSING})
"""States in which a fact can no longer lean on its evidence."""

_HEX = r"[0-9a-fA-F]"
_BARE = rf"{_HEX}{{7,64}}"
_TOKEN = rf"(?:git:{_HEX}{{4,64}}|sha256:{_HEX}{{64}}|b3:{_HEX}{{32}}|ts\d+:{_HEX}{{32}}|exit:\d{{1,3}}|state:[^,@]+|{_BARE})"
_ANCHOR = re.compile(rf"@({_TOKEN}(?:,{_TOKEN})*)$")
_LINES = re.compile(r"^(.+?)(?:#L(\d+)(?:-L?(\d+))?|:(\d+)(?:-(\d+))?)$")
_PREFIX = re.compile(rf"({'|'.join(KINDS)}):(?!//)(.+)", re.DOTALL)
_DATABASE = re.compile(r"\.(?:db3?|sqlite3?|s3db)#[^#]+$|^postgres(?:ql)?://", re.IGNORECASE)


class Address(NamedTuple):
    """`place` is where in the world, `anchor` what was there: tokens joined by commas, empty where nobody knows."""

    kind: str
    place: str
    anchor: str = ""

    @property
    def text(self) -> str:
        """The address in full."""
        return f"{self.kind}:{self.ref}"

    @property
    def ref(self) -> str:
        """The address without its kind."""
        return f"{self.place}@{self.anchor}" if self.anchor else self.place

    @property
    def id(self) -> bytes:
        """What names it in a store and in verdicts."""
        return hash128("evidence", self.kind, self.place, self.anchor)

    @property
    def path(self) -> str:
        """The file of an address in a file."""
        if self.kind == "lines":
            return self.place.rpartition("#L")[0] or self.place
        return self.place.split("#", 1)[0] if self.kind == "symbol" else self.place

    def token(self, name: str) -> str:
        """The value of one token of the anchor; empty if it has none."""
        return next((t[len(name) + 1 :] for t in self.anchor.split(",") if t.startswith(f"{name}:")), "")


def parse(text: str) -> Address:
    """An address as written, in full or short: `src/x.py`, `src/x.py#L3-L9@3f2a91c`, `src/x.py::Client.retry`, a URL."""
    text = text.strip()
    found = _ANCHOR.search(text)
    head, anchor = (text[: found.start()], _named(found[1])) if found else (text, "")
    prefixed = _PREFIX.fullmatch(head)
    kind, place = (prefixed[1], prefixed[2].strip()) if prefixed else (kind_of(head), head)
    if kind == "symbol" and "#" not in place:
        place = place.replace("::", "#", 1)
    if kind == "lines":
        place = shown_lines(*span_of(place))
    return Address(kind, place, anchor)


def of(kind: str, ref: str) -> Address:
    """The address of a stored (kind, place@anchor)."""
    found = _ANCHOR.search(ref)
    return Address(kind, ref[: found.start()], found[1]) if found else Address(kind, ref)


def kind_of(head: str) -> str:
    """The kind of an address that does not say it."""
    if _DATABASE.search(head):
        return "table"
    if re.match(r"https?://", head):
        return "url"
    if _LINES.match(head):
        return "lines"
    return "symbol" if "::" in head else "file"


def span_of(place: str) -> tuple[str, int, int]:
    """(path, first line, last line) of the place of lines; from 1, both counted. Line 0 where it names none."""
    found = _LINES.match(place)
    if found is None:
        return place, 0, 0
    first = int(found[2] or found[4])
    return found[1], first, int(found[3] or found[5] or first)


def shown_lines(path: str, first: int, last: int) -> str:
    """The place of lines as it is written."""
    return f"{path}#L{first}" if first == last else f"{path}#L{first}-L{last}"


def _named(anchor: str) -> str:
    """A bare hash is a commit, or the SHA-256 of the bytes where it is that long."""
    tokens = (t if ":" in t else f"{'sha256' if len(t) == 64 else 'git'}:{t}" for t in anchor.split(","))
    return ",".join(t if t.startswith("state:") else t.lower() for t in tokens)
