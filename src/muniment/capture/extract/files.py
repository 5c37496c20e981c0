"""Facts about files: touched, read, a write asked for, and moves.

They are read off calls that name a file (read, write, edit, delete, patch). Shell commands that write files are not
guessed at: what `sed -i`, `>` or a script changed cannot be told from the words. `git mv` and `mv` are the exception,
in `moves`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from muniment.capture.extract import answers, patches
from muniment.capture.extract.contract import Window
from muniment.model.entity import SELF, Entity
from muniment.model.event import Action, Call, Span
from muniment.model.fact import ASSERTED, OBSERVED, Archived, Draft

_WRITES = frozenset({Action.WRITE, Action.EDIT, Action.DELETE, Action.PATCH})
_PREDICTED = frozenset({Action.WRITE, Action.EDIT, Action.PATCH})


def touched(event: Archived, window: Window) -> Iterator[Draft]:
    """Files that a call wrote, edited, patched or deleted, once a result says nothing against it."""
    for found in answers.answered(event, window, _WRITES):
        if answers.went_well(found.result):
            places = list(_written(event, found.call))
            proven = found.result.sha256 if len(places) == 1 else None  # of several files it cannot be told which
            for place, anchor, context in places:
                yield Draft(
                    "touched",
                    SELF,
                    place,
                    object=Entity("path", answers.cut(event, place)),
                    rung=OBSERVED,
                    witness=found.witness,
                    anchor=None if context == "deleted" else proven or anchor,
                    context=context,
                )


def _written(event: Archived, call: Call) -> Iterator[tuple[Span, str | None, str]]:
    """Each file of a writing call: where its path stands, its hash if the call proves it, the draft's context."""
    files = _patched(event, call)
    for file in files:
        place = file.after
        if answers.has_text(event, place):
            deleted = file.change is patches.Change.DELETE
            unknown = event.masked or call.args.get("formats")
            yield place, None if unknown else _hash(file.content), "deleted" if deleted else ""
    path = answers.argument(event, call, "path")
    if path is not None and not files:
        yield path, _content_hash(event, call), "deleted" if call.action is Action.DELETE else ""


def _patched(event: Archived, call: Call) -> list[patches.FileChange]:
    patch = answers.argument(event, call, "patch") if call.action is Action.PATCH else None
    return [] if patch is None else patches.changes(answers.cut(event, patch), patch.start)


def _content_hash(event: Archived, call: Call) -> str | None:
    """The hash of a file written in full; unknown where a mask changed the text, or the call appends or formats."""
    content = call.args.get("content")
    is_other = event.masked or call.args.get("append") or call.args.get("formats")
    if call.action is not Action.WRITE or is_other or not isinstance(content, Span):
        return None
    whole = 0 <= content.start <= content.end <= len(event.text)
    return _hash(answers.cut(event, content)) if whole else None


def _hash(content: str | None) -> str | None:
    try:
        return None if content is None else hashlib.sha256(content.encode()).hexdigest()
    except UnicodeEncodeError:  # a lone surrogate: no such file can be written as UTF-8
        return None


def read(event: Archived, window: Window) -> Iterator[Draft]:
    """Files that a call read; the anchor is known where the result shows the whole file."""
    for found in answers.answered(event, window, (Action.READ,)):
        place = answers.argument(event, found.call, "path")
        if place is not None and answers.went_well(found.result):
            yield Draft(
                "read",
                SELF,
                place,
                object=Entity("path", answers.cut(event, place)),
                rung=OBSERVED,
                witness=found.witness,
                anchor=found.result.sha256,
            )


def predicted_write(event: Archived, window: Window) -> Iterator[Draft]:
    """Writes that were asked for and have no result yet. A failed write is none: it has a result."""
    for call in event.calls:
        if call.action in _PREDICTED and answers.answer(event, window, call) is None:
            for place, _, _ in _written(event, call):
                yield Draft(
                    "predicted_write", SELF, place, object=Entity("path", answers.cut(event, place)), rung=ASSERTED
                )
