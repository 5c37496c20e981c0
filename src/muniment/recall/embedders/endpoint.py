"""Any server that speaks the OpenAI shape of `/embeddings`: Ollama, llama.cpp, vLLM, a hosted one. Words leave the machine
if the address does.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from muniment.errors import EndpointError, UsageError
from muniment.model.services import EmbeddingService
from muniment.recall import http_json
from muniment.recall.embedders.contract import Model, Use
from muniment.recall.embedders.vectors import packed

_LARGEST = 8192
"""Numbers a vector may have."""


class Endpoint:
    """One model of one server. The first answer tells its dimension, if it is not known from before."""

    def __init__(self, service: EmbeddingService, dimension: int = 0) -> None:
        if not service.url or not service.model:
            hint = "write url and model under [embeddings] in config.toml"
            raise UsageError("no embeddings endpoint is configured", hint=hint, about="config.toml")
        self._service = service
        self._url = f"{service.url.rstrip('/').removesuffix('/embeddings')}/embeddings"
        http_json.demand_address(self._url)
        self._dimension = dimension

    @property
    def model(self) -> Model:
        """The model's name is its version: what a server calls by one name it must not change under it."""
        if not self._dimension:
            self._ask(["dimension"])
        return Model("endpoint", self._service.model, self._dimension)

    def embed(self, texts: Sequence[str], use: Use, /) -> list[bytes]:
        """One vector for each text, asked for in batches."""
        prefix = self._service.query_prefix if use == "query" else self._service.passage_prefix
        given = [f"{prefix}{text[: self._service.longest]}" or " " for text in texts]
        return [packed(vector) for batch in _batches(given, self._service.batch) for vector in self._ask(batch)]

    def _ask(self, texts: Sequence[str]) -> list[list[float]]:
        body = {"model": self._service.model, "input": list(texts), "encoding_format": "float"}
        answer = http_json.post(self._url, body, self._service.key, self._service.timeout)
        return self._checked(answer, len(texts))

    def _checked(self, answer: Any, count: int) -> list[list[float]]:
        rows = answer.get("data") if isinstance(answer, dict) else None
        if not isinstance(rows, list) or len(rows) != count or not all(isinstance(row, dict) for row in rows):
            raise self._odd(f"no list of {count} under `data`")
        placed: list[list[float] | None] = [None] * count
        for place, row in enumerate(rows):
            index = row.get("index", place)
            if type(index) is not int or not 0 <= index < count or placed[index] is not None:
                raise self._odd(f"the index {index!r}")
            placed[index] = self._vector(row.get("embedding"))
        return [vector for vector in placed if vector is not None]

    def _vector(self, vector: Any) -> list[float]:
        if not isinstance(vector, list) or not 0 < len(vector) <= _LARGEST:
            raise self._odd("an embedding that is no list of numbers")
        if not all(type(x) in (int, float) and math.isfinite(x) for x in vector):
            raise self._odd("an embedding with something that is no number")
        self._dimension = self._dimension or len(vector)
        if len(vector) != self._dimension:
            raise self._odd(f"an embedding of {len(vector)} numbers instead of {self._dimension}")
        return vector

    def _odd(self, what: str) -> EndpointError:
        hint = "the server must speak the OpenAI shape of /embeddings, always with the same model"
        return EndpointError(f"{self._url} answered with {what}", hint=hint, about=self._url)


def _batches(texts: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    for start in range(0, len(texts), size):
        yield texts[start : start + size]
