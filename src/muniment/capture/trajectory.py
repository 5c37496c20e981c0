"""ATIF trajectories from elsewhere, of any version 1: each step becomes the records that a transcript would hold of it.

A step has three places in its session: thoughts, words and calls, answers. So step n stands at seq 3n-3, 3n-2 and 3n-1,
and a longer version of a trajectory goes on where the shorter one ended. Nothing of it is believed beyond its channel:
unless the owner vouches for the roles, everything said in it is an import, and what tools answered is one always.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from muniment.capture.transcripts.pieces import number, obj, texts, word
from muniment.capture.transcripts.turns import INJECTED, SUMMARY, Turn, fresh
from muniment.model.event import Event, Kind, Origin, SessionInfo, Skipped
from muniment.model.ids import hash128

HARNESS = "atif"
PARTS = 3
_THOUGHT, _SAID, _ANSWERED = range(PARTS)
_VERSION = re.compile(r"ATIF-v1\.\d{1,3}")
_SOURCES = ("user", "agent", "system")
_ODD = re.compile("[\\s\x00-\x1f\x7f-\x9f/%@,*?\"'\ud800-\udfff]")
_LONGEST = 200
_DEEPEST = 16
_UID = re.compile("[0-9a-f]{32}")

Time = Callable[[Any], str | None]
"""A time as written, in the stored form; None if it is no time."""


class Given(NamedTuple):
    """A record of a trajectory: an event, or why there is none. `uids` are the events that an exporter of ours says it was."""

    made: Event | Skipped
    uids: tuple[bytes, ...] = ()


class Piece(NamedTuple):
    """One trajectory: the name it came with, the session it becomes, and its records."""

    name: str
    session: SessionInfo
    given: tuple[Given, ...]


@dataclass(frozen=True, slots=True)
class Reader:
    """How trajectories are read: are their roles vouched for, and what is a time?"""

    vouched: bool
    time: Time

    def read(self, document: Any) -> list[Piece]:
        """A trajectory and those embedded in it. ValueError names the place of whatever is not as the format says."""
        _demand_document(document)
        name = _name(document)
        prefix = HARNESS if self.vouched else f"{HARNESS}-import"
        return list(self._pieces(document, name, f"{prefix}.{_plain(name)}", None, 0))

    def _pieces(
        self, document: Mapping[str, Any], name: str, session: str, parent: str | None, depth: int
    ) -> Iterator[Piece]:
        agent, about = document["agent"], _ours(document)
        info = SessionInfo(
            session, HARNESS, agent=" ".join(filter(None, (word(agent.get("name")), word(agent.get("version"))))),
            agent_role=word(_ours(agent).get("agent_role")), parent=parent, cwd=word(about.get("cwd")),
        )  # fmt: skip
        yield Piece(name, info, tuple(self._records(document, session, parent is not None)))
        for place, inner in enumerate(document.get("subagent_trajectories") or ()):
            where = f"subagent_trajectories[{place}]"
            with _at(where):
                if depth >= _DEEPEST:
                    raise ValueError("sub-agents are nested too deep")
                _demand_document(inner)
                own = word(inner.get("trajectory_id"))
                if own is None:
                    raise ValueError("an embedded trajectory needs a trajectory_id")
                below = f"{session}/{_plain(own.removeprefix(f'{name}/'))}"
                yield from self._pieces(inner, own, below, session, depth + 1)

    def _records(self, document: Mapping[str, Any], session: str, side: bool) -> Iterator[Given]:
        state = fresh(session, side=side)
        model = word(document["agent"].get("model_name"))
        for place, step in enumerate(document["steps"]):
            with _at(f"steps[{place}]"):
                _demand_step(step, place)
                yield from self._step(step, model, place * PARTS, state)

    def _step(self, step: Mapping[str, Any], model: str | None, seq: int, state: dict[str, Any]) -> Iterator[Given]:
        at = self._when(step.get("timestamp"))
        model = word(step.get("model_name")) or model
        uids = _uids([step])
        if thought := step.get("reasoning_content"):
            turn = _turn({"step_id": step["step_id"], "reasoning_content": thought}, seq + _THOUGHT, state, step)
            turn.know(at=at, model=model)
            turn.think(thought)
            yield self._given(turn.message(), uids)
        said = {name: value for name, value in step.items() if name not in ("observation", "reasoning_content")}
        turn = _turn(said, seq + _SAID, state, step).know(at=at)
        if (event := _said(turn, step, model)) is not None:
            yield self._given(event, uids)
        if results := _results(step):
            turn = _turn({"step_id": step["step_id"], "observation": step["observation"]}, seq + _ANSWERED, state, step)
            turn.know(at=next(filter(None, (self._when(_ours(r).get("at")) for r in results)), at))
            yield self._given(_answered(turn, results), _uids(results))

    def _when(self, value: Any) -> str | None:
        if value in (None, ""):
            return None
        found = self.time(value)
        if found is None:
            raise ValueError(f"{str(value)[:60]!r} is no time")
        return found

    def _given(self, made: Event | Skipped, uids: tuple[bytes, ...]) -> Given:
        """Whose words they are: as the roles say if somebody vouches for them, and an import's otherwise."""
        if not isinstance(made, Event) or made.origin == Origin.HARNESS:
            return Given(made, uids)
        believed = (Origin.PERSON, Origin.MODEL, Origin.AGENT) if self.vouched else ()
        return Given(made if made.origin in believed else replace(made, origin=Origin.IMPORT), uids)


