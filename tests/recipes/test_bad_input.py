"""Bad bytes and bad files: counted or refused by name, nothing lost, no traceback, `read = kept + skipped` always."""

from __future__ import annotations

import json
import os
import random
import threading
from pathlib import Path

import pytest
from tests.recipes.support import (
    HARNESSES,
    RECORDS,
    Reads,
    Replies,
    Runs,
    Says,
    balanced,
    claude,
    found_in,
    line,
    name_of,
    place,
    read_in,
    sane,
    texts,
    transcript,
    written,
)
from tests.surfaces.conftest import Terminal

from muniment.capture.transcripts.adapters import adapters
from muniment.capture.transcripts.contract import Checkpoint, Cursor, Source
from muniment.engine import indexing
from muniment.errors import NotFoundError
from muniment.model.event import Event, Kind, Origin, Role
from muniment.storage.sqlite.foreign import open_foreign

LINEWISE = HARNESSES[:3]


# --- bytes ------------------------------------------------------------------------------------------------------------

ODD_LINES = {
    "empty object": b"{}",
    "array": b"[1, 2]",
    "number": b"7",
    "string": b'"text"',
    "null": b"null",
    "not json": b"hello there",
    "torn": b'{"type":"user","message":{"content":"half',
    "invalid utf-8": b'{"type":"user","sessionId":"s","message":{"content":"\xff\xfe\xc3("}}',
    "utf-16": '{"type":"user"}'.encode("utf-16"),
    "lone surrogate as bytes": b'{"type":"user","message":{"content":"\xed\xa0\x80"}}',
    "lone surrogate escaped": b'{"type":"user","message":{"content":"\\ud800 and \\udfff"}}',
    "nul inside": b'{"type":"user","message":{"content":"a\\u0000b"}}',
    "raw nul inside": b'{"type":"user","message":{"content":"a\0b"}}',
    "raw control": b'{"type":"user","message":{"content":"a\x01\x1bb"}}',
    "deep": b'{"a":' * 3000 + b"1" + b"}" * 3000,
    "deep array": b"[" * 100_000,
    "deep content": b'{"type":"user","message":{"content":' + b"[" * 900 + b"]" * 900 + b"}}",
    "huge integer": b'{"type":"user","timestamp":' + b"9" * 5000 + b',"message":{"content":"x"}}',
    "huge float": b'{"type":"assistant","timestamp":1e999,"message":{"usage":{"input_tokens":1e400},"id":"m"}}',
    "nan": b'{"type":"user","timestamp":NaN,"message":{"content":"x"}}',
    "negative": b'{"type":"assistant","message":{"id":"m","usage":{"input_tokens":-5,"output_tokens":-9e9}}}',
    "many keys": json.dumps({"type": "user", **{f"k{n}": n for n in range(20_000)}}).encode(),
    "twice the same key": b'{"type":"user","type":"assistant","message":{"content":"x"}}',
    "unknown type": b'{"type":"from the future","message":{"content":"x"}}',
    "type is a list": b'{"type":["user"],"message":{"content":"x"}}',
    "no type": b'{"message":{"content":"x"}}',
    "long type": b'{"type":"' + b"t" * 10_000 + b'"}',
}


@pytest.mark.parametrize("harness", LINEWISE)
def test_every_odd_line_is_kept_or_counted_and_its_neighbours_are_read(harness, engine, tmp_path):
    made = list(RECORDS[harness](name_of(harness), engine.workspace.root, [Says("before"), Says("after")]))
    lines = [line(r)[:-1] for r in made]
    path = written(place(harness, tmp_path), [*lines[:-1], *ODD_LINES.values(), lines[-1]])
    report = read_in(engine, path)
    assert report.read == len(lines) + len(ODD_LINES)
    said = [t for t in texts(engine) if t in ("before", "after")]
    assert said == ["before", "after"]
    sane(engine)
    assert read_in(engine, path).read == 0


@pytest.mark.parametrize("harness", LINEWISE)
@pytest.mark.parametrize("kind", ODD_LINES)
def test_a_file_of_one_odd_line_is_no_accident(harness, kind, engine, tmp_path):
    path = written(place(harness, tmp_path), [ODD_LINES[kind]])
    adapter = next(a for a in adapters() if a.name == harness)
    report = indexing.index(engine, [(adapter, path)], named=True)
    balanced(report)
    assert report.read == 1
    sane(engine)


