"""What every data set comes down to: chats of turns, and questions with the turns that answer them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn. `id` is the data set's own name for it; `at` is ISO 8601 or None."""

    id: str
    session: str
    seq: int
    text: str
    at: str | None = None
    speaker: str | None = None
    role: str | None = None

    def given(self) -> dict[str, Any]:
        """As `Memory.ingest` takes it."""
        fields = {"session": self.session, "seq": self.seq, "at": self.at, "speaker": self.speaker, "role": self.role}
        return {name: value for name, value in fields.items() if value is not None} | {"text": self.text}

    @property
    def line(self) -> str:
        """The turn as one would paste it: who, and the words."""
        return f"{self.speaker or self.role}: {self.text}"


@dataclass(frozen=True, slots=True)
class Question:
    """A question, the ids of the turns that answer it, and what part they play where the data says so."""

    text: str
    category: str
    gold: frozenset[str]
    roles: Mapping[str, frozenset[str]] = field(default_factory=dict)
    sessions: frozenset[str] = frozenset()
    """The sessions that answer it, where they are labelled apart from turns."""


@dataclass(frozen=True, slots=True)
class Chat:
    """One haystack with its questions. `unanswerable` ones are about what is discussed and say nothing of it."""

    name: str
    turns: Sequence[Turn]
    questions: Sequence[Question]
    unanswerable: Sequence[Question] = ()


@dataclass(frozen=True, slots=True)
class Data:
    """A data set; `form` names its format."""

    form: str
    chats: Sequence[Chat]


def part_of(data: Data, part: str, limit: int | None) -> Data:
    """The development part (the first three chats), the rest, or all; of the questions the first `limit`."""
    chats = {"all": data.chats, "dev": data.chats[:3], "test": data.chats[3:]}[part]
    if limit is None:
        return Data(data.form, chats)
    kept, left = [], limit
    for chat in chats:
        if left <= 0:
            break
        kept.append(Chat(chat.name, chat.turns, chat.questions[:left], chat.unanswerable[:left]))
        left -= len(chat.questions)
    return Data(data.form, kept)
