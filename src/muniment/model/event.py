"""What an adapter hands over: one finished record of a session, before the gate has seen it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple


class Role(StrEnum):
    """Whose turn the event is."""

    USER = "user"
    TOOL = "tool"
    ASSISTANT = "assistant"
    HARNESS = "harness"


class Origin(StrEnum):
    """How the words came to be. Authority follows from it, see `AUTHORITY`."""

    PERSON = "person"
    TOOL = "tool"
    MODEL = "model"
    AGENT = "agent"
    REPOSITORY = "repository"
    WEB = "web"
    IMPORT = "import"
    HARNESS = "harness"


AUTHORITY: Mapping[str, int] = {
    "person": 3,
    "tool": 2,
    "model": 1,
    "agent": 1,
    "repository": 1,
    "web": 0,
    "import": 0,
    "harness": 0,
}


OUTSIDE = frozenset({"web", "repository", "agent", "import"})
"""Origins that nobody here vouches for: no one of them may fill an answer, and none is shown outside of a frame."""


class Kind(StrEnum):
    """What sort of record the event is."""

    PROMPT = "prompt"
    REPLY = "reply"
    THINKING = "thinking"
    CALL = "call"
    RESULT = "result"
    HOOK = "hook"
    COMMAND = "command"
    SUMMARY = "summary"
    NOTE = "note"
    UNKNOWN = "unknown"


class Action(StrEnum):
    """What a tool call does, whatever its harness calls the tool: extractors look at this, never at tool names."""

    RUN = "run"
    READ = "read"
    WRITE = "write"
    EDIT = "edit"
    PATCH = "patch"
    MOVE = "move"
    DELETE = "delete"
    SEARCH = "search"
    FETCH = "fetch"
    DELEGATE = "delegate"
    MESSAGE = "message"
    PLAN = "plan"
    ASK = "ask"
    OTHER = "other"


class Span(NamedTuple):
    """Half-open range [start, end) of Unicode code points in an event's text."""

    start: int
    end: int


Argument = Span | int | float | bool | None


class Call(NamedTuple):
    """A tool call. String arguments are spans of the event's text, so that a literal is always a verbatim span.

    Well-known argument names by action: RUN `command`, `cwd`; READ/WRITE/EDIT/DELETE `path`, `content`, `old`, `new`;
    PATCH `patch`; MOVE `path`, `to`; SEARCH `pattern`, `path`; FETCH `url`; DELEGATE/MESSAGE `to`, `prompt`;
    PLAN `active` (the item taken up). Others keep the harness's own name. WRITE and PATCH have `formats` where the harness
    may run a formatter afterwards, so that the file is not what was written.
    """

    call_id: str
    tool: str
    action: Action
    args: Mapping[str, Argument]


class Result(NamedTuple):
    """What came back for a tool call.

    `span` is the output in the event's text. `ok` is None where the record does not say. `sha256` is the SHA-256 of the
    whole file that the call read or left behind, in lower-case hexadecimal, only where this record proves it.
    """

    call_id: str
    span: Span
    ok: bool | None = None
    exit_code: int | None = None
    duration_ms: int | None = None
    sha256: str | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """One finished record. `seq` is the ordinal of the raw record, from 0; `at` is canonical UTC or None."""

    session: str
    seq: int
    role: Role
    origin: Origin
    kind: Kind
    text: str
    raw: bytes
    at: str | None = None
    native_id: str | None = None
    parent_id: str | None = None
    updated_at: str | None = None
    calls: tuple[Call, ...] = ()
    results: tuple[Result, ...] = ()
    model: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    flags: tuple[str, ...] = ()
    speaker: str | None = None
    """The name of who speaks, where a conversation has more than a user and an assistant."""


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """What is known of a session. Later pieces fill gaps; see `merge`."""

    id: str
    harness: str
    harness_version: str | None = None
    agent: str | None = None
    agent_role: str | None = None
    parent: str | None = None
    cwd: str | None = None
    started_at: str | None = None
    ended_at: str | None = None
    source_uri: str | None = None


@dataclass(frozen=True, slots=True)
class Skipped:
    """A raw record that became no event: why, and where it stands (`offset` in bytes, or the row's key).

    `count` is how many records in a row this stands for: 0 where it is a remark and no record (an unreadable file).
    """

    reason: str
    offset: int
    detail: str = ""
    count: int = 1


@dataclass(slots=True)
class TextBuilder:
    """Builds an event's text out of decoded strings and remembers where each one stands."""

    parts: list[str] = field(default_factory=list)
    length: int = 0

    def add(self, text: str, separator: str = "\n") -> Span:
        """Append `text` (after `separator` unless it is the first piece) and return its span."""
        if self.parts and separator:
            self.parts.append(separator)
            self.length += len(separator)
        start = self.length
        self.parts.append(text)
        self.length += len(text)
        return Span(start, self.length)

    @property
    def text(self) -> str:
        """All pieces so far."""
        return "".join(self.parts)
