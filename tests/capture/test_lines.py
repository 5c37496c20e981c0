"""Line-wise files: whatever they look like, read = kept + skipped, and nothing half-written becomes an event."""

from __future__ import annotations

import json
import os
import time
import tracemalloc
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.capture.transcripts import lines
from muniment.capture.transcripts.contract import Checkpoint, Cursor, Item, Reset, Source
from muniment.capture.transcripts.lines import LineAdapter, Parsed
from muniment.model.event import Event, Kind, Origin, Role, SessionInfo, Skipped


class Plain(LineAdapter):
    """One key, `text`; a record with `raise` stands for a shape that the adapter does not know."""

    name = "plain"
    session: str | None = "s"

    def start(self, path: Path, head: bytes) -> dict[str, Any]:
        return {"seen": 0} | ({"session": self.session} if self.session else {})

    def parse(self, record: dict[str, Any], raw: bytes, ordinal: int, state: dict[str, Any]) -> Iterable[Parsed]:
        state["seen"] += 1
        if "raise" in record:
            record["raise"].no_such_thing()
        if "noise" in record:
            return (Skipped("noise:x", 0),)
        if "silent" in record:
            return ()
        text = str(record.get("text"))
        event = Event("s", ordinal, Role.USER, Origin.PERSON, Kind.PROMPT, text, raw)
        return (SessionInfo("s", "plain"), event) if ordinal == 0 else (event,)


def read(path: Path, cursor: Cursor | None = None, **kinds: Any) -> list[Item]:
    return list(Plain().read(Source(path, **kinds), cursor))


def events(items: list[Item]) -> list[Event]:
    return [item for item in items if isinstance(item, Event)]


def skipped(items: list[Item]) -> list[Skipped]:
    return [item for item in items if isinstance(item, Skipped)]


def end(items: list[Item]) -> Cursor:
    assert isinstance(items[-1], Checkpoint)
    return items[-1].cursor


def texts(items: list[Item]) -> list[str]:
    return [event.text for event in events(items)]


def balance(items: list[Item], before: int = 0) -> None:
    """read = kept + skipped, and every event's place is its own."""
    unfinished = sum(item.reason == "unfinished" for item in skipped(items))
    seen = end(items).ordinal - before + unfinished
    assert seen == len(events(items)) + sum(item.count for item in skipped(items))
    places = [event.seq for event in events(items)]
    assert places == sorted(set(places))


def line(text: str) -> bytes:
    return json.dumps({"text": text}).encode() + b"\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "s.jsonl"


def test_a_file_gives_its_records_in_order_and_one_cursor(file: Path) -> None:
    file.write_bytes(b"".join(line(str(n)) for n in range(100)))
    items = read(file)
    assert texts(items) == [str(n) for n in range(100)]
    assert [event.seq for event in events(items)] == list(range(100))
    assert events(items)[7].raw == line("7").rstrip()
    assert end(items).offset == file.stat().st_size
    assert next(item for item in items if isinstance(item, SessionInfo)).source_uri == file.as_uri()
    balance(items)


def test_nothing_new_is_one_stat_and_the_same_cursor(file: Path) -> None:
    file.write_bytes(line("a"))
    cursor = end(read(file))
    assert read(file, cursor) == [Checkpoint(cursor)]


def test_a_cursor_survives_json(file: Path) -> None:
    file.write_bytes(line("a") + line("b"))
    cursor = end(read(file))
    again = Cursor(**json.loads(json.dumps(cursor._asdict())))
    assert again == cursor
    with file.open("ab") as handle:
        handle.write(line("c"))
    assert texts(read(file, again)) == ["c"]


def test_a_cursor_of_an_older_adapter_gets_what_it_lacks(file: Path) -> None:
    file.write_bytes(line("a"))
    cursor = end(read(file))._replace(state={"other": 1})
    with file.open("ab") as handle:
        handle.write(line("b"))
    items = read(file, cursor)
    assert texts(items) == ["b"]
    assert end(items).state == {"seen": 1, "session": "s", "other": 1}


