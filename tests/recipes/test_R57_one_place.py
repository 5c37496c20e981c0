"""R57: one place by six roads: what is written by one road is read by every other, and by no road of another place."""

from __future__ import annotations

import subprocess

import pytest
from tests.recipes.support import HARNESSES, Says, found_in, transcript
from tests.support import Clock, state, values

from muniment.engine.asking import query
from muniment.engine.core import Engine, Settings
from muniment.errors import NotFoundError
from muniment.model.scope import workspace_of


def git(*words, cwd):
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *identity, *words], cwd=cwd, check=True, capture_output=True)


@pytest.fixture
def roads(tmp_path):
    """The roads to one repository."""
    root = tmp_path / "repo"
    (root / "src" / "deep").mkdir(parents=True)
    git("init", cwd=root)
    (root / "src" / "deep" / "a.txt").write_text("a")
    git("add", ".", cwd=root)
    git("commit", "-m", "first", cwd=root)
    git("worktree", "add", str(tmp_path / "second"), "-b", "other", cwd=root)
    (tmp_path / "linked").symlink_to(root / "src")
    return {
        "root": root,
        "sub-folder": root / "src" / "deep",
        "linked folder": tmp_path / "linked" / "deep",
        "second worktree": tmp_path / "second" / "src",
        "git folder": root / ".git",
        "path with ..": root / "src" / ".." / "src" / "deep" / "..",
    }


def opened(road, tmp_path):
    return Engine(workspace_of(road), Settings(tmp_path / "home", clock=Clock()))


def test_every_road_reads_what_every_other_wrote(roads, tmp_path):
    for name, road in roads.items():
        with opened(road, tmp_path) as engine:
            state(engine, f"by {name}", "noted")
    for road in roads.values():
        with opened(road, tmp_path) as engine:
            assert sorted(values(query(engine, "p:noted").text)) == sorted(f"by {name}" for name in roads)


@pytest.mark.parametrize("harness", HARNESSES)
def test_sessions_of_every_road_are_taken_by_every_road(roads, tmp_path, harness):
    folders = {
        "claude-code": ".claude/projects/x",
        "codex": ".codex/sessions",
        "copilot-cli": ".copilot",
        "opencode": ".local/share/opencode",
    }
    for n, (name, road) in enumerate(roads.items(), 1):
        user = tmp_path / f"user{n}"
        transcript(harness, user / folders[harness], road, [Says(f"said in {name}")], n)
        with opened(roads["second worktree"], tmp_path) as engine:
            assert found_in(engine, user).elsewhere == set()
    with opened(roads["root"], tmp_path) as engine:
        assert sorted(values(query(engine, "p:asked").text)) == sorted(f"said in {name}" for name in roads)


def test_a_bare_clone_a_nested_repository_and_a_neighbour_are_other_places(roads, tmp_path):
    root = roads["root"]
    git("clone", "--bare", str(root), str(tmp_path / "bare.git"), cwd=tmp_path)
    git("init", str(root / "src" / "inner"), cwd=root)
    (tmp_path / "repo2").mkdir()
    with opened(root, tmp_path) as engine:
        state(engine, "mine", "noted")
    for other in (tmp_path / "bare.git", root / "src" / "inner", tmp_path / "repo2", tmp_path):
        with opened(other, tmp_path) as engine, pytest.raises(NotFoundError):
            query(engine, "")


def test_a_bare_clone_is_one_place_from_its_folders_and_worktrees(roads, tmp_path):
    bare = tmp_path / "bare.git"
    git("clone", "--bare", str(roads["root"]), str(bare), cwd=tmp_path)
    git("worktree", "add", str(tmp_path / "of-bare"), "-b", "third", cwd=bare)
    ids = {workspace_of(p).id for p in (bare, bare / "objects", tmp_path / "of-bare", tmp_path / "of-bare" / "src")}
    assert len(ids) == 1


def test_a_session_of_a_folder_that_is_gone_belongs_to_the_repository_around_it(roads, tmp_path):
    gone = roads["root"] / "src" / "gone" / "further"
    user = tmp_path / "user"
    transcript("claude-code", user / ".claude/projects/x", gone, [Says("from a folder that is gone")])
    with opened(roads["root"], tmp_path) as engine:
        found_in(engine, user)
        assert values(query(engine, "p:asked").text) == ["from a folder that is gone"]
