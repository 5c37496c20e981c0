"""LongMemEval: a haystack of sessions for every question; evidence is told by session and by turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from muniment.evals.recall.data import Chat, Question, Turn
from muniment.evals.recall.dates import iso


def chats(rows: Sequence[Mapping[str, Any]]) -> Iterator[Chat]:
    """One chat a question. Those whose id ends in _abs have no answer in it."""
    for row in rows:
        names = _names(row)
        turns = list(_turns(row, names))
        sessions = frozenset(n for n, own in names if own in row.get("answer_session_ids", ()))
        gold = frozenset(t.id for t, marked in turns if marked)
        question = Question(row["question"], str(row["question_type"]), gold, sessions=sessions)
        is_missing = str(row["question_id"]).endswith("_abs")
        asked = [] if is_missing or not (gold or sessions) else [question]
        yield Chat(str(row["question_id"]), [t for t, _ in turns], asked, [question] if is_missing else [])


def _names(row: Mapping[str, Any]) -> list[tuple[str, str]]:
    """(a name that is there once, the session's own id) of every session: one may stand in a haystack twice."""
    found, seen = [], set[str]()
    told = zip_longest(row.get("haystack_session_ids", ()), row["haystack_sessions"])
    for number, own in enumerate(str(n) if name is None else str(name) for n, (name, _) in enumerate(told)):
        found.append((own if own not in seen else f"{own}+{number}", own))
        seen.add(own)
    return found


def _turns(row: Mapping[str, Any], names: list[tuple[str, str]]) -> Iterator[tuple[Turn, bool]]:
    """Every turn, and whether it answers the question."""
    dates = row.get("haystack_dates", ())
    for (name, _), session, date in zip_longest(names, row["haystack_sessions"], dates):
        for seq, turn in enumerate(session or ()):
            made = Turn(f"{name}:{seq}", name, seq, turn["content"], iso(date), None, turn["role"])
            yield made, bool(turn.get("has_answer"))