def test_the_last_record_cut_at_each_byte_is_left_until_its_newline_comes(file: Path) -> None:
    whole = [line(str(n)) for n in range(99)]
    last = line("the last – é")
    for cut in range(len(last)):
        file.write_bytes(b"".join(whole) + last[:cut])
        items = read(file)
        assert len(events(items)) == 99
        assert [item.reason for item in skipped(items)] == (["unfinished"] if cut else [])
        assert end(items).offset == sum(map(len, whole))
        balance(items)
        cursor = end(items)
        with file.open("ab") as handle:
            handle.write(last[cut:])
        more = read(file, cursor)
        assert texts(more) == ["the last – é"]
        assert events(more)[0].seq == 99
        balance(more, cursor.ordinal)
        file.unlink()


def test_a_finished_file_needs_no_last_newline_and_may_get_one_later(file: Path) -> None:
    file.write_bytes(line("a") + line("b").rstrip())
    cursor = end(read(file))
    items = read(file, cursor, finished=True)
    assert texts(items) == ["b"]
    with file.open("ab") as handle:
        handle.write(b"\n" + line("c"))
    more = read(file, end(items))
    assert texts(more) == ["c"]
    assert events(more)[0].seq == 2


def test_a_record_cut_in_the_middle_is_kept_as_it_is(file: Path) -> None:
    torn = b'{"text":"half a wor\n'
    file.write_bytes(line("a") + torn + line("b"))
    items = read(file)
    broken = events(items)[1]
    assert (broken.kind, broken.role, broken.flags) == (Kind.UNKNOWN, Role.HARNESS, ("malformed",))
    assert broken.raw == torn.rstrip()
    assert broken.text == '{"text":"half a wor'
    assert (broken.seq, texts(items)[-1]) == (1, "b")
    balance(items)


def test_what_follows_a_torn_record_on_its_line_is_found(file: Path) -> None:
    file.write_bytes(b'{"text":"half a wor' + line("whole") + line("b"))
    items = read(file)
    assert [event.flags for event in events(items)] == [("malformed",), (), ()]
    assert [event.raw for event in events(items)[:2]] == [b'{"text":"half a wor', line("whole").rstrip()]
    assert [event.seq for event in events(items)] == [0, 1, 2]
    balance(items)


def test_an_inner_object_of_a_torn_record_is_no_record(file: Path) -> None:
    for torn in (b'{"a":{"text":"x"}', b'{"a":[1, {"text":"x"}', b'{"a":[{"text":"x"},{"text":"y"}'):
        file.write_bytes(torn + b"\n")
        assert [event.flags for event in events(read(file))] == [("malformed",)]


def test_a_record_between_torn_ones_is_not_trusted(file: Path) -> None:
    file.write_bytes(b'{"a":"x{"text":"y"}z\n')
    assert [event.flags for event in events(read(file))] == [("malformed",)]


def test_without_a_session_a_torn_record_is_skipped_with_its_text_and_place(file: Path) -> None:
    file.write_bytes(line("a") + b"{no\n")
    adapter = Plain()
    adapter.session = None
    items = list(adapter.read(Source(file), None))
    assert skipped(items) == [Skipped("malformed", len(line("a")), "{no")]
    balance(items)


def test_nul_runs_are_counted_and_do_not_hide_a_record(file: Path) -> None:
    file.write_bytes(line("a") + b"\0" * 500 + b"\n" + b"\0" * 9 + line("b"))
    items = read(file)
    assert texts(items) == ["a", "b"]
    assert skipped(items) == [Skipped("nul", len(line("a")), "500")]
    assert events(items)[1].raw == b"\0" * 9 + line("b").rstrip()
    balance(items)


