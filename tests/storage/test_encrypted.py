"""What the plain build of the driver says of encrypted stores, and of keys that it can do nothing with."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from muniment import Memory
from muniment.errors import EncryptedStoreError
from muniment.storage.sqlite import encryption


def test_a_file_that_was_encrypted_is_told_from_a_damaged_one(tmp_path: Path) -> None:
    with Memory.open(tmp_path, tmp_path / "home", vouch="person") as memory:
        memory.add("fact", "x")
    path = next((tmp_path / "home").rglob("memory.db"))
    plain = path.read_bytes()
    path.write_bytes(os.urandom(16) + plain[16:24] + os.urandom(len(plain) - 24))
    before = path.read_bytes()
    with (
        Memory.open(tmp_path, tmp_path / "home") as memory,
        pytest.raises(EncryptedStoreError, match="there is no key"),
    ):
        memory.query("")
    assert path.read_bytes() == before
    assert not encryption.is_encrypted(plain[:100])
    assert not encryption.is_encrypted(b"")


def test_the_nearest_home_lends_its_key(tmp_path: Path) -> None:
    encryption.lend(str(tmp_path), lambda: "outer key")
    encryption.lend(str(tmp_path / "home"), lambda: "inner key")
    assert encryption.key_of(str(tmp_path / "home" / "workspaces" / "x" / "memory.db")) == "inner key"
    assert encryption.key_of(str(tmp_path / "x.db")) == "outer key"
    encryption.lend(str(tmp_path), lambda: None)
    encryption.lend(str(tmp_path / "home"), lambda: None)
    assert encryption.key_of(str(tmp_path / "home" / "workspaces" / "x" / "memory.db")) is None
