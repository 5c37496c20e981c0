"""The relations that scoped SQL offers: what each column is and means, in SQL over the tables of a store (`src`).

Names that begin with `muniment_` are functions of the scoped connection that no query of an agent may call.
"""

from __future__ import annotations

from typing import NamedTuple

TEXT_CAP = 65_536
"""Characters of an event that its column `text` shows."""
TEXT_MOST = 262_144
"""Bytes of an event that is larger than the engine's limit on values: its column `text` is NULL."""


class Column(NamedTuple):
    """One column: its name, its type, the SQL that gives it, and what it means."""

    name: str
    type: str
    sql: str
    about: str


class Relation(NamedTuple):
    """One relation. `hidden` are columns that a profile may filter by and nobody can read; `time` is what since and until
    are about.

    Of each table the source or the condition names a column besides its row number: to count rows without one is a read of
    no column, which looks the same whoever asks, and is denied."""

    name: str
    about: str
    columns: tuple[Column, ...]
    source: str
    condition: str
    time: str
    hidden: tuple[Column, ...] = ()
    group: str = ""

    @property
    def filterable(self) -> dict[str, str]:
        """Columns that a profile may filter by, with their SQL."""
        return {c.name: c.sql for c in (*(() if self.group else self.columns), *self.hidden)}


_SPAN = "f.span_start || '-' || f.span_end"
_RECEIPT = f"e.id || ':' || h.seq || '@' || {_SPAN}"
_MS = "strftime('%Y-%m-%dT%H:%M:%fZ', {0} / 1000.0, 'unixepoch')"
_SINCE = """coalesce((SELECT max(i.valid_from) FROM src.intervals i
    WHERE i.key = f.key AND i.fact = f.n AND i.valid_from <= muniment_at()), f.valid_from, f.observed_at)"""
_PLACE = (
    Column("session", "text", "e.id", "the session in which it was said"),
    Column("agent", "text", "e.agent", "the agent of that session, where its harness names one"),
    Column("receipt", "text", _RECEIPT, "session:seq@start-end, for memory_read"),
)

_NOW = Relation(
    "v_now",
    "facts that hold now, one row each",
    (
        Column("id", "text", "muniment_show(l.id)", "name of the fact, for memory_read"),
        Column("predicate", "text", "l.predicate", "the verb: decided, uses, prefers, touched, ran, ..."),
        Column("type", "text", "l.type", "fact, preference, procedure, decision, event, question, promise, ..."),
        Column("topic", "text", "l.topic", "the attribute of which one value holds at a time; empty where many hold"),
        Column("subject", "text", "s.key", "of whom or what"),
        Column("subject_kind", "text", "s.kind", "kind of entity: project, person, session, path, ..."),
        Column("object", "text", "coalesce(o.key, f.literal)", "the value: an entity's key, or words as written"),
        Column("object_kind", "text", "o.kind", "kind of entity; NULL where the value is words"),
        Column("standing", "text", "CASE l.band WHEN 0 THEN 'confirmed' WHEN 1 THEN 'suspect' ELSE 'hypothesis' END",
               "confirmed, suspect or hypothesis: check the last two before you rely on them"),
        Column("role", "text", "l.role", "whose turn it was: user, tool, assistant, harness"),
        Column("origin", "text", "l.origin", "how the words came to be: person, tool, model, agent, import, ..."),
        Column("rung", "integer", "l.rung", "0 asserted, 1 observed by a tool, 2 verified, 3 a person's explicit words"),
        *_PLACE,
        Column("observed_at", "text", "f.observed_at", "when it was said or done"),
        Column("valid_from", "text", _SINCE, "since when it holds"),
        Column("valid_to", "text", _MS.format("l.until_ms"), "until when, if that is known"),
        Column("method", "text", "l.method", "the extractor and its version"),
    ),
    # Outer joins of keys: what a query does not read is not looked up.
    """src.lines l LEFT JOIN src.facts f ON f.n = l.fact AND f.id IS NOT NULL
        LEFT JOIN src.entities s ON s.n = l.subject AND s.kind > ''
        LEFT JOIN src.entities o ON o.n = l.object AND o.kind > ''
        LEFT JOIN src.sessions e ON e.n = l.session AND e.id > ''
        LEFT JOIN src.shown h ON h.uid = f.uid""",
    "l.from_ms <= muniment_now() AND (l.until_ms IS NULL OR l.until_ms > muniment_now())",
    "f.observed_at",
)  # fmt: skip

_HISTORY = Relation(
    "v_history",
    "every statement, also what was superseded or retracted; a state once for each interval in which it held",
    (
        Column("id", "text", "muniment_show(f.id)", "name of the fact, for memory_read"),
        Column("predicate", "text", "f.predicate", "the verb"),
        Column("topic", "text", "f.topic", "the attribute; empty where many values hold"),
        Column("subject", "text", "s.key", "of whom or what"),
        Column("subject_kind", "text", "s.kind", "kind of entity"),
        Column("object", "text", "coalesce(o.key, f.literal)", "the value: an entity's key, or words as written"),
        Column("object_kind", "text", "o.kind", "kind of entity; NULL where the value is words"),
        Column("standing", "text", "f.standing", "confirmed, hypothesis, suspect, superseded, retracted or expired"),
        Column("stated", "text", "f.stated", "the standing with which it was stated"),
        Column("role", "text", "f.role", "whose turn it was"),
        Column("origin", "text", "f.origin", "how the words came to be"),
        Column("rung", "integer", "f.rung", "0 asserted, 1 observed, 2 verified, 3 a person's explicit words"),
        *_PLACE,
        Column("observed_at", "text", "f.observed_at", "when it was said or done"),
        Column("valid_from", "text", "coalesce(i.valid_from, f.valid_from, CASE WHEN f.key IS NULL THEN f.observed_at END)",
               "when it began to hold, or happened; NULL if it never did"),
        Column("valid_to", "text", "i.valid_to", "when it ceased to; NULL where it still holds, or never did"),
        Column("method", "text", "f.method", "the extractor and its version"),
    ),
    """src.facts f JOIN src.entities s ON s.n = f.subject AND s.kind > '' LEFT JOIN src.entities o ON o.n = f.object AND o.kind > ''
        JOIN src.shown h ON h.uid = f.uid JOIN src.sessions e ON e.n = h.session AND e.id > ''
        LEFT JOIN src.intervals i ON i.key = f.key AND i.fact = f.n""",
    "f.observed_at > ''",
    "f.observed_at",
)  # fmt: skip

