"""R68: a last line cut at each byte, a middle one cut, NULs, two records on a line, a byte-order mark."""

from __future__ import annotations

import os

import pytest
from tests.recipes.support import HARNESSES, Replies, Says, balanced, place, read_in, texts, transcript, written
from tests.surfaces.conftest import Terminal

from muniment.engine import indexing

LINEWISE = HARNESSES[:3]
RECORDS = 12


@pytest.fixture(params=LINEWISE)
def session(request, engine, tmp_path):
    """A whole session: its harness, its path and its lines."""
    steps = [Says(f"item {n}") if n % 2 else Replies(f"answer {n}") for n in range(RECORDS)]
    path = transcript(request.param, tmp_path / "t", engine.workspace.root, steps)
    return request.param, path, path.read_bytes().splitlines(keepends=True)


def put(path, data):
    """Write bytes as a harness at work does: just now, so that an open line is still being written."""
    path.write_bytes(data)


def aged(path, engine):
    """Make a file look as if nobody had written to it for a quarter of an hour."""
    from muniment.model.time import to_ms

    at = (to_ms(engine.now()) - indexing.QUIET_MS) / 1000 - 300
    os.utime(path, (at, at))


def test_a_last_line_cut_at_any_byte_waits_and_is_read_once_it_is_whole(session, make_engine, tmp_path):
    _, path, lines = session
    whole = b"".join(lines)
    last = len(lines[-1])
    for cut in range(1, last + 1, max(1, last // 25)):
        engine = make_engine(home=tmp_path / f"home{cut}")
        put(path, whole[:-cut])
        first = read_in(engine, path)
        seen = len(lines) - (cut == last)
        assert first.read == seen
        assert first.skipped["unfinished"] == (cut < last)
        put(path, whole)
        second = read_in(engine, path)
        assert second.kept == 1
        assert [t for t in texts(engine) if t][-1].endswith(str(RECORDS - 1))
        assert engine.store().sources.all()[str(path)].read == len(lines)
        assert read_in(engine, path).read == 0


def test_a_last_line_of_a_file_that_nobody_writes_any_more_is_taken(session, engine):
    _, path, lines = session
    put(path, b"".join(lines)[:-1])
    aged(path, engine)
    report = read_in(engine, path)
    assert report.skipped["unfinished"] == 0
    assert [t for t in texts(engine) if t][-1].endswith(str(RECORDS - 1))
    with path.open("ab") as file:
        file.write(b"\n" + lines[-2])
    assert read_in(engine, path).read == 1


def test_a_torn_last_line_of_such_a_file_is_kept_raw_and_read_again_if_it_goes_on(session, engine):
    _, path, lines = session
    put(path, b"".join(lines)[:-9])
    aged(path, engine)
    report = read_in(engine, path)
    assert report.damaged == {"malformed": 1}
    put(path, b"".join(lines))
    again = read_in(engine, path)
    assert any("goes on" in note for note in again.notes)
    assert [t for t in texts(engine) if t][-1].endswith(str(RECORDS - 1)) or any(
        t.endswith(f" {RECORDS - 1}") for t in texts(engine)
    )


@pytest.mark.parametrize("keep", [0.1, 0.5, 0.9])
def test_a_line_cut_in_the_middle_of_a_file_is_kept_raw_and_the_others_are_read(session, engine, keep):
    _, path, lines = session
    torn = lines[5][: int(len(lines[5]) * keep)] + b"\n"
    put(path, b"".join([*lines[:5], torn, *lines[6:]]))
    report = read_in(engine, path)
    assert (report.read, report.damaged["malformed"]) == (len(lines), 1)
    assert torn.strip().decode() in texts(engine)


def test_a_run_of_nuls_is_counted_with_its_place(session, engine):
    _, path, lines = session
    put(path, b"".join([*lines[:5], b"\0" * 5000 + b"\n", *lines[5:]]))
    report = read_in(engine, path)
    assert (report.read, report.skipped["nul"]) == (len(lines) + 1, 1)
    assert (sum(map(len, lines[:5])), "nul") in [s[1:3] for s in engine.store().sources.skips()]


@pytest.mark.parametrize("between", [b"", b" ", b"\0\0", b"\t"])
def test_two_records_on_one_line_are_two_records(session, engine, between):
    _, path, lines = session
    put(path, b"".join([*lines[:5], lines[5].strip() + between, *lines[6:]]))
    report = read_in(engine, path)
    assert report.read == len(lines) + (between == b"\0\0")
    assert len([t for t in texts(engine) if t.startswith(("item", "answer"))]) == RECORDS


def test_a_byte_order_mark_is_no_part_of_the_first_record(session, engine):
    _, path, lines = session
    put(path, b"\xef\xbb\xbf" + b"".join(lines))
    report = read_in(engine, path)
    assert (report.read, report.damaged.total()) == (len(lines), 0)


@pytest.mark.parametrize("end", [b"\r\n", b" \n", b"\n\n", b"\r\r\n"])
def test_other_line_ends_change_nothing(session, engine, end):
    _, path, lines = session
    put(path, b"".join(line.rstrip(b"\n") + end for line in lines))
    report = read_in(engine, path)
    assert report.read - report.skipped["blank"] == len(lines)
    assert report.damaged.total() == 0


def test_what_was_skipped_is_remembered_with_its_offset(engine, tmp_path):
    path = place("claude-code", tmp_path / "t")
    written(path, [b"\0\0\0", b'{"sessionId":"x","isSidechain":false,"type":"mode"}', b"\0\0"])
    read_in(engine, path)
    uri = str(path)
    assert [s[:3] for s in engine.store().sources.skips() if s[2] == "nul"] == [(uri, 0, "nul"), (uri, 56, "nul")]


def test_the_exit_code_tells_where_it_is_asked(tmp_path):
    terminal = Terminal(tmp_path)
    path = transcript("claude-code", tmp_path / "t", terminal.project, [Says("a"), Says("b")])
    assert terminal.run("index", "--strict", str(path)).code == 0
    with path.open("ab") as file:
        file.write(b'{"torn": \n')
    ran = terminal.run("index", "--strict", str(path))
    assert ran.code == 1
    assert "1 malformed" in ran.err


def test_a_discovered_session_that_was_cut_is_the_same(engine, tmp_path):
    transcript("claude-code", tmp_path / ".claude/projects/x", engine.workspace.root, [Says("a"), Says("b")])
    found, _ = indexing.sources(None, tmp_path, {}, "linux")
    balanced(indexing.index(engine, found, named=False))
    assert texts(engine) == ["a", "b"]
