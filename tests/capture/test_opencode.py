from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from muniment.capture.transcripts.contract import Checkpoint, Cursor, Item, Reset, Source
from muniment.capture.transcripts.opencode import Kilo, OpenCode
from muniment.model.event import Action, Event, Kind, Origin, Role, SessionInfo, Skipped, Span

HERE = Path(__file__).parent
SAMPLES = HERE / "samples" / "opencode"
ROWS: dict[str, list[dict[str, Any]]] = json.loads((SAMPLES / "rows-1.18.33.json").read_text())
SESSION = ROWS["session"][0]["id"]
NOW = 1_796_060_000_000

TABLES = """
CREATE TABLE session (id text PRIMARY KEY, parent_id text, directory text NOT NULL, title text NOT NULL,
    version text NOT NULL, agent text, time_created integer NOT NULL, time_updated integer NOT NULL);
CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL,
    time_updated integer NOT NULL, data text NOT NULL);
CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL,
    time_created integer NOT NULL, time_updated integer NOT NULL, data text);
CREATE INDEX part_session_idx ON part (session_id);
"""


class Lent:
    """What the engine lends: read-only, and it counts what it is asked."""

    def __init__(self, path: Path) -> None:
        self._connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        self.asked: list[str] = []

    def execute(self, sql: str, params: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
        self.asked.append(sql)
        return iter(self._connection.execute(sql, params))

    def close(self) -> None:
        self._connection.close()


class Store:
    """An OpenCode database that a test writes, and an adapter that reads it again and again."""

    def __init__(self, path: Path, adapter: OpenCode | None = None) -> None:
        self.path, self.adapter = path, adapter or OpenCode()
        self.writer = apsw.Connection(str(path))
        self.writer.execute("PRAGMA journal_mode = WAL")
        self.writer.execute(TABLES)
        self.cursor: Cursor | None = None
        self.opened = 0

    def put(self, table: str, **row: Any) -> None:
        names = ", ".join(row)
        marks = ", ".join("?" * len(row))
        self.writer.execute(f"INSERT OR REPLACE INTO {table} ({names}) VALUES ({marks})", tuple(row.values()))

    def fill(self, rows: dict[str, list[dict[str, Any]]]) -> None:
        for table, content in rows.items():
            for row in content:
                self.put(table, **row)

    def session(self, name: str = "ses_a", parent: str | None = None) -> None:
        self.put(
            "session",
            id=name,
            parent_id=parent,
            directory="/home/dev/demo",
            title="t",
            version="1",
            agent="build",
            time_created=NOW,
            time_updated=NOW,
        )

    def message(self, name: str = "msg_a", session: str = "ses_a", **data: Any) -> None:
        text = json.dumps({"role": "assistant", **data})
        self.put("message", id=name, session_id=session, time_created=NOW, time_updated=NOW, data=text)

    def part(self, name: str, data: Any, message: str = "msg_a", session: str = "ses_a", at: int = NOW) -> None:
        text = data if isinstance(data, str | bytes) or data is None else json.dumps(data)
        self.put("part", id=name, message_id=message, session_id=session, time_created=at, time_updated=at, data=text)

    def source(self, **more: Any) -> Source:
        return Source(self.path, self.open, **more)

    def open(self, path: Path) -> Lent:
        self.opened += 1
        return Lent(path)

    def read(self, **more: Any) -> list[Item]:
        found = list(self.adapter.read(self.source(**more), self.cursor))
        for item in found:
            if isinstance(item, Checkpoint):
                self.cursor = Cursor(*json.loads(json.dumps(item.cursor)))
        return found

    def events(self, **more: Any) -> list[Event]:
        return [i for i in self.read(**more) if isinstance(i, Event)]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = Store(tmp_path / "opencode.db")
    yield made
    made.writer.close()


def tool(status: str = "completed", name: str = "bash", **state: Any) -> dict[str, Any]:
    return {"type": "tool", "tool": name, "callID": "call_1", "state": {"status": status, **state}}


def shown(item: Item) -> dict[str, Any] | None:
    if isinstance(item, Checkpoint):
        return None
    if isinstance(item, SessionInfo):
        return {
            "info": item.id,
            "cwd": item.cwd,
            "version": item.harness_version,
            "parent": item.parent,
            "agent": item.agent,
        }
    if isinstance(item, Skipped):
        return {"skipped": item.reason, "offset": item.offset}
    assert isinstance(item, Event)
    text = item.text
    calls = [
        [
            c.call_id,
            c.tool,
            c.action,
            {k: text[v.start : v.end] if isinstance(v, Span) else v for k, v in c.args.items()},
        ]
        for c in item.calls
    ]
    results = [
        [r.call_id, text[r.span.start : r.span.end], r.ok, r.exit_code, r.duration_ms, r.sha256] for r in item.results
    ]
    who = f"{item.role} {item.origin} {item.kind}"
    row = {"seq": item.seq, "who": who, "text": text, "at": item.at, "updated": item.updated_at, "id": item.native_id}
    more = {"calls": calls, "results": results, "model": item.model, "flags": list(item.flags)}
    tokens = [item.tokens_in, item.tokens_out] if item.tokens_in is not None else None
    return {**row, **{k: v for k, v in {**more, "tokens": tokens}.items() if v}}


def golden(name: str, items: list[Item]) -> None:
    path = HERE / "golden" / name
    text = json.dumps([row for row in map(shown, items) if row], indent=1, ensure_ascii=False) + "\n"
    if os.environ.get("GOLDEN") == "write":
        path.write_text(text)
    assert text == path.read_text()


def counted(items: list[Item]) -> int:
    return sum(1 if isinstance(i, Event) else i.count for i in items if isinstance(i, Event | Skipped))


def test_a_real_session_reads_as_recorded(store: Store) -> None:
    store.fill(ROWS)
    found = store.read()
    golden("opencode-1.18.33.json", found)
    assert counted(found) == len(ROWS["part"])
    assert store.cursor is not None
    assert store.cursor.ordinal == len(ROWS["part"])


def test_kilo_is_the_same_store_under_another_name(tmp_path: Path) -> None:
    store = Store(tmp_path / "kilo.db", Kilo())
    store.fill(json.loads((SAMPLES / "kilo-rows-7.7.9.json").read_text()))
    golden("kilo-7.7.9.json", store.read())
    store.writer.close()


def test_the_export_has_the_ids_and_words_of_the_database(store: Store) -> None:
    store.fill(ROWS)
    rows = {e.native_id: e for e in store.events()}
    found = list(OpenCode().read(Source(SAMPLES / "export-1.18.33.json"), None))
    events = [i for i in found if isinstance(i, Event)]
    assert events
    for event in events:
        row = rows[event.native_id]
        assert (event.session, event.text, event.calls, event.results, event.role, event.seq) == (
            row.session,
            row.text,
            row.calls,
            row.results,
            row.role,
            row.seq,
        )


def test_an_unchanged_export_is_read_once(tmp_path: Path) -> None:
    path = tmp_path / "export.json"
    path.write_bytes((SAMPLES / "export-1.18.33.json").read_bytes())
    first = list(OpenCode().read(Source(path), None))
    last = first[-1]
    assert isinstance(last, Checkpoint)
    assert list(OpenCode().read(Source(path), last.cursor)) == [last]
    path.write_text(path.read_text() + "\n")
    assert isinstance(next(iter(OpenCode().read(Source(path), last.cursor))), Reset)


def test_the_old_tree_gives_the_same_ids(tmp_path: Path) -> None:
    export = json.loads((SAMPLES / "export-1.18.33.json").read_text())
    place = tmp_path / "opencode"
    session = place / "storage" / "session" / "global" / f"{SESSION}.json"
    files = {session: export["info"]}
    for entry in export["messages"]:
        name = entry["info"]["id"]
        files[place / "storage" / "message" / SESSION / f"{name}.json"] = entry["info"]
        for part in entry["parts"]:
            files[place / "storage" / "part" / name / f"{part['id']}.json"] = part
    for path, content in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content))
    adapter = OpenCode()
    assert list(adapter.sources(place)) == [session]
    assert adapter.recognises(session, session.read_bytes())
    found = [i for i in adapter.read(Source(session), None) if isinstance(i, Event)]
    expected = [i for i in adapter.read(Source(SAMPLES / "export-1.18.33.json"), None) if isinstance(i, Event)]
    assert found == expected


