"""A session as an ATIF trajectory: one step a record, a tool's answer in the step that called it.

What the format has no field for stands under `extra.muniment`: the receipt of each step and of each result, the hash of
its words, whose they are. Sub-agents are embedded, and referred to from the call that started them where a record proves
which one that was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

from muniment.model.event import Action, Call, Kind, Result, Role, Span
from muniment.model.trace import CACHED, COST, Recorded, Run, told

VERSIONS = ("1.7", "1.8")
"""What can be written; the first unless told otherwise, for not every reader knows the second."""

_MILLION = 1_000_000
_SOURCES = {Role.USER: "user", Role.ASSISTANT: "agent"}
_COUNTS = ("prompt_tokens", "completion_tokens", "cached_tokens", "cost_usd")

Json = dict[str, Any]


def document(run: Run, version: str = VERSIONS[0]) -> Json | None:
    """The trajectory of a session; None if nothing in it has words."""
    return _Document(run, version, run.session.id).made()


class _Document:
    """One trajectory in the making; `root` names the run that it and its sub-agents belong to."""

    def __init__(self, run: Run, version: str, root: str) -> None:
        self._run = run
        self._version = version
        self._root = root
        self._steps: list[Json] = []
        self._callers: dict[str, Json] = {}
        self._calls: list[tuple[Json, str, Recorded, Call]] = []
        self._spent: Json = {}
        self._silent = 0

    def made(self) -> Json | None:
        """The document; None without a step."""
        for record in self._run.records:
            self._take(record)
        if not self._steps:
            return None
        inner = [d for child in self._run.children if (d := _Document(child, self._version, self._root).made())]
        self._refer({child.session.id: child for child in self._run.children}, {d["trajectory_id"] for d in inner})
        session = self._run.session
        about = _known({"cwd": session.cwd, "parent": session.parent, "records_without_words": self._silent or None})
        made = {
            "schema_version": f"ATIF-v{self._version}", "session_id": self._root, "trajectory_id": session.id,
            "agent": self._agent(), "steps": self._steps, "final_metrics": self._totals(),
            "extra": {"muniment": about} if about else None, "subagent_trajectories": inner,
        }  # fmt: skip
        return _known(made)

    def _agent(self) -> Json:
        session = self._run.session
        models = Counter(r.model for r in self._run.records if r.model)
        model = min(models, key=lambda name: (-models[name], name), default=None)
        more = _known({"agent": session.agent, "agent_role": session.agent_role})
        return _known({
            "name": session.harness, "version": session.version or "unknown", "model_name": model,
            "extra": {"muniment": more} if more else None,
        })  # fmt: skip

    def _totals(self) -> Json:
        sums = {f"total_{name}": self._spent.get(name) for name in _COUNTS}
        return _known({**sums, "total_steps": len(self._steps)})

    # -- records

    def _take(self, record: Recorded) -> None:
        spent = _spent(record)
        if not record.is_copy:
            _add(self._spent, spent)
        step = self._step(record)
        if step is None:
            self._silent += not record.results
            self._spend_later(record, spent)
        elif step["source"] == "agent" and spent:
            step["metrics"] = spent
        self._answer(record, step)

    def _step(self, record: Recorded) -> Json | None:
        """The step that a record opens: none for one that only answers, or says nothing."""
        words = _words(record)
        if not record.calls and not words.strip():
            return None
        source = "agent" if record.calls else _SOURCES.get(Role(record.role), "system")
        is_thought = record.kind == Kind.THINKING and source == "agent"
        step = self._open(record, source, "" if is_thought else words)
        if is_thought:
            step["reasoning_content"] = words
        if source == "agent" and record.model:
            step["model_name"] = record.model
        if record.calls:
            step["tool_calls"] = [self._call(record, call, step) for call in record.calls]
        return step

    def _open(self, record: Recorded, source: str, message: str) -> Json:
        step = _known({
            "step_id": len(self._steps) + 1, "timestamp": record.at, "source": source, "message": message,
            "is_copied_context": True if record.is_copy or "copy" in record.flags else None,
            "extra": {"muniment": _about(record)},
        })  # fmt: skip
        self._steps.append(step)
        return step

    def _call(self, record: Recorded, call: Call, step: Json) -> Json:
        call_id = call.call_id or f"{record.seq}.{len(self._calls)}"
        self._callers[call_id] = step
        self._calls.append((step, call_id, record, call))
        given = {name: _value(record, value) for name, value in call.args.items()}
        more = {"muniment": {"action": str(call.action)}}
        return {"tool_call_id": call_id, "function_name": call.tool or "?", "arguments": given, "extra": more}

    def _answer(self, record: Recorded, step: Json | None) -> None:
        """Put results where their calls are; those that no call here asked for get a step of the harness."""
        own = {call["tool_call_id"] for call in step.get("tool_calls", ())} if step else set()
        for result in record.results:
            holder = step if result.call_id in own else self._callers.get(result.call_id)
            shown = _result(record, result)
            if holder is None:
                holder = self._stray(record)
                del shown["source_call_id"]
            holder.setdefault("observation", {"results": []})["results"].append(shown)

    def _stray(self, record: Recorded) -> Json:
        last = self._steps[-1] if self._steps else None
        is_open = last is not None and last["extra"]["muniment"]["receipt"] == record.receipt
        return last if last is not None and is_open else self._open(record, "system", "")

    def _spend_later(self, record: Recorded, spent: Json) -> None:
        """Tokens that a record without words tells belong to the model's step before it."""
        if spent and not record.is_copy:
            last = next((step for step in reversed(self._steps) if step["source"] == "agent"), None)
            if last is not None:
                _add(last.setdefault("metrics", {}), spent)

    # -- sub-agents

    def _refer(self, children: Mapping[str, Run], embedded: Iterable[str]) -> None:
        """Name each embedded sub-agent in the result of the call that started it."""
        for name in sorted(embedded):
            found = next(
                (c for c in self._calls if c[3].action == Action.DELEGATE and _started(c, children[name])), None
            )
            if found is not None:
                step, call_id, _, _ = found
                results = step.setdefault("observation", {"results": []})["results"]
                shown = next((r for r in results if r.get("source_call_id") == call_id), None)
                if shown is None:
                    shown = {"source_call_id": call_id}
                    results.append(shown)
                ref = {"trajectory_id": name, "session_id": self._root}
                shown.setdefault("subagent_trajectory_ref", []).append(ref)


