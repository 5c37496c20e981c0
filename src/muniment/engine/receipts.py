"""The verb `read`: open a receipt (or a fact's) and prove it."""

from __future__ import annotations

from dataclasses import dataclass

from muniment.engine import finding
from muniment.engine.core import Engine
from muniment.errors import NotFoundError, ReceiptError, UsageError
from muniment.model import receipt as receipts
from muniment.model.ids import hash128, hash256, show
from muniment.model.ports import Store
from muniment.model.receipt import Receipt
from muniment.model.stored import Message, StoredFact

TEXT_CAP = 16 * 1024
"""Characters of one text that a single answer holds; the cursor goes on from there."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One event of the neighbourhood."""

    receipt: str
    role: str
    origin: str
    kind: str
    at: str | None
    text: str
    is_cut: bool
    is_subject: bool
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """What a receipt opens: the exact words, their neighbours, and whether every hash holds."""

    receipt: str
    text: str
    turns: tuple[Turn, ...]
    verified: bool
    problems: tuple[str, ...]
    fact: str | None
    line: str | None
    cursor: int | None
    source: str | None
    source_is_there: bool
    evidence: tuple[tuple[str, str], ...] = ()
    """(address, state) of what the fact leans on; none where it names nothing."""
    is_checkable: bool = True
    """False for a state that names no evidence: nothing in the world would tell that it is over."""


def read(engine: Engine, text: str, context: int = 0, *, cap: int = TEXT_CAP, cursor: int = 0) -> Record:
    """Open a fact's id or a receipt. `cursor` is the character of the text to go on from, `cap` how many to give."""
    if cap <= 0 or cursor < 0 or context < 0:
        raise UsageError("cap must be positive, cursor and context not negative")
    with engine.store().reading():
        if receipts.looks_like(text):
            return _open(engine, receipts.parse(text), None, context, cap, cursor)
        fact = _fact(engine, text)
        row = fact.row
        place = receipts.parse(f"{fact.session}:{fact.seq}@{row.span_start}-{row.span_end}")
        return _open(engine, place, fact, context, cap, cursor)


def _fact(engine: Engine, text: str) -> StoredFact:
    try:
        return finding.fact(engine, text)
    except (UsageError, NotFoundError):
        if engine.store().events.find_session(text) is None:
            raise
    raise UsageError(f"{text} is a session", hint=f"write SESSION:SEQ, such as {text}:0", about=text)


def _open(engine: Engine, receipt: Receipt, fact: StoredFact | None, context: int, cap: int, cursor: int) -> Record:
    store = engine.store()
    low, high = store.neighbours(receipt.session, receipt.seq, context)
    messages = store.messages(receipt.session, low, high)
    subject = next((m for m in messages if m.seq == receipt.seq and (fact is None or m.uid == fact.row.uid)), None)
    if subject is None:
        raise NotFoundError(
            f"no event at {receipt}", hint="`muniment query` shows receipts in the sixth column", about=str(receipt)
        )
    span = receipt.span or (0, len(subject.text))
    if span[1] > len(subject.text):
        raise ReceiptError(
            f"the event has {len(subject.text)} characters, the receipt asks for {span[1]}", about=str(receipt)
        )
    whole = subject.text[span[0] : span[1]]
    problems = tuple(proof(engine, subject, fact))
    text = whole[cursor : cursor + cap]
    rest = cursor + len(text)
    source = store.source_of(subject.session)
    turns = tuple(_turn(m, m is subject, cap) for m in messages) if context else ()
    return Record(
        str(receipt), text, turns, not problems, problems, show(fact.row.id) if fact else None,
        None, rest if rest < len(whole) else None, source, engine.exists(source),
        *_evidence(store, fact),
    )  # fmt: skip


def _evidence(store: Store, fact: StoredFact | None) -> tuple[tuple[tuple[str, str], ...], bool]:
    found = tuple((c.address.text, c.state) for c in store.evidence.of(fact.row.id)) if fact is not None else ()
    return found, bool(found) or fact is None or fact.row.key is None


def proof(engine: Engine, message: Message, fact: StoredFact | None) -> list[str]:
    """What does not hold: the blobs against their address, the event against its name, the span against the fact."""
    problems = engine.store().blob_problems(message.uid, hash256)
    if fact is not None:
        span = message.text[fact.row.span_start : fact.row.span_end]
        if hash128(span) != fact.row.text_hash:
            problems.append("the span does not hold the words that the fact was drawn from")
    return problems


def _turn(m: Message, is_subject: bool, cap: int) -> Turn:
    head = (f"{m.session}:{m.seq}", m.role, m.origin, m.kind, m.at)
    return Turn(*head, m.text[:cap], len(m.text) > cap, is_subject, m.speaker)
