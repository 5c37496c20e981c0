"""What was erased, by names that only the holder of a key can make: an erased text cannot be guessed from its tombstone."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from muniment.model.ids import keyed128
from muniment.model.stored import Prepared

KEY_BYTES = 32
_LEAST_TEXT = 24
"""Words shorter than this are said again by anybody: only longer ones are known again under another name."""

Find = Callable[[bytes], str | None]
"""When the thing with that keyed name was erased; None if it was not."""


class Tombstones:
    """Knows an erased event again: by its name, by its words if they are older than the erasure, or by its session."""

    def __init__(self, key: bytes, find: Find) -> None:
        self._key = key
        self._find = find

    def uid(self, uid: bytes) -> bytes:
        """The keyed name of an event."""
        return self._name("event", uid)

    def session(self, session: str) -> bytes:
        """The keyed name of a session."""
        return self._name("session", session)

    def emptied(self, session: str) -> bytes:
        """The keyed name of a session of which nothing was left; what comes later in it is new."""
        return self._name("emptied", session)

    def names(self, event: Prepared) -> Iterator[bytes]:
        """What an event's tombstones are called."""
        yield self.uid(event.uid)
        text = _plain(event.text)
        if len(text) >= _LEAST_TEXT:
            yield self._name("text", text)

    def holds(self, uid: bytes) -> bool:
        """Was the event with this name erased?"""
        return self._find(self.uid(uid)) is not None

    def holds_session(self, session: str) -> bool:
        """Was a session, or the one that started it, erased whole?"""
        return any(self._find(self.session(s)) is not None for s in _with_parents(session))

    def waits(self, session: str) -> bool:
        """Is a session to be known again only once something new comes in it?"""
        return self.holds_session(session) or self._find(self.emptied(session)) is not None

    def covers(self, event: Prepared) -> bool:
        """Was the event erased, or the same words, or all that its session held by then? What came later is new."""
        if self.holds(event.uid):
            return True
        text = _plain(event.text)
        others = [self.session(s) for s in _with_parents(event.session)] if event.session else []
        if len(text) >= _LEAST_TEXT:
            others.append(self._name("text", text))
        erased = [at for name in others if (at := self._find(name)) is not None]
        return any(event.at is None or event.at < at for at in erased)

    def _name(self, kind: str, what: str | bytes) -> bytes:
        return keyed128(self._key, kind, what)


def _plain(text: str) -> str:
    return " ".join(text.split())


def _with_parents(session: str) -> Iterator[str]:
    parts = session.split("/")
    yield from ("/".join(parts[: i + 1]) for i in range(len(parts)))
