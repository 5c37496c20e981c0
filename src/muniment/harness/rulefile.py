"""A section of AGENTS.md or CLAUDE.md that shows what a person stated or accepted; nothing outside of it is touched.

The section is written first when a person has seen the difference and said yes. From then on a rendering may only drop lines
that hold no more, or put in their place what took it; whatever else holds waits until the person is asked again. A line
that somebody wrote or changed stays as it is and becomes a proposal; one that somebody took out stays out.
"""

from __future__ import annotations

import difflib
import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import NamedTuple

from muniment.errors import MunimentError, RefusedError
from muniment.harness import files
from muniment.model.rule import Rule, Ruling

BEGIN = (
    "<!-- muniment:rules: what a person stated or accepted; a line that you write or change here becomes a proposal -->"
)
END = "<!-- muniment:rules:end -->"
HEADING = "## Remembered rules"
MOST = 60
"""Lines of a section."""
_SECTION = re.compile(
    r"<!-- muniment:rules: [^\r\n]*?-->[ \t]*(?:\r?\n)(?P<inner>.*?)<!-- muniment:rules:end -->", re.DOTALL
)
_LINE = re.compile(r"[-*] (?P<said>.*?)(?:[ \t]*<!-- (?P<id>[0-9A-HJKMNP-TV-Z]{10}) -->)?[ \t]*")
_COMMENT = re.compile(r"<!--.*?-->")
_FILE = os.path.join("setup", "rules.json")


@dataclass(slots=True)
class RulesFile:
    """One file: of which workspace, the ids of its lines, and of what a person took out or did not want."""

    path: str
    workspace: str
    root: str
    ids: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


class Drawn(NamedTuple):
    """A section as it should be, and what is to be remembered of the file with it."""

    lines: tuple[str, ...]
    state: RulesFile
    waiting: tuple[Rule, ...]
    """What holds and is not in the file."""
    proposals: tuple[str, ...]
    notes: tuple[str, ...]


class Offer(NamedTuple):
    """What a person is asked to accept."""

    path: str
    difference: str
    before: files.Settings
    after: bytes
    drawn: Drawn

    @property
    def is_empty(self) -> bool:
        """Is the file as it should be?"""
        return self.before.raw == self.after


class Rendered(NamedTuple):
    """What became of one file: written, same or left (why), how many lines wait, and the proposals that edits became."""

    path: str
    what: str
    why: str = ""
    waiting: int = 0
    proposals: tuple[str, ...] = ()


# --- what is known


def load(home: str) -> list[RulesFile]:
    """All files that a person accepted."""
    try:
        with open(os.path.join(home, _FILE), "rb") as file:
            return [RulesFile(**each) for each in json.loads(file.read())["files"]]
    except (OSError, ValueError, KeyError, TypeError):
        return []


def exist(home: str) -> bool:
    """Is there any? One look at the disk."""
    return os.path.exists(os.path.join(home, _FILE))


def _save(home: str, state: RulesFile | None, path: str) -> None:
    known = [each for each in load(home) if each.path != path] + ([state] if state is not None else [])
    place = os.path.join(home, _FILE)
    if not known:
        files.remove(place, [os.path.dirname(place), home])
        return
    told = {"v": 1, "files": [asdict(each) for each in sorted(known, key=lambda f: f.path)]}
    now = files.read(place)
    files.replace(now.path, json.dumps(told, ensure_ascii=False, indent=1).encode(), 0o600, now.raw)


# --- drawing


def offer(ruling: Ruling, path: str, leave: Sequence[str] = (), *, proposes: bool = False) -> Offer:
    """The file with everything that holds, for a person to look at. With `proposes` what somebody wrote there by hand
    becomes proposals; nothing else is written."""
    before = files.read(path)
    state = _state(ruling, before.path)
    state = replace(state, left_out=sorted({*state.left_out, *map(ruling.whole, leave)}))
    drawn = _drawn(ruling, before, state, takes_new=True, proposes=proposes)
    after = _with(before, drawn.lines)
    return Offer(before.path, _difference(path, before, after), before, after, drawn)


