"""Files are compared with the hash a fact carries; large ones are hashed once for all processes."""

from __future__ import annotations

import errno
import hashlib
import os
import time
from pathlib import Path

import pytest

from muniment.engine.truth import CACHED_FROM, UNREADABLE, Freshness
from muniment.storage.sqlite.hash_cache import HashCache

OLD = 1_700_000_000_000_000_000


def written(path: Path, content: bytes, mtime_ns: int = OLD) -> str:
    path.write_bytes(content)
    os.utime(path, ns=(mtime_ns, mtime_ns))
    return hashlib.sha256(content).hexdigest()


def test_a_large_file_is_hashed_by_one_process_for_the_next(tmp_path: Path) -> None:
    expected = written(tmp_path / "big.bin", b"x" * CACHED_FROM)
    assert Freshness(str(tmp_path), HashCache(tmp_path / "cache.db")).sha256("big.bin") == expected
    cache = HashCache(tmp_path / "cache.db")
    at = os.stat(tmp_path / "big.bin")
    assert cache.get(str(tmp_path / "big.bin"), at) == expected
    written(tmp_path / "big.bin", b"y" * CACHED_FROM, OLD + 1)
    assert cache.get(str(tmp_path / "big.bin"), os.stat(tmp_path / "big.bin")) is None


def test_a_broken_cache_only_costs_time(tmp_path: Path) -> None:
    (tmp_path / "cache.db").write_bytes(b"not a database at all, by any means" * 50)
    expected = written(tmp_path / "big.bin", b"x" * CACHED_FROM)
    assert Freshness(str(tmp_path), HashCache(tmp_path / "cache.db")).sha256("big.bin") == expected


def test_a_file_changed_within_one_tick_of_the_clock_is_seen(tmp_path: Path) -> None:
    freshness = Freshness(str(tmp_path), HashCache(tmp_path / "cache.db"))
    now = time.time_ns()
    first = written(tmp_path / "a.txt", b"one", now)
    assert freshness.sha256("a.txt") == first
    second = written(tmp_path / "a.txt", b"two", now)
    assert freshness.sha256("a.txt") == second != first


def test_a_missing_file_and_a_folder_have_no_hash(tmp_path: Path) -> None:
    freshness = Freshness(str(tmp_path), HashCache(tmp_path / "cache.db"))
    assert freshness.sha256("missing.txt") is None
    assert freshness.sha256(".") is None


def test_a_file_that_is_there_and_cannot_be_read_is_not_called_stale(tmp_path: Path) -> None:
    (tmp_path / "locked.txt").write_text("x")
    freshness = Freshness(str(tmp_path), HashCache(tmp_path / "cache.db"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("builtins.open", _refused)
        assert freshness.sha256("locked.txt") == UNREADABLE


def _refused(*_: object, **__: object) -> None:
    raise PermissionError(errno.EACCES, "not for you")
