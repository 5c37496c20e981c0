"""Files whose content is never kept: their names stay, what they hold does not, in whichever order it is read."""

from __future__ import annotations

import pytest
from tests.recipes.support import HARNESSES, Reads, Replies, Runs, Says, Writes, kept_bytes, read_in, transcript

from muniment import Memory
from muniment.engine.asking import query
from muniment.engine.core import Engine, Settings
from muniment.errors import UsageError
from muniment.gate import own_rules
from muniment.gate.excluding import _calls
from muniment.model.scope import workspace_of

TEXT = "the otter sleeps at noon\nand wakes at dusk"


@pytest.fixture
def make(tmp_path):
    """Engines of one home whose configuration excludes a folder, as processes of their own would be."""
    made = []
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / ".muniment").touch()

    def new() -> Engine:
        _calls.ids.clear()
        settings = Settings(tmp_path / "home", masks=lambda: ((), ("vault/**", ".env")))
        made.append(Engine(workspace_of(tmp_path / "project"), settings))
        return made[-1]

    yield new
    for engine in made:
        engine.close()
    own_rules.hold(str(tmp_path / "home"), own_rules.Rules())


def found(engine: Engine, word: str) -> bool:
    engine.close()
    return any(word.encode() in data for _, data in kept_bytes(engine.settings.home))


@pytest.mark.parametrize("harness", HARNESSES)
def test_what_tools_read_or_write_there_is_not_kept_and_its_name_is(make, tmp_path, harness):
    engine = make()
    root = engine.workspace.root
    steps = [
        Says("look"), Reads(f"{root}/vault/a.txt", TEXT), Writes(f"{root}/.env", TEXT), Runs("cat vault/a.txt | head", TEXT),
        Runs("ls", "heron"), Replies("done"),
    ]  # fmt: skip
    read_in(engine, transcript(harness, tmp_path / "t", root, steps))
    rows = query(engine, "", 100_000).text
    assert "vault/a.txt" in rows
    assert not found(engine, "otter sleeps")
    assert not found(engine, "wakes at dusk")
    assert found(engine, "heron")


def test_a_result_that_another_process_reads_later_is_covered_too(make, tmp_path):
    engine = make()
    root = engine.workspace.root
    path = transcript("claude-code", tmp_path / "t", root, [Says("look"), Reads(f"{root}/vault/a.txt", TEXT)])
    lines = path.read_bytes().splitlines(keepends=True)
    cut = next(n for n, line in enumerate(lines) if b"tool_result" in line)
    path.write_bytes(b"".join(lines[:cut]))
    read_in(engine, path)
    engine.close()
    path.write_bytes(b"".join(lines))
    later = make()
    read_in(later, path)
    assert not found(later, "otter sleeps")


def test_the_configuration_is_read_by_the_library_and_a_bad_rule_is_a_clear_error(tmp_path):
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "config.toml").write_text("[masks]\npatterns = ['BADGE-\\d{4}']\n")
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / ".muniment").touch()
    try:
        with Memory.open(tmp_path / "p", home=tmp_path / "home", vouch="person") as memory:
            memory.add("fact", "the lab opens with BADGE-1234")
            assert "BADGE-1234" not in memory.query("p:noted").text
        for bad in ("patterns = ['(']", "patterns = 'x'", "pattern = ['x']", "patterns = ['a*']"):
            (tmp_path / "home" / "config.toml").write_text(f"[masks]\n{bad}\n")
            with pytest.raises(UsageError):
                Memory.open(tmp_path / "p", home=tmp_path / "home").query("")
    finally:
        own_rules.hold(str(tmp_path / "home"), own_rules.Rules())
