"""Set up, use, undo: every byte of every settings file is as it was."""

from __future__ import annotations

import json
import os
import tomllib
from pathlib import Path

import pytest
import yaml
from tests.harness.conftest import Place
from tests.harness.settings import FILES

from muniment.errors import RefusedError
from muniment.harness import editing, registry
from muniment.harness.texts import jsonc

_BOM = b"\xef\xbb\xbf"
CASES = [pytest.param(*case, id=case[0]) for case in FILES]


def said(file: str, raw: bytes) -> object:
    """What a settings file says to the harness that reads it."""
    text = raw.removeprefix(_BOM).decode()
    if file.endswith(".toml"):
        return tomllib.loads(text)
    if file.endswith((".yaml", ".yml")):
        return yaml.safe_load(text) or {}
    return jsonc.data(text)


def with_ours_removed(told: object) -> object:
    """What is left when everything that names us is dropped, and what is empty then."""
    if isinstance(told, dict):
        kept = {k: with_ours_removed(v) for k, v in told.items() if k != "muniment"}
        return {k: v for k, v in kept.items() if v not in ({}, [], None)}
    if isinstance(told, list):
        return [with_ours_removed(v) for v in told if "muniment" not in json.dumps(v)]
    return told


def edited(file: str, raw: bytes) -> bytes:
    """The file after a person put something of their own at its beginning."""
    bom, text = (_BOM, raw[3:]) if raw.startswith(_BOM) else (b"", raw)
    if file.endswith(".toml"):
        return bom + b"mine = [1, 2] # kept\n" + text
    if file.endswith((".yaml", ".yml")):
        start = text.find(b"---\n") + 4 if text.startswith(b"---\n") else 0
        return bom + text[:start] + b"mine: [1, 2] # kept\n" + text[start:]
    root = jsonc.parse(text.decode())
    assert root is not None
    start = len(text.decode()[: root.start + 1].encode())
    comma = b"," if root.children else b""
    return bom + text[:start] + b' "mine": [1, 2]' + comma + b" /* kept */" + text[start:]


def test_there_are_at_least_thirty_files() -> None:
    assert len(FILES) >= 30
    assert {os.path.splitext(file)[1] for _, _, file, _ in FILES} >= {".json", ".jsonc", ".toml", ".yaml"}


@pytest.mark.parametrize(("_odd", "harness", "file", "raw"), CASES)
def test_setting_up_and_undoing_leaves_every_byte(place: Place, _odd: str, harness: str, file: str, raw: bytes) -> None:
    place.write(file, raw)
    before = place.snapshot()
    assert place.install(harness)
    assert place.snapshot() != before
    place.undo()
    assert place.snapshot() == before
    assert not place.ours.exists()


@pytest.mark.parametrize(("_odd", "harness", "file", "raw"), CASES)
def test_setting_up_twice_changes_nothing_the_second_time(
    place: Place, _odd: str, harness: str, file: str, raw: bytes
) -> None:
    place.write(file, raw)
    place.install(harness)
    once = place.snapshot()
    assert [change.shown for change in place.plan(harness) if change.changes] == []
    assert place.install(harness) == []
    assert place.snapshot() == once


@pytest.mark.parametrize(("_odd", "harness", "file", "raw"), CASES)
def test_what_is_written_says_what_was_said_before_and_ours(
    place: Place, _odd: str, harness: str, file: str, raw: bytes
) -> None:
    path = place.write(file, raw)
    place.install(harness)
    now = said(file, path.read_bytes())
    assert "muniment" in json.dumps(now)
    assert with_ours_removed(now) == with_ours_removed(said(file, raw))


@pytest.mark.parametrize(("_odd", "harness", "file", "raw"), CASES)
def test_what_a_person_edited_in_between_stays(place: Place, _odd: str, harness: str, file: str, raw: bytes) -> None:
    path = place.write(file, raw)
    place.install(harness)
    path.write_bytes(edited(file, path.read_bytes()))
    place.undo()
    assert said(file, path.read_bytes()) == {**said(file, raw), "mine": [1, 2]}
    if raw.strip():
        assert path.read_bytes() == edited(file, raw)


