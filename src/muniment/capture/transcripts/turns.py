"""One raw record on its way to an event, for all harnesses whose records are messages of the usual kinds.

An adapter says what a record is (`Turn.say`, `call`, `result`, ...), and `Turn.message` makes the one event of it: whose
words it holds, what it called, what came back. `Turn.heard` is for the user's side, where others speak as well.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from muniment.capture.transcripts import tools
from muniment.capture.transcripts.contract import OWN_MARK, OWN_SESSION
from muniment.capture.transcripts.lines import LineAdapter, Parsed, Record, State
from muniment.capture.transcripts.pieces import (
    is_own,
    items,
    number,
    obj,
    remember,
    runs_own,
    spending,
    tag,
    texts,
    word,
)
from muniment.capture.transcripts.words import NOTE, PROMPT, Who, without_injected
from muniment.model.event import AUTHORITY, Action, Call, Event, Kind, Origin, Result, Role, Skipped, Span, TextBuilder
from muniment.model.time import canonical

REPLY: Who = (Role.ASSISTANT, Origin.MODEL, Kind.REPLY)
THINKING: Who = (Role.ASSISTANT, Origin.MODEL, Kind.THINKING)
CALL: Who = (Role.ASSISTANT, Origin.MODEL, Kind.CALL)
SUMMARY: Who = (Role.HARNESS, Origin.MODEL, Kind.SUMMARY)
HOOK: Who = (Role.HARNESS, Origin.HARNESS, Kind.HOOK)
UNKNOWN: Who = (Role.HARNESS, Origin.HARNESS, Kind.UNKNOWN)
INJECTED = ("injected",)

# What harnesses put into a user's turn or behind a tool's output, each between two tags of that name.
TAGS = re.compile(
    r"<(system-reminder|system_reminder|environment_details|environment_context|session_context|hook_context|"
    r"loaded_context|user_info|project_layout|git_status|additional_data|attached_files|open_and_recently_viewed_files|"
    r"rules|always_applied_workspace_rules|agent_skills|available_skills|qwen:[\w-]+|editor_context|reminderInstructions|"
    r"mode_notice|memories|info-msg|ide_\w+|muniment[\w-]*)(?=[\s>])"
)
_THEIRS = re.compile(TAGS.pattern.replace(r"|muniment[\w-]*", ""))
# The most common ways to say how a command ended; only looked for in what a shell put out.
_EXIT = re.compile(
    r"^(?:<?exit(?:ed)?(?:[ _]with)?(?:[ _]exit)?[ _]?code>?|Process exited with code|Command exited with code"
    r"|<exited with exit code):? ?\(?(-?\d{1,10})\b",
    re.MULTILINE | re.IGNORECASE | re.ASCII,
)
_CALLS = 512


def when(*values: Any, unit: Any = "ms") -> str | None:
    """The first of these that is a time, as stored."""
    for value in values:
        if isinstance(value, int | float | str) and not isinstance(value, bool):
            found = canonical(value, unit=unit)
            if found is not None:
                return found
    return None


def without_tags(text: str) -> str:
    """The text without what harnesses put in between tags."""
    return "\n".join(piece for piece in without_injected(text, TAGS) if piece.strip()) if "<" in text else text


class Turn:
    """One record. Fields that the adapter knows (`at`, `native_id`, ...) go into whatever event is made of it."""

    def __init__(
        self, record: Record, raw: bytes, ordinal: int, state: State, more: Mapping[str, Action] | None = None
    ) -> None:
        self.record, self.raw, self.ordinal, self.state, self._more = record, raw, ordinal, state, more
        self.session: str = state["session"]
        self.fields: dict[str, Any] = {}
        self._into = TextBuilder()
        self._words: list[str] = []
        self._thoughts: list[str] = []
        self._calls: list[Call] = []
        self._results: list[Result] = []
        self._origins: list[Origin] = []
        self._flags: list[str] = []

    def know(self, **fields: Any) -> Turn:
        """Fields of the event that are known already; None is not knowledge."""
        self.fields.update({key: value for key, value in fields.items() if value is not None})
        return self

    def event(self, who: Who, text: str, flags: Iterable[str] = (), **rest: Any) -> Event:
        """The event of this record."""
        fields = {**self.fields, **rest}
        if who[0] is Role.USER:
            fields.pop("model", None)
        flags = tuple(dict.fromkeys((*self._flags, *flags)))
        return Event(self.session, self.ordinal, *who, text, self.raw, flags=flags, **fields)

    def note(self, text: str, *flags: str, who: Who = NOTE) -> Event:
        """An event that is nobody's turn."""
        return self.event(who, text, flags)

    def unknown(self, kind: Any) -> Event:
        """A record of a type that nobody knows; its bytes are kept."""
        return self.event(UNKNOWN, "", (f"unknown:{tag(kind)}"[:80],))

    def noise(self, kind: Any) -> Skipped:
        """A record that is known to hold no words, or to repeat another."""
        return Skipped(f"noise:{tag(kind)}"[:80], 0)

    def flag(self, *flags: str) -> None:
        """Flags of whatever event is made of this record."""
        self._flags.extend(flags)

    def spent(self, cost: Any = None, cached: Any = None) -> None:
        """What the record cost, in dollars, and how many of its tokens came from a cache, where it says so."""
        self.flag(*spending(cost, cached))

    def heard(self, pieces: Iterable[str], aside: bool = False, who: Who = PROMPT) -> Event | Skipped:
        """The user's turn, without what others put into it. `aside`: the record says that nobody typed it."""
        pieces = [piece for piece in pieces if piece]
        whole = "\n".join(pieces)
        if OWN_SESSION in whole and any(map(_opens_own, pieces)):
            self.state["own"] = True
            return Skipped("own", 0)
        if aside:
            return self.note(whole, *INJECTED)
        said = [kept for piece in pieces if not is_own(piece) and (kept := without_tags(piece)).strip()]
        if not said:
            return self.note(whole, *(INJECTED if whole.strip() else ()))
        # What stands in the user's role of a sub-agent was written by the agent that started it.
        origin = Origin.AGENT if self.state.get("side") else who[1]
        return self.event((who[0], origin, who[2]), "\n".join(said))

    def say(self, text: Any) -> None:
        """Words of the model."""
        for piece in texts(text):
            if piece:
                self._words.append(piece)
                self._into.add(piece)

    def think(self, text: Any) -> None:
        """Thoughts of the model: the event's text only where nothing is said or done."""
        self._thoughts.extend(piece for piece in texts(text) if piece)

    def call(self, call_id: Any, name: Any, given: Any, formats: bool = False) -> Call:
        """A tool call: the tool's name on the first line, then each string of its arguments."""
        named = word(name) or "?"
        tool = tools.known(named, given, self._more)
        self._into.add(named)
        found = tools.arguments(tool, given, self._into)
        if formats and tool.action in (Action.WRITE, Action.PATCH):
            found["formats"] = True
        key = str(call_id) if isinstance(call_id, str | int) and call_id != "" else f"{self.ordinal}.{len(self._calls)}"
        made = Call(key, named, tool.action, found)
        self._calls.append(made)
        about = tools.remembered(tool, found, self._into.text)
        if self.state["calls"].get(key) != tools.OWN:
            # Two calls may bear one id; what may be our own words is taken for them.
            remember(self.state["calls"], key, about, _CALLS)
        return made

    def about(self, call_id: Any) -> str:
        """What is remembered of a call: `own`, `web`, its action, or nothing."""
        return str(self.state["calls"].get(call_id, "")) if isinstance(call_id, str) else ""

    def recall(self, call_id: Any, name: Any, given: Any = None) -> None:
        """The tool that a result names, where the call itself was not seen."""
        if isinstance(call_id, str) and isinstance(name, str) and call_id not in self.state["calls"]:
            command = obj(tools.decoded(given)).get("command")
            own = isinstance(command, str) and runs_own(command)
            remember(self.state["calls"], call_id, tools.OWN if own else tools.known(name).about, _CALLS)

    def result(self, call_id: Any, output: Any, ok: Any = None, exit_code: Any = None, **rest: Any) -> None:
        """What came back for a call. Where the record does not say how a command ended, its output may."""
        key = str(call_id) if isinstance(call_id, str | int) else ""
        about = self.about(key)
        pieces = [kept for piece in texts(output) if (kept := _without_ours(piece)) or piece == ""]
        whole = "\n".join(pieces)
        exit_code = number(exit_code)
        if exit_code is None and about == Action.RUN:
            ends = _EXIT.findall(whole)
            exit_code = int(ends[-1]) if ends else None
        ok = ok if isinstance(ok, bool) else None
        if exit_code is not None and about in ("", Action.RUN):
            ok = exit_code == 0
        spans = [self._into.add(piece) for piece in pieces] or [self._into.add("")]
        self._results.append(Result(key, Span(spans[0].start, spans[-1].end), ok, exit_code, **rest))
        self._origins.append(_origin(about, whole, "\n".join(texts(output))))

    def blocks(self, content: Any) -> None:
        """Content as Anthropic's messages have it: texts, thoughts, tool uses and tool results."""
        for block in items(content):
            kind = "text" if isinstance(block, str) else tag(obj(block).get("type"))
            if kind in ("text", "input_text", "output_text", "markdown"):
                self.say([block])
            elif kind in ("thinking", "reasoning", "redacted_thinking", "redacted-reasoning"):
                self.think([block.get("thinking") or block.get("text")])
            elif kind in ("tool_use", "server_tool_use", "tool-use"):
                self.call(block.get("id"), block.get("name"), block.get("input"))
            elif kind in ("tool_result", "tool-result"):
                failed = block.get("is_error", block.get("isError"))
                self.result(block.get("tool_use_id"), block.get("content"), None if failed is None else not failed)
            elif kind not in ("image", "image_url", "document", "file"):
                self.flag(f"unknown:block/{kind}"[:80])

    def asked(self, calls: Any) -> None:
        """Calls as OpenAI's messages have them."""
        for one in items(calls):
            made = obj(obj(one).get("function")) or obj(one)
            given = made.get("arguments", made.get("args", made.get("input")))
            self.call(obj(one).get("id"), made.get("name"), given)

    @property
    def is_empty(self) -> bool:
        """Was nothing said, thought, called or answered so far?"""
        return not (self._words or self._thoughts or self._calls or self._results)

    @property
    def has_words(self) -> bool:
        """Did the model say something?"""
        return bool(self._words)

    def message(self, who: Who = REPLY) -> Event:
        """The event of what was said, called and answered."""
        done: dict[str, Any] = {"calls": tuple(self._calls), "results": tuple(self._results)}
        if self._results and not self._words:
            return self._answer(done)
        if self._calls or self._results:
            return self.event(CALL, self._into.text, **done)
        if self._words:
            return self.event(who, self._into.text)
        if self._thoughts:
            return self.event(THINKING, "\n".join(self._thoughts))
        return self.note("", *(("usage",) if self.fields.get("tokens_out") is not None else ()))

    def _answer(self, done: Mapping[str, Any]) -> Event:
        # One event has one origin: that of the least authority among its results.
        origin = min(self._origins, key=lambda found: (AUTHORITY[found], found))
        if origin is Origin.HARNESS:
            return self.event((Role.HARNESS, origin, Kind.RESULT), self._into.text, INJECTED, **done)
        return self.event((Role.TOOL, origin, Kind.RESULT), self._into.text, **done)


