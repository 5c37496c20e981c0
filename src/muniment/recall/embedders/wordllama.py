"""The table of wordllama: one direction for each piece of a word, averaged. 256 numbers, a tenth of a millisecond a text.

Its two files are read as they are, since the package's own loader looks for one of them in the network.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from muniment.errors import MissingExtraError
from muniment.recall.embedders.contract import Model, Use
from muniment.recall.embedders.vectors import packed

PACKAGE = "wordllama"
_PIECES = Path("tokenizers", "l2_supercat_tokenizer_config.json")
_TABLE = Path("weights", "l2_supercat_256.safetensors")
LONGEST = 65_536
"""Characters of a text that count."""


class WordLlama:
    """The table, mapped from its file."""

    model = Model("wordllama", "l2-supercat-1", 256)

    def __init__(self) -> None:
        folder = _folder()
        self._pieces = Tokenizer.from_file(str(folder / _PIECES))
        self._pieces.no_padding()
        self._pieces.no_truncation()
        self._table = _table(folder / _TABLE)

    def embed(self, texts: Sequence[str], _use: Use, /) -> list[bytes]:
        """One vector for each text; one without any piece has no direction."""
        found = self._pieces.encode_batch([text[:LONGEST] for text in texts], add_special_tokens=False)
        return [packed(self._mean(each.ids)) for each in found]

    def _mean(self, pieces: list[int]) -> npt.NDArray[np.float32]:
        if not pieces:
            return np.zeros(self.model.dimension, dtype=np.float32)
        mean: npt.NDArray[np.float32] = self._table[pieces].astype(np.float32).mean(axis=0)
        return mean


def _folder() -> Path:
    found = find_spec(PACKAGE)
    folder = Path(found.origin).parent if found and found.origin else None
    if folder is None or not (folder / _TABLE).exists() or not (folder / _PIECES).exists():
        raise MissingExtraError("the table of wordllama is not installed", hint="pip install 'muniment[dense-light]'")
    return folder


def _table(path: Path) -> npt.NDArray[np.float16]:
    """The one array of a safetensors file: eight bytes of length, a header of JSON, the numbers."""
    with path.open("rb") as file:
        size = int.from_bytes(file.read(8), "little")
        (entry,) = (each for name, each in json.loads(file.read(size)).items() if name != "__metadata__")
    offset = 8 + size + entry["data_offsets"][0]
    return np.memmap(path, dtype=np.float16, mode="r", offset=offset, shape=tuple(entry["shape"]))
