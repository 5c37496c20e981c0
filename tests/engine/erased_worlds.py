"""Memories in which a word stands wherever a word can stand; and a look at every byte of a home for what is left of it."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

import zstandard
from tests.support import archive, called, replied, said, wrote

from muniment.capture.transcripts.adapters import adapters
from muniment.engine import amending, deliveries, indexing, ingesting, loading_rules, pending, searching, uses
from muniment.engine.asking import query
from muniment.engine.core import Caller, Engine
from muniment.engine.reviewing import decline, review
from muniment.engine.searching import Asking
from muniment.engine.stating import Statement, add, correct, decide
from muniment.model.event import Action as Does
from muniment.model.event import Origin
from muniment.model.fact import Action
from muniment.model.ids import show

PERSON = Caller(Origin.PERSON)
_MAGIC = b"\x28\xb5\x2f\xfd"
DAY = "2026-03-04T10"


class World:
    """One memory with a word in it: `word`, and the files that it was read from, outside the home."""

    def __init__(self, engine: Engine, folder: Path, seed: int) -> None:
        self.dice = random.Random(seed)
        self.engine = engine
        self.folder = folder
        self.word = "".join(self.dice.choice("bcdfghjkmnpqrstvwxz") for _ in range(14))
        self.transcript = folder / f"transcript-{seed}.jsonl"
        self.talk = folder / f"talk-{seed}.jsonl"
        folder.mkdir(exist_ok=True)

    def filled(self) -> World:
        """Put the word wherever one can stand, in an order that the dice decide."""
        ways = [
            self._read_a_transcript, self._hear_a_talk, self._state, self._tools, self._rule, self._note, self._other,
        ]  # fmt: skip
        self._other()
        self.dice.shuffle(ways)
        ways.append(self._check)
        for way in ways:
            way()
        self._wait()
        return self

    def odd(self) -> str:
        """The word as somebody else writes it."""
        return self.dice.choice([self.word, self.word.upper(), self.word.capitalize()])

    # -- ways in

    def _read_a_transcript(self) -> None:
        w, cwd = self.odd(), self.engine.workspace.root
        cut = self.dice.randrange(2, 12)
        lines = [
            self._turn(0, "user", [{"type": "text", "text": f"Remember that the vault is called {w}."}]),
            self._turn(1, "assistant", [{"type": "text", "text": f"Noted: {w}."}]),
            self._turn(2, "user", [{"type": "text", "text": w[:cut]}, {"type": "text", "text": w[cut:]}]),
            self._turn(3, "user", [{"type": "text", "text": "The build needs Node 20 and nothing else at all."}]),
            self._turn(4, "user", [{"type": "text", "text": "Unrelated, but long enough to be found again later."}]),
        ]
        text = "\n".join(json.dumps({**line, "cwd": cwd}) for line in lines)
        escaped = "".join(f"\\u{ord(c):04x}" for c in w)
        text += "\n" + json.dumps({**self._turn(5, "user", [{"type": "text", "text": "@@"}]), "cwd": cwd}).replace(
            "@@", escaped
        )
        text += f'\n{{"broken": "{w}\n'
        self.transcript.write_text(text, encoding="utf-8")
        self.index()

    def _turn(self, n: int, role: str, content: list[dict[str, str]]) -> dict[str, object]:
        name = f"00000000-0000-4000-8000-{self.dice.randrange(1 << 40):012x}"
        return {
            "type": role, "uuid": name, "sessionId": f"talk-{self.word[:0]}{len(self.word)}", "version": "2.0.0",
            "timestamp": f"{DAY}:{n:02}:00.000Z", "message": {"role": role, "content": content},
        }  # fmt: skip

    def index(self) -> None:
        """Read the transcript, as `muniment index` does."""
        found, _ = indexing.locate(adapters(), [self.transcript])
        indexing.index(self.engine, found, named=True)

    def _hear_a_talk(self) -> None:
        turns = [
            {
                "session": "chat",
                "seq": 0,
                "at": f"{DAY}:20:00Z",
                "speaker": self.odd(),
                "role": "user",
                "text": "Hello there.",
            },
            {
                "session": "chat",
                "seq": 1,
                "at": f"{DAY}:21:00Z",
                "role": "user",
                "text": f"My dog is called {self.odd()}.",
            },
            {
                "session": "chat",
                "seq": 2,
                "at": f"{DAY}:22:00Z",
                "role": "user",
                "text": "I live in Porto, by the sea.",
            },
        ]
        self.talk.write_text("".join(json.dumps(t) + "\n" for t in turns), encoding="utf-8")
        self.ingest()

    def ingest(self) -> None:
        """Take the talk in."""
        ingesting.ingest(self.engine, PERSON, self.talk, "conversation", may_vouch=True)

    def _state(self) -> None:
        w = self.odd()
        made = add(
            self.engine,
            PERSON,
            Statement("fact", f"The vault opens with {w}", tags=[w.lower()], topic=f"vault.{w.lower()}"),
        )
        add(self.engine, PERSON, Statement("fact", "Nobody knows", subject=f"project:{w}"))
        add(self.engine, PERSON, Statement("fact", "Seen on a page", source_url=f"https://example.org/{w}", context=w))
        add(self.engine, PERSON, Statement("fact", "It is checked", evidence=[f"docs/{w}.md"]))
        decide(
            self.engine,
            PERSON,
            self.dice.choice([Action.CONFIRM, Action.RETRACT, Action.SUSPECT]),
            made.ids[0],
            "so be it",
        )
        other = add(self.engine, PERSON, Statement("fact", "The port is 8080", predicate="is", topic="port"))
        decide(self.engine, PERSON, Action.SUSPECT, other.ids[0], f"because of {w}")
        wrong = add(self.engine, PERSON, Statement("fact", "The host is known", predicate="is", topic="host"))
        correct(self.engine, PERSON, wrong.ids[0], f"The host is {w}", f"{w} was meant")
        amended = add(self.engine, PERSON, Statement("preference", "Likes short answers"))
        amending.update(self.engine, PERSON, amended.ids[0], "tags", f"style,{w.lower()}", f"as {w} says")

    def _tools(self) -> None:
        w = self.odd()
        archive(self.engine, [
            said("work", 0, f"{DAY}:30:00.000Z", "Please look at the vault"),
            called("work", 1, f"{DAY}:31:00.000Z", f"call-{w}", Does.RUN, "Bash", {"command": f"open {w}"}),
            said("work", 2, f"{DAY}:32:00.000Z", f"opened {w}"),
            *wrote("work", 3, f"{DAY}:33:00.000Z", f"{self.engine.workspace.root}/{w}.txt"),
            replied("work", 5, f"{DAY}:35:00.000Z", "All of it is done.", model=f"model-{w}"),
            said("work", 6, f"{DAY}:36:00.000Z", "We use Vitest for the tests of this project."),
        ])  # fmt: skip

    def _rule(self) -> None:
        path = self.folder / "AGENTS.md"
        path.write_text(f"# Rules\n\n- Never say {self.odd()} aloud.\n- Always run the tests.\n", encoding="utf-8")
        loading_rules.load(self.engine, [path])
        for proposal in review(self.engine, everything=True).proposals[:1]:
            decline(self.engine, PERSON, proposal.id, f"not {self.odd()}")

    def _note(self) -> None:
        searching.search(self.engine, self.word, Asking(4096, None, None, (), False, None, True, None))
        deliveries.record(self.engine, deliveries.Delivery("s", "cli", f"what is {self.word}?", self._ids(), (), 10))
        for id_ in self._ids()[:1]:
            uses.record(self.engine, id_, "success", f"found {self.word}")

    def _check(self) -> None:
        """As if every address had been looked at, and one of another's had moved to a place with the word."""
        store = self.engine.store()
        with store.writing():
            sql = "INSERT OR IGNORE INTO checks SELECT address, 'moved', ref, ?, '', '', ? FROM evidence"
            store.db.run(sql, (f"lib/{self.word}.md", self.engine.now()))

    def _ids(self) -> tuple[str, ...]:
        facts = self.engine.store(create=True).facts.select("1", (), 50)
        return tuple(show(f.row.id) for f in facts)

    def _other(self) -> None:
        add(self.engine, PERSON, Statement("fact", f"Something else holds, number {self.dice.random()}"))

    def _wait(self) -> None:
        asserted = pending.Assertion("noted", "project", self.word, f"it is {self.word}")
        pending.put(self.engine, pending.Pending(asserted, self.engine.now(), ("later",)))
        query(self.engine)


