"""An embeddings server: its vectors in order whatever order it answers in, and one clear error for each thing it does wrong."""

from __future__ import annotations

import pytest
from tests.recall.server import Asked, answered, serving

from muniment.errors import EndpointError, UsageError
from muniment.model.services import EmbeddingService
from muniment.recall.embedders import registry
from muniment.recall.embedders.endpoint import Endpoint


def lengths(asked: Asked) -> tuple[int, bytes]:
    """A vector that tells its text's length, last text first."""
    rows = [{"index": n, "embedding": [len(text), 1.0, 0]} for n, text in enumerate(asked.body["input"])]
    return answered({"data": rows[::-1], "model": asked.body["model"]})


def test_texts_are_asked_for_in_batches_and_come_back_in_order():
    with serving(lengths) as served:
        service = EmbeddingService(served.url, "some-model", "secret", batch=2)
        found = registry.embedder("endpoint", service).embed(["a", "bb", "cccc"], "passage")
    assert [list(each)[:2] for each in found] == [[127, 127], [127, 64], [127, 32]]
    assert [asked.body["input"] for asked in served.asked] == [["a", "bb"], ["cccc"]]
    assert {(a.path, a.key, a.body["model"]) for a in served.asked} == {
        ("/v1/embeddings", "Bearer secret", "some-model")
    }


def test_the_first_answer_tells_the_dimension():
    with serving(lengths) as served:
        assert Endpoint(EmbeddingService(served.url, "some-model")).model == ("endpoint", "some-model", 3)


def test_questions_and_passages_get_their_prefixes_and_long_texts_are_cut():
    with serving(lengths) as served:
        service = EmbeddingService(served.url, "m", longest=3, query_prefix="query: ", passage_prefix="passage: ")
        endpoint = Endpoint(service, 3)
        endpoint.embed(["abcdef"], "query")
        endpoint.embed(["abcdef"], "passage")
    assert [asked.body["input"] for asked in served.asked] == [["query: abc"], ["passage: abc"]]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (answered({}), "no list of 1"),
        (answered({"data": []}), "no list of 1"),
        (answered({"data": [{"index": 1, "embedding": [1, 2, 3]}]}), "the index 1"),
        (answered({"data": [{"index": 0, "embedding": []}]}), "no list of numbers"),
        (answered({"data": [{"index": 0, "embedding": "AAAA"}]}), "no list of numbers"),
        (answered({"data": [{"index": 0, "embedding": [1, None, 3]}]}), "no number"),
        ((200, b'{"data": [{"index": 0, "embedding": [1, Infinity, 3]}]}'), "no number"),
        (answered({"data": [{"index": 0, "embedding": [1, 2]}]}), "2 numbers instead of 3"),
        ((404, b'{"error": "no such model"}'), "answered 404"),
        ((200, b"{"), "did not answer in JSON"),
    ],
)
def test_whatever_the_server_does_wrong_is_one_clear_error(answer, told):
    with serving(lambda _: answer) as served:
        endpoint = Endpoint(EmbeddingService(served.url, "m"), 3)
        with pytest.raises(EndpointError, match=told) as raised:
            endpoint.embed(["text"], "passage")
    assert raised.value.hint


def test_without_an_address_the_hint_says_where_to_write_it():
    with pytest.raises(UsageError, match="no embeddings endpoint is configured") as raised:
        registry.embedder("endpoint", EmbeddingService())
    assert "config.toml" in raised.value.hint
