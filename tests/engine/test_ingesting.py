"""Conversations that no harness wrote: every turn is kept or counted, under names that do not depend on arrival."""

from __future__ import annotations

import io
import itertools
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from muniment.engine import receipts, upkeep
from muniment.engine.core import Caller, Engine
from muniment.engine.ingesting import IngestReport, ingest
from muniment.engine.transfer import export_jsonl, load_jsonl
from muniment.errors import NotFoundError, NothingChangedError, RefusedError, UsageError
from muniment.model.event import Origin

OWNER = Caller(Origin.PERSON)
TALK = [
    {"session": "c1", "seq": 0, "at": "2026-03-01T10:00:00Z", "speaker": "Ana", "text": "Where did we go last May?"},
    {"session": "c1", "seq": 1, "at": "2026-03-01T10:01:00Z", "role": "assistant", "text": "To the lake."},
    {"session": "c1", "seq": 2, "at": "2026-03-01T10:02:00Z", "speaker": "Ben", "role": "user", "text": "It rained."},
    {"session": "c2", "seq": 0, "at": "2026-03-02T09:00:00Z", "speaker": "Ana", "text": "I bought a red kayak."},
]


def take(engine: Engine, turns: Any, trust: str = "conversation", caller: Caller = OWNER) -> IngestReport:
    """The ingest of a caller who may vouch if it is a person."""
    return ingest(engine, caller, turns, trust, may_vouch=caller.origin == Origin.PERSON)


def turn(engine: Engine, receipt: str) -> receipts.Turn:
    """The turn at a receipt, as `read` shows it."""
    return next(t for t in receipts.read(engine, receipt, 1).turns if t.is_subject)


def lines(turns: Iterable[Any]) -> bytes:
    """A file of turns."""
    return b"".join(json.dumps(t).encode() + b"\n" for t in turns)


def digest(engine: Engine) -> str:
    """What stores that hold the same have in common."""
    found = upkeep.verify(engine)
    assert found.ok, found.problems
    assert found.digest
    return found.digest


def test_every_turn_can_be_opened_with_its_speaker_role_and_origin(engine: Engine) -> None:
    report = take(engine, TALK)
    assert (report.read, report.kept, report.new_events, sum(report.skipped.values())) == (4, 4, 4, 0)
    assert report.sessions == {"c1": "conversation.c1", "c2": "conversation.c2"}
    for given in TALK:
        found = turn(engine, f"{report.sessions[given['session']]}:{given['seq']}")
        is_model = given.get("role") == "assistant"
        assert (found.text, found.speaker, found.at) == (
            given["text"],
            given.get("speaker"),
            given["at"][:19] + ".000Z",
        )
        expected = ("assistant", "model", "reply") if is_model else ("user", "person", "prompt")
        assert (found.role, found.origin, found.kind) == expected
    assert receipts.read(engine, "conversation.c1:2").verified


def test_who_vouched_is_recorded(engine: Engine) -> None:
    take(engine, TALK)
    take(engine, TALK, trust="import")
    rows = {(vouched, harness) for vouched, harness in engine.store().db.rows("SELECT vouched, harness FROM events")}
    assert rows == {("conversation", "conversation"), (None, "conversation")}


def test_what_nobody_vouches_for_is_an_import_whatever_role_it_has(engine: Engine) -> None:
    take(engine, TALK, trust="import")
    assert {turn(engine, f"import.c1:{seq}").origin for seq in range(3)} == {"import"}


def test_the_same_chat_under_both_trusts_keeps_both_worths(engine: Engine) -> None:
    take(engine, TALK, trust="import")
    take(engine, TALK)
    assert turn(engine, "import.c1:0").origin == "import"
    assert turn(engine, "conversation.c1:0").origin == "person"


@pytest.mark.parametrize("origin", [Origin.AGENT, Origin.IMPORT, Origin.WEB])
def test_only_who_speaks_for_the_owner_may_vouch(engine: Engine, origin: Origin) -> None:
    with pytest.raises(RefusedError, match=f"origin {origin}"):
        take(engine, TALK, caller=Caller(origin))
    assert not engine.path.exists()
    take(engine, TALK, trust="import", caller=Caller(origin))
    assert turn(engine, "import.c1:0").origin == "import"


def test_a_second_ingest_says_that_nothing_was_new(engine: Engine) -> None:
    take(engine, TALK)
    before = digest(engine)
    with pytest.raises(NothingChangedError, match="4 turns read, 4 of them known"):
        take(engine, TALK)
    assert digest(engine) == before