# --- what is left --------------------------------------------------------------------------------------------------


def names_of(engine: Engine, word: str) -> set[bytes]:
    """Every hash of the archive and of what was drawn from it that rests on an event with this word."""
    store, found = engine.store(), set[bytes]()
    for n in store.erasure.events():
        event = store.prepared(n)
        if word in f"{event.text}\n{event.raw.decode()}\n{event.speaker}\n{event.parts}".casefold():
            found |= {event.uid, event.content_hash}
            found |= {r[0] for r in store.db.rows("SELECT id FROM facts WHERE uid = ?", (event.uid,))}
            found |= {r[0] for r in store.db.rows("SELECT text_hash FROM facts WHERE uid = ?", (event.uid,))}
            found |= {
                r[0]
                for r in store.db.rows(
                    "SELECT b.blake3 FROM blobs b JOIN events e ON e.text_blob = b.n WHERE e.n = ?", (n,)
                )
            }
    return found


def traces(home: Path, word: str, hashes: set[bytes] = frozenset()) -> list[str]:
    """Where of a home the word still stands, in whatever form, or one of these hashes."""
    found = []
    for path in sorted(p for p in home.rglob("*") if p.is_file()):
        data = path.read_bytes()
        for part in _readings(data):
            low = part.lower()
            # An index writes a term as what differs from the one before it.
            if word.encode() in low or word[-9:].encode() in low or _spelled(word) in low:
                found.append(f"{path.name}: the word")
                break
        for name in hashes:
            if name in data or name.hex().encode() in data or (len(name) == 16 and show(name).encode() in data):
                found.append(f"{path.name}: a hash")
                break
    return found


def _readings(data: bytes) -> Iterator[bytes]:
    """The bytes, and whatever was ever compressed into them."""
    yield data
    for match in re.finditer(re.escape(_MAGIC), data):
        try:
            yield (
                zstandard.ZstdDecompressor().decompressobj().decompress(data[match.start() : match.start() + (1 << 16)])
            )
        except zstandard.ZstdError:
            continue


def _spelled(word: str) -> bytes:
    return "".join(f"\\u{ord(c):04x}" for c in word).encode()