def accept(ruling: Ruling, given: Offer) -> None:
    """A person has seen the difference and wants it."""
    files.demand_writable(given.before, given.path)
    if not given.is_empty:
        files.replace(given.path, given.after, given.before.mode, given.before.raw)
    _save(ruling.home, given.drawn.state, given.path)


def refresh(ruling: Ruling) -> list[Rendered]:
    """Drop what holds no more from every file of the workspace, or put in its place what took it. Nothing here raises."""
    home, found = ruling.home, list[Rendered]()
    for state in load(home):
        if state.workspace != ruling.workspace:
            continue
        try:
            found.append(_again(ruling, home, state))
        except MunimentError as problem:
            found.append(Rendered(state.path, "left", problem.message))
    return found


def drop(ruling: Ruling, path: str) -> bool:
    """Take the section out, with the lines that somebody wrote there, and render the file no more."""
    now = files.read(path)
    at = _found(now.text)
    _save(ruling.home, None, now.path)
    if at is None:
        return False
    text = now.text
    start, end = at.span()
    end += len(_end_of_line(text[end:]))
    head = text[:start]
    gap = "\r\n\r\n" if head.endswith("\r\n\r\n") else "\n\n" if head.endswith("\n\n") else ""
    head = head[: len(head) - len(gap) // 2] if gap and not text[end:].strip() else head
    files.replace(now.path, now.encoded(head + text[end:]), now.mode, now.raw)
    return True


def _again(ruling: Ruling, home: str, state: RulesFile) -> Rendered:
    now = files.read(state.path)
    if now.raw is None or _found(now.text) is None:
        _save(home, None, state.path)
        return Rendered(state.path, "left", "its section was taken out; `muniment rules` puts it in again")
    drawn = _drawn(ruling, now, state, takes_new=False)
    after = _with(now, drawn.lines)
    what = "same" if after == now.raw else "written"
    if after != now.raw:
        files.demand_writable(now, state.path)
        files.replace(now.path, after, now.mode, now.raw)
    if drawn.state != state:
        _save(home, drawn.state, state.path)
    return Rendered(state.path, what, "; ".join(drawn.notes), len(drawn.waiting), drawn.proposals)


def _drawn(ruling: Ruling, now: files.Settings, state: RulesFile, *, takes_new: bool, proposes: bool = True) -> Drawn:
    """The lines as they should be: those that are there, in their order, each kept, replaced or dropped; then new ones."""
    holding = ruling.rules()
    sheet = _Sheet(ruling, state, holding, os.path.relpath(now.path, state.root))
    sheet.proposes = proposes
    for number, raw, said, short in _listed(now.text):
        sheet.take(number, raw, said, short)
    sheet.settle()
    waiting = [r for r in holding if r.id not in sheet.ids and r.id not in sheet.left_out]
    room = max(MOST - len(sheet.lines), 0) if takes_new else 0
    for each in waiting[:room]:
        sheet.put(each)
    ids = tuple(sheet.ids)
    kept = RulesFile(state.path, state.workspace, state.root, list(ids), sorted(sheet.left_out))
    return Drawn(
        tuple(sheet.lines), kept, tuple(waiting[room:]), tuple(sheet.proposals), tuple(sheet.notes)
    )  # fmt: skip


class _Sheet:
    """The section while it is gone through."""

    def __init__(self, ruling: Ruling, state: RulesFile, holding: list[Rule], file: str) -> None:
        self._ruling, self._file = ruling, file
        self._holding = {r.id: r for r in holding}
        self._before = list(state.ids)
        self._seen: set[str] = set()
        self.left_out = set(state.left_out)
        self.lines: list[str] = []
        self.ids: dict[str, None] = {}
        self.proposals: list[str] = []
        self.notes: list[str] = []
        self.proposes = True

    def take(self, number: int, raw: str, said: str, short: str | None) -> None:
        """One line of the section."""
        rule = self._ruling.known(short) if short else None
        if short and rule is None:
            return  # what it was rendered from is there no more: it was erased, or its source gives it no more
        if rule is not None:
            self._seen.add(rule.id)
            if said == rule.text:
                self._keep(rule)
                return
            self.left_out.add(rule.id)
        self._by_hand(number, raw, said)

    def _keep(self, rule: Rule) -> None:
        holds = self._holding.get(rule.id) or self._ruling.successor(rule.id, self._holding.values())
        if holds is not None and holds.id not in self.left_out:
            self.put(holds)

    def _by_hand(self, number: int, raw: str, said: str) -> None:
        """A line that somebody wrote: what holds already is taken for that, all else waits for a person."""
        if not any(c.isalnum() for c in _COMMENT.sub("", said)) or said.startswith("#"):
            self.lines.append(raw)
            return
        same = next((r for r in self._holding.values() if _plain(r.text) == _plain(said)), None)
        if same is not None:
            self.left_out.discard(same.id)
            self.put(same)
            return
        found = self._ruling.hand(self._file, number, said, makes=self.proposes)
        if found.state == "declined":
            return
        self.lines.append(raw)
        if found.state == "open":
            self.proposals.append(found.proposal)

    def settle(self) -> None:
        """What is missing was taken out by hand, unless it is nowhere any more."""
        missing = {id_ for id_ in self._before if id_ not in self._seen}
        self.left_out = {id_ for id_ in self.left_out | missing if self._ruling.known(id_) is not None}

    def put(self, rule: Rule) -> None:
        """A line of ours, once."""
        if rule.id not in self.ids:
            self.ids[rule.id] = None
            self.lines.append(f"- {rule.text} <!-- {rule.short} -->")


# --- text


def _listed(text: str) -> Iterator[tuple[int, str, str, str | None]]:
    """(line of the file, the line, its words, id if it shows one) of everything in the section but its heading."""
    at = _found(text)
    if at is None:
        return
    first = text.count("\n", 0, at.start("inner")) + 1
    for number, line in enumerate(at["inner"].splitlines(), first):
        stripped = line.strip()
        if not stripped or stripped == HEADING:
            continue
        found = _LINE.fullmatch(stripped)
        said, short = (found["said"].strip(), found["id"]) if found is not None else (stripped, None)
        yield number, line.rstrip(), said, short


def _with(now: files.Settings, lines: Sequence[str]) -> bytes:
    """The file with its section, in the ends of lines that it has; the section goes to its end where there is none."""
    text = now.text
    end = "\r\n" if "\r\n" in text else "\n"
    section = end.join((BEGIN, HEADING, "", *lines, END))
    at = _found(text)
    if at is not None:
        return now.encoded(text[: at.start()] + section + text[at.end() :])
    if not lines and now.raw is not None:
        return now.raw
    gap = "" if not text else end if text.endswith("\n") else 2 * end
    return now.encoded(text + gap + section + end)


def _found(text: str) -> re.Match[str] | None:
    found = list(_SECTION.finditer(text))
    if len(found) > 1 or text.count("<!-- muniment:rules: ") != len(found) or text.count(END) != len(found):
        message = "its section of remembered rules is there twice, or is not whole"
        raise RefusedError(message, hint="take the marks out, then `muniment rules` again; nothing was written")
    return found[0] if found else None


def _difference(path: str, before: files.Settings, after: bytes) -> str:
    old, new = before.text.splitlines(), files.decoded(after).splitlines()
    return "\n".join(difflib.unified_diff(old, new, path, path, lineterm="", n=2))


def _state(ruling: Ruling, path: str) -> RulesFile:
    known = next((f for f in load(ruling.home) if f.path == path), None)
    return known or RulesFile(path, ruling.workspace, ruling.root)


def _end_of_line(text: str) -> str:
    return "\r\n" if text.startswith("\r\n") else "\n" if text.startswith("\n") else ""


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".")
