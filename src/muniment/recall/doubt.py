"""What a question names and the store does not hold: said beside an answer, never a reason to refuse one.

A question about a matter that is discussed, for a detail that is not, finds good rows about the matter. Its unknown words are
all that tells, so they are named, as they were asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from muniment.model.text_index import folded
from muniment.recall.lanes.contract import Looked, Question
from muniment.recall.lanes.words import HAN_LIGHT

_WORD = re.compile(r"[^\W_]+")
_PAIRED = re.compile("[\u3005\u30a0-\u30ff\u3400-\u9fff]+")
"""Characters of words in scripts without spaces; what is written in others of them is mostly grammar."""
_ASKING = frozenset("哪谁何几誰幾")
"""Characters that ask."""
_NAMED, _LONGEST = 3, 40


def unknown(question: Question, words: Looked) -> tuple[str, ...]:
    """The topic words of a question that stand in no turn; of a script without spaces, the runs that do."""
    topics = [group for group in words.groups if group.is_topic] or ([] if question.ranges else words.groups)
    missing = {form for group in topics if not group.spread.turns for form in group.words}
    if not missing:
        return ()
    return tuple(dict.fromkeys(name for word in _WORD.findall(question.words) for name in _named(word, missing)))


def _named(word: str, missing: set[str]) -> Iterator[str]:
    if folded(word) in missing:
        yield word
        return
    for run in _PAIRED.findall(word):
        yield from _runs(run, missing)


def _runs(run: str, missing: set[str]) -> Iterator[str]:
    """The longest pieces of which no pair stands anywhere, without characters that are grammar.

    Two characters alone must stand by themselves: else they are mostly the end of one word and the beginning of another.
    """
    for piece in _pieces(run):
        start = 0
        for place in range(len(piece)):
            if folded(piece[place : place + 2]) in missing and place + 1 < len(piece):
                continue
            found = piece[start : place + 1]
            if len(found) > 2 or (len(found) == 2 and found == piece):
                yield found
            start = place + 1


def _pieces(run: str) -> list[str]:
    """A run, parted at the characters that are grammar."""
    return "".join(" " if c in HAN_LIGHT or c in _ASKING else c for c in run).split()


def told(words: Sequence[str], shown: Iterable[str] = ()) -> str | None:
    """`no turn holds "X", "Y"`, without those that stand in what is shown all the same (tools say things too)."""
    texts = [folded(text) for text in shown]
    left = [word for word in words if not any(folded(word) in text for text in texts)]
    if not left:
        return None
    named = ", ".join(f'"{word[:_LONGEST]}"' for word in left[:_NAMED])
    more = len(left) - _NAMED
    return f"no turn holds {named}" + (f" and {more} more of the question's words" if more > 0 else "")
