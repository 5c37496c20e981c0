"""Servers that a person named in the configuration. None is asked unless it is named."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class EmbeddingService:
    """An OpenAI-compatible `/embeddings`. The key is a value by now; in the file stands only where to find it."""

    url: str = ""
    model: str = ""
    key: str | None = field(default=None, repr=False)
    timeout: float = 30.0
    batch: int = 32
    longest: int = 8000
    """Characters of a text that are sent."""
    query_prefix: str = ""
    passage_prefix: str = ""


@dataclass(frozen=True, slots=True)
class RerankService:
    """A `/rerank` as several vendors speak it; off while no address is given."""

    url: str = ""
    model: str = ""
    key: str | None = field(default=None, repr=False)
    timeout: float = 5.0
    top: int = 20
    """Results that it sees."""
    longest: int = 4000


@dataclass(frozen=True, slots=True)
class Services:
    """What the configuration names."""

    embeddings: EmbeddingService = EmbeddingService()
    rerank: RerankService = RerankService()
