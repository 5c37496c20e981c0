"""BEAM: long chats of a user with an assistant; what was updated, contradicted or never told is labelled too."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from muniment.evals.recall.data import Chat, Question, Turn
from muniment.evals.recall.dates import iso

ABSTENTION = "abstention"
_MARK = re.compile(r"\s*->->\s*[\d,\s]*(?:N/A)?\s*$")
"""What the authors' own scripts left at the end of a user's message."""


def chats(data: Mapping[str, Any]) -> Iterator[Chat]:
    """Each chat; a session is a block of messages."""
    for chat in data["chats"]:
        turns = list(_turns(chat["messages"]))
        known = {turn.id for turn in turns}
        questions = [_question(q, known) for q in chat["questions"]]
        missing = [q for q in questions if q.category == ABSTENTION and not q.gold]
        yield Chat(str(chat["id"]), turns, [q for q in questions if q.gold], missing)


def _turns(messages: list[dict[str, Any]]) -> Iterator[Turn]:
    date, seqs = None, dict[str, int]()
    for message in messages:
        date = iso(message.get("date")) or date  # told with the first message of a block only
        session = str(message["batch"])
        seqs[session] = seqs.get(session, -1) + 1
        text = _MARK.sub("", message["text"]).strip()
        yield Turn(str(message["id"]), session, seqs[session], text, date, None, message["role"])


def _question(q: Mapping[str, Any], known: set[str]) -> Question:
    told = q.get("source_chat_ids")
    parts = told if isinstance(told, dict) else {}
    roles = {part: frozenset(map(str, ids)) & known for part, ids in parts.items() if isinstance(ids, list)}
    return Question(q["question"], q["category"], frozenset(map(str, q["evidence"])) & known, roles)
