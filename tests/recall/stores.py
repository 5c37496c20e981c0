"""Small real stores for tests of search: conversations put in by `ingest`, and lanes asked over one snapshot."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC

from muniment.engine.core import Caller, Engine
from muniment.engine.ingesting import IngestReport, ingest
from muniment.model.event import Origin
from muniment.model.time import to_ms
from muniment.recall.lanes.contract import Lane, Question, Ranked
from muniment.recall.planning import read_question
from muniment.recall.reading import questions

Place = tuple[str, int]
NOW = "2026-03-05T12:00:00.000Z"
PREFIX = "conversation."


def turn(session: str, seq: int, text: str, speaker: str | None = None, role: str = "user", at: str | None = None):
    """One turn as `ingest` takes it."""
    given = {"session": session, "seq": seq, "text": text, "role": role, "at": at}
    return given if speaker is None else {**given, "speaker": speaker}


def talked(engine: Engine, turns: Iterable[dict]) -> IngestReport:
    """Put a conversation in as its owner does."""
    return ingest(engine, Caller(Origin.PERSON), list(turns), may_vouch=True)


def question(words: str, now: str = NOW) -> Question:
    """The whole of a question as lanes read it."""
    return questions(read_question(words), now, UTC)[0]


def ranked(
    engine: Engine, lane: Lane, words: str, found: Iterable[Place] = (), *, with_hypotheses: bool = False,
) -> dict[Place, float]:  # fmt: skip
    """What a lane finds: (session, seq) to score. `found` is what other lanes found."""
    return placed(engine, looked(engine, lane, words, found, with_hypotheses=with_hypotheses).scores)


def looked(
    engine: Engine, lane: Lane, words: str, found: Iterable[Place] = (), *, with_hypotheses: bool = False,
) -> Ranked:  # fmt: skip
    """The same as the lane gives it."""
    store = engine.store()
    store.search.prepare()
    numbers = [n for n, place in _numbers(engine).items() if place in set(found)]
    with store.reading():
        store.search.begin(to_ms(engine.now()), with_hypotheses=with_hypotheses)
        return lane.rank(question(words, engine.now()), store.search, numbers)


def placed(engine: Engine, scores: dict[int, float]) -> dict[Place, float]:
    """Scores by place instead of by row number."""
    places = _numbers(engine)
    return {places[n]: score for n, score in scores.items()}


def _numbers(engine: Engine) -> dict[int, Place]:
    sql = "SELECT h.event, s.id, h.seq FROM shown h JOIN sessions s ON s.n = h.session"
    return {n: (session.removeprefix(PREFIX), seq) for n, session, seq in engine.store().db.rows(sql)}
