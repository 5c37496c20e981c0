"""Ten sessions in a row with injection on: what a hook gave comes back in transcripts, and is nobody's words there.

Each round takes the view from the hook and puts it into a session of the harness in the harness's own form: the samples hold
what these harnesses wrote when a hook answered them, with a marker in the place of the answer. A memory beside it reads the
same sessions without anything given; both must draw the same facts from the same sources.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.capture.harnesses import lay_out
from tests.surfaces.hooks import Host, text_of

from muniment.capture.transcripts import turns
from muniment.capture.transcripts.adapters import adapters
from muniment.engine.core import Caller, Engine
from muniment.engine.indexing import index, locate
from muniment.engine.stating import Statement, add

ROUNDS = 10
# What was given at the moments at which we give: the start, the resumption, the compaction, else the first prompt.
FORMS = {
    "claude-code": (r"MUNIMENT-claude-SessionStart-\w*-MARK", "claude-code", "SessionStart", "**/*.jsonl"),
    "codex": (r"MUNIMENT-codex-SessionStart-\w*-MARK", "codex", "SessionStart", "0.171.0/**/*.jsonl"),
    "gemini-cli": (r"MUNIMENT-gemini-SessionStart-\w*-MARK", "gemini-cli", "SessionStart", "**/*.jsonl"),
    "qwen-code": (r"MUNIMENT-qwen-UserPromptSubmit--MARK", "qwen-code", "UserPromptSubmit", "**/*.jsonl"),
    "copilot-cli": (r"MUNIMENT-copilot-sessionStart-\w*-MARK", "copilot-cli", "sessionStart", "events-1.0.102.jsonl"),
    "hermes": (r"MUNIMENT-hermes-pre_llm_call-MARK", "hermes", "pre_llm_call", "**/state.db"),
    "pi": (r"MUNIMENT-pi-BEFOREAGENT-MARK", "pi", "start", "**/*.jsonl"),
}
_NAMES = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{16,32}|\d{8}_\d{6}_[0-9a-f]{6}"
)


class Form:
    """One harness's sessions, written anew for each round."""

    def __init__(self, harness: str, number: int, given: str) -> None:
        self.mark, self.harness, self.event, self.pattern = re.compile(FORMS[harness][0]), *FORMS[harness][1:]
        self.number, self.given = number, given
        self.count = 0

    def write(self, root: Path) -> list[Path]:
        """The sessions of this round, renamed so that they are others than those before."""
        done = []
        for path in sorted(root.rglob("*")):
            if path.is_file() and path.suffix == ".db":
                self._database(path)
            elif path.is_file():
                path.write_text("".join(map(self._line, path.read_text("utf-8").splitlines(keepends=True))), "utf-8")
        for path in sorted(root.rglob("*"), reverse=True):
            path.rename(path.with_name(self._renamed(path.name)))
        done.extend(p for p in sorted(root.glob(self.pattern)) if p.is_file())
        return done

    def _database(self, path: Path) -> None:
        with sqlite3.connect(path) as db:
            for (table,) in db.execute(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%fts%'"
            ).fetchall():
                columns = [row[1] for row in db.execute(f'PRAGMA table_info("{table}")')]
                for column in columns:
                    rows = db.execute(f'SELECT rowid, "{column}" FROM "{table}"').fetchall()
                    for n, value in rows:
                        if isinstance(value, str) and (fresh := self._text(value)) != value:
                            db.execute(f'UPDATE "{table}" SET "{column}" = ? WHERE rowid = ?', (fresh, n))
        db.close()

    def _line(self, line: str) -> str:
        end = line[len(line.rstrip("\r\n")) :]
        try:
            return json.dumps(self._value(json.loads(line))) + end
        except ValueError:
            return line

    def _value(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {self._renamed(k): self._value(v) for k, v in value.items()}
        if isinstance(value, list):
            return [self._value(v) for v in value]
        return self._text(value) if isinstance(value, str) else value

    def _text(self, text: str) -> str:
        if text[:1] in "{[" and self.mark.search(text):
            try:
                return json.dumps(self._value(json.loads(text)))
            except ValueError:
                pass
        self.count += len(self.mark.findall(text))
        return self._renamed(self.mark.sub(lambda _: self.given, text))

    def _renamed(self, text: str) -> str:
        """Every name of this form that is not part of what was given gets the round's number."""
        if self.given and self.given in text:
            return self.given.join(map(self._renamed, text.split(self.given)))
        return _NAMES.sub(lambda m: m[0][:-3] + f"{int(m[0][-3:], 16) + self.number & 0xFFF:03x}", text)


def read_in(engine: Engine, paths: list[Path]) -> None:
    found, _ = locate(adapters(), paths)
    assert found
    index(engine, found, named=True, adopt=True)


def sources(engine: Engine) -> Counter[tuple[str, ...]]:
    """How often each thing is said, by whom, drawn from what: every fact with its claim and the place it was drawn from."""
    sql = """SELECT f.predicate, f.topic, s.kind, coalesce(o.key, f.literal), f.role, f.origin, f.standing, f.span_start
        FROM facts f JOIN entities s ON s.n = f.subject LEFT JOIN entities o ON o.n = f.object"""
    return Counter(tuple(map(str, row)) for row in engine.store().db.rows(sql))


def said_by(engine: Engine) -> Iterator[tuple[str, str, str]]:
    """(role, flags, text) of everything that is shown."""
    for uid in engine.store().all_uids():
        event = engine.store().archived(uid)
        assert event is not None
        yield str(event.role), " ".join(event.flags), event.text


@pytest.mark.parametrize("harness", sorted(FORMS))
def test_no_fact_gains_a_source_from_an_injection(harness: str, tmp_path: Path, person: Caller) -> None:
    given, plain = Host(tmp_path / "given"), Host(tmp_path / "plain")
    with given.engine() as ours, plain.engine() as theirs:
        for engine in (ours, theirs):
            add(engine, person, Statement("preference", "Prefers tabs over spaces", topic="style.indent"))
            add(engine, person, Statement("fact", "PostgreSQL", predicate="uses", topic="database"))
        counted = 0
        for number in range(ROUNDS):
            text = text_of(
                given.call(
                    FORMS[harness][1],
                    given.event(hook_event_name=FORMS[harness][2], source="startup", session_id=f"r{number}"),
                    FORMS[harness][2],
                )
            )
            assert "Prefers tabs over spaces" in text
            with_it, without = Form(harness, number, text), Form(harness, number, "")
            read_in(ours, with_it.write(lay_out(harness, tmp_path / f"g{number}")))
            read_in(theirs, without.write(lay_out(harness, tmp_path / f"p{number}")))
            counted += with_it.count
        assert counted >= ROUNDS
        assert sources(ours) == sources(theirs)
        echoes = [(role, flags) for role, flags, text in said_by(ours) if 'view="wake"' in text]
        assert all(role == "harness" or "injected" in flags for role, flags in echoes)
        states = [row for row in sources(ours) if row[0] in ("prefers", "uses")]
        assert sorted(sources(ours)[row] for row in states) == [1, 1]


def test_a_reader_that_takes_what_was_given_for_the_person_s_words_is_noticed(
    tmp_path: Path, person: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "without_tags", lambda text: text)
    with pytest.raises(AssertionError):
        test_no_fact_gains_a_source_from_an_injection("gemini-cli", tmp_path, person)
