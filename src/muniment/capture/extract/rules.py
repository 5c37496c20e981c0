"""Rules out of an instruction file (CLAUDE.md, AGENTS.md and kin): its bullets, and the sentences that tell what to do.

Pure: text in, rules out, each with the line on which it stands. Code, tables, comments, front matter and headings are no
rules, and neither is a section that we wrote ourselves. What comes of it only proposes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

LONGEST = 600
_SHORTEST = 2
_BULLET = re.compile(r"\s*(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(?P<said>\S.*)")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+(?P<said>.*?)\s*#*\s*$")
_FENCE = re.compile(r"\s{0,3}(`{3,}|~{3,})")
_DIRECTS = re.compile(
    r"""\b(?:always|never|must|should|shall|don't|do\s+not|cannot|can't|only|ensure|make\s+sure|prefer|avoid|required?)\b
    |^(?:use|run|keep|write|add|put|follow|name|test|check|commit|format|document|place|import|export|create|update|read|ask
    |return|treat|remember|stick|wrap|leave|include|exclude|limit|store|log|handle|validate|build|deploy|verify)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_SENTENCE = re.compile(r"[^.!?]+(?:[.!?](?!\s|$)[^.!?]*)*[.!?]?")
_OURS = "<!-- muniment:"
_LINK_ONLY = re.compile(r"\[[^\]]*\]\([^)]*\)\.?|<?https?://\S+>?|@[\w./-]+")


_Said = list[tuple[int, str]]


class Rule(NamedTuple):
    """What a file says to do: the words with single spaces, the line (from 1), and the heading above it."""

    text: str
    line: int
    heading: str


def rules(text: str) -> list[Rule]:
    """Every rule of a file, in order, the same words once."""
    found: dict[str, Rule] = {}
    heading = ""
    for kind, lines in _pieces(text):
        said = " ".join(line for _, line in lines)
        if kind == "heading":
            heading = said
            continue
        for at, each in [(0, said)] if kind == "bullet" else _directing(said):
            words = " ".join(each.split())
            if _is_rule(words):
                found.setdefault(words, Rule(words[:LONGEST], _line_at(lines, at), heading))
    return list(found.values())


def _is_rule(words: str) -> bool:
    return len(words.split()) >= _SHORTEST and any(c.isalpha() for c in words) and not _LINK_ONLY.fullmatch(words)


def _directing(paragraph: str) -> Iterator[tuple[int, str]]:
    """The sentences that tell what to do, and where each begins."""
    for found in _SENTENCE.finditer(paragraph):
        sentence = found.group().strip()
        if sentence and _DIRECTS.search(sentence) and not sentence.endswith("?"):
            yield found.start() + len(found.group()) - len(found.group().lstrip()), sentence


def _line_at(lines: _Said, at: int) -> int:
    """The line on which a character of the joined lines stands."""
    for number, line in lines:
        if at <= len(line):
            return number
        at -= len(line) + 1
    return lines[-1][0]


def _pieces(text: str) -> Iterator[tuple[str, _Said]]:
    """(heading, bullet or paragraph; its lines with their numbers), lines that go on together."""
    kind, parts = "", _Said()
    for number, line in _lines(text):
        new = _kind(line, kind)
        if new != "more" and parts:
            yield kind, parts
            parts = []
        if new == "more":
            parts.append((number, line.strip()))
        elif new:
            kind, parts = new, [(number, _said(line, new))]
        else:
            kind = ""
    if parts:
        yield kind, parts


def _kind(line: str, before: str) -> str:
    """What a line begins, or that it goes on with what stands before; empty where it says nothing."""
    if not line.strip() or line.lstrip().startswith("|"):
        return ""
    if _HEADING.match(line):
        return "heading"
    if _BULLET.match(line):
        return "bullet"
    return "more" if before in ("bullet", "paragraph") else "paragraph"


def _said(line: str, kind: str) -> str:
    pattern = {"heading": _HEADING, "bullet": _BULLET}.get(kind)
    found = pattern.match(line) if pattern is not None else None
    return found["said"].strip() if found is not None else line.strip()


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that may say something; what is code, comment, front matter or ours is an empty line."""
    fence = ""
    lines = _uncommented(text.removeprefix("\ufeff").splitlines())
    matter = _front_matter(lines)
    for number, line in enumerate(lines, 1):
        opened = _FENCE.match(line)
        if fence:
            fence = "" if opened and opened[1].startswith(fence) else fence
            yield number, ""
            continue
        fence = opened[1] if opened else ""
        yield number, "" if opened or number <= matter else line


def _uncommented(lines: list[str]) -> list[str]:
    """The lines without comments, and without what stands in a section of ours."""
    kept, is_comment, is_ours = list[str](), False, False
    for line in lines:
        before, opens, behind = line.partition("<!--")
        if _OURS in line:
            is_ours = ":end" not in line
        said = "" if is_comment or is_ours else before
        is_comment = "-->" not in (behind if opens else line) if opens or is_comment else False
        kept.append(said)
    return kept


def _front_matter(lines: list[str]) -> int:
    if lines[:1] != ["---"]:
        return 0
    return next((n for n, line in enumerate(lines[1:], 2) if line.strip() == "---"), 0)
