"""A server that looks at the top again orders whole answers alike, however few hits are asked for, and page by page."""

from __future__ import annotations

from tests.recall.server import answered, serving

from muniment.engine.core import Caller
from muniment.engine.ingesting import ingest
from muniment.engine.searching import Asking, search
from muniment.model.event import Origin
from muniment.model.services import RerankService, Services

TOP = 20


def backwards(asked):
    """The last document is the best."""
    count = len(asked.body["documents"])
    return answered({"results": [{"index": n, "relevance_score": n / count} for n in range(count)]})


def test_what_the_server_orders_does_not_hang_on_the_limit(make_engine):
    with serving(backwards) as served:
        services = Services(rerank=RerankService(served.url, "some-reranker", timeout=5.0, top=TOP))
        engine = make_engine(services=lambda: services)
        turns = [
            {"session": f"s{n}", "seq": 0, "speaker": "Ana", "text": f"lantern {n} " + "barn " * n} for n in range(30)
        ]
        ingest(engine, Caller(Origin.PERSON), turns, may_vouch=True)
        whole = [hit.receipt for hit in search(engine, "lantern", Asking(limit=TOP))]
        pages, cursor = [], None
        for _ in range(4):
            found = search(engine, "" if cursor else "lantern", Asking(limit=5, cursor=cursor))
            pages += [hit.receipt for hit in found]
            cursor = found.cursor
    assert pages == whole
    assert {len(asked.body["documents"]) for asked in served.asked} == {TOP}
    assert whole[0] != "conversation.s0:0"


def test_a_server_that_fails_leaves_the_answer_and_is_told_of(make_engine):
    services = Services(rerank=RerankService("http://127.0.0.1:9", "some-reranker", timeout=1.0))
    engine = make_engine(services=lambda: services)
    ingest(
        engine,
        Caller(Origin.PERSON),
        [{"session": "s", "seq": 0, "speaker": "Ana", "text": "the lantern"}],
        may_vouch=True,
    )
    ingest(
        engine,
        Caller(Origin.PERSON),
        [{"session": "t", "seq": 0, "speaker": "Ana", "text": "a lantern too"}],
        may_vouch=True,
    )
    found = search(engine, "lantern")
    assert len(found) == 2
    assert [warning.partition(":")[0] for warning in found.warnings] == ["not re-ranked"]
