"""The ports of what keeps a store true: evidence of facts, and rows that are let go of for good."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol

from muniment.model.address import Address
from muniment.model.fact import Verdict
from muniment.model.kept import Checked, Cited


class Evidence(Protocol):
    """Addresses by fact, and the last look at each."""

    def put(self, fact: bytes, evidence: Iterable[tuple[str, str]]) -> None:
        """What a fact depends on."""

    def of(self, fact: bytes) -> list[Cited]:
        """The addresses of a fact, in a fixed order."""

    def places(self, fact: bytes, kind: str) -> list[str]:
        """The places of a fact's addresses of one kind, in a fixed order."""

    def cited(self, facts: Iterable[bytes]) -> dict[bytes, list[bytes]]:
        """The addresses of each of these facts that has any."""

    def citing(self, name: bytes) -> list[bytes]:
        """The facts that depend on an address."""

    def has_files(self, fact: bytes) -> bool:
        """Does a fact lean on any file?"""

    def all(self) -> list[tuple[bytes, Address]]:
        """(name, address) of all that any fact depends on, but for other facts; in a fixed order."""

    def checked(self) -> dict[bytes, Checked]:
        """The last look at every address."""

    def verdicts(self) -> list[Verdict]:
        """What was found last at each address, the newest first; not what a command found that was undone."""

    def found(self) -> frozenset[str]:
        """The addresses of which a check ever found anything, by name in hexadecimal."""

    def suspects(self, names: Iterable[str]) -> dict[str, list[bytes]]:
        """The suspect facts of each of these addresses that has any."""

    def leaning(self, fact: bytes) -> list[tuple[str, str, str, str | None, str | None]]:
        """(kind, place, anchor, stamp and state of the last look) of the files that a fact leans on."""

    def standings(self, facts: Iterable[str]) -> list[tuple[str, str]]:
        """(id as shown, standing) of the facts with these ids in hexadecimal."""

    def committer(self, commit: str) -> str:
        """The session that is known to have made a commit; empty if none is."""

    def note(self, found: Sequence[Checked], at: str) -> None:
        """Remember what was found, and when everything was looked at; nothing of addresses that no fact has any more."""

    def prune(self) -> None:
        """Keep nothing of addresses that no fact has."""

    def without(self) -> int:
        """How many facts that hold have no evidence at all."""


class Erasure(Protocol):
    """What lets go of rows for good."""

    def events(self) -> Iterator[int]:
        """The row of every content of every event."""

    def sighted(self, uid: bytes) -> list[str]:
        """Every receipt under which an event is known."""

    def is_session(self, receipt: str) -> bool:
        """Is the session of a receipt still known?"""

    def of_session(self, session: str) -> set[bytes]:
        """Every event sighted in a session or in those that it started."""

    def sessions_like(self, session: str) -> set[str]:
        """A session and those that it started."""

    def sessions_from(self, uris: Iterable[str]) -> set[str]:
        """The sessions that were read from these files."""

    def of_origin(self, origin: str) -> set[bytes]:
        """Every event of an origin."""

    def own(self, harness: str) -> list[int]:
        """The rows of the events of one harness."""

    def before(self, at: str) -> list[bytes]:
        """The events that are shown at an earlier time."""

    def newer(self, predicate: str, at: str) -> list[tuple[bytes, str]]:
        """(key, value) of the claims of a predicate with evidence since that time."""

    def facts_of(self, uids: Iterable[bytes]) -> set[bytes]:
        """The facts drawn from these events."""

    def groups_of(self, uids: Iterable[bytes]) -> set[bytes]:
        """The proposals that these events alone make."""

    def present(self, uids: Iterable[bytes]) -> set[bytes]:
        """Those of the events that are in this store."""

    def addresses(self, uids: Iterable[bytes]) -> set[bytes]:
        """The addresses of the bytes of these events."""

    def holders(self, addresses: Iterable[bytes]) -> set[bytes]:
        """The events whose text or raw record is one of these blobs."""

    def roots(self) -> list[str]:
        """The top folders of the sessions: the workspace is that of one of them."""

    def described(self) -> list[tuple[str, str]]:
        """(session, everything that is told of it) of all sessions."""

    def drop_event(self, uid: bytes) -> int:
        """Remove an event: its contents, its sightings, its words in every index, and bytes that nothing else names."""

    def witnessed(self, uids: Iterable[bytes]) -> set[bytes]:
        """The events of facts that rest on one of these as well."""

    def tidy(self) -> None:
        """Remove names that nothing has any more, and what the text indexes keep of words that were taken out."""

    def drop_verdict(self, id_: bytes) -> int:
        """Remove a verdict."""

    def unname(self, facts: Iterable[bytes]) -> None:
        """Take these facts out of what verdicts on addresses say depended on them."""

    def drop_empty(self, sessions: Iterable[str]) -> list[str]:
        """Remove those of the sessions in which nothing is left; they are named."""

    def sources_of(self, uids: Iterable[bytes]) -> set[str]:
        """The files that these events were read from: what is remembered of a file holds hashes of its words."""

    def drop_source(self, uri: str) -> None:
        """Remember nothing of a file: it is read from its start again, where what was erased is passed over."""

    def local(self) -> list[tuple[str, str]]:
        """(file, what is remembered of it) of every row that no digest covers."""

    def drop_checks(self, holds: Callable[[str], bool]) -> None:
        """Forget what was seen at addresses that nothing names any more, and where words stand that are to go."""

    def zero_freed(self) -> None:
        """From now on this connection overwrites what it frees."""

    def compact(self) -> None:
        """Write the file anew without free space, and empty its log: what was freed is in neither any more.

        BusyError where another process reads all the time; it can be done again."""