@pytest.mark.parametrize(("_odd", "harness", "file", "raw"), CASES)
def test_ours_are_found_without_the_record_of_where_they_went_in(
    place: Place, _odd: str, harness: str, file: str, raw: bytes
) -> None:
    path = place.write(file, raw)
    changes = place.install(harness)
    (change,) = [each for each in changes if each.shown == str(path)]
    text = path.read_bytes().removeprefix(_BOM).decode()
    left = editing.taken(change.shown, text, [part for _, part in change.parts], change.made)
    assert with_ours_removed(said(file, left.encode())) == with_ours_removed(said(file, raw))


@pytest.mark.parametrize(("_odd", "harness", "file", "raw"), CASES)
def test_another_installation_of_ours_takes_the_place_of_the_old_one(
    place: Place, _odd: str, harness: str, file: str, raw: bytes
) -> None:
    place.write(file, raw)
    before = place.snapshot()
    place.install(harness)
    moved = place.site(hook="/elsewhere/python")
    place.install(harness, site=moved)
    assert [change.shown for change in place.plan(harness, site=moved) if change.changes] == []
    assert all(b"/opt/py" not in (held or b"") for _, _, held in place.snapshot().values() if isinstance(held, bytes))
    place.undo()
    assert place.snapshot() == before


@pytest.mark.parametrize("harness", registry.HARNESSES)
@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_every_harness_is_set_up_and_undone_on_a_bare_machine(place: Place, harness: str, platform: str) -> None:
    place.platform = platform
    before = place.snapshot()
    assert place.install(harness)
    assert place.install(harness) == []
    place.undo()
    assert place.snapshot() == before


def test_all_harnesses_at_once_are_undone_one_by_one(place: Place) -> None:
    place.write(".gemini/settings.json", b'{"a": 1}')
    before = place.snapshot()
    place.install(*registry.HARNESSES)
    for name in registry.HARNESSES:
        place.undo(name)
    assert place.snapshot() == before
    assert not place.ours.exists()


def test_a_file_that_two_harnesses_read_stays_until_the_second_goes(place: Place) -> None:
    place.install("aider", "goose")
    assert place.undo("aider")["work/project/muniment.wake.md"] == "kept"
    assert (place.project / "muniment.wake.md").exists()
    assert place.undo("goose")["work/project/muniment.wake.md"] == "removed"
    assert not (place.project / "muniment.wake.md").exists()


def test_in_a_work_tree_git_is_told_where_all_work_trees_read_it(place: Place) -> None:
    common = place.home / "repository" / ".git"
    (common / "info").mkdir(parents=True)
    (common / "worktrees" / "w").mkdir(parents=True)
    (common / "worktrees" / "w" / "commondir").write_text("../..\n")
    (place.project / ".git" / "HEAD").unlink()
    (place.project / ".git" / "info").rmdir()
    (place.project / ".git").rmdir()
    (place.project / ".git").write_text(f"gitdir: {common / 'worktrees' / 'w'}\n")
    before = place.snapshot()
    place.install("cursor")
    assert (common / "info" / "exclude").read_text() == "/.cursor/rules/muniment.mdc\n"
    place.undo()
    assert place.snapshot() == before


@pytest.mark.parametrize("name", ["with blanks in it", "ünïcode-日本", "q'uote \"s", "-dash", "a#b", "%APPDATA%"])
def test_homes_of_any_name_do(tmp_path: Path, name: str) -> None:
    place = Place(tmp_path, name)
    place.write(".claude/settings.json", b"{}")
    before = place.snapshot()
    place.install("claude-code", "codex", "goose", "aider", "opencode")
    assert place.install("claude-code", "codex", "goose", "aider", "opencode") == []
    place.undo()
    assert place.snapshot() == before


def test_a_link_stays_a_link_and_what_it_leads_to_is_written(place: Place) -> None:
    real = place.write("dotfiles/claude.json", b'{\n  "a": 1\n}\n')
    (place.home / ".claude").mkdir()
    (place.home / ".claude" / "settings.json").symlink_to(real)
    before = place.snapshot()
    place.install("claude-code")
    assert (place.home / ".claude" / "settings.json").is_symlink()
    assert b"muniment" in real.read_bytes()
    place.undo()
    assert place.snapshot() == before


