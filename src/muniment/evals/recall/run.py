"""The run: every chat into a memory of its own, every question asked of it, through public names and in one process.

Foreign questions are those of another chat, asked of this one's memory, where they have no answer: each chat's are asked
of one other, drawn with a fixed seed, so that every memory gets some. Near misses are the data set's own unanswerable
questions, about what the chat does discuss.
"""

from __future__ import annotations

import hashlib
import json
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from muniment import Memory
from muniment.errors import UsageError
from muniment.evals.recall import loaders, own
from muniment.evals.recall.asking import Store, take_in
from muniment.evals.recall.baselines import BASELINES
from muniment.evals.recall.data import Chat, Data, Question, part_of
from muniment.evals.recall.tally import BUDGETS, Budgets, Method, Signals
from muniment.evals.report import report

_SEED = 7

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class Options:
    """What may be asked of a run."""

    lang: str = "en"
    part: str = "all"
    limit: int | None = None
    audit: Path | None = None
    foreign: Path | None = None
    """Another data set, whose questions are the foreign ones."""
    baselines: bool = False
    budgets: bool = False
    place: tuple[Path, ...] = ()
    """Where one's own labels are asked."""
    homes: Path | None = None
    """A folder that keeps each chat's memory, so that the next run need not take it in."""
    without: tuple[str, ...] = ()
    fusion: str = "weighted"
    order_only: bool = False
    """Only how far up the answer is: neither what is refused, nor what an answer costs."""
    progress: Progress | None = None


def run(size: int | None = None, data: Path | None = None, **options: Any) -> dict[str, Any]:
    """Measure on the data set at `data`, or one's own labels. `size` is how many questions, as `limit` is."""
    chosen = Options(**{"limit": size, **{k: v for k, v in options.items() if v is not None}})
    if data is None:
        raise UsageError(
            "bench recall needs labelled questions", hint=f"--data FILE: {loaders.FORMATS}", about="--data"
        )
    loaded = loaders.load(data, chosen.lang, chosen.audit)
    if not isinstance(loaded, Data):
        return _own(loaded, data, chosen)
    if chosen.part != "all" and loaded.form != "locomo":
        raise UsageError("--part splits LoCoMo alone", hint="leave it out", about="--part")
    part = part_of(loaded, chosen.part, chosen.limit)
    if not any(chat.questions for chat in part.chats):
        raise UsageError(
            f"{data} has no question that its turns answer", hint="--part all, or another file", about=str(data)
        )
    return report("recall", _parameters(part, data, chosen), _Run(part, chosen).numbers())


def _own(labels: Sequence[loaders.Label], data: Path, options: Options) -> dict[str, Any]:
    if not options.place:
        raise UsageError("one's own labels are asked of a store", hint="run it in a project", about=str(data))
    numbers, problems = own.measure(labels[: options.limit], (options.place[0], options.place[1]))
    return report("recall", {"data": data.name, "format": "own", "not_found": problems[:10]}, numbers)


def _parameters(part: Data, path: Path, options: Options) -> dict[str, Any]:
    told: dict[str, Any] = {"data": path.name, "format": part.form, "part": options.part, "chats": len(part.chats)}
    told["turns"] = sum(len(chat.turns) for chat in part.chats)
    told["questions"] = sum(len(chat.questions) for chat in part.chats)
    told["unanswerable"] = sum(len(chat.unanswerable) for chat in part.chats)
    told |= {"audit": options.audit is not None, "seed": _SEED, "bytes_per_token": 4}
    told |= {"lang": options.lang} if path.is_dir() else {}
    told |= {"without": list(options.without)} if options.without else {}
    told |= {"fusion": options.fusion} if options.fusion != "weighted" else {}
    told |= {"order_only": True} if options.order_only else {}
    return told | ({"foreign": options.foreign.name} if options.foreign else {})