def test_a_call_is_an_event_once_it_is_done(store: Store) -> None:
    store.session()
    store.message()
    store.part("prt_1", tool("pending", input={}))
    assert [i.reason for i in store.read() if isinstance(i, Skipped)] == ["unfinished"]
    store.part("prt_1", tool("running", input={"command": "make"}), at=NOW + 5)
    assert not store.events()
    state = {
        "input": {"command": "make"},
        "output": "ok\n",
        "metadata": {"exit": 2},
        "time": {"start": NOW, "end": NOW + 1500},
    }
    store.part("prt_1", tool(**state), at=NOW + 1500)
    (event,) = store.events()
    assert (event.native_id, event.seq, event.kind, event.role) == ("prt_1", 0, Kind.RESULT, Role.TOOL)
    assert event.calls[0].action is Action.RUN
    assert event.results[0][2:5] == (False, 2, 1500)
    assert not store.events()


def test_each_content_of_a_row_is_a_revision(store: Store) -> None:
    store.session()
    store.message(time={"completed": NOW})
    store.part("prt_1", {"type": "text", "text": "first"})
    (first,) = store.events()
    store.part("prt_1", {"type": "text", "text": "second"}, at=NOW + 60_000)
    (second,) = store.events()
    assert (first.native_id, first.seq) == (second.native_id, second.seq)
    assert [first.text, second.text] == ["first", "second"]
    assert first.updated_at is not None
    assert second.updated_at is not None
    assert first.updated_at < second.updated_at


