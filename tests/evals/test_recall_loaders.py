"""Each data set is known by what stands in its file, and comes down to turns, questions and labels."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from muniment.errors import MunimentError, NotFoundError, UsageError
from muniment.evals.recall.data import Data, part_of
from muniment.evals.recall.dates import iso
from muniment.evals.recall.loaders import Label, load

Sample = Callable[[str], Path]


def loaded(path: Path, **more: object) -> Data:
    """A data set, not one's own labels."""
    found = load(path, **more)  # type: ignore[arg-type]
    assert isinstance(found, Data)
    return found


@pytest.mark.parametrize("form", ["locomo", "beam", "longmemeval", "madial"])
def test_the_form_is_seen_from_the_file(sample: Sample, form: str) -> None:
    assert loaded(sample(form)).form == form


def test_locomo_evidence_is_split_and_mended_and_what_does_not_exist_is_dropped(sample: Sample) -> None:
    first, second = loaded(sample("locomo")).chats
    assert [(q.category, sorted(q.gold)) for q in first.questions] == [
        ("single_hop", ["D1:1"]),
        ("multi_hop", ["D1:1", "D1:2", "D2:3"]),
        ("temporal", ["D2:1"]),
    ]
    assert second.questions[0].category == "adversarial"


def test_locomo_turns_have_their_picture_their_time_and_their_speaker(sample: Sample) -> None:
    turn = loaded(sample("locomo")).chats[0].turns[2]
    assert turn.given() == {
        "session": "session_1", "seq": 2, "at": "2023-05-01T13:01", "speaker": "Iris", "role": "user",
        "text": "She says good morning to the postman. [shares a green parrot]",
    }  # fmt: skip


def test_an_audit_corrects_the_evidence_of_the_question_that_it_names(sample: Sample) -> None:
    path = sample("locomo")
    first = loaded(path, audit=sample("audit")).chats[0]
    assert [sorted(q.gold) for q in first.questions] == [["D1:1"], ["D1:1", "D1:2", "D2:3"], ["D2:3"]]
    with pytest.raises(UsageError, match="belongs to LoCoMo"):
        load(sample("beam"), audit=sample("audit"))


def test_beam_carries_dates_forward_and_drops_marks(sample: Sample) -> None:
    (chat,) = loaded(sample("beam")).chats
    assert [t.at for t in chat.turns] == ["2024-03-15"] * 4 + ["2024-04-02"] * 4
    assert [(t.session, t.seq) for t in chat.turns[3:6]] == [("1", 3), ("2", 0), ("2", 1)]
    assert not any("->" in t.text for t in chat.turns)
    assert [q.category for q in chat.unanswerable] == ["abstention"]
    assert chat.questions[0].roles == {"original_info": {"0"}, "updated_info": {"4"}}


def test_longmemeval_has_a_haystack_for_each_question_and_questions_without_an_answer(sample: Sample) -> None:
    first, second = loaded(sample("longmemeval")).chats
    assert [(sorted(q.gold), sorted(q.sessions)) for q in first.questions] == [(["s2:0"], ["s2"])]
    assert (len(second.questions), len(second.unanswerable)) == (0, 1)
    assert [t.id for t in second.turns] == ["s1:0", "s1:1", "s1+1:0", "s1+1:1"]
    assert first.turns[0].at == "2023-05-20T02:21"


def test_madial_is_read_from_its_folder_or_its_memories(sample: Sample) -> None:
    path = sample("madial")
    by_file, by_folder = loaded(path).chats[0], loaded(path.parent, lang="en").chats[0]
    assert by_file == by_folder
    (question,) = by_file.questions
    assert (question.text, sorted(question.gold)) == ("I play chess tonight.", ["7"])
    with pytest.raises(NotFoundError, match="madial_zh_memory"):
        load(path.parent, lang="zh")


def test_ones_own_labels_are_lines(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text(
        '{"question": "Where?", "relevant": ["s:1", "s:2"], "category": "place"}\n\n{"question": "Who?", "relevant": "s:3"}\n'
    )
    assert load(path) == [Label("Where?", ("s:1", "s:2"), "place"), Label("Who?", ("s:3",), "own")]


@pytest.mark.parametrize(
    "content",
    ["", "{}", "[]", "nonsense", "[1]", '{"question": "x", "relevant": []}', '{"relevant": ["s:1"]}', '[{"qa": 1}]',
     '{"chats": 3}', '[{"haystack_sessions": 1}]', '{"question": 1, "relevant": ["a"]}', '{"a": {"event": "x"}}'],
)  # fmt: skip
def test_what_has_no_known_form_is_refused_by_name(tmp_path: Path, content: str) -> None:
    path = tmp_path / "odd.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(MunimentError) as caught:
        load(path)
    assert caught.value.hint


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    (tmp_path / "torn.json.gz").write_bytes(b"\x1f\x8b nothing")
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe\x00")
    for name in ("torn.json.gz", "bytes.json"):
        with pytest.raises(UsageError, match=r"cannot be read|is not what its format says"):
            load(tmp_path / name)
    with pytest.raises(NotFoundError):
        load(tmp_path / "nothing.json")


def test_parts_and_limits_take_the_first_questions(sample: Sample) -> None:
    path = sample("locomo")
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) * 2), encoding="utf-8")
    data = loaded(path)
    assert [len(part_of(data, part, None).chats) for part in ("all", "dev", "test")] == [4, 3, 1]
    limited = part_of(data, "all", 4)
    assert [len(c.questions) for c in limited.chats] == [3, 1]


@pytest.mark.parametrize(
    ("written", "read"),
    [("1:56 pm on 8 May, 2023", "2023-05-08T13:56"), ("12:05 am on 1 January, 2024", "2024-01-01T00:05"),
     ("March-15-2024", "2024-03-15"), ("2023/05/20 (Sat) 02:21", "2023-05-20T02:21"), ("2023-12-25", "2023-12-25"),
     ("someday", None), ("", None), (None, None), ("Foo-15-2024", None)],
)  # fmt: skip
def test_dates_are_read_as_data_sets_write_them(written: str | None, read: str | None) -> None:
    assert iso(written) == read
