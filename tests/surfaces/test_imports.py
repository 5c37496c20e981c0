"""What a plain question loads, held to a list: start-up is paid by every shell loop.

Whoever makes this test fail has made every question slower: load the module where it is used, or list it and say why.
"""

from __future__ import annotations

import subprocess
import sys

import pytest
from tests.surfaces.conftest import SOURCE, Terminal

OURS = """
    muniment
    config
    engine engine.ancestry engine.asking engine.core engine.handle engine.truth
    errors
    model model.entity model.event model.fact model.ground model.ids model.kept model.ports model.rank model.scope
    model.selector model.services
    model.stored model.text_index model.time model.values model.vocabulary
    model.address recall recall.answer recall.hydrate recall.plan recall.shares
    storage storage.sqlite storage.sqlite.connection storage.sqlite.encryption storage.sqlite.events
    storage.sqlite.evidence storage.sqlite.facts
    storage.sqlite.hash_cache storage.sqlite.hot storage.sqlite.lock storage.sqlite.lookup storage.sqlite.mounts
    storage.sqlite.schema storage.sqlite.search storage.sqlite.sources storage.sqlite.store storage.sqlite.text_rows
    storage.sqlite.transfer
    storage.sqlite.turns storage.sqlite.vectors storage.sqlite.walk storage.sqlite.whole
    surfaces surfaces.cli surfaces.cli.caller surfaces.cli.invocation surfaces.cli.main surfaces.cli.memory_words
    surfaces.cli.output surfaces.cli.parser surfaces.cli.reading surfaces.cli.telling_words
"""
"""The modules of ours that `muniment query p:ran` may load."""

THIRD_PARTY = {"apsw", "blake3"}
COSTLY = """
    asyncio base64 concurrent difflib email hashlib http importlib.metadata importlib.resources json logging
    multiprocessing random secrets socket sqlite3 ssl subprocess tempfile urllib.request uuid zoneinfo zstandard
"""
"""Modules that cost milliseconds, and which a question that fits its budget has no use for."""

SCRIPT = """
import sys
before = set(sys.modules)
from muniment.surfaces.cli.main import main
assert main(sys.argv[1:]) == 0
print(*sorted(set(sys.modules) - before), file=sys.stderr)
"""


def loaded(terminal: Terminal, *words: str) -> set[str]:
    """Every module that one run of the command line loads."""
    command = [sys.executable, "-S", "-c", SCRIPT, *words]
    env = {**terminal.environment(), "PYTHONPATH": f"{SOURCE}{_separator()}{_libraries()}"}
    done = subprocess.run(command, cwd=terminal.project, env=env, capture_output=True, text=True, check=True)
    return set(done.stderr.splitlines()[-1].split())


def _separator() -> str:
    import os

    return os.pathsep


def _libraries() -> str:
    """Where the third-party libraries are, without the start-up files of that folder."""
    import os

    import apsw

    return os.path.dirname(os.path.dirname(apsw.__file__))


def ours(names: set[str]) -> set[str]:
    """The modules of this package among others, without its name before them."""
    return {name.removeprefix("muniment.") for name in names if name.split(".")[0] == "muniment"}


def test_a_plain_question_loads_what_is_listed_and_nothing_else(read_in: Terminal) -> None:
    names = loaded(read_in, "query", "p:ran")
    assert ours(names) <= set(OURS.split())
    assert names & set(COSTLY.split()) == set()
    foreign = {n.split(".")[0] for n in names} - {"muniment"} - set(sys.stdlib_module_names) - {"org"}
    assert foreign <= THIRD_PARTY


def test_the_list_names_nothing_that_is_not_loaded(read_in: Terminal) -> None:
    assert set(OURS.split()) - ours(loaded(read_in, "query", "p:ran")) == set()


@pytest.mark.parametrize(
    ("words", "more"),
    [
        (("query", "p:ran", "--json"), {"json"}),
        (("query", "type:question", "--budget", "500"), set()),
        (("query", "path:README.md"), {"hashlib"}),
    ],
)
def test_what_is_asked_for_costs_what_it_needs_alone(
    own_read_in: Terminal, words: tuple[str, ...], more: set[str]
) -> None:
    (own_read_in.project / "README.md").write_text("# demo\n")
    names = loaded(own_read_in, *words)
    assert names & set(COSTLY.split()) == more


def test_the_public_names_are_loaded_when_asked_for(read_in: Terminal) -> None:
    script = "import sys, muniment\nprint(*(n for n in sys.modules if n.startswith('muniment.')))"
    done = subprocess.run(
        [sys.executable, "-c", script], env=read_in.environment(), capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ""