def test_an_edit_within_the_same_millisecond_is_seen(store: Store) -> None:
    store.session()
    store.message(time={"completed": NOW})
    store.part("prt_1", {"type": "text", "text": "first"})
    store.events()
    store.part("prt_1", {"type": "text", "text": "second"})
    assert [e.text for e in store.events()] == ["second"]


def test_a_row_that_is_committed_late_is_seen(store: Store) -> None:
    """A second process takes the time, waits for the lock, and commits after a row with a later time was read."""
    store.session()
    store.message(time={"completed": NOW})
    store.part("prt_2", {"type": "text", "text": "later"}, at=NOW + 4_000)
    store.events()
    store.part("prt_1", {"type": "text", "text": "late"}, at=NOW)
    assert [e.text for e in store.events()] == ["late"]


def test_a_text_that_only_its_message_closes_is_picked_up(store: Store) -> None:
    store.session()
    store.message()
    store.part("prt_1", {"type": "text", "text": "half a sent", "time": {"start": NOW}})
    store.part("prt_2", tool(output="", input={}), at=NOW + 100_000)
    assert [e.native_id for e in store.events()] == ["prt_2"]
    store.message(error={"name": "MessageAbortedError"})
    (event,) = store.events()
    assert (event.native_id, event.text, event.flags) == ("prt_1", "half a sent", ("interrupted",))
    assert not store.events()


def test_a_text_left_open_by_a_crash_is_picked_up_when_the_session_goes_on(store: Store) -> None:
    store.session()
    store.message()
    store.part("prt_1", {"type": "text", "text": "half"})
    assert not store.events()
    store.message("msg_b")
    assert [e.text for e in store.events()] == ["half"]


def test_nothing_new_asks_nothing(store: Store) -> None:
    store.fill(ROWS)
    store.read()
    opened = store.opened
    assert store.read() == [Checkpoint(store.cursor or Cursor())]
    assert store.opened == opened


def test_only_what_is_new_is_read(store: Store) -> None:
    store.fill(ROWS)
    store.read()
    store.part("prt_z", {"type": "text", "text": "more"}, message=ROWS["message"][0]["id"], session=SESSION)
    found = store.read()
    assert [(e.native_id, e.seq) for e in found if isinstance(e, Event)] == [("prt_z", len(ROWS["part"]))]
    assert counted(found) == 1


def test_small_batches_end_in_checkpoints_that_resume(store: Store) -> None:
    store.fill(ROWS)
    whole = {e.native_id: e for e in store.events()}
    store.cursor = None
    partly: dict[str | None, Event] = {}
    stops = 0
    while True:
        found = []
        for item in store.adapter.read(store.source(batch_bytes=2_000), store.cursor):
            found.append(item)
            if isinstance(item, Checkpoint):
                store.cursor = item.cursor
                break
        events = [i for i in found if isinstance(i, Event)]
        partly.update({e.native_id: e for e in events})
        stops += 1
        if not events:
            break
    assert partly == whole
    assert stops > 5


def test_one_row_from_the_future_hides_nothing(store: Store) -> None:
    store.session()
    store.message(time={"completed": NOW})
    os.utime(store.path)
    now = int(store.path.stat().st_mtime * 1000)
    store.part("prt_1", {"type": "text", "text": "bad clock"}, at=now + 10**9)
    store.events()
    store.part("prt_2", {"type": "text", "text": "good clock"}, at=now)
    assert [e.text for e in store.events()] == ["good clock"]


