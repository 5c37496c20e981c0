"""What every embedder promises."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol

Use = Literal["query", "passage"]
"""A question, or what may answer it: some models tell them apart."""


class Model(NamedTuple):
    """Which vectors are comparable: those of one name, version and dimension, and no others."""

    name: str
    version: str
    dimension: int


class Embedder(Protocol):
    """Turns texts into vectors of one model.

    A vector is `dimension` signed bytes: its direction, scaled so that the greatest part is 127. The same text gives the
    same bytes whatever it is embedded together with.
    """

    @property
    def model(self) -> Model:
        """The model whose vectors these are."""

    def embed(self, texts: Sequence[str], use: Use, /) -> list[bytes]:
        """One vector for each text, in order. MunimentError where that cannot be done."""
