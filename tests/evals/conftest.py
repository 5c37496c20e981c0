"""Small chats of our own making, in the form of each data set."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PEOPLE = ("Iris", "Tom")
LINES = [
    [("Iris", "Hi Tom! I adopted a parrot called Biscuit last week."), ("Tom", "Lovely. Does Biscuit talk?"),
     ("Iris", "She says good morning to the postman.")],
    [("Tom", "I start at the observatory in Lund on Monday."), ("Iris", "Congratulations!"),
     ("Tom", "My telescope needs a new mirror first.")],
]  # fmt: skip


def locomo() -> list[dict[str, Any]]:
    """Two chats; one has glued evidence, evidence that is not there, and a picture."""
    conversation: dict[str, Any] = {"speaker_a": "Iris", "speaker_b": "Tom"}
    for n, lines in enumerate(LINES, 1):
        conversation[f"session_{n}_date_time"] = f"1:0{n} pm on {n} May, 2023"
        conversation[f"session_{n}"] = [
            {"speaker": who, "dia_id": f"D{n}:{m}", "text": text, "query": "never said"}
            for m, (who, text) in enumerate(lines, 1)
        ]
    conversation["session_1"][2]["blip_caption"] = "a green parrot"
    qa = [
        {"question": "What is Iris's parrot called?", "answer": "Biscuit", "category": 4, "evidence": ["D1:1"]},
        {"question": "What do a parrot and a telescope have?", "category": 1, "evidence": ["D1:01; D2:3", "D:1:2"]},
        {"question": "Who wrote this?", "category": 3, "evidence": ["D", "D9:9"]},
        {"question": "When does Tom start?", "answer": "Monday", "category": 2, "evidence": ["D2:1"]},
    ]
    other = {
        "session_1_date_time": "9:30 am on 12 June, 2023",
        "session_1": [{"speaker": "Mara", "dia_id": "D1:1", "text": "The bakery on Elm Street sells rye bread."}],
    }
    bread = {"question": "Which bread does the bakery sell?", "answer": "rye", "category": 5, "evidence": ["D1:1"]}
    return [
        {"sample_id": "own-1", "conversation": conversation, "qa": qa},
        {"sample_id": "own-2", "conversation": other, "qa": [bread]},
    ]


AUDIT = [
    {"question_id": "locomo_0_qa3", "question": "When does Tom start?", "correct_evidence": ["D2:3"]},
    {"question_id": "locomo_0_qa0", "question": "another question", "correct_evidence": ["D2:1"]},
]


def beam() -> dict[str, Any]:
    """One chat with an update, a contradiction and a question without an answer."""
    said = [
        ("user", "March-15-2024", "The greenhouse is heated to 18 degrees. ->-> 1,1"), ("assistant", None, "Noted: 18 degrees."),
        ("user", None, "I have never grown tomatoes in the greenhouse.->-> 1,N/A"), ("assistant", None, "Understood."),
        ("user", "April-02-2024", "The greenhouse is heated to 21 degrees now."), ("assistant", None, "Updated."),
        ("user", None, "The tomatoes I grew in the greenhouse are ripe."), ("assistant", None, "Enjoy them."),
    ]  # fmt: skip
    messages = [
        {"id": n, "role": role, "batch": 1 + n // 4, "date": date, "kind": "x", "text": text}
        for n, (role, date, text) in enumerate(said)
    ]
    update = {"original_info": [0], "updated_info": [4]}
    sides = {"first_statement": [2], "second_statement": [6]}
    questions = [
        {"category": "knowledge_update", "evidence": [0, 4], "source_chat_ids": update,
         "question": "To how many degrees is the greenhouse heated?"},
        {"category": "contradiction_resolution", "evidence": [2, 6], "source_chat_ids": sides,
         "question": "Have I grown tomatoes in the greenhouse?"},
        {"category": "abstention", "evidence": [], "question": "Who built the greenhouse?"},
    ]  # fmt: skip
    return {"split": "own", "chats": [{"id": "own-1", "topic": {}, "messages": messages, "questions": questions}]}


def longmemeval() -> list[dict[str, Any]]:
    """Two questions, each with its own haystack; the second has no answer, and a session stands in it twice."""
    key = [{"role": "user", "content": "My locker code is under the blue mat.", "has_answer": True},
           {"role": "assistant", "content": "I will remember it."}]  # fmt: skip
    rain = [{"role": "user", "content": "Will it rain in Bergen?"}, {"role": "assistant", "content": "Most likely."}]
    head = {"question_type": "single-session-user", "question_date": "2023/05/30 (Tue) 23:40", "answer": "x"}
    dates = ["2023/05/20 (Sat) 02:21", "2023/05/21 (Sun) 10:00"]
    return [
        {**head, "question_id": "q1", "question": "Where is my locker code?", "haystack_session_ids": ["s1", "s2"],
         "haystack_dates": dates, "haystack_sessions": [rain, key], "answer_session_ids": ["s2"]},
        {**head, "question_id": "q2_abs", "question": "Where is my bicycle?", "haystack_session_ids": ["s1", "s1"],
         "haystack_dates": dates, "haystack_sessions": [rain, rain], "answer_session_ids": ["s1"]},
    ]  # fmt: skip


MEMORIES = [
    {
        "7": {
            "time": "2023-05-20",
            "scene": "Hobby",
            "emotion": "Happy",
            "event": "Nils won the chess cup and felt proud.",
        }
    },
    {
        "9": {
            "time": "2023-06-01",
            "scene": "Food",
            "emotion": "Sad",
            "event": "Nils burnt the pancakes and felt silly.",
        }
    },
]
DIALOGUES = [
    {"dialogue": ["<BOD>\n", '<Nils>: "I play chess tonight."\n', '<Assistant>: "You won the cup!"\n', "<EOD>\n"],
     "test-turn": [2], "relevant-id": [7]},
    {"dialogue": ["<BOD>\n", '<Nils>: "Hello."\n', '<Assistant>: "Hello."\n'], "test-turn": [2], "relevant-id": [99]},
]  # fmt: skip


@pytest.fixture
def sample(tmp_path: Path) -> Callable[[str], Path]:
    """The path of a sample by the name of its form."""

    def lines(path: Path, rows: list[dict[str, Any]]) -> Path:
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
        return path

    def make(form: str) -> Path:
        if form == "madial":
            lines(tmp_path / "madial_en_dialogue.jsonl", DIALOGUES)
            return lines(tmp_path / "madial_en_memory.jsonl", MEMORIES)
        if form == "beam":
            path = tmp_path / "beam.json.gz"
            path.write_bytes(gzip.compress(json.dumps(beam()).encode()))
            return path
        path = tmp_path / f"{form}.json"
        path.write_text(
            json.dumps({"locomo": locomo(), "longmemeval": longmemeval(), "audit": AUDIT}[form]), encoding="utf-8"
        )
        return path

    return make