def test_a_replaced_database_is_read_from_its_start(store: Store, tmp_path: Path) -> None:
    store.fill(ROWS)
    store.read()
    other = Store(tmp_path / "other.db")
    other.session()
    other.message("msg_u", role="user")
    other.part("prt_0", {"type": "text", "text": "other"}, message="msg_u", at=1)
    other.writer.close()
    store.writer.close()
    os.replace(tmp_path / "other.db", store.path)
    found = store.read()
    assert isinstance(found[0], Reset)
    assert [i.text for i in found if isinstance(i, Event)] == ["other"]


def test_sub_agents_have_their_own_sessions_and_no_person(store: Store) -> None:
    store.session("ses_a")
    store.session("ses_b", parent="ses_a")
    store.session("ses_c", parent="ses_b")
    store.message("msg_b", "ses_b", role="user")
    store.message("msg_c", "ses_c", role="user")
    store.part("prt_1", {"type": "text", "text": "do it"}, "msg_b", "ses_b")
    store.part("prt_2", {"type": "text", "text": "do it too"}, "msg_c", "ses_c")
    found = store.read()
    infos = [i for i in found if isinstance(i, SessionInfo)]
    assert [(i.id, i.parent) for i in infos] == [("ses_a/ses_b", "ses_a"), ("ses_b/ses_c", "ses_a/ses_b")]
    assert {(e.role, e.origin) for e in found if isinstance(e, Event)} == {(Role.USER, Origin.AGENT)}


@pytest.mark.parametrize(
    ("data", "who"),
    [
        ({"text": "typed"}, (Role.USER, Origin.PERSON, Kind.PROMPT)),
        ({"text": "added", "synthetic": True}, (Role.HARNESS, Origin.HARNESS, Kind.NOTE)),
        ({"text": "plugin", "ignored": True}, (Role.HARNESS, Origin.HARNESS, Kind.NOTE)),
        ({"text": "<muniment>rows</muniment>"}, (Role.HARNESS, Origin.HARNESS, Kind.NOTE)),
    ],
)
def test_only_what_was_typed_is_the_persons(store: Store, data: dict[str, Any], who: tuple[Role, Origin, Kind]) -> None:
    store.session()
    store.message(role="user")
    store.part("prt_1", {"type": "text", **data})
    (event,) = store.events()
    assert (event.role, event.origin, event.kind) == who
    assert ("injected" in event.flags) == (event.role is Role.HARNESS)


def test_words_without_a_message_are_nobodys(store: Store) -> None:
    store.session()
    store.part("prt_1", {"type": "text", "text": "orphan", "time": {"end": NOW}}, message="msg_gone")
    (event,) = store.events()
    assert (event.role, event.origin) == (Role.HARNESS, Origin.HARNESS)


def test_a_background_session_of_ours_is_not_captured(store: Store) -> None:
    store.session()
    store.message(role="user")
    store.part("prt_1", {"type": "text", "text": '"<muniment-background task=1> look"'})
    store.part("prt_2", {"type": "text", "text": "typed later"})
    assert [i.reason for i in store.read() if isinstance(i, Event | Skipped) and isinstance(i, Skipped)] == [
        "own",
        "own",
    ]


def test_what_our_hook_put_behind_an_output_is_cut_off(store: Store) -> None:
    store.session()
    store.message()
    store.part("prt_1", tool(input={"command": "ls"}, output="a\nb\n<muniment rows=1>\nx\n</muniment>"))
    store.part("prt_2", tool(name="muniment_memory_query", input={"selector": "all"}, output="rows"))
    store.part("prt_3", tool(input={"command": "muniment list"}, output="rows"))
    plain, asked, ran = store.events()
    assert plain.text == "bash\nls\na\nb"
    assert {asked.role, ran.role} == {Role.HARNESS}
    assert asked.flags == ran.flags == ("injected",)


