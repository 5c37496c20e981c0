"""Addresses: every short way of writing one, and the way back from what is stored."""

from __future__ import annotations

import pytest

from muniment.model import address
from muniment.model.address import Address

COMMIT = "3f2a91c04d11aa0099887766554433221100ffee"


@pytest.mark.parametrize(
    ("written", "kind", "place", "anchor"),
    [
        ("src/x.py", "file", "src/x.py", ""),
        ("file:src/x.py", "file", "src/x.py", ""),
        (f"src/x.py@{COMMIT}", "file", "src/x.py", f"git:{COMMIT}"),
        ("src/x.py@" + "a" * 64, "file", "src/x.py", "sha256:" + "a" * 64),
        ("src/x.py#L3-L9", "lines", "src/x.py#L3-L9", ""),
        ("src/x.py#L3-9", "lines", "src/x.py#L3-L9", ""),
        ("src/x.py#L3-L3@3f2a91c", "lines", "src/x.py#L3", "git:3f2a91c"),
        ("CLAUDE.md:12@3f2a91c", "lines", "CLAUDE.md#L12", "git:3f2a91c"),
        ("src/x.py::Client.retry", "symbol", "src/x.py#Client.retry", ""),
        ("symbol:src/x.py#f", "symbol", "src/x.py#f", ""),
        ("data/app.db#users", "table", "data/app.db#users", ""),
        ("postgresql://db.example.org/app#public.users", "table", "postgresql://db.example.org/app#public.users", ""),
        ("https://example.org/a?b=1#L3", "url", "https://example.org/a?b=1#L3", ""),
        ("ticket:tickets.json#ABC-1@state:open", "ticket", "tickets.json#ABC-1", "state:open"),
        ("command:lint@exit:0", "command", "lint", "exit:0"),
        ("icon@2x.png", "file", "icon@2x.png", ""),
        ("node_modules/@scope/x.js", "file", "node_modules/@scope/x.js", ""),
        ("receipt:cli-1:0@3-9", "receipt", "cli-1:0@3-9", ""),
    ],
)
def test_an_address_is_read_in_every_way_of_writing_it(written, kind, place, anchor):
    found = address.parse(written)
    assert found == Address(kind, place, anchor)
    assert address.parse(found.text) == found
    assert address.of(found.kind, found.ref) == found


def test_another_anchor_is_another_address():
    one, other = address.parse("a.py@3f2a91c"), address.parse("a.py@3f2a91d")
    assert one.id != other.id
    assert one.id == address.parse("file:a.py@git:3f2a91c").id
