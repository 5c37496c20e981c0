from __future__ import annotations

import pytest
from tests.capture.extract_cases import call, drafts, joined, ran, result

from muniment.model.entity import Entity
from muniment.model.event import Span
from muniment.model.fact import Draft


def moves(command, output="", **facts):
    found = ran(command, output, only="moved_by", **{"exit_code": 0, **facts})
    return [(d.subject.key, d.literal, d.context) for d in found]


def test_a_move_is_a_fact_of_the_call_witnessed_by_its_result() -> None:
    made = call("run", {"command": "git mv a.py b.py"})
    assert drafts(made, result("", exit_code=0), only="moved_by") == [
        Draft("moved_by", Entity("path", "a.py"), Span(16, 20), literal="b.py", rung=1, witness=b"result")
    ]
    (draft,) = [d for d in drafts(joined("run", {"command": "mv a b"}, "")) if d.predicate == "moved_by"]
    assert draft.witness is None


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("mv a b", [("a", "b", "")]),
        ("mv -f a b", [("a", "b", "")]),
        ("sudo mv -- a b", [("a", "b", "")]),
        ("mv a b && git mv c d && ls", [("a", "b", ""), ("c", "d", "")]),
        ("mv 'a b' \"c d\"", [("a b", "c d", "")]),
        ("mv a src/", [("a", "src/", "to:src/a")]),
        ("mv x/a/ y/", [("x/a/", "y/", "to:y/a")]),
        ("cd web && mv a b", [("web/a", "b", "to:web/b")]),
        ("git -C web mv a b", [("web/a", "b", "to:web/b")]),
        ("bash -lc 'mv a b'", [("a", "b", "")]),
        ("mv a b\nmv c d", [("a", "b", ""), ("c", "d", "")]),
        ("mkdir -p d &&\n  mv a d/b", [("a", "d/b", "")]),
    ],
)
def test_plain_moves_are_read_off_the_command_line(command, expected) -> None:
    assert moves(command) == expected


@pytest.mark.parametrize(
    "command",
    [
        "mv *.py src/",
        "mv a b c/",
        "mv $A b",
        'mv "$A" b',
        "mv a{1,2}",
        "mv -t dir a",
        "mv -n a b",
        "git mv --dry-run a b",
        "mv a c\\ d",
        "test -f a || mv a b",
        "mv a b || true",
        "mv a b | cat",
        "if true; then mv a b; fi",
        "for f in a; do mv a b; done",
        "(cd x && true); mv a b",
        "cd $DIR && mv a b",
        "cd - && mv a b",
        "echo mv a b",
        "echo 'mv a b'",
        "find . -exec mv a b ;",
        "true # mv a b",
        "cat <<EOF\nmv a b\nEOF",
        "mv a",
        "mv",
        "mv '",
    ],
)
def test_moves_that_cannot_be_told_are_left_out(command) -> None:
    assert moves(command) == []


def test_a_failed_line_moves_nothing() -> None:
    assert moves("mv a b", exit_code=1) == []
    assert moves("mv a b", exit_code=None, ok=False) == []
    assert moves("mv a b; ls", "mv: cannot stat 'a': No such file or directory\n") == []
    assert drafts(call("run", {"command": "mv a b"})) == []


def test_the_folder_of_the_call_goes_before_the_paths() -> None:
    made = call("run", {"command": "mv a b", "cwd": "/repo/web"}, cwd="/repo")
    (draft,) = drafts(made, result("", exit_code=0), only="moved_by")
    assert (draft.subject.key, draft.literal, draft.context) == ("/repo/web/a", "b", "to:/repo/web/b")


def test_a_move_call_names_both_paths() -> None:
    made = call("move", {"path": "a.py", "to": "b.py"})
    (draft,) = drafts(made, result("ok", ok=True))
    assert (draft.predicate, draft.subject, draft.literal) == ("moved_by", Entity("path", "a.py"), "b.py")
    assert drafts(made, result("no", ok=False)) == []


def test_git_says_what_it_renamed_while_committing() -> None:
    output = "[main 1a2b3c4] Move\n 2 files changed\n rename a.py => b.py (98%)\n rename src/{x => y}/c.py (100%)\n"
    found = ran("git commit -qm x; git commit -m Move", output, only="moved_by", exit_code=0)
    assert [(d.subject.key, d.literal, d.context, d.witness) for d in found] == [
        ("a.py", "b.py", "", None),
        ("src/x/c.py", "src/{x => y}/c.py", "to:src/y/c.py", None),
    ]


def test_git_says_what_is_renamed_in_a_status() -> None:
    assert moves("git status --short", "R  a.py -> b.py\n M c.py\n") == [("a.py", "b.py", "")]
    assert moves("git status", "\trenamed:    a.py -> b.py\n") == [("a.py", "b.py", "")]
    assert moves("cd web && git status -s", "RM a -> b\n") == [("web/a", "b", "to:web/b")]


@pytest.mark.parametrize(
    "command",
    [
        "cat log",
        "git commit -qm x && git show --stat",
        "git log --stat",
        "git show --stat",
        "git diff --stat HEAD~1",
        "echo git status",
    ],
)
def test_old_renames_are_no_moves_of_now(command) -> None:
    assert moves(command, " rename a.py => b.py (98%)\nR  a -> b\n") == []


def test_paths_in_a_commit_are_relative_to_the_root_of_the_workspace() -> None:
    made = call("run", {"command": "git commit -m x"}, cwd="/repo/web", root="/repo")
    said = result(" rename a => b (100%)\n", exit_code=0)
    (draft,) = drafts(made, said, only="moved_by")
    assert draft.subject.key == "a"