@pytest.mark.parametrize(
    ("name", "given", "action", "args"),
    [
        ("read", {"filePath": "/a.py", "offset": 3}, Action.READ, {"path": "/a.py", "offset": 3}),
        (
            "write",
            {"filePath": "/a.py", "content": "x\n"},
            Action.WRITE,
            {"path": "/a.py", "content": "x\n", "formats": True},
        ),
        (
            "edit",
            {"filePath": "/a", "oldString": "o", "newString": "n", "replaceAll": True},
            Action.EDIT,
            {"path": "/a", "old": "o", "new": "n", "replaceAll": True},
        ),
        ("apply_patch", {"patchText": "*** Begin"}, Action.PATCH, {"patch": "*** Begin", "formats": True}),
        ("grep", {"pattern": "x", "path": "/src"}, Action.SEARCH, {"pattern": "x", "path": "/src"}),
        ("webfetch", {"url": "https://example.org"}, Action.FETCH, {"url": "https://example.org"}),
        ("task", {"subagent_type": "explore", "prompt": "p"}, Action.DELEGATE, {"to": "explore", "prompt": "p"}),
        ("github_search", {"q": {"of": "a"}}, Action.OTHER, {"q.of": "a"}),
    ],
)
def test_tools_are_known_by_what_they_do(
    store: Store, name: str, given: dict[str, Any], action: Action, args: dict[str, Any]
) -> None:
    store.session()
    store.message()
    store.part("prt_1", tool(name=name, input=given, output="done"))
    (event,) = store.events()
    (call,) = event.calls
    assert call.action is action
    assert {k: event.text[v.start : v.end] if isinstance(v, Span) else v for k, v in call.args.items()} == args
    origin = {"webfetch": Origin.WEB, "task": Origin.AGENT}.get(name, Origin.TOOL)
    assert event.origin is origin


def test_the_item_of_the_plan_that_is_taken_up_is_named(store: Store) -> None:
    store.session()
    store.message()
    todos = [{"content": "one", "status": "completed"}, {"content": "two", "status": "in_progress"}]
    store.part("prt_1", tool(name="todowrite", input={"todos": todos}, output="[]"))
    (event,) = store.events()
    active = event.calls[0].args["active"]
    assert isinstance(active, Span)
    assert event.text[active.start : active.end] == "two"


def test_a_hash_is_given_only_where_it_is_proved(store: Store) -> None:
    from hashlib import sha256

    store.session()
    store.message()
    whole = {"filediff": {"before": "a", "after": "b\n"}}
    store.part("prt_1", tool(name="write", input={"filePath": "/a", "content": "x\n"}, output="ok"))
    store.part("prt_2", tool("error", "write", input={"filePath": "/a", "content": "x\n"}, error="denied"))
    store.part("prt_3", tool(name="edit", input={"filePath": "/a", "oldString": "a"}, output="ok", metadata=whole))
    store.part("prt_4", tool(name="edit", input={"filePath": "/a", "oldString": "a"}, output="ok"))
    store.part("prt_5", tool(name="read", input={"filePath": "/a"}, output="1: x"))
    hashes = [e.results[0].sha256 for e in store.events()]
    # A formatter may run after a write, so that its input proves nothing.
    assert hashes == [None, None, sha256(b"b\n").hexdigest(), None, None]


@pytest.mark.parametrize("data", [None, "", "null", "[]", "{", '"text"', b'{"type": "te\xff"}', "\0\0"])
def test_a_row_that_is_no_record_is_kept_raw(store: Store, data: Any) -> None:
    store.session()
    store.message()
    store.part("prt_1", data)
    (event,) = store.events()
    assert (event.kind, event.flags) == (Kind.UNKNOWN, ("malformed",))
    assert json.loads(event.raw)["id"] == "prt_1"


def test_a_giant_row_is_told_of_and_not_held(store: Store) -> None:
    store.session()
    store.message()
    store.part("prt_1", tool(output="x" * 5_000, input={}))
    assert [i.reason for i in store.read(max_record_bytes=1_000) if isinstance(i, Skipped)] == ["oversize"]