def test_two_records_on_one_line_are_two(file: Path) -> None:
    file.write_bytes(line("a").rstrip() + b" " + line("b") + line("c"))
    items = read(file)
    assert [(event.seq, event.text) for event in events(items)] == [(0, "a"), (1, "b"), (2, "c")]
    assert [event.raw for event in events(items)[:2]] == [line("a").rstrip(), line("b").rstrip()]
    balance(items)


def test_a_byte_order_mark_and_windows_line_ends_are_no_part_of_a_record(file: Path) -> None:
    file.write_bytes(b"\xef\xbb\xbf" + line("a").replace(b"\n", b"\r\n") + line("b").replace(b"\n", b"\r\n"))
    items = read(file)
    assert texts(items) == ["a", "b"]
    balance(items)


def test_only_a_newline_ends_a_line(file: Path) -> None:
    text = "one\u2028two\u0085three\x0bfour"
    file.write_bytes(json.dumps({"text": text}, ensure_ascii=False).encode() + b"\n")
    assert texts(read(file)) == [text]


def test_lone_surrogates_survive(file: Path) -> None:
    file.write_bytes(b'{"text":"\\ud800 x"}\n')
    assert texts(read(file)) == ["\ud800 x"]


@pytest.mark.parametrize(
    "bad",
    [
        b"[1, 2]",
        b"12",
        b'"text"',
        b"nonsense",
        b'{"text": "\xff"}',
        b"[" * 100_000,
        b'{"text":1}x',
        b'{"n":' + b"9" * 5000 + b"}",
    ],
    ids=["list", "number", "string", "words", "not utf-8", "deep", "trailing", "long number"],
)
def test_what_is_no_object_is_kept_as_malformed(file: Path, bad: bytes) -> None:
    file.write_bytes(line("a") + bad + b"\n" + line("b"))
    items = read(file)
    assert any(event.flags == ("malformed",) for event in events(items))
    assert texts(items)[-1] == "b"
    balance(items)


def test_an_adapter_that_trips_over_a_shape_loses_nothing(file: Path) -> None:
    file.write_bytes(b'{"raise":1}\n{"noise":1}\n{"silent":1}\n' + line("b"))
    items = read(file)
    assert [event.flags for event in events(items)] == [("drift",), ()]
    assert events(items)[0].raw == b'{"raise":1}'
    assert skipped(items) == [Skipped("noise:x", 12), Skipped("noise:unclaimed", 24)]
    balance(items)


def test_blank_lines_are_counted_by_the_run(file: Path) -> None:
    file.write_bytes(b"\n\n" + line("a") + b"  \n\r\n\n" + line("b"))
    items = read(file)
    assert [event.seq for event in events(items)] == [2, 6]
    assert skipped(items) == [Skipped("blank", 0, count=2), Skipped("blank", 2 + len(line("a")), count=3)]
    balance(items)


def test_two_million_blank_lines_are_quick(file: Path) -> None:
    file.write_bytes(b"\n" * 2_000_000 + line("a"))
    begin = time.perf_counter()
    items = read(file)
    assert time.perf_counter() - begin < 5
    assert events(items)[0].seq == 2_000_000
    assert len(items) < 20
    balance(items)


def test_a_record_that_is_too_long_is_skipped_without_being_held(file: Path) -> None:
    with file.open("wb") as handle:
        handle.write(line("a") + b'{"text":"')
        for _ in range(48):
            handle.write(b"x" * (1 << 20))
        handle.write(b'"}\n' + line("b"))
    tracemalloc.start()
    items = read(file, max_record_bytes=1 << 20)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 12 << 20
    assert texts(items) == ["a", "b"]
    assert [(item.reason, item.offset) for item in skipped(items)] == [("oversize", len(line("a")))]
    assert events(items)[1].seq == 2
    balance(items)
    assert read(file, end(items), max_record_bytes=1 << 20) == items[-1:]
    with file.open("ab") as handle:
        handle.write(line("c"))
    assert texts(read(file, end(items), max_record_bytes=1 << 20)) == ["c"]


