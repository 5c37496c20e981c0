"""What stands between and beside our entries in a settings file is kept, or the file is refused."""

from __future__ import annotations

import tomllib

import pytest

from muniment.harness.texts import jsonc, toml
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
