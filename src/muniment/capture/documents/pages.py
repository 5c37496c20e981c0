"""A page: a Markdown document with front matter, addressed by uuid. Pure: text in, page out.

Fields stand at the top level or under `muniment:` (the second wins); names of OKF are understood: `description` is the
summary, `stale_after` the day from which it is not to be relied on, and statuses `draft`, `stable`, `deprecated`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from uuid import NAMESPACE_URL, UUID, uuid5

from muniment.capture.documents.front_matter import Fields, Malformed, Value, read, texts
from muniment.model.event import Span
from muniment.model.fact import Standing

RESERVED = frozenset({"index.md", "log.md"})
"""Names that OKF and memoryfield keep for lists of pages."""
LONGEST = 1 << 20
_PARAGRAPH = re.compile(r"\S[^\n]*(?:\n(?![ \t]*\n)[^\n]*)*")
_MOST_PARAGRAPHS = 200
_STATUS = {
    "draft": Standing.HYPOTHESIS, "hypothesis": Standing.HYPOTHESIS, "suspect": Standing.SUSPECT,
    "deprecated": Standing.SUPERSEDED, "superseded": Standing.SUPERSEDED, "retracted": Standing.RETRACTED,
}  # fmt: skip
_ADDRESS = ("ref", "path", "resource", "file", "url", "address")


@dataclass(frozen=True, slots=True)
class Page:
    """What a file says: `name` is its path below the folder without `.md`, `body` where its text begins."""

    name: str
    uuid: str
    text: str
    body: int
    title: str
    summary: str
    status: str
    standing: Standing
    created: str
    updated: str
    expires: str
    source: str
    evidence: tuple[str, ...]
    supersedes: tuple[str, ...]
    tags: tuple[str, ...]
    problem: str = ""

    def paragraphs(self) -> Iterator[Span]:
        """What it says, piece by piece: no headings, rules or fences of code."""
        is_code = False
        for count, found in enumerate(_PARAGRAPH.finditer(self.text, self.body)):
            said = found.group().strip()
            was_code, is_code = is_code, is_code ^ bool(said.count("```") % 2)
            if not said or said.startswith(("#", "```", "---", "|", "<!--")) or was_code or count >= _MOST_PARAGRAPHS:
                continue
            yield Span(found.start(), found.start() + len(found.group().rstrip()))

    def answers(self) -> list[Span]:
        """What of it may stand in answers: all of it where it gives evidence, else one paragraph."""
        said = list(self.paragraphs())
        return said if self.evidence else said[:1]


def page(name: str, text: str) -> Page:
    """Read a page. One whose front matter cannot be read is its body alone, and says why in `problem`."""
    try:
        matter, problem = read(text), ""
    except Malformed as error:
        from muniment.capture.documents.front_matter import Matter, split

        matter, problem = Matter({}, split(text)[1]), f"its front matter is not understood: {error}"
    top, own = matter.fields, matter.fields.get("muniment")
    fields: Fields = {**top, **(own if isinstance(own, dict) else {})}
    status = _text(fields.get("status")).lower()
    return Page(
        name, _uuid(_text(fields.get("uuid")), name), text, matter.body, _text(fields.get("title")) or name,
        _text(fields.get("summary")) or _text(fields.get("description")), status or "confirmed",
        _STATUS.get(status, Standing.CONFIRMED), _text(fields.get("created")), _text(fields.get("updated")),
        _text(fields.get("stale_after")) or _text(fields.get("expires")), _text(fields.get("source")),
        tuple(_addresses(fields.get("evidence"))), tuple(map(_plain_uuid, texts(fields.get("supersedes")))),
        tuple(dict.fromkeys("-".join(tag.split()) for tag in texts(fields.get("tags")))), problem,
    )  # fmt: skip


def _text(value: Value | None) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""


def _addresses(value: Value | None) -> Iterator[str]:
    """Each address as written; of a mapping with `path` and `commit` (or `hash`), `path@commit`."""
    if isinstance(value, dict):
        ref = next((_text(value[key]) for key in _ADDRESS if key in value), "")
        anchor = next((_text(value[key]) for key in ("commit", "hash", "version") if key in value), "")
        if ref:
            yield f"{ref}@{anchor}" if anchor else ref
    elif isinstance(value, list):
        for each in value:
            yield from _addresses(each)
    elif value:
        yield " ".join(value.split())


def _uuid(text: str, name: str) -> str:
    """The page's own, else one that follows from its name: it is the same for everybody who has the file."""
    return _plain_uuid(text) if text else str(uuid5(NAMESPACE_URL, f"muniment:page/{name}"))


def _plain_uuid(text: str) -> str:
    try:
        return str(UUID(text.removeprefix("urn:uuid:")))
    except ValueError:
        return text
