"""Records that lie about themselves, and callers whose words make no sense: no accident, whatever they say."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.recipes.support import (
    HARNESSES,
    Reads,
    Runs,
    Says,
    archived,
    claude,
    found_in,
    name_of,
    place,
    read_in,
    sane,
    texts,
    transcript,
    written,
)
from tests.support import state

from muniment.engine import receipts
from muniment.engine.asking import query
from muniment.errors import MunimentError, UsageError

LINEWISE = HARNESSES[:3]


# --- what records say of themselves -----------------------------------------------------------------------------------


def test_parents_that_form_a_cycle_or_lead_nowhere_are_no_accident(engine, tmp_path):
    made = claude(engine, *[Says(f"m{n}") for n in range(6)])
    for n, record in enumerate(made):
        record["parentUuid"] = made[(n + 1) % len(made)]["uuid"] if n % 2 else record["uuid"]
    made[0]["parentUuid"] = "nowhere"
    read_in(engine, written(place("claude-code", tmp_path), made))
    assert texts(engine) == [f"m{n}" for n in range(6)]
    sane(engine)


def test_sub_agents_that_are_each_other_s_parents_are_no_accident(engine, tmp_path):
    session = name_of("claude-code")
    made = [
        r | {"isSidechain": True, "agentId": f"a{n % 2}"}
        for n, r in enumerate(claude(engine, *[Says(f"m{n}") for n in range(4)]))
    ]
    read_in(engine, written(place("claude-code", tmp_path), made))
    assert {row[0] for row in archived(engine)} == {f"{session}/a0", f"{session}/a1"}
    sane(engine)


def test_an_id_that_comes_twice_with_other_words_keeps_both_revisions_and_shows_one(engine, tmp_path):
    made = claude(engine, Says("first words"), Says("other words"))
    made[1]["uuid"] = made[0]["uuid"]
    report = read_in(engine, written(place("claude-code", tmp_path), made))
    assert report.kept == 2
    assert engine.store().db.rows("SELECT count(*), count(DISTINCT uid) FROM events") == [(2, 1)]
    assert len(query(engine, "p:asked")) == 1
    sane(engine)


def test_a_call_id_that_comes_twice_and_results_without_a_call_are_no_accident(engine, tmp_path):
    made = claude(engine, Runs("make one", "a"), Runs("make two", "b"), Runs("make three", "c"))
    for record in made[2:]:
        for block in record["message"]["content"]:
            for key in ("id", "tool_use_id"):
                if key in block:
                    block[key] = made[0]["message"]["content"][0]["id"]
    del made[4]
    report = read_in(engine, written(place("claude-code", tmp_path), made))
    assert report.kept == 5
    sane(engine)


@pytest.mark.parametrize(
    "times",
    [
        ["2026-03-05T10:00:00Z", "2026-03-05T09:00:00Z", "2026-03-05T08:00:00Z"],
        ["9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z", None],
        [None, None, None],
        ["yesterday", 12, {"a": 1}],
        ["2026-03-05T10:00:00+99:99", "2026-13-45T99:99:99Z", ""],
    ],
)
def test_times_that_run_backwards_lie_or_are_missing_keep_the_order_of_the_file(engine, tmp_path, times):
    made = [
        r | {"timestamp": t} for r, t in zip(claude(engine, *[Says(f"m{n}") for n in range(3)]), times, strict=True)
    ]
    read_in(engine, written(place("claude-code", tmp_path), made))
    rows = engine.store().db.rows("SELECT order_at FROM positions ORDER BY seq")
    assert texts(engine) == ["m0", "m1", "m2"]
    assert rows == sorted(rows)
    sane(engine)


@pytest.mark.parametrize(
    "cwd",
    [
        "",
        "relative/path",
        "/" + "n" * 5000,
        "/a\0b",
        "\ud800",
        "C:\\Users\\ada",
        "~",
        "/dev/null/x",
        "/proc/self/fd/999/x",
        "/.." * 300,
        7,
        None,
        ["/x"],
    ],
)
def test_a_folder_that_cannot_be_is_a_folder_that_is_unknown(cwd, engine, tmp_path):
    made = [r | {"cwd": cwd} for r in claude(engine, Says("hello"))]
    path = written(tmp_path / "home/.claude/projects/x" / f"{name_of('claude-code')}.jsonl", made)
    unnamed = found_in(engine, tmp_path / "home")
    assert unnamed.kept + unnamed.skipped["folder unknown here"] + unnamed.skipped["other workspace"] == 1
    assert read_in(engine, path, adopt=True).kept == 1
    sane(engine)


def test_records_before_the_one_that_tells_the_folder_are_read_once_it_is_known(engine, tmp_path):
    summary = {
        "type": "summary",
        "summary": "what was said before",
        "leafUuid": "x",
        "sessionId": name_of("claude-code"),
        "isSidechain": False,
    }
    made = [summary, *claude(engine, Says("hello"))]
    folder = tmp_path / ".claude/projects/x"
    path = written(folder / f"{name_of('claude-code')}.jsonl", made[:1])
    assert found_in(engine, tmp_path).skipped["folder unknown here"] == 1
    written(path, made)
    report = found_in(engine, tmp_path)
    assert (report.read, report.kept) == (2, 2)
    assert texts(engine) == ["what was said before", "hello"]
    assert found_in(engine, tmp_path).read == 0


@pytest.mark.parametrize("session", ["", "/", "a/b/c", "..", "a\nb", "s" * 5000, "nul\0", "\ud800", "x:0@1-2", "📦"])
def test_any_name_of_a_session_is_a_name(session, engine, tmp_path):
    made = [r | {"sessionId": session} for r in claude(engine, Says("hello"), Runs("make", "ok"))]
    read_in(engine, written(tmp_path / "notes.jsonl", made))
    assert "hello" in texts(engine)
    sane(engine)


@pytest.mark.parametrize(
    "path",
    [
        "",
        "a\0b",
        "\ud800",
        "/dev/zero",
        "/dev/stdin",
        "..",
        "/" * 3000,
        "x" * 5000,
        "/proc/self/mem",
        "C:\\x",
        "~/x",
        "a\nb",
    ],
)
def test_a_file_of_any_name_may_have_been_read_and_asking_about_it_is_no_accident(path, engine, tmp_path):
    os.mkfifo(Path(engine.workspace.root) / "pipe")
    read_in(
        engine,
        transcript("claude-code", tmp_path / "t", engine.workspace.root, [Reads(path, "x\n"), Reads("pipe", "x\n")]),
    )
    answer = query(engine, "p:read", 100_000)
    assert all({"stale:outside", "unchecked"} & set(hit.marks) for hit in answer)
    sane(engine)


# --- words of callers -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nonsense",
        "0000",
        "Z" * 26,
        "a:b",
        "s:-1",
        "s:999999999999999999",
        "s:9999999999999999999",
        "s:0@5-1",
        "s:0@0-999999999999",
        "\ud800:1",
        "\0:0",
        ":0",
        "s:0@",
        "x" * 10_000,
        "🦀",
    ],
)
def test_no_name_of_a_fact_or_receipt_is_an_accident(text, engine):
    state(engine, "x", "noted")
    with pytest.raises(MunimentError) as refused:
        receipts.read(engine, text)
    assert refused.value.message


@pytest.mark.parametrize("budget", [-1, 0, 1, 2, 17, 1 << 62])
def test_no_budget_is_an_accident(budget, engine):
    for n in range(5):
        state(engine, f"fact {n}", "noted")
    if budget < 0:
        with pytest.raises(UsageError):
            query(engine, "", budget)
    else:
        assert len(query(engine, "", budget).text.encode()) <= budget


@pytest.mark.parametrize(
    "cursor", ["", "x", "m1.", "m1.!!!!", "m1.AAAA", "m1." + "A" * 5000, "\ud800", "m1.AAAAAAAAAAAAAAAAAA"]
)
def test_no_cursor_is_an_accident(cursor, engine):
    state(engine, "x", "noted")
    if not cursor:  # an empty one is none
        assert len(query(engine, "", cursor=cursor)) == 1
        return
    with pytest.raises(UsageError, match="cursor"):
        query(engine, "", cursor=cursor)


@pytest.mark.parametrize("content", ["\ud800", "\0", "a\0b", "\u202e", "x" * 1_000_000, "\n\n", " \t "])
def test_any_content_may_be_stated_or_is_refused_by_name(content, engine):
    if not content.strip():
        with pytest.raises(UsageError, match="empty"):
            state(engine, content, "noted")
        return
    made = state(engine, content, "noted", topic="t", context=content[:50], tags=[content[:5]])
    assert receipts.read(engine, made.ids[0], cap=2_000_000).verified
    sane(engine)
