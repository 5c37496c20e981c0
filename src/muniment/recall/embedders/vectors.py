"""Directions as signed bytes. Numbers are compared as whole numbers, so every machine sees the same order."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
TOP = 127.0


def packed(vector: npt.ArrayLike) -> bytes:
    """A direction as signed bytes; one without direction (no known word) as zeros."""
    values = np.nan_to_num(np.asarray(vector, dtype=np.float64))
    most = float(np.abs(values).max(initial=0.0))
    scaled = values * (TOP / most) if most > 0 else np.zeros_like(values)
    return np.rint(scaled).astype(np.int8).tobytes()
