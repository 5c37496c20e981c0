"""Two small embedders that stand for models of any kind. Their vectors lie in different halves of one space: a text is as
near as can be to itself within one model, and to nothing at all across the two.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from muniment.errors import EndpointError
from muniment.recall.embedders.contract import Model, Use

HALF = 32


class Half:
    """The embedder of one half. It breaks off after `patience` texts, if that is given."""

    def __init__(self, name: str, half: int, version: str = "1") -> None:
        self.model = Model(name, version, 2 * HALF)
        self.patience: int | None = None
        self.made = 0
        self._half = half

    def embed(self, texts: Sequence[str], _use: Use, /) -> list[bytes]:
        """A direction for each text that no other text has."""
        if self.patience is not None and self.made + len(texts) > self.patience:
            raise EndpointError("the model went away", hint="try again")
        self.made += len(texts)
        return [self.vector(text) for text in texts]

    def vector(self, text: str) -> bytes:
        """What `embed` gives for one text."""
        own = bytes(b % 127 + 1 for b in hashlib.sha256(text.encode("utf-8")).digest())
        none = bytes(HALF)
        return own + none if self._half == 0 else none + own
