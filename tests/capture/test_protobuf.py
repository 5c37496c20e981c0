"""Protocol buffers by a table, and what Warp's say of commands and files."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from tests.capture.harnesses import facts, read

from muniment.capture.transcripts.protobuf import Field, decode, wire
from muniment.capture.transcripts.warp import Warp
from muniment.model.event import Action, Event

TABLE = {
    1: Field("name"),
    2: Field("count", "int"),
    3: Field("left", {1: Field("a"), 2: Field("b")}, arm=True),
    4: Field("right", {1: Field("a")}, arm=True),
    5: Field("tags", many=True),
    6: Field("args", "struct"),
}


def varint(value: int) -> bytes:
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def field(number: int, value: Any) -> bytes:
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def test_the_rules_of_the_wire_format_hold() -> None:
    data = field(1, "first") + field(1, "last") + field(2, -1) + field(5, "x") + field(5, "y") + field(99, "unknown")
    assert decode(data, TABLE) == {"name": "last", "count": -1, "tags": ["x", "y"]}
    merged = field(3, field(1, "a")) + field(3, field(2, "b"))
    assert decode(merged, TABLE) == {"left": {"a": "a", "b": "b"}}
    assert decode(merged + field(4, field(1, "c")), TABLE) == {"right": {"a": "c"}}
    entry = field(1, "k") + field(2, field(6, field(1, field(3, "v")) + field(1, field(4, 1))))
    assert decode(field(6, field(1, entry)), TABLE) == {"args": {"k": ["v", True]}}


@pytest.mark.parametrize("data", [b"\x0a\x05ab", b"\x0a", b"\xff" * 12, b"\x0b", b"\x00", b"\x1a\x01\x0a"])
def test_what_is_no_message_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r".+"):
        decode(data, TABLE)


def test_nothing_nests_for_ever() -> None:
    table: dict[int, Field] = {}
    table[1] = Field("in", table)
    data = b""
    for _ in range(200):
        data = field(1, data)
    assert wire(data)
    with pytest.raises(ValueError, match="deeply"):
        decode(data, table)


def message(name: str, number: int, held: bytes, second: int) -> bytes:
    return field(5, field(1, name) + field(14, field(1, 1_782_000_000 + second)) + field(number, held))


def test_warps_commands_and_files_give_facts(tmp_path: Path) -> None:
    diffs = (
        field(2, field(1, "src/a.py") + field(2, "old") + field(3, "new"))
        + field(3, field(1, "src/b.py") + field(2, "text\n"))
        + field(4, field(1, "src/c.py"))
    )
    task = field(1, "t") + b"".join(
        [
            message("m1", 2, field(1, "Run the tests."), 0),
            message("m2", 4, field(1, "c1") + field(2, field(1, "pytest -q")), 1),
            message("m3", 5, field(1, "c1") + field(2, field(5, field(1, "2 passed in 0.1s") + field(2, 0))), 2),
            message("m4", 4, field(1, "c2") + field(6, diffs), 3),
            message("m5", 5, field(1, "c2") + field(6, field(1, b"")), 4),
            message("m6", 4, field(1, "c3") + field(2, field(1, "false")), 5),
            message("m7", 5, field(1, "c3") + field(2, field(5, field(2, 1))), 6),
        ]
    )
    path = tmp_path / "warp.sqlite"
    with sqlite3.connect(path) as db:
        db.execute(
            "CREATE TABLE agent_tasks (id INTEGER PRIMARY KEY, conversation_id, task_id, task BLOB, last_modified_at)"
        )
        db.execute("INSERT INTO agent_tasks VALUES (1, 'c', 't', ?, 'x')", (task,))
    db.close()
    items = read(Warp(), path)
    found = [item for item in items if isinstance(item, Event)]
    assert [call.action for event in found for call in event.calls] == [
        *(Action.RUN, Action.EDIT, Action.WRITE, Action.DELETE, Action.RUN)
    ]
    assert [(r.call_id, r.ok, r.exit_code) for event in found for r in event.results] == [
        ("c1", True, 0),
        ("c2", True, None),
        ("c2.1", True, None),
        ("c2.2", True, None),
        ("c3", False, 1),
    ]
    drawn = [draft.predicate for draft in facts(items, "warp")]
    assert {"asked", "ran", "passed", "touched"} <= set(drawn)
    assert drawn.count("touched") == 3
