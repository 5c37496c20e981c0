"""Facts about talk: what was asked, what was sent to whom, which item of a plan was taken up."""

from __future__ import annotations

import re
from collections.abc import Iterator

from muniment.capture.extract import answers
from muniment.capture.extract.contract import Window
from muniment.model.entity import SELF, Entity
from muniment.model.event import Action, Kind, Origin, Role, Span
from muniment.model.fact import ASSERTED, SAID_BY_PERSON, Archived, Draft

LONGEST = 500
"""Characters of a question or message that are kept as a literal; the receipt opens the rest."""

ME = Entity("person", "me")

_LOOK_AT = 64 * 1024
_SPACE = re.compile(r"\s*")
_TAG = re.compile(r"<([A-Za-z][\w.-]{0,60})(?: [^<>\n]{0,300})?>")
_FENCE = re.compile(r"(`{3,}|~{3,})")
_BREAK = re.compile(r"\n[ \t\r]*(?=\n)|\n(?=```|~~~|>)")


def asked(event: Archived, _window: Window) -> Iterator[Draft]:
    """The first paragraph of a prompt that is neither quoted nor pasted."""
    if event.kind == Kind.PROMPT and event.role is Role.USER and event.origin is not Origin.HARNESS:
        place = first_paragraph(event.text)
        if place is not None:
            person = event.origin is Origin.PERSON
            yield Draft(
                "asked",
                ME if person else SELF,
                place,
                literal=answers.cut(event, place),
                rung=SAID_BY_PERSON if person else ASSERTED,
            )


def first_paragraph(text: str) -> Span | None:
    """Where the first own paragraph stands: not a quotation, a fenced block or a tagged block; at most `LONGEST`."""
    text = text[:_LOOK_AT]
    pos = _skip_space(text, 0)
    while pos < len(text):
        after = _quoted_until(text, pos)
        if after == pos:
            return _trimmed(text, pos)
        pos = _skip_space(text, after)
    return None


def _skip_space(text: str, pos: int) -> int:
    found = _SPACE.match(text, pos)
    return pos if found is None else found.end()


def _quoted_until(text: str, pos: int) -> int:
    """The end of the quotation, fence or tagged block that begins at `pos`; `pos` itself where none does."""
    if text[pos] == ">":
        return _line_end(text, pos)
    fence = _FENCE.match(text, pos)
    if fence is not None:
        close = text.find("\n" + fence[1], fence.end())
        return len(text) if close < 0 else _line_end(text, close + 1)
    tag = _TAG.match(text, pos)
    close = -1 if tag is None else text.find(f"</{tag[1]}>", tag.end())
    return pos if tag is None or close < 0 else close + len(tag[1]) + 3


def _line_end(text: str, pos: int) -> int:
    end = text.find("\n", pos)
    return len(text) if end < 0 else end


def _trimmed(text: str, pos: int) -> Span:
    stop = _BREAK.search(text, pos, pos + LONGEST + 1)
    end = min(stop.start() if stop is not None else len(text), len(text))
    if end - pos > LONGEST:
        end = _word_end(text, pos, pos + LONGEST)
    return Span(pos, pos + len(text[pos:end].rstrip()))


def _word_end(text: str, start: int, end: int) -> int:
    """The last place up to `end` where a word ends, or `end` in a script without spaces."""
    if text[end - 1 : end + 1].strip() != text[end - 1 : end + 1]:
        return end
    kept = text[start:end].rsplit(None, 1)
    return start + text[start:end].rindex(kept[1]) if len(kept) == 2 else end


def sent(event: Archived, window: Window) -> Iterator[Draft]:
    """Messages and tasks given to another agent or a person, unless the result says that it failed."""
    for call in event.calls:
        place = answers.argument(event, call, "prompt") if call.action in (Action.DELEGATE, Action.MESSAGE) else None
        answer = None if place is None else answers.answer(event, window, call)
        if place is not None and (answer is None or answers.went_well(answer.result)):
            place = Span(place.start, min(place.end, place.start + LONGEST))
            to = answers.argument(event, call, "to")
            context = "" if to is None else "to:" + "_".join(answers.cut(event, to)[:80].split())
            if answers.has_text(event, place):
                yield Draft("sent", SELF, place, literal=answers.cut(event, place), rung=ASSERTED, context=context)


def claimed(event: Archived, _window: Window) -> Iterator[Draft]:
    """The item of a plan that the agent took up."""
    for call in event.calls:
        place = answers.argument(event, call, "active") if call.action is Action.PLAN else None
        if place is not None:
            yield Draft("claimed", SELF, place, literal=answers.cut(event, place), rung=ASSERTED)
