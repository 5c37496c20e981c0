"""R37: giant records, many small ones, odd line ends, millions of empty lines: bounded memory, no record cut."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from tests.recipes.support import Says, claude_records, line, name_of, read_in, texts

from muniment.capture.transcripts.contract import Source

MEGABYTE = 1 << 20
_INDEX = """
import json, sys
from pathlib import Path
from muniment.engine import indexing
from muniment.engine.core import Engine, Settings
from muniment.model.scope import workspace_of
project, home, source = sys.argv[1:4]
with Engine(workspace_of(project), Settings(Path(home))) as engine:
    found, _ = indexing.sources([Path(source)], Path(home), {}, "linux")
    report = indexing.index(engine, found, named=True)
try:  # a child's ru_maxrss begins with what its parent had
    most = int(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0])
except OSError:
    import resource
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1024 if sys.platform == "darwin" else 1)
print(json.dumps({"read": report.read, "kept": report.kept, "skipped": dict(report.skipped), "mb": most / 1024}))
"""


def indexed_apart(engine, path):
    """Index a file in a process of its own: its report, with the most memory it had (MB)."""
    words = [sys.executable, "-c", _INDEX, engine.workspace.root, str(engine.settings.home), str(path)]
    done = subprocess.run(words, check=True, capture_output=True, timeout=1000)
    report = json.loads(done.stdout)
    assert report["read"] == report["kept"] + sum(report["skipped"].values())
    return report


def record(engine, n, text):
    made = next(iter(claude_records(name_of("claude-code"), engine.workspace.root, [Says(text)])))
    return made | {"uuid": f"{n:08x}-0000-4000-8000-000000000000"}


def file_of(tmp_path):
    path = tmp_path / "t" / f"{name_of('claude-code')}.jsonl"
    path.parent.mkdir(exist_ok=True)
    return path


def test_a_record_of_200_mb_is_counted_and_what_stands_around_it_is_kept(engine, tmp_path):
    path = file_of(tmp_path)
    with path.open("wb") as file:
        file.write(line(record(engine, 1, "before")))
        head, tail = json.dumps(record(engine, 2, "@")).split("@")
        file.write(head.encode())
        for _ in range(200):
            file.write(b"word " * (MEGABYTE // 5))
        file.write(tail.encode() + b"\n" + line(record(engine, 3, "after")))
    report = indexed_apart(engine, path)
    assert (report["kept"], report["skipped"]) == (2, {"oversize": 1})
    assert report["mb"] < 200 + Source(path).max_record_bytes / MEGABYTE
    assert texts(engine) == ["before", "after"]


def test_two_million_empty_lines_are_counted_in_little_memory(engine, tmp_path):
    path = file_of(tmp_path)
    with path.open("wb") as file:
        file.write(line(record(engine, 1, "before")))
        file.write(b"\n" * 2_000_000)
        file.write(line(record(engine, 2, "after")))
    report = indexed_apart(engine, path)
    assert (report["kept"], report["skipped"]) == (2, {"blank": 2_000_000})
    assert report["mb"] < 200
    assert texts(engine) == ["before", "after"]


def small_ones(engine, path, megabytes):
    """A file of small records; how many."""
    body = line(record(engine, 0, "a small record of a session that went on and on"))
    count = megabytes * MEGABYTE // len(body)
    with path.open("wb") as file:
        for n in range(count):
            file.write(body.replace(b'"00000000-', b'"%08x-' % n))
    return count


def test_memory_does_not_grow_with_a_file_of_small_records(engine, tmp_path):
    path = file_of(tmp_path)
    count = small_ones(engine, path, 6)
    report = indexed_apart(engine, path)
    assert report["kept"] == count
    assert report["mb"] < 300


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_memory_does_not_grow_with_a_file_of_300_mb_of_small_records(engine, tmp_path):
    path = file_of(tmp_path)
    count = small_ones(engine, path, 300)
    report = indexed_apart(engine, path)
    assert report["kept"] == count
    assert report["mb"] < 300


@pytest.mark.parametrize("sign", ["\u2028", "\u2029", "\u0085", "\x0b", "\x0c", "\x1c", "\x1e", "\r", "\ufeff", "\x7f"])
@pytest.mark.parametrize("escaped", [False, True])
def test_only_a_newline_ends_a_record(engine, tmp_path, sign, escaped):
    path = file_of(tmp_path)
    records = [record(engine, n, f"part one{sign}part two {n}") for n in range(3)]
    path.write_bytes(b"".join(json.dumps(r, ensure_ascii=escaped).encode() + b"\n" for r in records))
    report = read_in(engine, path)
    assert (report.read, report.kept) == (3, 3)
    assert texts(engine) == [f"part one{sign}part two {n}" for n in range(3)]


@pytest.mark.parametrize("size", [1, 4095, 4096, 4097, MEGABYTE - 1, MEGABYTE, MEGABYTE + 1, 5 * MEGABYTE])
def test_a_record_at_the_edge_of_a_chunk_is_whole(engine, tmp_path, size):
    path = file_of(tmp_path)
    path.write_bytes(line(record(engine, 1, "ab " * (size // 3))) + line(record(engine, 2, "after")))
    read_in(engine, path)
    assert texts(engine) == ["ab " * (size // 3), "after"]