# --- steps ------------------------------------------------------------


def _turn(record: Mapping[str, Any], seq: int, state: dict[str, Any], step: Mapping[str, Any]) -> Turn:
    turn = Turn(dict(record), _raw(record), seq, state).know(native_id=f"{state['session']}:{seq}")
    if step.get("is_copied_context") is True:
        turn.flag("copy")
    return turn


def _said(turn: Turn, step: Mapping[str, Any], model: str | None) -> Event | Skipped | None:
    """The words and calls of a step; None if it has neither, nor spent anything."""
    source, words = step["source"], list(texts(step["message"]))
    if source == "user":
        return turn.heard(words)
    if source == "system":
        return _told(turn, step, words)
    turn.know(model=model)
    _spend(turn, obj(step.get("metrics")))
    for piece in words:
        turn.say(piece)
    for call in step.get("tool_calls") or ():
        turn.call(call["tool_call_id"], call["function_name"], call["arguments"])
    return None if turn.is_empty and "tokens_out" not in turn.fields else turn.message()


def _told(turn: Turn, step: Mapping[str, Any], words: list[str]) -> Event | None:
    """What the harness said: a summary where an exporter of ours says so. It is nobody's word either way."""
    text = "\n".join(words)
    if not text.strip():
        return None
    if _ours(step).get("kind") == Kind.SUMMARY:
        return turn.event(SUMMARY, text, ("compaction",))
    return turn.note(text, *INJECTED)


def _spend(turn: Turn, metrics: Mapping[str, Any]) -> None:
    turn.know(tokens_in=number(metrics.get("prompt_tokens")), tokens_out=number(metrics.get("completion_tokens")))
    turn.spent(metrics.get("cost_usd"), metrics.get("cached_tokens"))