def _started(made: tuple[Json, str, Recorded, Call], child: Run) -> bool:
    """Did this call start that run? It bears the call's id, begins with its prompt, or is named in its answer."""
    step, call_id, record, call = made
    agent = child.session.id.rpartition("/")[2]
    if agent == call_id:
        return True
    prompt = call.args.get("prompt")
    first = next((r.text for r in child.records if r.role == Role.USER and r.text.strip()), None)
    if isinstance(prompt, Span) and first is not None and _value(record, prompt).strip() == first.strip():
        return True
    answers = step.get("observation", {}).get("results", ())
    return any(agent in r.get("content", "") for r in answers if r.get("source_call_id") == call_id)


# --- pieces ------------------------------------------------------------


def _about(record: Recorded) -> Json:
    flags = [flag for flag in record.flags if not flag.startswith((COST, CACHED))]
    return _known({
        "receipt": record.receipt, "seq": record.seq, "uid": record.uid.hex(), "kind": record.kind, "role": record.role,
        "origin": record.origin, "speaker": record.speaker, "sha256": sha256(record.text.encode()).hexdigest(),
        "flags": flags,
    })  # fmt: skip


def _result(record: Recorded, result: Result) -> Json:
    about = _known({
        "receipt": record.receipt, "uid": record.uid.hex(), "at": record.at, "role": record.role,
        "origin": record.origin, "ok": result.ok, "exit_code": result.exit_code, "duration_ms": result.duration_ms,
        "file_sha256": result.sha256,
    })  # fmt: skip
    content = record.text[result.span.start : result.span.end]
    return {"source_call_id": result.call_id, "content": content, "extra": {"muniment": about}}


def _value(record: Recorded, value: Any) -> Any:
    return record.text[value.start : value.end] if isinstance(value, Span) else value


def _words(record: Recorded) -> str:
    """What a record says beside its calls and results: their spans go, and a line for the name of each tool."""
    if not record.calls and not record.results:
        return record.text
    names = Counter(call.tool for call in record.calls)
    lines = []
    for line in "".join(_outside(record)).split("\n"):
        if names[line] > 0:
            names[line] -= 1
        elif line:
            lines.append(line)
    return "\n".join(lines)


def _outside(record: Recorded) -> Iterator[str]:
    spans = [v for call in record.calls for v in call.args.values() if isinstance(v, Span)]
    at = 0
    for start, end in sorted([*spans, *(r.span for r in record.results)]):
        if start > at:
            yield record.text[at:start]
        at = max(at, end)
    yield record.text[at:]


def _spent(record: Recorded) -> Json:
    cost = told(record.flags, COST)
    return _known({
        "prompt_tokens": record.tokens_in, "completion_tokens": record.tokens_out,
        "cached_tokens": told(record.flags, CACHED), "cost_usd": None if cost is None else cost / _MILLION,
    })  # fmt: skip


def _add(into: Json, spent: Mapping[str, Any]) -> None:
    for name, number in spent.items():
        into[name] = round(into.get(name, 0) + number, 6)


def _known(fields: Mapping[str, Any]) -> Json:
    """The fields that say something: no nulls, no empty lists or objects (words may be empty)."""
    return {name: value for name, value in fields.items() if value is not None and value not in ([], {})}


def steps(documents: Sequence[Mapping[str, Any]]) -> int:
    """How many steps documents hold, those of their sub-agents too."""
    return sum(len(d["steps"]) + steps(d.get("subagent_trajectories", ())) for d in documents)
