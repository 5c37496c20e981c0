"""The second look: what the server says orders the top, and whatever it does wrong leaves the list as it was, with a warning."""

from __future__ import annotations

import socket
import time

import pytest
from tests.recall.server import Asked, answered, serving

from muniment.model.services import RerankService
from muniment.recall.reranking import rerank

DOCUMENTS = ["on cats", "on dogs", "on the retry policy", "on trips"]


def results(*scores: tuple[int, float]) -> object:
    return {"results": [{"index": place, "relevance_score": score} for place, score in scores]}


def service(url: str, **more) -> RerankService:
    return RerankService(url, "some-reranker", **{"timeout": 5.0, **more})


def test_without_a_server_nothing_changes_and_nothing_is_asked():
    assert rerank(RerankService(), "retry", DOCUMENTS) == ((0, 1, 2, 3), {}, None)


def test_the_top_is_ordered_by_what_the_server_says_and_the_rest_stays():
    with serving(lambda _: answered(results((2, 0.9), (0, 0.1), (1, 0.1)))) as served:
        found = rerank(service(served.url, top=3, key="secret"), "retry", DOCUMENTS)
    assert found.order == (2, 0, 1, 3)
    assert found.scores == {2: 0.9, 0: 0.1, 1: 0.1}
    assert found.warning is None
    body = {"model": "some-reranker", "query": "retry", "documents": DOCUMENTS[:3], "top_n": 3}
    assert served.asked == [Asked("/v1/rerank", "Bearer secret", body)]


def test_documents_that_the_server_leaves_out_come_after_those_it_names():
    with serving(lambda _: answered(results((3, 0.5)))) as served:
        assert rerank(service(served.url + "/rerank"), "x", DOCUMENTS).order == (3, 0, 1, 2)


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (answered({}), "no list of `results`"),
        (answered({"results": []}), "no list of `results`"),
        (answered([1]), "no list of `results`"),
        (answered({"results": [7]}), "index None"),
        (answered(results((4, 1.0))), "index 4"),
        (answered(results((-1, 1.0))), "index -1"),
        (answered(results((0, 1.0), (0, 0.5))), "index 0"),
        (answered({"results": [{"index": True, "relevance_score": 1}]}), "index True"),
        (answered({"results": [{"index": 0, "relevance_score": "high"}]}), "relevance_score 'high'"),
        ((200, b'{"results": [{"index": 0, "relevance_score": NaN}]}'), "relevance_score nan"),
        ((200, b"<html>busy</html>"), "did not answer in JSON: <html>busy</html>"),
        ((200, b""), "did not answer in JSON"),
        ((500, b"out of memory"), "answered 500: out of memory"),
        ((401, b""), "answered 401"),
        ((307, b""), "answered 307"),
    ],
)
def test_whatever_the_server_does_wrong_leaves_the_order_and_warns(answer, told):
    with serving(lambda _: answer) as served:
        found = rerank(service(served.url), "retry", DOCUMENTS)
    assert (found.order, found.scores) == ((0, 1, 2, 3), {})
    assert found.warning.startswith("not re-ranked: ")
    assert told in found.warning


def test_a_server_that_takes_too_long_is_not_waited_for():
    def slow(_: Asked) -> tuple[int, bytes]:
        time.sleep(0.5)
        return answered(results((0, 1.0)))

    with serving(slow) as served:
        found = rerank(service(served.url, timeout=0.05), "retry", DOCUMENTS)
    assert found.order == (0, 1, 2, 3)
    assert "did not answer within 0.05 s" in found.warning


def test_no_server_at_the_address_is_a_warning():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
        found = rerank(service(url), "retry", DOCUMENTS)
    assert found.order == (0, 1, 2, 3)
    assert "cannot be asked" in found.warning


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "localhost:8080", "http://", "http://a b", "http://[", "ftp://x"]
)
def test_an_address_that_cannot_be_asked_is_a_warning(url):
    assert "not an address" in rerank(service(url), "retry", DOCUMENTS).warning
