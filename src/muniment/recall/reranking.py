"""A second look at the top of a list by a server that was named for it: Cohere's, Jina's and others' `/rerank`.

The list as it was is the answer whenever the server fails, with a warning that says so.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from muniment.errors import MunimentError
from muniment.model.services import RerankService


class Reranked(NamedTuple):
    """The places of the documents, best first; the server's score of each that it gave one; what went wrong, if anything."""

    order: tuple[int, ...]
    scores: dict[int, float]
    warning: str | None = None


def rerank(service: RerankService, words: str, documents: Sequence[str]) -> Reranked:
    """Order the first `top` documents by what the server says of them; the others keep their places behind them.

    Never raises: where there is no server, nothing changes; where it fails or answers oddly, nothing changes and
    `warning` says why. Of equal scores the one that came first stays first.
    """
    same = tuple(range(len(documents)))
    top = min(service.top, len(documents))
    if not service.url or top < 2:
        return Reranked(same, {})
    try:
        scores = _scores(_asked(service, words, documents[:top]), top)
    except (MunimentError, _OddError) as problem:
        return Reranked(same, {}, f"not re-ranked: {problem}")
    first = sorted(scores, key=lambda place: (-scores[place], place))
    return Reranked((*first, *(place for place in same if place not in scores)), scores)


class _OddError(Exception):
    """An answer that is not of the agreed shape."""


def _asked(service: RerankService, words: str, documents: Sequence[str]) -> Any:
    from muniment.recall import http_json  # slow to load, and most searches have no server

    url = f"{service.url.rstrip('/').removesuffix('/rerank')}/rerank"
    sent = [text[: service.longest] for text in documents]
    body = {"model": service.model, "query": words, "documents": sent, "top_n": len(sent)}
    return http_json.post(url, body, service.key, service.timeout)


def _scores(answer: Any, count: int) -> dict[int, float]:
    rows = answer.get("results") if isinstance(answer, dict) else None
    if not isinstance(rows, list) or not rows:
        raise _OddError("the server's answer has no list of `results`")
    scores: dict[int, float] = {}
    for row in rows:
        place, score = (row.get("index"), row.get("relevance_score")) if isinstance(row, dict) else (None, None)
        if type(place) is not int or not 0 <= place < count or place in scores:
            raise _OddError(f"the server's answer has the index {place!r}")
        if not isinstance(score, int | float) or isinstance(score, bool) or not math.isfinite(score):
            raise _OddError(f"the server's answer has the relevance_score {score!r}")
        scores[place] = float(score)
    return scores
