from __future__ import annotations

import hashlib

import pytest
from tests.capture.extract_cases import call, drafts, joined, result

from muniment.model.entity import SELF, Entity
from muniment.model.event import Span
from muniment.model.fact import Draft

DIGEST = "ab" * 32


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_a_written_file_is_touched_with_the_hash_of_its_content_and_the_result_as_witness() -> None:
    made = call("write", {"path": "src/a.py", "content": "x = 1\n"})
    assert drafts(made, result("ok", ok=True)) == [
        Draft(
            "touched",
            SELF,
            Span(6, 14),
            object=Entity("path", "src/a.py"),
            rung=1,
            witness=b"result",
            anchor=sha256("x = 1\n"),
        )
    ]


def test_a_call_and_its_result_in_one_event_need_no_witness() -> None:
    (draft,) = drafts(joined("write", {"path": "a.py", "content": "x"}, "ok"))
    assert (draft.predicate, draft.witness, draft.anchor) == ("touched", None, sha256("x"))


@pytest.mark.parametrize(
    ("action", "args", "numbers", "event", "facts", "anchor"),
    [
        ("edit", {"path": "a", "new": "x"}, None, {}, {}, None),
        ("edit", {"path": "a", "new": "x"}, None, {}, {"sha256": DIGEST}, DIGEST),
        ("write", {"path": "a", "content": "x"}, None, {}, {"sha256": DIGEST}, DIGEST),
        ("write", {"path": "a", "content": "x"}, None, {"masked": True}, {}, None),
        ("write", {"path": "a", "content": "x"}, {"append": True}, {}, {}, None),
        ("write", {"path": "a", "content": "\ud800"}, None, {}, {}, None),
        ("write", {"path": "a", "content": ""}, None, {}, {}, sha256("")),
        ("write", {"path": "a"}, None, {}, {}, None),
    ],
)
def test_an_anchor_is_given_only_where_the_record_proves_it(action, args, numbers, event, facts, anchor) -> None:
    (draft,) = drafts(call(action, args, numbers, **event), result("ok", **facts))
    assert (draft.predicate, draft.anchor) == ("touched", anchor)


def test_a_failed_write_is_neither_touched_nor_predicted() -> None:
    made = call("write", {"path": "a.py", "content": "x"})
    assert drafts(made, result("denied", ok=False)) == []
    assert drafts(made, result("denied", exit_code=1)) == []


@pytest.mark.parametrize("action", ["write", "edit"])
def test_a_write_without_a_result_is_predicted(action) -> None:
    made = call(action, {"path": "a.py", "content": "x"})
    assert drafts(made) == [
        Draft("predicted_write", SELF, Span(len(action) + 1, len(action) + 5), object=Entity("path", "a.py"))
    ]


def test_a_deleted_file_is_touched_and_says_so() -> None:
    (draft,) = drafts(call("delete", {"path": "a.py"}), result("ok", sha256=DIGEST))
    assert (draft.predicate, draft.object, draft.context, draft.anchor) == (
        "touched",
        Entity("path", "a.py"),
        "deleted",
        None,
    )


def test_a_read_file_keeps_the_hash_of_the_result() -> None:
    made = call("read", {"path": "C:\\demo\\a.py"})
    assert drafts(made, result("x", ok=True, sha256=DIGEST)) == [
        Draft(
            "read", SELF, Span(5, 17), object=Entity("path", "C:\\demo\\a.py"), rung=1, witness=b"result", anchor=DIGEST
        )
    ]
    assert drafts(made, result("no such file", ok=False)) == []
    assert drafts(made) == []


PATCH = (
    "*** Begin Patch\n*** Add File: new.py\n+a\n+\n+b\n*** Update File: old.py\n@@\n-x\n+y\n"
    "*** Update File: was.py\n*** Move to: is.py\n@@\n-p\n+q\n*** Delete File: gone.py\n*** End Patch\n"
)


def test_a_patch_touches_each_of_its_files_and_moves_one() -> None:
    found = drafts(call("patch", {"patch": PATCH}), result("Success", ok=True))
    assert [(d.predicate, d.object, d.literal, d.anchor, d.context) for d in found] == [
        ("touched", Entity("path", "new.py"), None, sha256("a\n\nb\n"), ""),
        ("touched", Entity("path", "old.py"), None, None, ""),
        ("touched", Entity("path", "is.py"), None, None, ""),
        ("touched", Entity("path", "gone.py"), None, None, "deleted"),
        ("moved_by", None, "is.py", None, ""),
    ]
    assert found[-1].subject == Entity("path", "was.py")


def test_a_masked_patch_proves_no_content() -> None:
    found = drafts(call("patch", {"patch": PATCH}, masked=True), result("Success"))
    assert [draft.anchor for draft in found] == [None] * 5


def test_a_patch_without_an_answer_is_predicted_for_each_file() -> None:
    assert [d.object for d in drafts(call("patch", {"patch": PATCH}), only="predicted_write")] == [
        Entity("path", name) for name in ("new.py", "old.py", "is.py", "gone.py")
    ]


def test_a_unified_diff_names_its_files_and_lines_that_look_like_headers_do_not_fool_it() -> None:
    diff = (
        "--- a/x.sql\n+++ b/x.sql\n@@ -1,2 +1,2 @@\n--- old comment\n+++ new comment\n keep\n"
        "--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+n\n"
        "--- a/gone.txt\t2026-01-01\n+++ /dev/null\n@@ -1 +0,0 @@\n-g\n"
        "--- a/from.py\n+++ b/to.py\n@@ -1 +1 @@\n-a\n+b\n"
    )
    found = drafts(call("patch", {"patch": diff}), result("ok"))
    assert [(d.predicate, (d.object or d.subject).key, d.context) for d in found] == [
        ("touched", "x.sql", ""),
        ("touched", "new.txt", ""),
        ("touched", "gone.txt", "deleted"),
        ("touched", "to.py", ""),
        ("moved_by", "from.py", ""),
    ]


def test_a_patch_in_no_grammar_we_know_falls_back_to_its_path() -> None:
    (draft,) = drafts(call("patch", {"path": "a.py", "patch": "<<<< SEARCH"}), result("ok", sha256=DIGEST))
    assert (draft.object, draft.anchor) == (Entity("path", "a.py"), DIGEST)


def test_shell_commands_that_write_files_are_not_guessed_at() -> None:
    made = call("run", {"command": "echo x > a.py && sed -i s/x/y/ a.py"})
    assert [d.predicate for d in drafts(made, result("", exit_code=0))] == ["ran"]
