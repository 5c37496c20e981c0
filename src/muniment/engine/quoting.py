"""Finding the words that an agent quotes, in its own session and before it quoted them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from muniment.capture.transcripts.tools import OWN, known
from muniment.engine.pending import Assertion
from muniment.model.event import Call, Kind, Role, Span
from muniment.model.fact import Archived
from muniment.model.markers import markers
from muniment.model.ports import Store
from muniment.model.stored import Message

_SAID = frozenset({Kind.PROMPT, Kind.REPLY, Kind.CALL, Kind.RESULT, Kind.SUMMARY, Kind.NOTE})
_BEST = {Role.USER.value: 2, Role.TOOL.value: 1}
_NEWEST = 20_000
"""Records of a session that are looked through, the last ones."""
_LAST = 1 << 62


class Place(NamedTuple):
    """Where the words stand."""

    event: Archived
    span: Span


class Looked(NamedTuple):
    """What a session holds of a quote: its best place, and the record of the call that quotes it, if that is there."""

    place: Place | None
    called_at: int | None


def look(store: Store, session: str, assertion: Assertion) -> Looked:
    """A person's words before a tool's before the agent's own, the newest of them; nothing that stands behind the call."""
    pattern = _pattern(assertion.quote)
    low, _ = store.neighbours(session, _LAST, _NEWEST)
    found: list[tuple[int, int, Archived, Span]] = []
    called_at = None
    for message in store.messages(session, low, _LAST):
        if not _is_said(message) or pattern.search(message.text) is None:
            continue
        event = store.archived(message.uid)
        if event is None:
            continue
        if any(_quotes(event, call, pattern) for call in event.calls):
            called_at = message.seq
        span = _outside(event, pattern, assertion)
        if span is not None:
            found.append((_BEST.get(message.role, 0), message.seq, event, span))
    before = [f for f in found if called_at is None or f[1] <= called_at]
    best = max(before, key=lambda f: f[:2], default=None)
    return Looked(Place(best[2], best[3]) if best else None, called_at)


def holds(quote: str, value: str) -> Span | None:
    """Where a value stands among the words of a quote, as words of its own."""
    return _standing(value, quote) if value.strip() else None


def is_turned(place: Place) -> bool:
    """Does the sentence say more than the quote, by a negation or a hedge that was left out?"""
    text, (start, end) = place.event.text, place.span
    low = max((m.end() for m in _STOP.finditer(text, 0, start)), default=0)
    stop = _STOP.search(text, end)
    beside = text[low:start] + "\n" + text[end : stop.start() if stop else len(text)]
    return bool(markers(beside))


_STOP = re.compile(r"[.!?](?=\s)|\n")


@lru_cache(maxsize=64)
def _pattern(quote: str) -> re.Pattern[str]:
    """The words with any white space between them: an agent does not see where lines were broken."""
    return re.compile(r"\s+".join(re.escape(word) for word in quote.split()))


def _standing(value: str, text: str) -> Span | None:
    words = r"\s+".join(re.escape(word) for word in value.split())
    before = r"(?<!\w)" if value.strip()[0].isalnum() else ""
    after = r"(?!\w)" if value.strip()[-1].isalnum() else ""
    whole = re.search(before + words + after, text, re.IGNORECASE)
    if whole is None and not value.isascii():  # scripts that part no words
        whole = re.search(words, text, re.IGNORECASE)
    return None if whole is None else Span(*whole.span())


def _is_said(message: Message) -> bool:
    """What the harness or we put there is nobody's word, and neither is what was only thought."""
    return message.kind in _SAID and message.role != Role.HARNESS and "injected" not in message.flags.split()


def _quotes(event: Archived, call: Call, pattern: re.Pattern[str]) -> bool:
    """Is this call of one of our tools the one that gives the quote?"""
    given = call.args.get("quote")
    is_own = known(call.tool).about == OWN
    return (
        is_own
        and isinstance(given, Span)
        and pattern.fullmatch(event.text[given.start : given.end].strip()) is not None
    )


def _outside(event: Archived, pattern: re.Pattern[str], assertion: Assertion) -> Span | None:
    """The words where they are not what the event hands to a tool of ours: quoting oneself quoting proves nothing."""
    calls = [c for c in event.calls if known(c.tool).about == OWN]
    answers = [r.span for r in event.results if r.call_id in {c.call_id for c in calls}]
    own = [a for c in calls for a in c.args.values() if isinstance(a, Span)] + answers
    for found in pattern.finditer(event.text):
        span = Span(*found.span())
        is_own = any(a.start <= span.start and span.end <= a.end for a in own)
        if not is_own and holds(event.text[span.start : span.end], assertion.object) is not None:
            return span
    return None
