"""Keep a tiny store of this release's format, for the upgrades of later ones: `python -m tests.faults.old_stores.make`.

Writes NNNN.db.zst and NNNN.json (what a reader saw) beside itself, for the newest migration. Run once before a release;
a store of a format that was released is never made again.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import apsw
import zstandard
from tests.faults import children
from tests.support import Clock, archive, counting_names, ran, replied, said, wrote

from muniment.engine.asking import query
from muniment.engine.core import Caller, Engine
from muniment.engine.stating import Statement, add, correct, decide
from muniment.model.event import Origin
from muniment.model.fact import Action
from muniment.model.scope import Workspace
from muniment.storage.sqlite import schema

HERE = Path(__file__).parent
PERSON, AGENT = Caller(Origin.PERSON), Caller(Origin.AGENT)
ROOT = "/projects/demo"
READ_AT = "2026-03-20"
"""When the reader looked: the order of rows depends on it."""


def make(folder: Path) -> tuple[bytes, dict[str, object]]:
    """The store and what a reader sees of it. The workspace stands nowhere: no path of this machine is in it."""
    clock = Clock("2026-03-05")
    settings = children.Settings(folder, clock=clock, new_name=counting_names())
    with Engine(Workspace("0123456789abcdef", ROOT, "demo", True), settings) as engine:
        _fill(engine, clock)
        clock.set(READ_AT)
        seen = {
            "facts": int(engine.store().db.rows("SELECT count(*) FROM facts")[0][0]),
            "lines": query(engine, "", 1 << 20).text.splitlines(),
            "ended": query(engine, "standing:superseded,retracted", 1 << 20).text.splitlines(),
        }
        path = engine.path
    db = apsw.Connection(str(path))
    db.execute("UPDATE migrations SET at = '2026-03-05T12:00:00.000Z'")
    db.execute("VACUUM")
    db.close()
    return path.read_bytes(), seen


def _fill(engine: Engine, clock: Clock) -> None:
    """One of everything that release could say."""
    archive(engine, [
        said("s1", 0, "2026-03-01 10:00", "Let's use PostgreSQL for the billing service. We decided to keep REST."),
        *ran("s1", 1, "2026-03-01 10:01", "pytest -q", "3 passed in 0.10s"),
        *wrote("s1", 3, "2026-03-01 10:02", f"{ROOT}/billing.py", "x = 1\n"),
        replied("s1", 5, "2026-03-01 10:03", "Done: the tests pass."),
    ])  # fmt: skip
    add(engine, PERSON, Statement("fact", "PostgreSQL", predicate="uses", topic="database", tags=("code.sql",)))
    clock.forward(days=1)
    second = add(engine, PERSON, Statement("fact", "SQLite", predicate="uses", topic="database"))
    clock.forward(days=1)
    wrong = add(engine, PERSON, Statement("preference", "spaces", topic="code.indent"))
    correct(engine, PERSON, wrong.ids[0], "tabs", "it was always tabs")
    guess = add(engine, AGENT, Statement("fact", "Redis", predicate="uses", topic="cache"))
    clock.forward(days=1)
    decide(engine, PERSON, Action.CONFIRM, guess.ids[0])
    decide(engine, PERSON, Action.SUSPECT, second.ids[0], "heard otherwise")
    gone = add(engine, PERSON, Statement("fact", "the staging port is 8081", source_url="https://example.org/ports"))
    decide(engine, PERSON, Action.RETRACT, gone.ids[0], "moved")


def main() -> None:
    """Write the newest."""
    name = schema.MIGRATIONS[-1][0][:4]
    with tempfile.TemporaryDirectory() as folder:
        content, seen = make(Path(folder))
    packed = zstandard.ZstdCompressor(level=19).compress(content)
    (HERE / f"{name}.db.zst").write_bytes(packed)
    (HERE / f"{name}.json").write_text(json.dumps(seen, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print(f"{name}: {len(content)} bytes, {len(packed)} packed, {seen['facts']} facts")


if __name__ == "__main__":
    main()
