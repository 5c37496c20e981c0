"""Naming an event: two records never share a name because both names had to be masked."""

from __future__ import annotations

from muniment.archive.parts import encode
from muniment.gate.intake import prepare
from muniment.model.event import Event, Kind, Origin, Role


def record(native_id: str, seq: int) -> Event:
    return Event("s", seq, Role.USER, Origin.PERSON, Kind.PROMPT, "the same words", b"{}", native_id=native_id)


def test_native_ids_that_look_like_secrets_keep_their_events_apart() -> None:
    ids = ["sk-" + letter * 4 + "4fQ9zX7pL2mN8vB3kT6w" for letter in "ab"]
    first, second = (prepare(record(i, n), "h", encode) for n, i in enumerate(ids))
    assert "█" in str(first.native_id)
    assert first.uid != second.uid


def test_a_short_native_id_names_an_event_within_its_session_only() -> None:
    here = prepare(record("m1", 0), "h", encode)
    there = prepare(Event("t", 0, Role.USER, Origin.PERSON, Kind.PROMPT, "x", b"{}", native_id="m1"), "h", encode)
    assert here.uid != there.uid
    assert here.uid == prepare(record("m1", 5), "h", encode).uid