def _opens_own(piece: str) -> bool:
    """Does a piece of a prompt begin a background session of ours? Harnesses put passages of their own before it."""
    for kept in without_injected(piece, _THEIRS):
        if kept.strip('" \n\t'):
            return kept.lstrip('" \n\t').startswith(OWN_SESSION)
    return False


def _without_ours(output: str) -> str:
    """A tool's output without what a hook put behind it: from its tag, or our mark, at the start of a line."""
    ends = [at for mark in (f"\n{OWN_MARK}", "\n<hook_context>") if (at := output.find(mark)) >= 0]
    return output[: min(ends)].rstrip("\n") if ends else output


def _origin(about: str, output: str, whole: str) -> Origin:
    # A shell may print us anywhere in its output; a file that only speaks of us is still a file.
    if about == tools.OWN or is_own(whole) or (about in (Action.RUN, "") and OWN_MARK in output):
        return Origin.HARNESS
    if about in (tools.WEB, Action.FETCH):
        return Origin.WEB
    # What a sub-agent answers is its own words: coming out of a tool gives them no more authority.
    return Origin.AGENT if about == Action.DELEGATE else Origin.TOOL


class TurnAdapter(LineAdapter):
    """Base of adapters that make a `Turn` of each record; `state` comes from `fresh`."""

    more_tools: ClassVar[Mapping[str, Action]] = {}
    """Tools of this harness alone: what they do, by their names without case and separators."""

    def parse(self, record: Record, raw: bytes, ordinal: int, state: State) -> Iterable[Parsed]:
        """One record, one event."""
        if state.get("own"):
            return (Skipped("own", 0),)
        found = self.turn(Turn(record, raw, ordinal, state, self.more_tools))
        return found if isinstance(found, Sequence) else (found,)

    @abstractmethod
    def turn(self, turn: Turn) -> Parsed | Sequence[Parsed]:
        """The event of one record, alone or behind what it tells of its session."""


def fresh(session: str, **more: Any) -> State:
    """The state with which a session begins."""
    return {"session": session, "calls": {}, **more}
