"""The vectors of one model, to be searched: sign bits in the process, the numbers asked for when they decide.

Everything here is counted in whole numbers and ties go to the earlier event, so the same vectors give the same order on
every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Events = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]
Codes = Callable[[Sequence[int]], Mapping[int, bytes]]
"""The numbers of these events, where there are any."""

EXACT = 20_000
"""Vectors up to which each is compared by its numbers; beyond, those nearest by sign bits alone."""
RESCORED = 256
_BLOCK = 1 << 16
_AT_ONCE = 3
"""Words whose differing bits fit into a byte."""
_DIGITS = 6
_EXACT_SUM = float(1 << 24)
"""Whole numbers below it are exact in single precision, in whatever order they are added."""


def signs(code: bytes) -> bytes:
    """The sign bits of a vector, filled up to whole words of 64."""
    values = np.frombuffer(code, dtype=np.int8)
    bits = np.packbits(values > 0, bitorder="little")
    return bits.tobytes() + bytes(-len(bits) % 8)


def cosines(query: bytes, codes: Mapping[int, bytes]) -> dict[int, float]:
    """How near each vector is to the query's, from -1 to 1; in the order of events."""
    return numbers(len(query), codes).cosines(query)


def best(query: bytes, codes: Mapping[int, bytes], limit: int) -> dict[int, float]:
    """The nearest of these, best first, then the earlier; at most `limit`."""
    return numbers(len(query), codes).best(query, limit) if limit > 0 else {}


def numbers(dimension: int, codes: Mapping[int, bytes]) -> Numbers:
    """These vectors by their numbers."""
    made = Numbers(dimension)
    made.extend(codes)
    return made


class Numbers:
    """Vectors by their numbers, in the order of events; grows at its end."""

    def __init__(self, dimension: int) -> None:
        self._dimension = dimension
        self._events: list[int] = []
        self._rows: npt.NDArray[np.float32] = np.empty((0, dimension), dtype=np.float32)
        self._squares: npt.NDArray[np.float64] = np.empty(0)

    def __len__(self) -> int:
        return len(self._events)

    def extend(self, codes: Mapping[int, bytes]) -> None:
        """Add the vectors of events that come after all that is known."""
        events = sorted(codes)
        joined = np.frombuffer(b"".join(codes[event] for event in events), dtype=np.int8)
        rows = joined.reshape(len(events), self._dimension).astype(np.float32)
        self._events += events
        self._rows = np.concatenate((self._rows, rows))
        self._squares = np.concatenate((self._squares, np.einsum("ij,ij->i", rows, rows, dtype=np.float64)))

    def cosines(self, query: bytes) -> dict[int, float]:
        """How near each vector is to the query's; in the order of events."""
        return dict(zip(self._events, self._near(query).tolist(), strict=True))

    def best(self, query: bytes, limit: int) -> dict[int, float]:
        """The nearest, best first, then the earlier; at most `limit`."""
        near = self._near(query)
        if limit < len(near):
            least = np.partition(near, len(near) - limit)[len(near) - limit]
            places = np.flatnonzero(near >= least)
        else:
            places = np.arange(len(near))
        places = places[np.argsort(-near[places], kind="stable")][:limit]
        return {self._events[place]: float(near[place]) for place in places.tolist()}

    def _near(self, query: bytes) -> npt.NDArray[np.float64]:
        asked = np.frombuffer(query, dtype=np.int8).astype(np.float64)
        squares = self._squares * float(asked @ asked)
        if float(squares.max(initial=0.0)) < _EXACT_SUM**2:
            products = (self._rows @ asked.astype(np.float32)).astype(np.float64)
        else:
            products = self._rows.astype(np.float64) @ asked
        near: npt.NDArray[np.float64] = np.round(products / np.sqrt(np.maximum(squares, 1.0)), _DIGITS)
        return near


class SignBits:
    """Sign bits of many events, in the order of events; grows at its end."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._events: Events = np.empty(0, dtype=np.int64)
        self._words: Words = np.empty((width, 0), dtype=np.uint64)

    def __len__(self) -> int:
        return len(self._events)

    @property
    def last(self) -> int:
        """The greatest event that is known, -1 if none is."""
        return int(self._events[-1]) if len(self._events) else -1

    def events(self, start: int = 0) -> list[int]:
        """Every event from a place on."""
        found: list[int] = self._events[start:].tolist()
        return found

    def extend(self, pages: Iterable[tuple[bytes, bytes]]) -> None:
        """Add pages of (event numbers, sign bits) that come after all that is known."""
        read = list(pages)
        if not read:
            return
        events = np.frombuffer(b"".join(e for e, _ in read), dtype="<i8")
        words = np.frombuffer(b"".join(s for _, s in read), dtype="<u8").reshape(len(events), self._width)
        self._events = np.concatenate((self._events, events))
        self._words = np.ascontiguousarray(np.concatenate((self._words, words.T), axis=1))

    def nearest(self, query: bytes, count: int, among: Sequence[int] | None = None) -> list[int]:
        """The `count` events (of `among`) whose sign bits differ least from the query's; of equals the earlier."""
        asked = np.frombuffer(query, dtype="<u8")
        chosen: Any = slice(None) if among is None else np.flatnonzero(np.isin(self._events, np.asarray(among)))
        least = _least(self._distances(asked, self._words[:, chosen]), count)
        found: list[int] = self._events[chosen][least].tolist()
        return found

    def _distances(self, asked: Words, words: Words) -> npt.NDArray[np.uint16]:
        """How many bits differ, counted in blocks that stay in the processor's cache."""
        total = np.zeros(words.shape[1], dtype=np.uint16)
        bits = np.empty(_BLOCK, dtype=np.uint64)
        counted, added = np.empty(_BLOCK, dtype=np.uint8), np.empty(_BLOCK, dtype=np.uint8)
        for start in range(0, len(total), _BLOCK):
            part = total[start : start + _BLOCK]
            own = slice(0, len(part))
            for first in range(0, self._width, _AT_ONCE):
                added[own] = 0
                for n in range(first, min(first + _AT_ONCE, self._width)):
                    np.bitwise_xor(words[n, start : start + _BLOCK], asked[n], out=bits[own])
                    np.bitwise_count(bits[own], out=counted[own])
                    np.add(added[own], counted[own], out=added[own])
                np.add(part, added[own], out=part)
        return total


def _least(distance: npt.NDArray[np.uint16], count: int) -> npt.NDArray[np.int64]:
    """Where the `count` least stand, in order of place; of those at the limit the first."""
    if count >= len(distance):
        return np.arange(len(distance))
    near = _near(distance, count)
    return near[_first(distance[near], count)]


def _near(distance: npt.NDArray[np.uint16], count: int) -> npt.NDArray[np.int64]:
    """Where those stand that are worth a look: all up to a limit that every sixteenth suggests, if they are enough."""
    sample = distance[::16]
    place = min(count // 8 + 8, len(sample) - 1)
    limit = np.partition(sample, place)[place]
    found = np.flatnonzero(distance <= limit)
    return found if len(found) >= count else np.arange(len(distance))


def _first(distance: npt.NDArray[np.uint16], count: int) -> npt.NDArray[np.int64]:
    """The same, by counting all of them."""
    limit = int(np.searchsorted(np.cumsum(np.bincount(distance)), count))
    below = np.flatnonzero(distance < limit)
    edge = np.flatnonzero(distance == limit)[: count - len(below)]
    return np.sort(np.concatenate((below, edge)))
