"""What stands between and beside our entries in a settings file is kept, or the file is refused."""

from __future__ import annotations

import tomllib

import pytest

from muniment.harness.texts import jsonc, toml, yaml
from muniment.harness.texts.form import Unreadable
from muniment.harness.texts.splice import applied, unapplied

OURS = {"command": "ours", "args": ["mcp"]}


def test_a_table_of_somebody_else_between_two_of_ours_stays() -> None:
    ours = '[mcp_servers.muniment]\ncommand = "old"\n'
    text = f'{ours}\n# about other\n[mcp_servers.other]\ncommand = "x"\n\n[mcp_servers.muniment.env]\nA = "1"\n'
    steps = toml.put_member(text, ["mcp_servers", "muniment"], OURS)
    after = applied(text, steps)
    assert tomllib.loads(after)["mcp_servers"] == {"muniment": OURS, "other": {"command": "x"}}
    assert "# about other\n[mcp_servers.other]" in after
    assert unapplied(after, steps) == text


@pytest.mark.parametrize("text", ["n = " + "9" * 5000 + "\n", "a = " + "[" * 3000 + "]" * 3000 + "\n"])
def test_toml_that_cannot_be_read_whole_is_refused(text: str) -> None:
    with pytest.raises(Unreadable):
        toml.put_member(text, ["mcp_servers", "muniment"], OURS)


def test_json_with_a_number_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(Unreadable, match="longer than can be read"):
        jsonc.put_member('{"a": ' + "9" * 5000 + "}", ["mcpServers", "muniment"], OURS)


@pytest.mark.parametrize(
    "text",
    [
        "a: 1\n...\n",
        "--- {a: 1}\n",
        "mcp_servers: &m\n  other:\n    command: x\nbackup_servers: *m\n",
        "mcp_servers:\n  other:\n    command: |+\n      text\n\n\nz: 1\n",
        "mcp_servers:\n  a: 1\nmcp_servers:\n  b: 2\n",
    ],
)
def test_yaml_where_ours_would_change_or_break_something_is_refused(text: str) -> None:
    with pytest.raises(Unreadable):
        yaml.put_member(text, ["mcp_servers", "muniment"], OURS)


def test_a_marked_document_with_comments_takes_ours() -> None:
    text = "--- # settings\nmcp_servers:  # of mine\n  other:\n    command: x\n"
    after = applied(text, yaml.put_member(text, ["mcp_servers", "muniment"], OURS))
    assert after.startswith(text)
    assert "muniment:" in after
