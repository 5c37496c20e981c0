"""LoCoMo: chats of two people over months, with the turns that each question needs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from muniment.evals.recall.data import Chat, Question, Turn
from muniment.evals.recall.dates import iso

CATEGORIES = {1: "multi_hop", 2: "temporal", 3: "open_domain", 4: "single_hop", 5: "adversarial"}
_SESSION = re.compile(r"session_(\d+)")
_EVIDENCE = re.compile(r"D:?(\d+):0*(\d+)")


def chats(samples: Sequence[Mapping[str, Any]], audit: Sequence[Mapping[str, Any]] = ()) -> Iterator[Chat]:
    """Each sample as a chat. An audit's corrected evidence takes the place of what it corrects, where the question is
    the same; questions that name no turn that exists are left out."""
    fixes = {fix["question_id"]: fix for fix in audit if fix.get("correct_evidence")}
    for number, sample in enumerate(samples):
        turns = list(_turns(sample["conversation"]))
        known = {turn.id for turn in turns}
        found = (_question(qa, fixes.get(f"locomo_{number}_qa{n}"), known) for n, qa in enumerate(sample["qa"]))
        yield Chat(str(sample.get("sample_id", number)), turns, [q for q in found if q.gold])


def _turns(conversation: Mapping[str, Any]) -> Iterator[Turn]:
    sessions = [(int(m[1]), key) for key in conversation if (m := _SESSION.fullmatch(key))]
    for _, key in sorted(sessions):
        at = iso(conversation.get(f"{key}_date_time"))
        for seq, turn in enumerate(conversation[key]):
            shared = f" [shares {turn['blip_caption'].strip()}]" if turn.get("blip_caption") else ""
            yield Turn(turn["dia_id"], key, seq, turn["text"].strip() + shared, at, turn["speaker"], "user")


def _question(qa: Mapping[str, Any], fix: Mapping[str, Any] | None, known: set[str]) -> Question:
    text = str(qa["question"])
    is_fixed = fix is not None and str(fix["question"]).strip() == text.strip()
    evidence = fix["correct_evidence"] if fix is not None and is_fixed else qa["evidence"]
    return Question(text, CATEGORIES.get(qa["category"], str(qa["category"])), frozenset(_ids(evidence)) & known)


def _ids(evidence: Sequence[Any]) -> Iterator[str]:
    """Some ids are glued together, and some have a colon or a zero too many."""
    for piece in re.split(r"[;,\s]+", " ".join(map(str, evidence))):
        if match := _EVIDENCE.fullmatch(piece):
            yield f"D{match[1]}:{match[2]}"
