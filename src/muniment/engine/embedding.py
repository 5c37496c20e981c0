"""Vectors of what was said: switched on, off or over for one workspace, filled, and searched.

A model is built `staged` beside the one that answers, in small transactions that can be cut off anywhere: what has a
vector is done, what has none is next. It takes over in one transaction. Vectors of two models are never compared: a lane
holds the vectors of one, and a model whose name, version or dimension is another than the installed one is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from weakref import WeakKeyDictionary

from muniment.engine.core import Engine
from muniment.errors import ConflictError, MunimentError, NothingChangedError
from muniment.model.kept import Vector, VectorModel
from muniment.model.ports import Store
from muniment.recall.embedders import registry
from muniment.recall.embedders.contract import Embedder, Model
from muniment.recall.lanes.dense import DenseLane

Progress = Callable[[int, int, str], None]
"""Called with (turns done, turns in all, what is being done)."""

_AT_ONCE = 32
_PURGED_AT_ONCE = 2000
_lanes: WeakKeyDictionary[Engine, tuple[int, DenseLane]] = WeakKeyDictionary()


class ModelState(NamedTuple):
    """One model of a store: active (it answers), staged (being built) or old (being let go)."""

    name: str
    version: str
    dimension: int
    state: str
    vectors: int
    waiting: int


@dataclass(frozen=True, slots=True)
class DenseStatus:
    """Is the dense lane on, with what, and how far. `problem` says why the model cannot be used now."""

    on: bool
    turns: int
    models: tuple[ModelState, ...] = ()
    problem: str | None = None

    @property
    def waiting(self) -> int:
        """Turns that the model that answers has no vector of."""
        return sum(model.waiting for model in self.models if model.state == "active")


@dataclass(frozen=True, slots=True)
class DenseReport:
    """What a change did: vectors that were made, vectors that were let go, and how it stands now."""

    made: int
    removed: int
    status: DenseStatus


def status(engine: Engine) -> DenseStatus:
    """How it stands. Loads the model to see whether it can be used; asks no server."""
    store = engine.store()
    with store.reading():
        models = store.vectors.models()
        states = tuple(
            ModelState(m.name, m.version, m.dimension, m.state, store.vectors.count(m.n), _waiting(store, m))
            for m in models
        )
        turns = store.vectors.said()
    active = next((m for m in models if m.state == "active"), None)
    return DenseStatus(active is not None, turns, states, _problem(engine, active))


def _waiting(store: Store, model: VectorModel) -> int:
    return 0 if model.state == "old" else store.vectors.waiting(model.n)


def _problem(engine: Engine, model: VectorModel | None) -> str | None:
    if model is None:
        return None
    try:
        embedder_of(engine, model)
    except MunimentError as error:
        return f"{error.message}; {error.hint}"
    return None


# --- on, over, off ------------------------------------------------------------


def turn_on(engine: Engine, name: str | None = None, progress: Progress | None = None) -> DenseReport:
    """Give every turn a vector of the model and let it answer; go on where an earlier call was cut off.

    Another model that is on goes on answering until this one has all its vectors. NothingChangedError if all is done.
    """
    store = engine.store(create=True)
    active = store.vectors.model("active")
    embedder = _embedder(engine, name or (active.name if active else registry.DEFAULT), active)
    target, is_new = _begin(store, embedder.model)
    made = _fill(store, target, embedder, progress)
    removed = 0
    if target.state == "staged":
        _activate(store, target)
        made += _fill(store, target, embedder, progress)
    removed = _purge(store, progress)
    if not (made or removed or is_new or target.state == "staged"):
        raise NothingChangedError(f"dense is on with {target.name}, and every turn has its vector", about=target.name)
    return DenseReport(made, removed, status(engine))


def turn_off(engine: Engine, progress: Progress | None = None) -> DenseReport:
    """No model answers any more, and every vector goes. NothingChangedError if none was there."""
    store = engine.store()
    with store.writing(durable=False):
        models = store.vectors.models()
        for model in models:
            store.vectors.retire(model.n)
    if not models:
        raise NothingChangedError("dense is off already", hint="muniment dense on")
    _lanes.pop(engine, None)
    return DenseReport(0, _purge(store, progress), status(engine))


def _embedder(engine: Engine, name: str, active: VectorModel | None) -> Embedder:
    service = engine.settings.services().embeddings
    is_known = active is not None and (active.name, active.version) == (name, service.model)
    return registry.embedder(name, service, active.dimension if active is not None and is_known else 0)


def _begin(store: Store, wanted: Model) -> tuple[VectorModel, bool]:
    """The model to fill, and is it new here: the active one, one that was begun before, or a new one beside them."""
    with store.writing(durable=False):
        active, staged = store.vectors.model("active"), store.vectors.model("staged")
        if staged is not None and (not is_same(staged, wanted) or (active is not None and is_same(active, wanted))):
            store.vectors.retire(staged.n)
            staged = None
        if active is not None and is_same(active, wanted):
            return active, False
        return (staged, False) if staged is not None else (store.vectors.stage(*wanted), True)


def _fill(store: Store, model: VectorModel, embedder: Embedder, progress: Progress | None) -> int:
    """Vectors for whatever has none, a few at a time; nothing is locked while they are made."""
    total, made, after = store.vectors.waiting(model.n), 0, 0
    while True:
        with store.reading():
            found = store.vectors.lacking(model.n, after, _AT_ONCE)
            texts = [store.events.text(blob) for _, blob in found]
        if not found:
            return made
        codes = embedder.embed(texts, "passage")
        made += _keep(store, model, [vector(n, code) for (n, _), code in zip(found, codes, strict=True)])
        after = found[-1][0]
        if progress is not None:
            progress(min(made, total), total, f"embedding with {model.name}")


def _keep(store: Store, model: VectorModel, vectors: Sequence[Vector]) -> int:
    with store.writing(durable=False):
        _demand_going_on(store, model)
        lacking = {n for n, _ in store.vectors.lacking_among(model.n, [each.event for each in vectors])}
        kept = [each for each in vectors if each.event in lacking]
        store.vectors.put(model.n, kept)
    return len(kept)


def _activate(store: Store, model: VectorModel) -> None:
    with store.writing(durable=False):
        if _demand_going_on(store, model).state == "staged":
            store.vectors.activate(model.n)


def _demand_going_on(store: Store, model: VectorModel) -> VectorModel:
    """Another process may have switched over or off in the meantime."""
    for each in store.vectors.models():
        if each.n == model.n and each.state != "old":
            return each
    hint = "see `muniment dense status`; what was made for it is being let go"
    raise ConflictError(f"{model.name} was switched off while its vectors were made", hint=hint, about=model.name)


def _purge(store: Store, progress: Progress | None) -> int:
    removed = 0
    while store.vectors.model("old") is not None:
        with store.writing(durable=False):
            removed += store.vectors.purge(_PURGED_AT_ONCE)
        if progress is not None:
            progress(0, 0, f"removed {removed} vectors")
    return removed


# --- with every batch ------------------------------------------------------------


def is_same(stored: VectorModel, model: Model) -> bool:
    """Are vectors of both comparable?"""
    return (stored.name, stored.version, stored.dimension) == tuple(model)


def embedder_of(engine: Engine, stored: VectorModel) -> Embedder:
    """The embedder whose vectors a store has. MunimentError if it is not installed, or is another by now."""
    embedder = registry.embedder(stored.name, engine.settings.services().embeddings, stored.dimension)
    if not is_same(stored, embedder.model):
        found = f"{embedder.model.version}, {embedder.model.dimension} numbers"
        message = (
            f"the vectors are of {stored.name} {stored.version}, {stored.dimension} numbers; what is here is {found}"
        )
        raise ConflictError(message, hint=f"muniment dense on {stored.name}", about=stored.name)
    return embedder


def vector(event: int, code: bytes) -> Vector:
    """A vector as it is stored."""
    from muniment.recall.lanes.codes import signs

    return Vector(event, signs(code), code)


def embed(engine: Engine, model: VectorModel, texts: Sequence[str]) -> dict[str, bytes]:
    """The vector of each text, or nothing where the model cannot be used now: archiving must not fail for it."""
    try:
        codes = embedder_of(engine, model).embed(texts, "passage")
    except MunimentError:
        return {}
    return dict(zip(texts, codes, strict=True))


# --- searching ------------------------------------------------------------


class _Stored:
    """The vectors of one model of a store, as the lane asks for them."""

    def __init__(self, store: Store, model: int) -> None:
        self._store = store
        self._model = model

    def version(self) -> tuple[int, int]:
        return self._store.db.version()

    def epoch(self) -> int:
        return next((m.epoch for m in self._store.vectors.models() if m.n == self._model), -1)

    def signs(self, after: int) -> Iterable[tuple[bytes, bytes]]:
        return self._store.vectors.signs(self._model, after)

    def codes(self, events: Sequence[int]) -> Mapping[int, bytes]:
        return self._store.vectors.codes(self._model, events)


def lane(engine: Engine) -> DenseLane | None:
    """The dense lane of this workspace, kept for the life of the engine; None while it is off.

    MunimentError if it is on and its model cannot be used: the caller goes on without it, and says so.
    """
    store = engine.store()
    active = store.vectors.model("active")
    if active is None:
        return None
    known = _lanes.get(engine)
    if known is None or known[0] != active.n:
        known = (active.n, DenseLane(embedder_of(engine, active), _Stored(store, active.n)))
        _lanes[engine] = known
    return known[1]