def test_turns_in_any_order_make_the_same_store(make_engine: Callable[..., Engine]) -> None:
    seen = set()
    for n, order in enumerate(itertools.permutations(TALK)):
        engine = make_engine(f"order-{n}")
        take(engine, order)
        seen.add(digest(engine))
        engine.close()
    assert len(seen) == 1


def test_turns_one_by_one_make_the_same_store_as_all_at_once(make_engine: Callable[..., Engine]) -> None:
    whole, pieces = make_engine("whole"), make_engine("pieces")
    take(whole, TALK)
    for each in reversed(TALK):
        take(pieces, [each])
    assert digest(whole) == digest(pieces)
    assert upkeep.verify(pieces, rebuild=True).ok


def test_a_file_objects_and_mappings_are_the_same_turns(make_engine: Callable[..., Engine], tmp_path: Path) -> None:
    @dataclass
    class Said:
        session: str
        text: str
        seq: int
        at: datetime
        speaker: str | None = None
        role: str | None = None

    path = tmp_path / "talk.jsonl"
    path.write_bytes(lines(TALK))
    objects = [Said(**{**t, "at": datetime.fromisoformat(t["at"])}) for t in TALK]
    stores = [make_engine(name) for name in ("file", "stream", "dicts", "objects")]
    for store, turns in zip(stores, (path, io.BytesIO(lines(TALK)), iter(TALK), objects), strict=True):
        take(store, turns)
    assert len({digest(store) for store in stores}) == 1


def test_an_export_carries_the_speaker_and_a_load_makes_the_same_store(
    make_engine: Callable[..., Engine], tmp_path: Path
) -> None:
    old, new = make_engine("old"), make_engine("new")
    take(old, TALK)
    export_jsonl(old, tmp_path / "all.jsonl")
    load_jsonl(new, tmp_path / "all.jsonl")
    assert digest(old) == digest(new)
    assert turn(new, "conversation.c1:2").speaker == "Ben"


def test_a_speaker_is_part_of_what_was_said_and_no_speaker_changes_nothing(make_engine: Callable[..., Engine]) -> None:
    digests = set()
    for n, speaker in enumerate(("Ana", "Ben")):
        engine = make_engine(f"by-{n}")
        take(engine, [{"session": "s", "seq": 0, "role": "user", "speaker": speaker, "text": "Yes."}])
        digests.add(digest(engine))
    assert len(digests) == 2


def test_without_seq_the_order_given_counts_in_each_session(engine: Engine) -> None:
    turns = [{"session": s, "speaker": "Ana", "text": f"{s} {n}"} for n in range(3) for s in ("a", "b")]
    take(engine, turns)
    assert [turn(engine, f"conversation.{s}:{n}").text for s in "ab" for n in range(3)] == [
        f"{s} {n}" for s in "ab" for n in range(3)
    ]
    assert turn(engine, "conversation.a:0").at is None
    with pytest.raises(NothingChangedError):
        take(engine, turns)


def test_a_later_piece_without_seq_is_never_taken_for_what_stands_there(engine: Engine) -> None:
    take(engine, [{"session": "a", "speaker": "Ana", "text": "first"}])
    with pytest.raises(NothingChangedError, match="other turn there 1") as caught:
        take(engine, [{"session": "a", "speaker": "Ana", "text": "a later one"}])
    assert "give each turn its seq" in caught.value.hint
    assert turn(engine, "conversation.a:0").text == "first"


def test_other_words_under_a_seq_are_a_revision_and_both_are_kept(make_engine: Callable[..., Engine]) -> None:
    old = {"session": "a", "seq": 1, "speaker": "Ana", "text": "It is on Monday."}
    new = {**old, "text": "It is on Tuesday.", "updated_at": "2026-03-04"}
    stores = []
    for n, order in enumerate(([old, new], [new, old])):
        stores.append(make_engine(f"edits-{n}"))
        report = take(stores[-1], order)
        assert (report.kept, report.revised) == (2, 1)
        assert "both are kept" in report.notes[0]
        assert turn(stores[-1], "conversation.a:1").text == new["text"]
    assert digest(stores[0]) == digest(stores[1])


def test_two_sessions_of_one_name_in_other_spelling_stay_apart(engine: Engine) -> None:
    names = ["a b", "a%20b", "a/b", "a\tb", "a.b", "A b", "a\u00a0b", "日本/語"]
    report = take(engine, [{"session": s, "seq": 0, "speaker": "Ana", "text": f"in {s!r}"} for s in names])
    assert len(set(report.sessions.values())) == len(names)
    for given, stored in report.sessions.items():
        assert "/" not in stored
        assert stored.split() == [stored]
        assert turn(engine, f"{stored}:0").text == f"in {given!r}"


