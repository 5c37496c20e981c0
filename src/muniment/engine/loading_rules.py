"""`load rules`: instruction files (CLAUDE.md, AGENTS.md and kin) into proposals, each with file, line and commit as evidence.

A rule that a file holds is the repository's word; only a person who accepts it makes it a fact. Each rule is an event of its
own, named by its file and its words, so that reading a file again adds what is new in it and nothing else.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from muniment.capture.extract import rules as reading
from muniment.capture.extract.rules import Rule
from muniment.engine import attaching, commanding
from muniment.engine.archiving import Archivist
from muniment.engine.comparing import ALONE
from muniment.engine.core import Caller, Engine
from muniment.engine.derive import group_of
from muniment.engine.extraction import OWN_HARNESS, draw
from muniment.errors import NotFoundError, NothingChangedError, UsageError
from muniment.gate.admission import Refusal
from muniment.gate.intake import name
from muniment.model.event import Origin, Role, SessionInfo
from muniment.model.fact import Archived
from muniment.model.ids import hash128, show
from muniment.model.stored import Prepared

FILES = (
    "CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md", "AGENTS.md", "AGENT.md", "GEMINI.md", "QWEN.md", "CRUSH.md",
    "WARP.md", "CONVENTIONS.md", ".cursorrules", ".windsurfrules", ".clinerules", ".goosehints", ".rules",
    ".github/copilot-instructions.md", ".junie/guidelines.md",
)  # fmt: skip
FOLDERS = (
    (".cursor/rules", "*.mdc"), (".github/instructions", "*.md"), (".clinerules", "*.md"), (".windsurf/rules", "*.md"),
    (".roo/rules", "*.md"), (".continue/rules", "*.md"), (".kiro/steering", "*.md"), (".amazonq/rules", "*.md"),
    (".trae/rules", "*.md"), (".claude/rules", "*.md"),
)  # fmt: skip
"""Where harnesses look for instructions, below the folder of a project."""
_LARGEST = 4 << 20
_GIT = (
    "git",
    "--no-optional-locks",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "safe.directory=*",
)
_REPOSITORY = Caller(Origin.REPOSITORY)
RULE = "rule"


@dataclass(slots=True)
class RulesReport:
    """What was read: `read` rules, `new` proposals by id, `known` ones that were here, by file."""

    read: int = 0
    known: int = 0
    files: dict[str, int] = field(default_factory=dict)
    ids: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


class _Found(NamedTuple):
    """A rule with the name of its file, the commit of its line, and whether it is the project's or the person's."""

    rule: Rule
    file: str
    commit: str
    is_projects: bool

    @property
    def address(self) -> str:
        """File, line and commit."""
        return f"{self.file}:{self.rule.line}" + (f"@{self.commit}" if self.commit else "")

    @property
    def lines(self) -> str:
        """The same as evidence: a file outside of the project is named and not looked at again."""
        return f"lines:{self.file}#L{self.rule.line}" if self.is_projects else f"file:~/{self.file}"


def load(engine: Engine, paths: Sequence[Path] = ()) -> RulesReport:
    """Propose what the files say (folders: the instruction files in them; none: those of the workspace).

    NotFoundError if there is no such file, NothingChangedError if nothing of it is new.
    """
    root, report = Path(engine.workspace.root), RulesReport()
    files = list(dict.fromkeys(f for path in paths or (root,) for f in _files(path)))
    if not files:
        about = ", ".join(map(str, paths)) or str(root)
        raise NotFoundError(f"no instruction file in {about}", hint="CLAUDE.md, AGENTS.md, ...", about=about)
    found = [each for path in files for each in _rules(path, root, report)]
    report.read = len(found)
    fresh = _fresh(engine, found, report)
    if not fresh:
        told = f"nothing is new: {report.read} rules in {len(files)} files, {report.known} of them known"
        raise NothingChangedError(told, hint="; ".join(report.notes[:3]), about=str(files[0]))
    _write(engine, fresh)
    report.ids = list(dict.fromkeys(show(group) for e in fresh for group in _groups(e)))
    return report


def _write(engine: Engine, fresh: Sequence[Prepared]) -> None:
    session = fresh[0].session
    info = SessionInfo(
        session, OWN_HARNESS, cwd=name(engine.workspace.root), started_at=fresh[0].at, ended_at=fresh[0].at
    )
    Archivist(engine.store(create=True)).write({session: (info, info.cwd)}, fresh, durable=True)


def _fresh(engine: Engine, found: Iterable[_Found], report: RulesReport) -> list[Prepared]:
    """The rules that are not in the store, as events of one session."""
    store, at = engine.store(create=True), engine.now()
    session = f"rules-{engine.settings.new_name().lower()}"
    fresh: list[Prepared] = []
    world = attaching.tree(engine)
    for each in found:
        native = f"rules/{hash128('rule', each.file, each.rule.text).hex()}"
        command = f"load rules {each.file}"
        given = [(each.rule.text, _words(each, attaching.anchored(engine, [each.lines], world)[0]))]
        event = commanding.event(_REPOSITORY, (session, len(fresh), native), at, command, given)
        if store.events.revisions(event.uid) or any(e.uid == event.uid for e in fresh):
            report.known += 1
        else:
            fresh.append(event)
    return fresh


def _words(each: _Found, evidence: str) -> dict[str, str | None]:
    """A rule of the project binds the project; one that stands elsewhere is how the person works."""
    mine = ("requires", "project", "project") if each.is_projects else ("practises", "person", "me")
    return {
        "predicate": mine[0], "subject_kind": mine[1], "subject": mine[2], "tags": "rules",
        "proposes": f"{RULE}: {each.address}", "evidence.0": evidence,
    }  # fmt: skip


def _groups(event: Prepared) -> Iterator[bytes]:
    """The names of what an event proposes."""
    seen = Archived(
        event.uid, event.session, event.seq, event.harness, Role(event.role), Origin(event.origin), event.kind, event.text,
        event.at or "", calls=event.calls,
    )  # fmt: skip
    yield from (group_of(d) for _, d in draw(seen, ALONE) if not isinstance(d, Refusal))


# --- files


def _files(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
        return
    if not path.exists():
        raise NotFoundError(f"no such file: {path}", hint="a file or a folder", about=str(path))
    yield from (path / each for each in FILES if (path / each).is_file())
    for folder, pattern in FOLDERS:
        if (path / folder).is_dir():
            yield from sorted(f for f in (path / folder).rglob(pattern) if f.is_file())


def _rules(path: Path, root: Path, report: RulesReport) -> Iterator[_Found]:
    text = _text(path)
    found, commits = reading.rules(text), _commits(path)
    is_projects = path.resolve().is_relative_to(root.resolve())
    shown = path.resolve().relative_to(root.resolve()).as_posix() if is_projects else path.name
    report.files[name(shown)] = len(found)
    if not found:
        report.notes.append(f"{shown} holds no rule")
    for rule in found:
        yield _Found(rule, name(shown), commits.get(rule.line, ""), is_projects)


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > _LARGEST:
            raise UsageError(f"{path} is larger than {_LARGEST} bytes; that is no instruction file", about=str(path))
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise NotFoundError(f"{path} cannot be read: {error.strerror}", about=str(path)) from error


def _commits(path: Path) -> dict[int, str]:
    """The commit that each line is from, as git has it; empty where git knows nothing of the file."""
    command = [*_GIT, "blame", "--porcelain", "--", path.name]
    try:
        done = subprocess.run(command, cwd=path.parent, capture_output=True, timeout=20, check=False)
    except (OSError, subprocess.SubprocessError):
        return {}
    lines: dict[int, str] = {}
    for line in done.stdout.decode("utf-8", "replace").splitlines():
        words = line.split(" ")
        if len(words) >= 3 and len(words[0]) == 40 and words[2].isdigit() and not line.startswith("\t"):
            lines[int(words[2])] = "uncommitted" if set(words[0]) == {"0"} else words[0][:12]
    return lines if done.returncode == 0 else {}