@pytest.mark.parametrize("content", [b"", b"SQLite format 3\0" + b"\xff" * 5_000, b"not a database, not at all" * 100])
def test_a_damaged_database_is_told_of(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "opencode.db"
    path.write_bytes(content)
    (found,) = OpenCode().read(Source(path, Lent), None)
    assert isinstance(found, Skipped)
    assert (found.reason, found.count) == ("unreadable", 0)
    assert found.detail


def test_a_missing_and_a_foreign_database_are_told_of(tmp_path: Path) -> None:
    (found,) = OpenCode().read(Source(tmp_path / "opencode.db", Lent), None)
    assert isinstance(found, Skipped)
    path = tmp_path / "foreign.db"
    apsw.Connection(str(path)).execute("CREATE TABLE part (n)")
    (found,) = OpenCode().read(Source(path, Lent), None)
    assert found == Skipped("unreadable", 0, "no table part", 0)


def test_a_locked_database_is_read_next_time(store: Store) -> None:
    store.fill(ROWS)
    store.writer.execute("PRAGMA journal_mode = DELETE")
    store.writer.execute("BEGIN EXCLUSIVE")
    found = store.read()
    assert [i.reason for i in found if isinstance(i, Skipped)] == ["unreadable"]
    store.writer.execute("COMMIT")
    assert len(store.events()) == 22


def test_a_database_that_is_cut_in_the_middle_is_told_of_and_not_marked_as_read(store: Store, tmp_path: Path) -> None:
    store.fill(ROWS)
    for n in range(400):
        store.part(f"prt_x{n:04}", {"type": "text", "text": "y" * 500}, ROWS["message"][0]["id"], SESSION, NOW + n)
    store.writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    whole = store.path.read_bytes()
    broken = tmp_path / "opencode-broken.db"
    broken.write_bytes(whole[: len(whole) // 2] + b"\xa5" * (len(whole) // 2))
    found = list(OpenCode().read(Source(broken, Lent), None))
    assert [i.reason for i in found if isinstance(i, Skipped)][-1] == "unreadable"
    assert all(i.cursor.size == 0 for i in found if isinstance(i, Checkpoint))


def test_rows_of_a_newer_layout_are_told_of(store: Store) -> None:
    store.writer.execute("CREATE TABLE session_message (id text PRIMARY KEY, data text)")
    store.writer.execute("INSERT INTO session_message VALUES ('m', '{}')")
    assert Skipped("newer layout", 0, "1 rows in session_message", 0) in store.read()


def test_places_are_the_same_on_every_platform() -> None:
    home = Path("/home/dev")
    for platform in ("linux", "darwin", "win32"):
        assert list(OpenCode().places(home, {}, platform)) == [home / ".local" / "share" / "opencode"]
    moved = list(OpenCode().places(home, {"XDG_DATA_HOME": "/data", "OPENCODE_DB": "/elsewhere/x.db"}, "linux"))
    assert moved == [Path("/data/opencode"), Path("/elsewhere/x.db")]
    assert list(Kilo().places(home, {}, "linux")) == [home / ".local" / "share" / "kilo"]


def test_databases_of_all_channels_are_sources(tmp_path: Path) -> None:
    for name in ("opencode.db", "opencode-dev.db", "opencode.db-wal", "auth.json"):
        (tmp_path / name).touch()
    assert [p.name for p in OpenCode().sources(tmp_path)] == ["opencode-dev.db", "opencode.db"]


def test_files_are_recognised_by_name_and_beginning() -> None:
    magic = b"SQLite format 3\0"
    assert OpenCode().recognises(Path("/x/opencode.db"), magic)
    assert not OpenCode().recognises(Path("/x/kilo.db"), magic)
    assert Kilo().recognises(Path("/x/kilo.db"), magic)
    head = (SAMPLES / "export-1.18.33.json").read_bytes()[:4096]
    assert OpenCode().recognises(Path("/x/session.json"), head)
    assert not Kilo().recognises(Path("/x/session.json"), head)
    assert not OpenCode().recognises(Path("/x/package.json"), b'{"info": {"name": "x"}}')


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.just("1796050310804"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
PARTS = [json.loads(row["data"]) for row in ROWS["part"]]


@st.composite
def drifted(draw: st.DrawFn) -> Any:
    """A real part with some value, anywhere, replaced, removed or added."""
    data = json.loads(json.dumps(draw(st.sampled_from(PARTS))))
    for _ in range(draw(st.integers(1, 3))):
        where = data
        while isinstance(inner := where[draw(st.sampled_from(sorted(where)))] if where else None, dict) and draw(
            st.booleans()
        ):
            where = inner
        key = draw(st.sampled_from(sorted(where)) if where else st.just("new"))
        where[key] = draw(VALUES)
        if draw(st.integers(0, 4)) == 0:
            del where[key]
    return data


@given(data=drifted(), message=st.sampled_from([row["data"] for row in ROWS["message"]]) | VALUES.map(json.dumps))
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_drift_loses_nothing_and_never_raises(
    tmp_path_factory: pytest.TempPathFactory, data: Any, message: str
) -> None:
    store = Store(tmp_path_factory.mktemp("drift") / "opencode.db")
    store.session()
    store.put("message", id="msg_a", session_id="ses_a", time_created=NOW, time_updated=NOW, data=message)
    store.part("prt_1", json.dumps(data))
    found = store.read()
    store.writer.close()
    assert counted(found) == 1
    for event in (i for i in found if isinstance(i, Event)):
        assert json.loads(event.raw)["data"] == json.dumps(data)
        for call in event.calls:
            assert all(v.end <= len(event.text) for v in call.args.values() if isinstance(v, Span))
