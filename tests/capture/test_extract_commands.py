from __future__ import annotations

import pytest
from tests.capture.extract_cases import call, drafts, joined, ran, result

from muniment.model.entity import SELF, Entity
from muniment.model.event import Span
from muniment.model.fact import Draft


def test_a_command_with_a_result_ran_and_says_how_it_ended() -> None:
    assert ran("ls -l", "total 0\n", exit_code=0, duration_ms=12) == [
        Draft("ran", SELF, Span(4, 9), literal="ls -l", rung=1, witness=b"result", context="exit:0 ms:12")
    ]


@pytest.mark.parametrize(
    ("facts", "context"),
    [
        ({}, ""),
        ({"ok": True}, ""),
        ({"ok": False}, "failed"),
        ({"ok": False, "exit_code": 3}, "exit:3"),
        ({"ok": False, "duration_ms": 5}, "ms:5 failed"),
    ],
)
def test_the_context_holds_what_the_record_says(facts, context) -> None:
    (draft,) = ran("ls", "", **facts)
    assert draft.context == context


def test_a_command_without_a_result_did_not_run_yet() -> None:
    assert drafts(call("run", {"command": "ls"})) == []
    assert drafts(call("run", {"command": "  "}), result("")) == []


def test_a_call_and_its_result_in_one_event_have_no_witness() -> None:
    (draft,) = drafts(joined("run", {"command": "ls"}, "a\n", exit_code=0))
    assert (draft.literal, draft.witness) == ("ls", None)


def test_of_a_long_command_only_the_first_line_is_kept() -> None:
    (draft,) = ran("\n  cat <<EOF\n" + "x\n" * 2000 + "EOF", "")
    assert draft.literal == "cat <<EOF"
    (draft,) = ran("y" * 3000, "")
    assert draft.literal == "y" * 2000
    (draft,) = ran("z" * 2000, "")
    assert draft.literal == "z" * 2000


def commits(command, output, **facts):
    return [(d.object.key, d.context) for d in ran(command, output, only="committed", **facts) if d.object is not None]


def test_a_commit_is_a_fact_of_the_result() -> None:
    said = result("[main 1a2b3c4] Fix\n 1 file changed\n", head="out:\n", exit_code=0)
    made = call("run", {"command": "git add -A && git commit -m Fix"})
    assert drafts(made, said, only="committed") == [
        Draft("committed", SELF, Span(11, 18), object=Entity("commit", "1a2b3c4"), rung=2, context="branch:main")
    ]


@pytest.mark.parametrize(
    ("command", "output", "expected"),
    [
        ("git commit -m x", "[main (root-commit) 1a2b3c4] x\n", [("1a2b3c4", "branch:main")]),
        ("git commit -m x", "[detached HEAD 1a2b3c4] x\n", [("1a2b3c4", "branch:detached")]),
        ("git commit -m x && git push", "[feat/a-b 1a2b3c4d5e] x\n", [("1a2b3c4d5e", "branch:feat/a-b")]),
        ("git -C sub -c user.name=me commit -am x", "[main 1a2b3c4] x\n", [("1a2b3c4", "branch:main")]),
        (
            "git commit -m a; git commit -m b",
            "[m 1a2b3c4] a\n[m 2a2b3c4] b\n",
            [("1a2b3c4", "branch:m"), ("2a2b3c4", "branch:m")],
        ),
        ("cat old; git commit -m b", "[m 1a2b3c4] a\n[m 2a2b3c4] b\n", [("2a2b3c4", "branch:m")]),
        ("git cherry-pick x", "[main 1a2b3c4] x\n", [("1a2b3c4", "branch:main")]),
        ('git commit -m "$(cat <<\'EOF\'\nIt\'s "x"\nEOF\n)"', "[main 1a2b3c4] It's\n", [("1a2b3c4", "branch:main")]),
        ("git commit -m x", "nothing to commit, working tree clean\n", []),
        ("git commit -q -m x; cat old", "[main 1a2b3c4] x\n", []),
        ("git commit --dry-run; cat old", "[main 1a2b3c4] x\n", []),
        ("cat log", "[main 1a2b3c4] x\n", []),
        ("echo 'git commit'", "[main 1a2b3c4] x\n", []),
        ("grep 'git commit' log", "[main 1a2b3c4] x\n", []),
        ("git log", "[main 1a2b3c4] x\n", []),
        ("git commit -m x", "see [main 1a2b3c4] x\n[main zzzzzzz] x\n", []),
    ],
)
def test_only_a_commit_that_git_reports_is_one(command, output, expected) -> None:
    assert commits(command, output) == expected


def test_a_commit_counts_even_when_a_later_command_failed() -> None:
    assert commits("git commit -m x && git push", "[main 1a2b3c4] x\nrejected\n", exit_code=1) == [
        ("1a2b3c4", "branch:main")
    ]