@dataclass(slots=True)
class _Run:
    """One data set, chat by chat."""

    part: Data
    options: Options
    methods: dict[str, Method] = field(default_factory=dict)
    signals: Signals = field(default_factory=Signals)
    budgets: Budgets = field(default_factory=Budgets)
    ingest_seconds: float = 0.0
    asked: int = 0
    taken: int = 0
    kept: int = 0

    def numbers(self) -> dict[str, float]:
        """Ask everything; the figures."""
        start = time.perf_counter()
        foreign = self._foreign()
        with tempfile.TemporaryDirectory() as scratch:
            for number, chat in enumerate(self.part.chats):
                if self.options.progress is not None:
                    self.options.progress(number, len(self.part.chats), chat.name)
                with self._room(Path(scratch), number, chat) as room:
                    self._chat(room, chat, foreign[number])
        out = self.methods["ours"].numbers() | self.signals.numbers() | self.budgets.numbers()
        for name in BASELINES if self.options.baselines else ():
            out |= {f"{name}_{key}": value for key, value in self.methods[name].numbers().items()}
        if self.ingest_seconds:
            out["ingest_turns_per_s"] = self.taken / self.ingest_seconds
        out["turns_kept"] = float(self.kept)
        return out | {"questions": float(self.asked), "seconds": time.perf_counter() - start}

    def _chat(self, room: Path, chat: Chat, foreign: Sequence[Question]) -> None:
        (room / "project").mkdir(exist_ok=True)
        with Memory.open(room / "project", room / "home", zone="UTC") as memory:
            how = {"without": self.options.without, "fusion": self.options.fusion}
            store = Store(memory, self._ids(memory, room, chat), how)
            self._ours(store, chat)
            if self.options.order_only:
                return
            self.signals.foreign += [store.ask(question.text) for question in foreign]
            self.signals.near += [store.ask(question.text) for question in chat.unanswerable]
        for name, make in BASELINES.items() if self.options.baselines else ():
            baseline = make(chat.turns)
            self._ranked(name, chat, baseline.rank)

    @contextmanager
    def _room(self, scratch: Path, number: int, chat: Chat) -> Iterator[Path]:
        """The folder of one chat: its own among those that are kept, else one that goes away again."""
        if self.options.homes is None:
            with tempfile.TemporaryDirectory(dir=scratch) as passing:  # hundreds of them need not lie about
                yield Path(passing)
            return
        content = "".join(f"{turn.id}\0{turn.session}\0{turn.at}\0{turn.line}\0" for turn in chat.turns)
        room = self.options.homes / f"{number}-{hashlib.sha256(content.encode()).hexdigest()[:12]}"
        room.mkdir(parents=True, exist_ok=True)
        yield room

    def _ids(self, memory: Memory, room: Path, chat: Chat) -> dict[str, str]:
        """Take the chat in, unless that was done before: what its receipts stand for lies beside it."""
        known = room / "ids.json"
        if known.exists():
            ids: dict[str, str] = json.loads(known.read_text("utf-8"))
            self.kept += len(ids)
            return ids
        taken = take_in(memory, chat.turns)
        self.ingest_seconds += taken.seconds
        self.taken += taken.kept
        self.kept += taken.kept
        known.write_text(json.dumps(taken.ids), encoding="utf-8")
        return taken.ids

    def _ours(self, store: Store, chat: Chat) -> None:
        turns = {turn.id: turn for turn in chat.turns}
        orders = self._ranked("ours", chat, store.rank)
        self.asked += len(orders)
        for question, order in zip(chat.questions, orders, strict=True) if not self.options.order_only else ():
            self.signals.own.append(store.ask(question.text))
            if self.options.budgets and question.gold:
                asked = {budget: store.ask(question.text, budget) for budget in BUDGETS}
                self.budgets.add(question, order, turns, asked)

    def _ranked(self, name: str, chat: Chat, rank: Callable[[str], list[str]]) -> list[list[str]]:
        method = self.methods.setdefault(name, Method())
        sessions = {turn.id: turn.session for turn in chat.turns}
        orders = [rank(question.text) for question in chat.questions]
        for question, order in zip(chat.questions, orders, strict=True):
            method.add(question, order, sessions)
        return orders

    def _foreign(self) -> list[Sequence[Question]]:
        """For each chat the questions of another: of this data set, or of the one that was named for it."""
        chats, dice = self.part.chats, random.Random(_SEED)
        if self.options.foreign is not None:
            others = loaders.load(self.options.foreign, self.options.lang)
            if not isinstance(others, Data) or not others.chats:
                raise UsageError("--foreign takes a data set", hint=loaders.FORMATS, about=str(self.options.foreign))
            pool = [question for chat in others.chats for question in chat.questions]
            return [dice.sample(pool, min(len(pool), len(chat.questions))) for chat in chats]  # as many as of its own
        order = list(range(len(chats)))
        dice.shuffle(order)
        after = dict(zip(order, [*order[1:], order[0]], strict=True)) if len(order) > 1 else {}
        return [chats[after[n]].questions if n in after else () for n in range(len(chats))]