def test_a_time_without_a_zone_is_the_readers(make_engine: Callable[..., Engine]) -> None:
    engine = make_engine(zone=ZoneInfo("America/New_York"))
    written = [
        "2026-03-01 10:00",
        "2026-03-01T10:00:00+02:00",
        1772359200,
        1772359200000,
        datetime(2026, 3, 1, 10, tzinfo=UTC),
    ]
    take(engine, [{"session": "a", "seq": n, "at": at, "speaker": "A", "text": "x"} for n, at in enumerate(written)])
    hours = [turn(engine, f"conversation.a:{n}").at[11:16] for n in range(len(written))]  # type: ignore[index]
    assert hours == ["15:00", "08:00", "10:00", "10:00", "10:00"]


BAD: list[tuple[Any, str]] = [
    ({"session": "a", "speaker": "A"}, "no text"),
    ({"session": "a", "speaker": "A", "text": None}, "no text"),
    ({"session": "a", "speaker": "A", "text": 7}, "no text"),
    ({"session": "a", "speaker": "A", "text": ["x"]}, "no text"),
    ({"session": "a", "speaker": "A", "text": " \n"}, "blank"),
    ({"speaker": "A", "text": "x"}, "no session"),
    ({"session": "", "speaker": "A", "text": "x"}, "no session"),
    ({"session": True, "speaker": "A", "text": "x"}, "no session"),
    ({"session": "a" * 301, "speaker": "A", "text": "x"}, "no session"),
    ({"session": "a", "text": "x"}, "no speaker"),
    ({"session": "a", "speaker": 3, "text": "x"}, "bad speaker"),
    ({"session": "a", "role": "wizard", "text": "x"}, "unknown role"),
    ({"session": "a", "role": ["user"], "text": "x"}, "unknown role"),
    ({"session": "a", "speaker": "A", "seq": -1, "text": "x"}, "bad seq"),
    ({"session": "a", "speaker": "A", "seq": "1", "text": "x"}, "bad seq"),
    ({"session": "a", "speaker": "A", "seq": True, "text": "x"}, "bad seq"),
    ({"session": "a", "speaker": "A", "seq": 1.5, "text": "x"}, "bad seq"),
    ({"session": "a", "speaker": "A", "at": "someday", "text": "x"}, "bad time"),
    ({"session": "a", "speaker": "A", "at": [2026], "text": "x"}, "bad time"),
    ({"session": "a", "speaker": "A", "at": "2026-02-30", "text": "x"}, "bad time"),
    ({"session": "a", "speaker": "A", "at": float("nan"), "text": "x"}, "bad time"),
    ({"session": "a", "speaker": "A", "at": 10**30, "text": "x"}, "bad time"),
]
BAD_LINES = [
    (b"{", "malformed"),
    (b"[1]", "malformed"),
    (b"\x00\x00", "malformed"),
    (b"[" * 100_000, "malformed"),
    (b"\xff\xfe", "malformed"),
]


@pytest.mark.parametrize(("bad", "reason"), BAD)
def test_a_bad_turn_is_counted_by_name_and_the_others_are_kept(engine: Engine, bad: Any, reason: str) -> None:
    good = {"session": "good", "speaker": "A", "text": "kept"}
    report = take(engine, [good, bad, {**good, "text": "kept too"}])
    assert (report.read, report.kept, dict(report.skipped)) == (3, 2, {reason: 1})
    assert report.notes[0].startswith(f"turn 2: {reason}")


@pytest.mark.parametrize(("bad", "reason"), BAD_LINES)
def test_a_bad_line_is_counted_with_its_number(engine: Engine, tmp_path: Path, bad: bytes, reason: str) -> None:
    path = tmp_path / "talk.jsonl"
    path.write_bytes(lines(TALK[:1]) + b"\n" + bad + b"\n" + lines(TALK[1:]))
    report = take(engine, path)
    assert (report.read, report.kept, dict(report.skipped)) == (5, 4, {reason: 1})
    assert report.notes[0].startswith(f"line 3: {reason}")


@pytest.mark.parametrize("value", [None, 1, "x", [1], object()])
def test_what_is_no_turn_at_all_is_counted(engine: Engine, value: Any) -> None:
    report = take(engine, [value, TALK[0]])
    assert (report.read, report.kept) == (2, 1)


def test_a_bad_turn_keeps_its_place_so_that_it_can_be_put_right(engine: Engine) -> None:
    turns: list[dict[str, Any]] = [{"session": "a", "speaker": "A", "text": t} for t in ("one", "", "three")]
    take(engine, turns)
    turns[1]["text"] = "two"
    report = take(engine, turns)
    assert (report.new_events, report.known_events) == (1, 2)
    assert [turn(engine, f"conversation.a:{n}").text for n in range(3)] == ["one", "two", "three"]


