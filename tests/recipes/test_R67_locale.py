"""R67: the locale of the process changes nothing: the same rows, the same bytes."""

from __future__ import annotations

import pytest
from tests.recipes.support import Reads, Runs, Says, transcript
from tests.surfaces.conftest import Terminal

LOCALES = (
    {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "ascii"},
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "latin-1"},
    {"LC_ALL": "C.UTF-8", "TZ": "Asia/Kathmandu"},
)


@pytest.mark.parametrize("locale", LOCALES, ids=["C", "POSIX", "latin-1", "other zone"])
def test_utf8_content_is_the_same_under_every_locale(tmp_path, locale):
    outs = []
    for name, env in (("plain", {}), ("other", locale)):
        terminal = Terminal(tmp_path / name)
        steps = [Says("Größe der 数据库 prüfen 😀"), Runs("echo é", "naïve"), Reads("/srv/日本.txt", "ñ\n")]
        path = transcript("claude-code", tmp_path / name / "t", "/nowhere/else", steps)
        runs = [
            terminal.ok("index", str(path), env=env),
            terminal.ok("query", "数据库", env=env),
            terminal.ok("query", "", "--json", env=env),
            terminal.ok("query", "größe", "--budget", "300", env=env),
        ]
        receipt = runs[1].out.split("\t")[5]
        runs.append(terminal.ok("read", receipt, env=env))
        found = [(row["id"], row["text"], row["row"]) for row in runs.pop(2).json["rows"]]
        outs.append([found, *(ran.out.replace(str(tmp_path / name), "") for ran in runs)])
    assert outs[0] == outs[1]
    assert "数据库" in outs[0][2]