_EVENTS = Relation(
    "events",
    "what was said and done, verbatim (secrets masked), one row for each record of a session",
    (
        Column("session", "text", "e.id", "the session"),
        Column("seq", "integer", "h.seq", "its place in the session"),
        Column("receipt", "text", "e.id || ':' || h.seq", "session:seq, for memory_read"),
        Column("at", "text", "p.order_at", "when"),
        Column("role", "text", "v.role", "user, assistant, tool or harness"),
        Column("origin", "text", "v.origin", "person, model, tool, agent, import, ..."),
        Column("kind", "text", "v.kind", "prompt, reply, call, result, summary, command, note, ..."),
        Column("harness", "text", "v.harness", "whose transcript it is from"),
        Column("agent", "text", "e.agent", "the agent of the session, where its harness names one"),
        Column("parent", "text", "e.parent", "the session that started this one"),
        Column("speaker", "text", "v.speaker", "who spoke, in conversations with names"),
        Column("model", "text", "v.model", "the model that answered"),
        Column("tokens_in", "integer", "v.tokens_in", "tokens read"),
        Column("tokens_out", "integer", "v.tokens_out", "tokens written"),
        Column("exit_code", "integer", "v.exit_code", "of a command"),
        Column("size", "integer", "b.size", "bytes of its text"),
        Column("text", "text", f"CASE WHEN b.size <= {TEXT_MOST} THEN muniment_text(b.bytes, b.size) END",
               f"the words, their first {TEXT_CAP} characters; NULL above {TEXT_MOST} bytes"),
    ),
    """src.shown h JOIN src.events v ON v.n = h.event AND v.uid = h.uid JOIN src.sessions e ON e.n = h.session AND e.id > ''
        JOIN src.positions p ON p.session = h.session AND p.seq = h.seq AND p.uid = h.uid
        LEFT JOIN src.blobs b ON b.n = v.text_blob AND b.size >= 0""",
    "h.seq IS NOT NULL",
    "p.order_at",
)  # fmt: skip

_DELIVERIES = Relation(
    "deliveries",
    "which session was given what by this memory, and on which question",
    (
        Column("session", "text", "j.session", "the session that received it"),
        Column("at", "text", "j.at", "when"),
        Column("surface", "text", "j.surface", "hook, mcp, library or cli"),
        Column("moment", "text", "j.moment", "the hook's moment, such as session-start"),
        Column("agent_role", "text", "j.agent_role", "the job the agent was started for"),
        Column("query", "text", "j.query", "the question"),
        Column("fact_ids", "text", "j.fact_ids", "facts as a JSON list of ids: json_each(fact_ids)"),
        Column("events", "text", "j.events", "events as a JSON list of receipts"),
        Column("bytes", "integer", "j.bytes", "size of what was given"),
        Column("arm", "text", "j.arm", "treated or held_out, where that is measured"),
    ),
    "main.journal j",
    "j.session > ''",
    "j.at",
)  # fmt: skip

_ENTITIES = Relation(
    "entities",
    "whom and what the facts are about",
    (
        Column("kind", "text", "x.kind", "project, person, path, session, tool, ..."),
        Column("key", "text", "x.key", "its name; paths relative to the project"),
        Column("facts", "integer", "count(f.n)", "statements that name it, also those that hold no longer"),
        Column("first_seen", "text", "min(f.observed_at)", "the first of them"),
        Column("last_seen", "text", "max(f.observed_at)", "the last of them"),
    ),
    """src.facts f JOIN src.entities x ON x.n IN (f.subject, f.object) AND x.kind > '' JOIN src.shown h ON h.uid = f.uid
        JOIN src.sessions e ON e.n = h.session AND e.id > ''""",
    "f.observed_at > ''",
    "f.observed_at",
    hidden=(
        Column("kind", "text", "x.kind", ""),
        Column("key", "text", "x.key", ""),
        Column("session", "text", "e.id", ""),
        Column("agent", "text", "e.agent", ""),
        Column("predicate", "text", "f.predicate", ""),
        Column("topic", "text", "f.topic", ""),
        Column("role", "text", "f.role", ""),
        Column("origin", "text", "f.origin", ""),
        Column("method", "text", "f.method", ""),
    ),
    group="x.kind, x.key",
)  # fmt: skip

RELATIONS: dict[str, Relation] = {r.name: r for r in (_NOW, _HISTORY, _EVENTS, _DELIVERIES, _ENTITIES)}
"""By name, in the order in which they are listed."""

LISTED = Relation(
    "relations",
    "what there is: every column that this profile grants",
    (
        Column("relation", "text", "c.relation", "the relation"),
        Column("column", "text", "c.name", "its column"),
        Column("type", "text", "c.type", "text or integer"),
        Column("about", "text", "c.about", "what it means"),
    ),
    "main.catalogue c",
    "c.relation > ''",
    "c.name",
)
"""Granted by every profile: how an agent learns the schema."""