def test_a_record_longer_than_a_chunk_is_one_record(file: Path) -> None:
    text = "y" * (3 * lines.CHUNK + 17)
    file.write_bytes(line("a") + line(text) + line("b"))
    assert texts(read(file)) == ["a", text, "b"]


@pytest.mark.parametrize("cap", [5, 30, 4000, 9000])
def test_short_caps_keep_the_count_and_the_place(file: Path, cap: int) -> None:
    file.write_bytes(b"".join(line("z" * n) for n in (1, 20, 3000, 5000, 20_000, 1)))
    for batch in (1, 7, 1000, 1 << 20):
        items = read(file, max_record_bytes=cap, batch_bytes=batch)
        balance(items)
        assert end(items).ordinal == 6
        assert read(file, end(items)) == items[-1:]
        with file.open("r+b") as handle:
            handle.seek(0, os.SEEK_END)
            handle.write(line("more"))
            handle.seek(0)
        assert texts(read(file, end(items))) == ["more"]
        os.truncate(file, end(items).offset)


def test_an_append_costs_what_it_adds(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_bytes(b"".join(line("w" * 1000) for _ in range(5000)))
    cursor = end(read(file))
    with file.open("ab") as handle:
        handle.write(line("new"))
    taken: list[int] = []

    class Counting(lines.FileIO):
        def read(self, size: int = -1, /) -> bytes:
            data = super().read(size)
            taken.append(len(data or b""))
            return data or b""

    monkeypatch.setattr(lines, "FileIO", Counting)
    assert texts(read(file, cursor)) == ["new"]
    assert sum(taken) < 8 * lines.EDGE


@pytest.mark.parametrize("change", ["shorter", "replaced", "rewritten", "head", "tail"])
def test_a_file_that_is_not_the_one_we_read_is_read_again(file: Path, change: str) -> None:
    old = b"".join(line(f"old {n}") for n in range(2000))
    file.write_bytes(old)
    cursor = end(read(file))
    if change == "shorter":
        os.truncate(file, len(old) - len(line("old 1999")))
    elif change == "replaced":
        other = file.with_name("other")
        other.write_bytes(old + line("new"))
        other.replace(file)
    else:
        new = {
            "rewritten": b"".join(line(f"new {n}") for n in range(2100)),
            "head": old.replace(b"old 0", b"OLD 0") + line("new"),
            "tail": old.replace(b"old 1999", b"OLD 1999") + line("new"),
        }[change]
        with file.open("r+b") as handle:
            handle.write(new)
    items = read(file, cursor)
    assert isinstance(items[0], Reset)
    words = {"shorter": "shorter", "replaced": "another file"}.get(change, "rewritten")
    assert words in items[0].reason
    assert events(items)[0].seq == 0
    assert len(events(items)) == len(file.read_bytes().splitlines())
    balance(items)


def test_a_half_line_that_is_taken_back_is_no_reset(file: Path) -> None:
    file.write_bytes(line("a") + b'{"text":"ha')
    cursor = end(read(file))
    os.truncate(file, cursor.offset)
    with file.open("ab") as handle:
        handle.write(line("b"))
    assert texts(read(file, cursor)) == ["b"]


def test_an_append_is_no_reset_and_a_touch_is_nothing(file: Path) -> None:
    file.write_bytes(line("a"))
    cursor = end(read(file))
    os.utime(file, (1, 1))
    touched = read(file, cursor)
    assert [type(item) for item in touched] == [Checkpoint]
    with file.open("ab") as handle:
        handle.write(line("b"))
    assert texts(read(file, end(touched))) == ["b"]


def test_checkpoints_come_by_the_batch_and_each_can_be_resumed(file: Path) -> None:
    file.write_bytes(b"".join(line(f"{n} " + "v" * 50) for n in range(300)))
    items = read(file, batch_bytes=1000)
    marks = [index for index, item in enumerate(items) if isinstance(item, Checkpoint)]
    assert len(marks) > 10
    for mark in marks[:-1]:
        checkpoint = items[mark]
        assert isinstance(checkpoint, Checkpoint)
        rest = read(file, checkpoint.cursor)
        assert texts(items[:mark]) + texts(rest) == texts(items)
        assert end(rest)._replace(mtime_ns=0) == end(items)._replace(mtime_ns=0)


@pytest.mark.parametrize("change", ["truncated", "rewritten"])
def test_a_file_that_changes_under_the_reader_is_begun_again_without_an_error(file: Path, change: str) -> None:
    file.write_bytes(b"".join(line(f"old {n}") for n in range(1000)))
    reading = Plain().read(Source(file, batch_bytes=500), None)
    items = [next(reading) for _ in range(300)]
    with file.open("r+b") as handle:
        if change == "truncated":
            handle.truncate(0)
        handle.write(b"".join(line(f"new {n}") for n in range(20 if change == "truncated" else 1000)))
    items += list(reading)
    last = max(index for index, item in enumerate(items) if isinstance(item, Reset))
    after = items[last:]
    assert texts(after)[:2] == ["new 0", "new 1"]
    assert end(after).ordinal == len(texts(after))


def test_a_file_that_grows_under_the_reader_is_read_to_its_end_once(file: Path) -> None:
    file.write_bytes(line("a"))
    reading = Plain().read(Source(file), None)
    items = [next(reading)]
    with file.open("ab") as handle:
        handle.write(line("b"))
    items += list(reading)
    more = read(file, end(items))
    assert texts(items) + texts(more) in (["a", "b"], ["a"])
    assert sorted(texts(items) + texts(more)) == ["a", "b"] or texts(read(file, end(more))) == ["b"]


def test_what_cannot_be_opened_is_said_and_moves_no_cursor(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "absent", tmp_path, tmp_path / "pipe"):
        (item,) = read(path)
        assert isinstance(item, Skipped)
        assert (item.reason, item.count) == ("unreadable", 0)
        assert item.detail


def test_an_empty_file_is_nothing_and_its_first_line_is_found_later(file: Path) -> None:
    file.write_bytes(b"")
    items = read(file)
    assert [type(item) for item in items] == [Checkpoint]
    file.write_bytes(line("a"))
    assert texts(read(file, end(items))) == ["a"]
    assert texts(read(file, Cursor())) == ["a"]


RECORD = st.builds(lambda text: json.dumps({"text": text}).encode(), st.text(max_size=8))
PIECE = st.one_of(
    RECORD,
    RECORD,
    st.sampled_from(
        [
            b"",
            b" ",
            b"\r",
            b"\0\0",
            b"{",
            b'{"text":"x',
            b"[]",
            b'{"noise":1}',
            b'{"raise":1}',
            b"\xff",
            b"\xef\xbb\xbf",
            b"nul\0",
        ]
    ),
    st.binary(max_size=6),
)
FILE = st.lists(st.one_of(PIECE, st.just(b"\n"), st.just(b"\n")), max_size=40).map(b"".join)


@given(
    data=FILE, cut=st.integers(0, 200), batch=st.sampled_from([1, 3, 64, 4096]), cap=st.sampled_from([6, 40, 1 << 20])
)
def test_any_bytes_in_any_two_reads_give_the_same_events(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, cut: int, batch: int, cap: int
) -> None:
    file = tmp_path_factory.mktemp("any") / "s.jsonl"
    file.write_bytes(data)
    whole = read(file, max_record_bytes=cap)
    balance(whole)
    file.write_bytes(data[:cut])
    first = read(file, max_record_bytes=cap, batch_bytes=batch)
    balance(first)
    with file.open("ab") as handle:
        handle.write(data[cut:])
    second = read(file, end(first), max_record_bytes=cap, batch_bytes=batch)
    assert events(first) + events(second) == events(whole)
    assert end(second).ordinal == end(whole).ordinal
    assert end(second).state == end(whole).state
    count = lambda items: sum(s.count for s in skipped(items) if s.reason != "unfinished")  # noqa: E731
    assert count(first) + count(second) == count(whole)