@pytest.mark.parametrize("seed", range(6))
def test_mutated_bytes_of_real_shapes_are_no_accident(make_engine, tmp_path, seed):
    rng = random.Random(seed)
    engine = make_engine()
    steps = [Says("a ünï"), Runs("make", "x"), Reads("/r/a", "1\n"), Replies("b")]
    for n in range(25):
        harness = rng.choice(LINEWISE)
        path = transcript(harness, tmp_path / str(n), engine.workspace.root, steps, n + 1)
        data = bytearray(path.read_bytes())
        for _ in range(rng.randint(1, 20)):
            at = rng.randrange(len(data))
            match rng.randrange(4):
                case 0:
                    data[at] = rng.randrange(256)
                case 1:
                    del data[at : at + rng.randint(1, 50)]
                case 2:
                    data[at:at] = rng.randbytes(rng.randint(1, 30))
                case 3:
                    data[at:at] = data[: rng.randint(1, 300)]
            data = data or bytearray(b"\n")
        path.write_bytes(data)
        adapter = next(a for a in adapters() if a.name == harness)
        balanced(indexing.index(engine, [(adapter, path)], named=True, adopt=True))
    sane(engine)


@pytest.mark.parametrize("harness", HARNESSES)
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        b"\n\n\n",
        b"\0",
        b" ",
        b"\xef\xbb\xbf",
        b"\xff\xfe",
        b"{",
        b"SQLite format 3\0",
        b"SQLite format 3\0" + b"\0" * 5000,
    ],
)
def test_a_file_of_next_to_nothing_is_no_accident(harness, content, engine, tmp_path):
    path = tmp_path / "opencode.db" if harness == "opencode" else place(harness, tmp_path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    adapter = next(a for a in adapters() if a.name == harness)
    for _ in range(2):
        balanced(indexing.index(engine, [(adapter, path)], named=True))
    assert texts(engine) in ([], ["\ufffd\ufffd"], ["{"], ["\ufffd"])


def test_a_damaged_opencode_database_is_counted_and_read_once_it_is_sound(engine, tmp_path):
    path = transcript("opencode", tmp_path / "t", engine.workspace.root, [Says(f"m{n}") for n in range(300)])
    whole = path.read_bytes()
    for damaged in (
        whole[: len(whole) // 2],
        whole[:4096] + b"\0" * 4096 + whole[8192:],
        whole[:100] + os.urandom(len(whole) - 100),
    ):
        path.write_bytes(damaged)
        report = read_in(engine, path)
        assert report.damaged["unreadable"] == 1
        assert any("opencode.db: unreadable" in note for note in report.notes)
    path.write_bytes(whole)
    assert read_in(engine, path).kept >= 300 - len(texts(engine))
    assert {t for t in texts(engine) if t} >= {f"m{n}" for n in range(300)}


# --- files and folders ------------------------------------------------------------------------------------------------


def test_folders_pipes_devices_and_dead_links_in_a_tree_are_passed_by(engine, tmp_path):
    tree = tmp_path / "tree"
    path = transcript("claude-code", tree / "a", engine.workspace.root, [Says("hello")])
    (tree / "folder.jsonl").mkdir()
    (tree / "dead.jsonl").symlink_to(tmp_path / "nowhere")
    (tree / "itself.jsonl").symlink_to(tree / "itself.jsonl")
    (tree / "loop").symlink_to(tree)
    (tree / "a" / "up").symlink_to(tree / "a")
    (tree / "zero.jsonl").symlink_to("/dev/zero")
    os.mkfifo(tree / "pipe.jsonl")
    (tree / os.fsdecode(b"\xff\xfe.jsonl")).write_bytes(path.read_bytes()[:50])
    (tree / ("n" * 250)).write_text("x")
    report = read_in(engine, tree)
    assert (report.kept, texts(engine)) == (1, ["hello"])
    assert {Path(u).name for u in report.unclaimed} >= {"dead.jsonl", "itself.jsonl", "pipe.jsonl", "zero.jsonl"}


@pytest.mark.parametrize("kind", ["pipe", "folder", "device", "dead link", "loop", "empty folder"])
def test_a_path_that_is_no_transcript_is_refused_or_left_unclaimed(kind, engine, tmp_path):
    path = tmp_path / "x.jsonl"
    match kind:
        case "pipe":
            os.mkfifo(path)
        case "folder" | "empty folder":
            path.mkdir()
        case "device":
            path = Path("/dev/null")
        case "dead link":
            path.symlink_to(tmp_path / "nowhere")
        case "loop":
            path.symlink_to(path)
    found, unclaimed = indexing.locate(adapters(), [path])
    assert found == []
    assert unclaimed == ([] if "folder" in kind else [str(path)])
    with pytest.raises(NotFoundError) as refused:
        indexing.sources([path], tmp_path, {}, "linux")
    assert str(path) in refused.value.message


@pytest.mark.parametrize("name", ["missing", "x" * 300, "a/" * 2100 + "b", "nul\0nul", os.fsdecode(b"\xff")])
def test_a_path_that_cannot_be_is_refused_by_name(name, tmp_path):
    with pytest.raises(NotFoundError):
        indexing.sources([tmp_path / name], tmp_path, {}, "linux")


@pytest.mark.parametrize("harness", HARNESSES)
def test_a_file_that_vanishes_or_becomes_something_else_before_it_is_read_is_counted(harness, engine, tmp_path):
    for n, put in enumerate((lambda p: None, lambda p: p.mkdir(), os.mkfifo)):
        path = transcript(harness, tmp_path / str(n), engine.workspace.root, [Says("x")])
        found, _ = indexing.locate(adapters(), [path])
        path.unlink()
        put(path)
        report = indexing.index(engine, found, named=True)
        balanced(report)
        assert (report.kept, report.damaged["unreadable"]) == (0, 1)
        assert any(path.name in note for note in report.notes)


def test_harness_folders_that_are_files_links_or_loops_are_passed_by(engine, tmp_path):
    home = tmp_path / "home"
    for name in (
        ".claude",
        ".codex/sessions",
        ".copilot/session-state/x/events.jsonl",
        ".local/share/opencode/storage/session",
    ):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
    (home / ".claude").write_text("a file")
    (home / ".codex/sessions").symlink_to(home / ".codex")
    (home / ".copilot/session-state/x/events.jsonl").mkdir()
    (home / ".local/share/opencode/opencode.db").mkdir()
    (home / ".codex/archived_sessions").symlink_to(home / ".codex/archived_sessions")
    report = found_in(engine, home)
    assert report.kept == 0


@pytest.mark.parametrize("change", ["shrinks", "is replaced", "is rewritten", "grows", "vanishes"])
def test_a_file_that_changes_while_it_is_read_ends_up_as_it_is_in_the_end(change, engine, tmp_path):
    """The change comes between two records that the reader hands over."""
    path = place("claude-code", tmp_path / "t")
    first = [
        r | {"uuid": f"{n:08x}-aaaa-4000-8000-000000000000"}
        for n, r in enumerate(claude(engine, *[Says(f"old {n} " + "x" * 900) for n in range(60)]))
    ]
    later = [
        r | {"uuid": f"{n:08x}-bbbb-4000-8000-000000000000"}
        for n, r in enumerate(claude(engine, *[Says(f"new {n}") for n in range(5)]))
    ]
    written(path, first)

    def act():
        match change:
            case "shrinks":
                os.truncate(path, len(line(first[0])) * 3)
            case "is replaced":
                written(path.with_suffix(".other"), later).replace(path)
            case "is rewritten":
                written(path, later)
            case "grows":
                with path.open("ab") as file:
                    file.writelines(line(r) for r in later)
            case "vanishes":
                path.unlink()

    inner = next(a for a in adapters() if a.name == "claude-code")

    class Disturbed:
        name = inner.name

        def read(self, source, cursor):
            source.batch_bytes = 8192
            for n, item in enumerate(inner.read(source, cursor)):
                yield item
                if n == 11:
                    act()

    balanced(indexing.index(engine, [(Disturbed(), path)], named=True))
    if change != "vanishes":
        read_in(engine, path)
        now = [json.loads(row)["message"]["content"] for row in path.read_bytes().splitlines()]
        assert set(now) <= set(texts(engine))
    sane(engine)


def test_a_file_that_is_written_all_the_time_is_read_whole_in_the_end(engine, tmp_path):
    path = place("codex", tmp_path / "t")
    made = [
        line(r) for r in RECORDS["codex"](name_of("codex"), engine.workspace.root, [Says(f"m{n}") for n in range(400)])
    ]
    path.parent.mkdir(parents=True)
    path.write_bytes(made[0])
    done = threading.Event()

    def write():
        with path.open("ab", buffering=0) as file:
            for row in made[1:]:
                file.write(row[:7])
                file.write(row[7:])
        done.set()

    writer = threading.Thread(target=write)
    writer.start()
    while not done.is_set():
        read_in(engine, path)
    writer.join()
    read_in(engine, path)
    assert [t for t in texts(engine) if t] == [f"m{n}" for n in range(400)]


def test_a_reader_that_fails_over_one_file_does_not_stop_the_others(engine, tmp_path):
    class Broken:
        name = "broken"

        def read(self, source, cursor):
            yield Event("s", 0, Role.USER, Origin.PERSON, Kind.PROMPT, "lost?", b"{}")
            raise KeyError("nobody foresaw this")

    path = transcript("claude-code", tmp_path / "t", engine.workspace.root, [Says("hello")])
    other = written(tmp_path / "x", [b"{}"])
    report = indexing.index(
        engine, [(Broken(), other), (next(a for a in adapters() if a.name == "claude-code"), path)], named=True
    )
    balanced(report)
    assert texts(engine) == ["hello"]
    assert report.damaged == {"unreadable": 1}
    assert "KeyError" in report.notes[0]
    assert str(other) not in engine.store().sources.all()


def test_a_reading_that_ends_without_a_checkpoint_stores_and_counts_nothing_of_it(engine, tmp_path):
    class Torn:
        name = "torn"

        def read(self, source, cursor):
            for n in range(3):
                yield Event("s", n, Role.USER, Origin.PERSON, Kind.PROMPT, f"m{n}", b"{}")
                if n == 1:
                    yield Checkpoint(Cursor(ordinal=2))

    report = indexing.index(engine, [(Torn(), written(tmp_path / "x", [b"{}"]))], named=True)
    balanced(report)
    assert (report.kept, texts(engine)) == (2, ["m0", "m1"])


# --- the whole -------------------------------------------------------------------------------------------------------


def test_the_command_line_ends_with_a_message_and_never_with_a_traceback(tmp_path):
    terminal = Terminal(tmp_path)
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "empty").mkdir()
    odd = written(
        tmp_path / "t" / f"{name_of('claude-code')}.jsonl",
        [b'{"sessionId":"x","isSidechain":false}', *ODD_LINES.values()],
    )
    state_ = terminal.state("PostgreSQL")
    runs = [
        ("index", str(tmp_path / "pipe.jsonl")),
        ("index", str(tmp_path / "loop")),
        ("index", str(tmp_path / "missing")),
        ("index", str(tmp_path / "empty")),
        ("index", str(tmp_path / "t")),
        ("index", os.fsdecode(b"\xff")),
        ("index", "x" * 300),
        ("query", 'p:noted "open'),
        ("query", os.fsdecode(b"\xff")),
        ("query", "since:never"),
        ("query", "", "--cursor", "x"),
        ("read", os.fsdecode(b"\xff") + ":1"),
        ("read", "nothing:0"),
        ("read", "zz"),
        ("history", "0000"),
        ("why", os.fsdecode(b"\xff")),
        ("correct", state_, "", "r"),
        ("correct", state_, "PostgreSQL", "r"),
        ("retract", "0000"),
        ("add", "fact", ""),
        ("add", "nonsense", "x"),
        ("timeline", "--at", "never"),
        ("timeline", "--at", "9999-12-31"),
        ("query", "a\nb\tc"),
        ("query", "", "--budget", "-5"),
    ]
    for words in runs:
        ran = terminal.run(*words)
        assert "Traceback" not in ran.err, (words, ran)
        assert ran.code in (0, 1, 2, 3, 5), (words, ran)
        assert ran.code == 0 or ran.err.strip(), (words, ran)
    assert terminal.run("index", str(odd), "--strict").code in (0, 1)


def test_a_foreign_database_is_never_written_and_never_made(tmp_path):
    with pytest.raises(OSError, match="No such file"):
        open_foreign(tmp_path / "missing.db").execute("SELECT 1")
    assert list(tmp_path.iterdir()) == []


def test_the_limits_of_a_source_are_those_that_the_books_say(engine, tmp_path):
    path = written(place("claude-code", tmp_path), claude(engine, Says("x" * 5000), Says("y")))
    adapter = next(a for a in adapters() if a.name == "claude-code")
    items = list(adapter.read(Source(path, max_record_bytes=1000), None))
    assert [type(i).__name__ for i in items] == ["Skipped", "SessionInfo", "Event", "Checkpoint"]
