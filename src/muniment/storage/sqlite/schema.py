"""The tables, in the order they came to be. A migration is a list of statements run in one transaction with its record.

Lifetimes. Primary (cannot be derived): sessions, events, positions, blobs, verdicts, tombstones. Derived (dropped and
replayed by a rebuild): shown, turns, speakers, calls, entities, aliases, facts, intervals, links, tags, evidence, lines,
proposals and the three text indexes, and the column positions.order_at. Local (no part of any digest): sources, skips,
checks, deliveries, `recorded_at`, and
vectors with their models: they could be made again, at a price, so a rebuild keeps those whose turns are still shown.
"""

from __future__ import annotations

APPLICATION_ID = 0x6D756E69  # "muni"
_TIME = "CHECK ({0} IS NULL OR ({0} GLOB '????-??-??T??:??:??.???Z' AND length({0}) = 24))"


def _time(column: str, required: bool = False) -> str:
    return f"{column} TEXT {'NOT NULL ' if required else ''}{_TIME.format(column)}"


_FIRST: tuple[str, ...] = (
    "CREATE TABLE migrations (name TEXT PRIMARY KEY, at TEXT NOT NULL) STRICT, WITHOUT ROWID",
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
    # --- primary
    f"""CREATE TABLE sessions (
        n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, harness TEXT NOT NULL, harness_version TEXT, agent TEXT,
        agent_role TEXT, parent TEXT, cwd TEXT, root TEXT, {_time("started_at")}, {_time("ended_at")}, source_uri TEXT,
        source_state TEXT NOT NULL DEFAULT 'live' CHECK (source_state IN ('live', 'complete', 'gone'))) STRICT""",
    """CREATE TABLE blobs (
        n INTEGER PRIMARY KEY, blake3 BLOB NOT NULL UNIQUE CHECK (length(blake3) = 32), bytes BLOB NOT NULL,
        size INTEGER NOT NULL, expires_at TEXT) STRICT""",
    f"""CREATE TABLE events (
        n INTEGER PRIMARY KEY, uid BLOB NOT NULL CHECK (length(uid) = 16), content_hash BLOB NOT NULL, harness TEXT NOT NULL,
        role TEXT NOT NULL, origin TEXT NOT NULL, kind TEXT NOT NULL, {_time("at")}, {_time("updated_at")},
        text_blob INTEGER NOT NULL REFERENCES blobs (n), raw_blob INTEGER NOT NULL REFERENCES blobs (n), parts TEXT,
        native_id TEXT, parent_id TEXT, model TEXT, tokens_in INTEGER, tokens_out INTEGER, exit_code INTEGER,
        flags TEXT NOT NULL DEFAULT '', masks INTEGER NOT NULL DEFAULT 0, vouched TEXT, speaker TEXT,
        UNIQUE (uid, content_hash)) STRICT""",
    # Who else holds the same bytes: asked when bytes are let go.
    "CREATE INDEX events_text_blob ON events (text_blob)",
    "CREATE INDEX events_raw_blob ON events (raw_blob)",
    "CREATE INDEX events_said_at ON events (at) WHERE kind IN ('prompt', 'reply', 'summary', 'command', 'note')",
    f"""CREATE TABLE positions (
        session INTEGER NOT NULL REFERENCES sessions (n), seq INTEGER NOT NULL, uid BLOB NOT NULL,
        {_time("order_at", True)}, PRIMARY KEY (session, seq, uid)) STRICT, WITHOUT ROWID""",
    "CREATE INDEX positions_uid ON positions (uid)",
    f"""CREATE TABLE verdicts (
        id BLOB PRIMARY KEY, action TEXT NOT NULL, target_kind TEXT NOT NULL, target TEXT NOT NULL, value TEXT NOT NULL,
        reason TEXT NOT NULL, uid BLOB NOT NULL, {_time("at", True)}, origin TEXT NOT NULL,
        draft TEXT NOT NULL) STRICT, WITHOUT ROWID""",
    "CREATE INDEX verdicts_target ON verdicts (target)",
    f"CREATE TABLE tombstones (target BLOB PRIMARY KEY, {_time('at', True)}) STRICT, WITHOUT ROWID",
    # --- derived
    """CREATE TABLE shown (
        uid BLOB PRIMARY KEY, event INTEGER NOT NULL, session INTEGER NOT NULL, seq INTEGER NOT NULL) STRICT, WITHOUT ROWID""",
    """CREATE TABLE calls (
        call_id TEXT NOT NULL, uid BLOB NOT NULL, is_result INTEGER NOT NULL,
        PRIMARY KEY (call_id, uid, is_result)) STRICT, WITHOUT ROWID""",
    "CREATE TABLE entities (n INTEGER PRIMARY KEY, kind TEXT NOT NULL, key TEXT NOT NULL, UNIQUE (key, kind)) STRICT",
    f"""CREATE TABLE facts (
        n INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
        subject INTEGER NOT NULL REFERENCES entities (n), predicate TEXT NOT NULL, topic TEXT NOT NULL DEFAULT '',
        object INTEGER REFERENCES entities (n), literal TEXT, value_key TEXT NOT NULL, key BLOB, uid BLOB NOT NULL,
        witness BLOB, span_start INTEGER NOT NULL, span_end INTEGER NOT NULL, method TEXT NOT NULL, rung INTEGER NOT NULL,
        stated TEXT NOT NULL, standing TEXT NOT NULL, role TEXT NOT NULL, origin TEXT NOT NULL,
        {_time("observed_at", True)}, {_time("valid_from")}, {_time("valid_until")}, anchor_sha256 TEXT,
        text_hash BLOB NOT NULL, {_time("expires_at")}, weight INTEGER NOT NULL, context TEXT NOT NULL DEFAULT '',
        source_url TEXT, CHECK ((object IS NULL) <> (literal IS NULL)), CHECK (span_start <= span_end)) STRICT""",
    "CREATE INDEX facts_uid ON facts (uid)",
    "CREATE INDEX facts_witness ON facts (witness) WHERE witness IS NOT NULL",
    "CREATE INDEX facts_key ON facts (key) WHERE key IS NOT NULL",
    "CREATE INDEX facts_predicate ON facts (predicate, subject) WHERE key IS NOT NULL",
    f"""CREATE TABLE intervals (
        key BLOB NOT NULL, {_time("valid_from", True)}, {_time("valid_to")}, fact INTEGER NOT NULL, standing TEXT NOT NULL,
        rung INTEGER NOT NULL, {_time("newest_at", True)}, marks TEXT NOT NULL DEFAULT '',
        PRIMARY KEY (key, valid_from)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE links (
        fact BLOB NOT NULL, other BLOB NOT NULL, relation TEXT NOT NULL CHECK (relation IN
        ('supersedes', 'corrects', 'extends', 'derives', 'contradicts', 'narrows', 'supports')),
        PRIMARY KEY (fact, other, relation)) STRICT, WITHOUT ROWID""",
    "CREATE INDEX links_other ON links (other)",
    "CREATE TABLE tags (fact BLOB NOT NULL, tag TEXT NOT NULL, PRIMARY KEY (fact, tag)) STRICT, WITHOUT ROWID",
    "CREATE INDEX tags_tag ON tags (tag)",
    """CREATE TABLE evidence (
        fact BLOB NOT NULL, address BLOB NOT NULL, kind TEXT NOT NULL, ref TEXT NOT NULL, anchor TEXT NOT NULL,
        PRIMARY KEY (fact, address)) STRICT, WITHOUT ROWID""",
    "CREATE INDEX evidence_address ON evidence (address)",
    """CREATE TABLE lines (
        n INTEGER PRIMARY KEY, fact INTEGER NOT NULL, id BLOB NOT NULL, predicate TEXT NOT NULL, type TEXT NOT NULL,
        is_state INTEGER NOT NULL, subject INTEGER NOT NULL, object INTEGER, topic TEXT NOT NULL, session INTEGER NOT NULL,
        role TEXT NOT NULL, origin TEXT NOT NULL, method TEXT NOT NULL, rung INTEGER NOT NULL, band INTEGER NOT NULL,
        rank_key INTEGER NOT NULL, from_ms INTEGER NOT NULL, until_ms INTEGER,
        is_plan INTEGER NOT NULL, is_pinned INTEGER NOT NULL, anchor TEXT, line TEXT NOT NULL) STRICT""",
    "CREATE INDEX lines_fact ON lines (fact)",
    # The trailing columns make a walk's tests, and the count of what did not fit, a matter of the index alone.
    "CREATE INDEX lines_predicate ON lines (predicate, band, rank_key DESC, id, from_ms, until_ms)",
    "CREATE INDEX lines_subject ON lines (subject, predicate, band, rank_key DESC, id, from_ms, until_ms)",
    """CREATE INDEX lines_object ON lines (object, is_state, band, rank_key DESC, id, from_ms, until_ms, predicate, line, anchor,
        origin)
        WHERE object IS NOT NULL""",
    "CREATE INDEX lines_session ON lines (session, is_state, band, rank_key DESC, id, from_ms, until_ms, predicate)",
    "CREATE INDEX lines_type ON lines (type, band, rank_key DESC, id, from_ms, until_ms)",
    "CREATE INDEX lines_all ON lines (is_state, band, rank_key DESC, id, from_ms, until_ms)",
    "CREATE INDEX lines_newest ON lines (from_ms)",
    "CREATE INDEX lines_written ON lines (object, from_ms DESC, id) WHERE predicate = 'touched'",
    "CREATE INDEX lines_pinned ON lines (from_ms DESC, id) WHERE is_pinned = 1",
    "CREATE INDEX lines_doubt ON lines (band) WHERE band > 0",
    "CREATE INDEX lines_until ON lines (until_ms) WHERE until_ms IS NOT NULL",
    """CREATE TABLE proposals (
        group_key BLOB NOT NULL, uid BLOB NOT NULL, draft TEXT NOT NULL, reason TEXT NOT NULL,
        state TEXT NOT NULL DEFAULT 'open', PRIMARY KEY (group_key, uid)) STRICT, WITHOUT ROWID""",
    "CREATE INDEX proposals_uid ON proposals (uid)",
    # What people and agents say is a table of its own: its words are stemmed, and only it has neighbours and speakers.
    """CREATE TABLE speakers (
        n INTEGER PRIMARY KEY, role TEXT NOT NULL, name TEXT NOT NULL, turns INTEGER NOT NULL DEFAULT 0,
        UNIQUE (name, role)) STRICT""",
    """CREATE TABLE turns (
        event INTEGER PRIMARY KEY, session INTEGER NOT NULL, seq INTEGER NOT NULL, speaker INTEGER NOT NULL,
        words INTEGER NOT NULL, asks INTEGER NOT NULL, wishes INTEGER NOT NULL) STRICT""",
    "CREATE INDEX turns_place ON turns (session, seq, event)",
    """CREATE VIRTUAL TABLE said_text USING fts5 (
        person, other, content='', contentless_delete=1, tokenize="porter unicode61 remove_diacritics 2")""",
    """CREATE VIRTUAL TABLE work_text USING fts5 (
        text, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2")""",
    # What was only asked, answered or promised repeats the turns: a column of its own keeps it out of the search for facts.
    """CREATE VIRTUAL TABLE fact_text USING fts5 (
        text, asked, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2")""",
    # --- local
    # The last look at an address. What a look changed of facts is a verdict; this only saves looking again.
    f"""CREATE TABLE checks (
        address BLOB PRIMARY KEY, state TEXT NOT NULL CHECK (state IN ('ok', 'moved', 'changed', 'missing', 'unknown')),
        now TEXT NOT NULL, place TEXT NOT NULL, changed_by TEXT NOT NULL, stamp TEXT NOT NULL,
        {_time("checked_at", True)}) STRICT, WITHOUT ROWID""",
    """CREATE TABLE sources (
        uri TEXT PRIMARY KEY, adapter TEXT NOT NULL, cursor TEXT NOT NULL, read INTEGER NOT NULL, kept INTEGER NOT NULL,
        skipped TEXT NOT NULL, seen_at TEXT NOT NULL) STRICT, WITHOUT ROWID""",
    """CREATE TABLE skips (
        uri TEXT NOT NULL, offset INTEGER NOT NULL, reason TEXT NOT NULL, detail TEXT NOT NULL,
        PRIMARY KEY (uri, offset, reason)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE vector_models (
        n INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, version TEXT NOT NULL, dimension INTEGER NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('active', 'staged', 'old')), epoch INTEGER NOT NULL DEFAULT 0) STRICT""",
    # One answers, one may be in the making.
    "CREATE UNIQUE INDEX vector_models_state ON vector_models (state) WHERE state <> 'old'",
    """CREATE TABLE vectors (
        model INTEGER NOT NULL, event INTEGER NOT NULL, signs BLOB NOT NULL, code BLOB NOT NULL,
        PRIMARY KEY (model, event)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE vector_pages (
        model INTEGER NOT NULL, high INTEGER NOT NULL, events BLOB NOT NULL, signs BLOB NOT NULL,
        PRIMARY KEY (model, high)) STRICT, WITHOUT ROWID""",
)

MIGRATIONS: tuple[tuple[str, tuple[str, ...]], ...] = (("0001-first", _FIRST),)
"""Name and statements; only ever appended to."""

VERSION = len(MIGRATIONS)

DERIVED = (
    "shown", "turns", "speakers", "calls", "lines", "intervals", "links", "tags", "evidence", "proposals", "facts", "entities"
)  # fmt: skip
"""Tables that a rebuild empties and replays, in an order that foreign keys allow."""

TEXT_INDEXES = ("said_text", "work_text", "fact_text")
"""Full-text indexes, emptied and filled with them."""