def _results(step: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    observation = step.get("observation")
    if observation is None:
        return []
    found = obj(observation).get("results")
    if not isinstance(found, list) or not all(isinstance(r, dict) for r in found):
        raise ValueError("observation.results is no list of objects")
    return [r for r in found if r.get("content") is not None]  # the others only refer to a sub-agent


def _answered(turn: Turn, results: list[Mapping[str, Any]]) -> Event:
    for result in results:
        about = _ours(result)
        took = number(about.get("duration_ms"))
        call_id = result.get("source_call_id")
        turn.result(call_id, result.get("content"), about.get("ok"), about.get("exit_code"), duration_ms=took)
    return turn.message()


# --- what a trajectory must be ------------------------------------------------------------


@contextmanager
def _at(place: str) -> Iterator[None]:
    """Puts a place in front of what is wrong there."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from error


def _demand_document(document: Any) -> None:
    if not isinstance(document, dict):
        raise ValueError("a trajectory is a JSON object")
    version = document.get("schema_version")
    if not isinstance(version, str) or not _VERSION.fullmatch(version):
        raise ValueError(f"schema_version is {_short(version)}; ATIF-v1.0 and what follows it up to 2 can be read")
    if not isinstance(document.get("agent"), dict) or word(document["agent"].get("name")) is None:
        raise ValueError("agent has no name")
    if not isinstance(document.get("steps"), list) or not document["steps"]:
        raise ValueError("steps is no list of at least one step")
    if not isinstance(document.get("subagent_trajectories") or [], list):
        raise ValueError("subagent_trajectories is no list")


def _demand_step(step: Any, place: int) -> None:
    if not isinstance(step, dict):
        raise ValueError("a step is a JSON object")
    if step.get("step_id") != place + 1 or isinstance(step["step_id"], bool):
        raise ValueError(f"step_id is {_short(step.get('step_id'))}, not {place + 1}")
    if step.get("source") not in _SOURCES:
        raise ValueError(f"source is {_short(step.get('source'))}; sources: {', '.join(_SOURCES)}")
    if not isinstance(step.get("message"), str | list):
        raise ValueError(f"message is {_short(step.get('message'))}, not a text or a list of parts")
    if not isinstance(step.get("reasoning_content"), str | None):
        raise ValueError("reasoning_content is no text")
    calls = step.get("tool_calls")
    if calls is not None and (step["source"] != "agent" or not isinstance(calls, list)):
        raise ValueError("tool_calls are a list, and an agent's")
    for index, call in enumerate(calls or ()):
        with _at(f"tool_calls[{index}]"):
            _demand_call(call)


def _demand_call(call: Any) -> None:
    if not isinstance(call, dict):
        raise ValueError("a tool call is a JSON object")
    for name in ("tool_call_id", "function_name"):
        if word(call.get(name)) is None:
            raise ValueError(f"{name} is {_short(call.get(name))}, not a text")
    if not isinstance(call.get("arguments"), dict):
        raise ValueError("arguments is no JSON object")


# --- names ------------------------------------------------------------


def _name(document: Mapping[str, Any]) -> str:
    """By what a trajectory is known: its id, its session's, or, without either, how it began."""
    known = word(document.get("trajectory_id")) or word(document.get("session_id"))
    return known or hash128(_raw(document["agent"]) + _raw(obj(document["steps"][0]))).hex()


def _plain(name: str) -> str:
    """A name that is safe in a receipt and a selector; one beyond all measure is told by its hash."""
    if len(name) > _LONGEST:
        return hash128(name.encode("utf-8", "surrogatepass")).hex()
    return _ODD.sub(lambda m: "".join(f"%{b:02X}" for b in m[0].encode("utf-8", "surrogatepass")), name)


def _ours(value: Mapping[str, Any]) -> Mapping[str, Any]:
    return obj(obj(value.get("extra")).get("muniment"))


def _uids(told: Iterable[Mapping[str, Any]]) -> tuple[bytes, ...]:
    """The events that all of these came from, if an exporter of ours says so of each."""
    found = [uid if isinstance(uid := _ours(each).get("uid"), str) else "" for each in told]
    return tuple(map(bytes.fromhex, found)) if all(map(_UID.fullmatch, found)) else ()


def _raw(value: Mapping[str, Any]) -> bytes:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode("utf-8", "surrogatepass")


def _short(value: Any) -> str:
    return "missing" if value is None else repr(value)[:60]
