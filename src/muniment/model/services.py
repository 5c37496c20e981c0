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
class ModelService:
    """A language model that may propose; off while no address is given. `kind` is `openai` (what many servers speak) or
    `anthropic`."""

    url: str = ""
    model: str = ""
    key: str | None = field(default=None, repr=False)
    kind: str = "openai"
    timeout: float = 60.0
    tokens_per_day: int = 200_000
    """What one workspace may cost in a day; nothing is asked beyond."""
    window: int = 12
    """Turns in one question."""
    overlap: int = 2
    """Turns of the question before that come along."""
    gleaning: int = 0
    """Further looks at the same turns."""
    longest: int = 4000
    """Characters of a turn that are sent."""
    answer_tokens: int = 2000


@dataclass(frozen=True, slots=True)
class Services:
    """What the configuration names."""

    embeddings: EmbeddingService = EmbeddingService()
    rerank: RerankService = RerankService()
    model: ModelService = ModelService()
