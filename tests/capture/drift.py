"""Records as a later version of a harness might write them."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

from hypothesis import strategies as st

ODD = st.sampled_from(
    [None, "x", 7, "7", True, 1.5, [], {}, ["a"], {"type": "text"}, [{"text": 5}], [[]], "", -1, 1e300]
)


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of everything in a record."""
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield (*at, key)
        yield from places(value[key], (*at, key))


def mutated(record: dict[str, Any], choice: Callable[[list[Any]], Any], odd: Any, drop: bool) -> dict[str, Any]:
    new = copy.deepcopy(record)
    path = choice(sorted(places(new), key=str))
    holder: Any = new
    for key in path[:-1]:
        holder = holder[key]
    if drop and isinstance(holder, dict):
        del holder[path[-1]]
    else:
        holder[path[-1]] = odd
    return new