def test_some_turns_with_seq_and_some_without_are_not_mixed(engine: Engine) -> None:
    turns = [{"session": "a", "seq": 1, "speaker": "A", "text": "x"}, {"session": "a", "speaker": "A", "text": "y"}]
    report = take(engine, turns)
    assert dict(report.skipped) == {"bad seq": 1}
    assert "with seq and turns without" in report.notes[0]


def test_odd_text_is_kept_as_far_as_it_can_be(engine: Engine) -> None:
    texts = ["a\x00b", "half \ud83d a character", "x" * 300_000, "\u202eodd", "𝒳 日本語"]
    take(engine, [{"session": "a", "seq": n, "speaker": "A\ud800", "text": t} for n, t in enumerate(texts)])
    found = [receipts.read(engine, f"conversation.a:{n}", cap=400_000).text for n in range(len(texts))]
    assert found == [t.replace("\ud83d", "\ufffd") for t in texts]
    assert digest(engine)


def test_a_secret_is_masked_in_text_speaker_and_record(engine: Engine, tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    take(engine, [{"session": "a", "seq": 0, "speaker": secret, "text": f"my token is {secret}", "note": secret}])
    export = tmp_path / "all.jsonl"
    export_jsonl(engine, export)
    assert secret.encode() not in export.read_bytes()
    assert secret not in str(turn(engine, "conversation.a:0"))


def test_a_session_named_like_a_secret_is_refused_by_name(engine: Engine) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    report = take(engine, [TALK[0], {"session": secret, "speaker": "A", "text": "x"}])
    assert dict(report.skipped) == {"secret session": 1}
    assert secret not in str(report)


def test_a_speaker_named_like_a_role_has_that_role(engine: Engine) -> None:
    take(
        engine,
        [{"session": "a", "seq": n, "speaker": s, "text": "x"} for n, s in enumerate(("assistant", "system", "user"))],
    )
    found = [turn(engine, f"conversation.a:{n}") for n in range(3)]
    assert [(t.origin, t.speaker) for t in found] == [("model", None), ("harness", None), ("person", None)]


def test_what_a_system_prompt_says_is_nobodys_word(engine: Engine) -> None:
    take(engine, [{"session": "a", "seq": 0, "role": "system", "text": "Where is the user?"}])
    assert not engine.store().db.rows("SELECT 1 FROM facts")


@pytest.mark.parametrize("role", ["user", "assistant", "tool"])
def test_what_we_put_before_a_model_comes_back_as_nobodys_words(engine: Engine, role: str) -> None:
    frame = "<muniment rows=1>\nuses.database\tproject\tMySQL\t3\n</muniment>"
    texts = [frame, f"{frame}\nWhere is it kept?"]
    take(engine, [{"session": "a", "seq": n, "role": role, "text": text} for n, text in enumerate(texts)])
    assert (turn(engine, "conversation.a:0").origin, turn(engine, "conversation.a:1").role) == ("harness", role)
    assert turn(engine, "conversation.a:1").text == "Where is it kept?"


def test_no_turns_no_file_and_no_trust_are_told_apart(engine: Engine, tmp_path: Path) -> None:
    with pytest.raises(NothingChangedError, match="no turns"):
        take(engine, [])
    with pytest.raises(NotFoundError, match="no such file"):
        take(engine, tmp_path / "nothing.jsonl")
    with pytest.raises(UsageError, match="is a folder"):
        take(engine, tmp_path)
    with pytest.raises(UsageError, match="unknown trust"):
        take(engine, TALK, trust="friend")
    for wrong in ("text", b"bytes", {"session": "a"}, 7):
        with pytest.raises(UsageError, match="turns are a list"):
            take(engine, wrong)
    assert not engine.path.exists()


def test_many_turns_go_in_batches_and_are_all_there(engine: Engine) -> None:
    turns = ({"session": f"s{n % 7}", "seq": n, "speaker": "A", "text": f"turn {n}"} for n in range(2_500))
    report = take(engine, turns)
    assert (report.read, report.kept, report.new_events) == (2_500, 2_500, 2_500)
    assert turn(engine, "conversation.s6:2498").text == "turn 2498"


def test_a_mark_of_ours_that_nothing_closes_is_somebodys_who_writes_about_it(engine: Engine) -> None:
    text = "where <muniment> is it and the rest"
    take(engine, [{"session": "s", "at": "2026-03-01T10:00:00Z", "speaker": "Ana", "text": text}])
    assert turn(engine, "conversation.s:0").text == text