def test_a_link_that_leads_nowhere_yet_stays_as_well(place: Place) -> None:
    (place.home / ".claude").mkdir()
    (place.home / ".claude" / "settings.json").symlink_to(place.home / "dotfiles" / "claude.json")
    before = place.snapshot()
    place.install("claude-code")
    assert (place.home / "dotfiles" / "claude.json").is_file()
    place.undo()
    assert place.snapshot() == before


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o755])
def test_a_file_keeps_its_mode(place: Place, mode: int) -> None:
    path = place.write(".claude/settings.json", b"{}")
    path.chmod(mode)
    before = place.snapshot()
    place.install("claude-code")
    assert path.stat().st_mode & 0o777 == mode
    place.undo()
    assert place.snapshot() == before


@pytest.mark.parametrize(
    ("harness", "file", "raw", "told"),
    [
        ("claude-code", ".claude/settings.json", b'{"a": 1 "b": 2}', "line 1, column 9"),
        ("claude-code", ".claude/settings.json", b"{\n  'a': 1\n}", "line 2, column 3"),
        ("claude-code", ".claude/settings.json", b'{"a": [1, 2}', "line 1, column 12"),
        ("claude-code", ".claude/settings.json", b'{"a": 1', "ends too early"),
        ("claude-code", ".claude/settings.json", b"[]", "is no object"),
        ("claude-code", ".claude/settings.json", b'{"hooks": []}', "hooks is no object"),
        ("claude-code", ".claude/settings.json", b'{"hooks": {"Stop": {}}}', "hooks.Stop is no array"),
        ("claude-code", ".claude/settings.json", b"\xff\xfe{\x00}\x00", "is not UTF-8"),
        ("claude-code", ".claude/settings.json", b"[" * 10_000, "nested too deeply"),
        ("codex", ".codex/config.toml", b'model = "x\n', "line 1"),
        ("codex", ".codex/config.toml", b"mcp_servers = { x = { command = 'y' } }\n", "cannot be put beside"),
        ("kimi-cli", ".kimi/config.toml", b'hooks = [{ event = "Stop", command = "x" }]\n', "written as one value"),
        ("goose", ".config/goose/config.yaml", b"extensions: {developer: {enabled: true}}\n", "block style"),
        ("goose", ".config/goose/config.yaml", b"extensions:\n\tx: 1\n", "indented by a tab"),
        ("goose", ".config/goose/config.yaml", b'a: "never closed\n', "never closed"),
        ("goose", ".config/goose/config.yaml", b"a: 1\n---\nb: 2\n", "more than one document"),
        ("goose", ".config/goose/config.yaml", b"- a\n- b\n", "no mapping"),
        ("continue", ".continue/config.yaml", b"mcpServers:\n  x: 1\n", "mcpServers is no list"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place_and_nothing_is_written(
    place: Place, harness: str, file: str, raw: bytes, told: str
) -> None:
    path = place.write(file, raw)
    before = place.snapshot()
    with pytest.raises(RefusedError) as caught:
        place.install(harness)
    assert told in caught.value.message
    assert str(path) in caught.value.message
    assert caught.value.hint
    assert place.snapshot() == before
    assert not place.ours.exists()


def test_a_read_only_file_is_refused(place: Place) -> None:
    place.write(".claude/settings.json", b"{}").chmod(0o444)
    before = place.snapshot()
    with pytest.raises(RefusedError, match="read-only"):
        place.install("claude-code")
    assert place.snapshot() == before


def test_a_folder_in_the_place_of_a_file_is_refused(place: Place) -> None:
    (place.home / ".claude" / "settings.json").mkdir(parents=True)
    with pytest.raises(RefusedError, match=r"settings\.json"):
        place.install("claude-code")


def test_a_file_in_the_place_of_a_folder_is_refused(place: Place) -> None:
    place.write(".claude", b"")
    with pytest.raises(RefusedError, match="not a folder"):
        place.install("claude-code")


def test_a_file_of_somebody_else_under_our_name_is_left_alone(place: Place) -> None:
    place.write(".pi/agent/extensions/muniment.ts", b"export const Other = 1\n")
    before = place.snapshot()
    with pytest.raises(RefusedError, match="not from us"):
        place.install("pi")
    assert place.snapshot() == before


def test_hooks_that_a_person_registered_by_hand_are_not_doubled(place: Place) -> None:
    by_hand = {"hooks": [{"type": "command", "command": "muniment-hook claude-code"}]}
    path = place.write(".claude/settings.json", json.dumps({"hooks": {"SessionStart": [by_hand]}}).encode())
    before = place.snapshot()
    place.install("claude-code")
    assert len(json.loads(path.read_bytes())["hooks"]["SessionStart"]) == 1
    place.undo()
    assert place.snapshot() == before


def test_a_group_that_holds_another_s_hook_beside_ours_keeps_it(place: Place) -> None:
    path = place.write(".claude/settings.json", b"{}")
    place.install("claude-code")
    told = json.loads(path.read_bytes())
    told["hooks"]["Stop"][0]["hooks"].append({"type": "command", "command": "beep"})
    path.write_text(json.dumps(told))
    place.undo()
    assert json.loads(path.read_bytes()) == {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "beep"}]}]}}


