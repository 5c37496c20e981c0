"""What of an event the text indexes get, and what search wants to know of a turn beside its words."""

from __future__ import annotations

import re

from muniment.model.event import Kind, Origin, Role, Span
from muniment.model.stored import Prepared, Searchable
from muniment.model.text_index import TOOL_TEXT_CAP, indexed, parts

SAID = frozenset({Kind.PROMPT.value, Kind.REPLY.value, Kind.SUMMARY.value, Kind.COMMAND.value, Kind.NOTE.value})
"""The kinds that are somebody's turn, unless the harness wrote them."""
OWN_HARNESS = "muniment"
"""Commands given to us: what they state is found as a fact, as long as it holds."""
_ASKS = 30
"""Words of a turn that may be nothing but a question."""
_REMARK = re.compile(r"\s*\[[^\[\]]{0,400}\]\s*$")
"""A remark in brackets at the end, such as what was attached."""
_STATED = ("content", "subject", "predicate", "topic", "title", "summary", "page")
"""What a command says of something; the whole of a page is said once, however much of it is stated."""
_WISHES = re.compile(
    r"\b(?:always|never|from now on|in (?:the )?future|i(?:'d| would)? (?:much |strongly )?(?:prefer|rather|like to)|i favou?r"
    r"|please (?:do not|don't|always|never|make sure)|make sure (?:to|you)|my preference)\b",
    re.IGNORECASE,
)


def searchable(event: Prepared) -> Searchable:
    """All of what people and agents say, with who says it; the head of what tools say."""
    text = event.text
    if "injected" in event.flags.split():
        return Searchable("", None)
    if not is_said(event):
        head = text[:TOOL_TEXT_CAP]
        return Searchable(indexed(head) + parts(head), None)
    if event.harness == OWN_HARNESS:
        return Searchable(indexed(_stated(event)), (event.role, ""))
    name = event.speaker or ""
    wishes = event.role == Role.USER and states_a_wish(text)
    words = indexed(f"{name}: {text}" if name else text) + parts(text)
    return Searchable(words, (event.role, name), _only_asks(text), wishes)


def _stated(event: Prepared) -> str:
    """What a command of ours states, about whom and what; not the words of the command. Nothing where it states nothing."""
    spans = dict.fromkeys(call.args.get(key) for call in event.calls for key in _STATED)
    return "\n".join(event.text[at.start : at.end] for at in spans if isinstance(at, Span))


def is_said(event: Prepared) -> bool:
    """Is it somebody's turn? What was put before a model, by the harness or by us, is nobody's."""
    return event.kind in SAID and event.origin != Origin.HARNESS and "injected" not in event.flags.split()


def states_a_wish(text: str) -> bool:
    """Does a person's text say what shall hold from now on?"""
    return _WISHES.search(text) is not None


def _only_asks(text: str) -> bool:
    tail = text[-500:]
    if "?" not in tail and "\uff1f" not in tail:
        return False
    said = _REMARK.sub("", text) if text.endswith("]") else text
    return said.rstrip().endswith(("?", "\uff1f")) and len(said.split(None, _ASKS)) <= _ASKS