def test_a_file_that_a_person_deleted_stays_deleted(place: Place) -> None:
    place.write(".claude/settings.json", b'{"a": 1}').unlink()
    place.install("claude-code")
    (place.home / ".claude.json").unlink()
    assert place.undo()[".claude.json"] == "gone"
    assert not (place.home / ".claude.json").exists()


def test_an_entry_that_a_person_changed_is_still_ours_to_take_out(place: Place) -> None:
    path = place.write(".claude.json", b'{\n  "a": 1\n}\n')
    place.install("claude-code")
    told = json.loads(path.read_bytes())
    told["mcpServers"]["muniment"]["env"] = {"X": "1"}
    path.write_text(json.dumps(told, indent=2))
    place.undo()
    assert json.loads(path.read_bytes()) == {"a": 1}


def test_a_file_that_is_broken_by_now_is_left_and_said(place: Place) -> None:
    path = place.write(".claude/settings.json", b'{"a": 1}')
    place.install("claude-code")
    path.write_bytes(path.read_bytes() + b"}")
    assert place.undo()[".claude/settings.json"] == "left"


def test_undoing_goes_on_after_a_crash_between_the_record_and_the_files(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    from muniment.harness import files

    place.write(".claude/settings.json", b'{"a": 1}')
    before = place.snapshot()
    written, real = [], files.replace

    def failing(path: str, raw: bytes, mode: int, expected: bytes | None) -> list[str]:
        if path.endswith(".claude.json"):
            raise OSError("power")
        written.append(path)
        return real(path, raw, mode, expected)

    monkeypatch.setattr(files, "replace", failing)
    with pytest.raises(OSError, match="power"):
        place.install("claude-code")
    monkeypatch.setattr(files, "replace", real)
    assert any(path.endswith("settings.json") for path in written)
    place.undo()
    assert place.snapshot() == before


@pytest.mark.parametrize(
    ("harness", "file", "raw", "edit"),
    [
        ("claude-code", ".claude.json", b'{"mcpServers":{"muniment":{"command":"mine"}},"n":1}', (b'"n":1', b'"n":2')),
        ("codex", ".codex/config.toml", b'n = 1\n\n[mcp_servers.muniment]\ncommand = "mine" # keep\n', (b"n = 1", b"n = 2")),
    ],
)  # fmt: skip
def test_an_entry_that_the_person_had_in_our_place_comes_back_after_an_edit(
    place: Place, harness: str, file: str, raw: bytes, edit: tuple[bytes, bytes]
) -> None:
    path = place.write(file, raw)
    place.install(harness)
    path.write_bytes(path.read_bytes().replace(*edit))
    place.undo()
    assert path.read_bytes() == raw.replace(*edit)


def test_a_file_that_could_not_be_read_can_be_undone_once_it_is_mended(place: Place) -> None:
    path = place.write(".claude/settings.json", b'{"a": 1}\n')
    place.install("claude-code")
    sound = path.read_bytes()
    path.write_bytes(sound + b"}")
    assert place.undo()[".claude/settings.json"] == "left"
    path.write_bytes(sound)
    assert place.undo()[".claude/settings.json"] == "restored"
    assert path.read_bytes() == b'{"a": 1}\n'


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are of POSIX systems")
def test_what_is_no_file_is_refused_and_not_waited_for(place: Place) -> None:
    (place.home / ".claude").mkdir()
    os.mkfifo(place.home / ".claude" / "settings.json")
    with pytest.raises(RefusedError, match="no regular file"):
        place.install("claude-code")
