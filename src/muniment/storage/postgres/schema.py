"""What stands in a database: one schema for all tenants, its policies, and the functions that the statements use.

Every table has `tenant` and `workspace` first in its key and in every index. A policy on each, forced also on the owner,
lets a session see and write the rows of one tenant: the one that its **login role** is a member of. No setting is asked,
because whoever may speak SQL may set it. There are no triggers, no sequences and no keys across tenants.
"""

from __future__ import annotations

from collections.abc import Iterator

from muniment.storage.postgres.tables import KEY, Index, Table, indexes, tables
from muniment.storage.sqlite.schema import VERSION

SCHEMA = "muniment"
GROUP = "muniment_tenants"
PARTITIONS = 8
"""Parts of each large table; a tenant is in one of them. One part where the server distributes the tables itself."""
_LARGE = frozenset(
    "events blobs positions shown calls facts entities lines intervals turns text_places text_docs vectors tags".split()
)

_FIRST = f"""
CREATE SCHEMA {SCHEMA};
CREATE TABLE {SCHEMA}.version (version int NOT NULL, partitions int NOT NULL);
CREATE TABLE {SCHEMA}.members (role text COLLATE "C" PRIMARY KEY, tenant text COLLATE "C" NOT NULL, since timestamptz NOT NULL);
ALTER TABLE {SCHEMA}.members ENABLE ROW LEVEL SECURITY;
-- Whose rows this session sees: asked of the role that logged in, which SET ROLE does not change.
CREATE FUNCTION {SCHEMA}.tenant() RETURNS text LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
    AS $$ SELECT m.tenant FROM {SCHEMA}.members m WHERE m.role = session_user $$;
-- What the tables' statements say in SQLite's words.
CREATE FUNCTION {SCHEMA}.instr(text, text) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT strpos($1, $2) $$;
CREATE FUNCTION {SCHEMA}.hex(bytea) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT upper(encode($1, 'hex')) $$;
CREATE FUNCTION {SCHEMA}.unhex(text) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT decode($1, 'hex') $$;
CREATE FUNCTION {SCHEMA}.zeroblob(int) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT decode(repeat('00', $1), 'hex') $$;
CREATE FUNCTION {SCHEMA}.muniment_iif(bigint, bigint, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT CASE WHEN $1 <> 0 THEN $2 ELSE $3 END $$;
CREATE FUNCTION {SCHEMA}.json_extract(text, text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT $1::json ->> replace(substr($2, 3), '"', '') $$;
CREATE FUNCTION {SCHEMA}.muniment_glob(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT '^(?:' || replace(replace(replace(regexp_replace($1, '([\\\\.^$+|(){{}}])', '\\\\\\1', 'g'),
    '*', '.*'), '?', '.'), '[^', '[^') || ')$' $$;
"""


def statements(partitions: int = PARTITIONS) -> Iterator[str]:
    """All that makes the schema, in order. Whoever runs it owns it; no tenant does."""
    yield from (text for text in _FIRST.split(";\n") if text.strip())
    for table in tables().values():
        yield from _table(table, partitions if table.name in _LARGE else 1)
    yield from map(_index, indexes())
    yield f"GRANT USAGE ON SCHEMA {SCHEMA} TO {GROUP}"
    yield f"GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA {SCHEMA} TO {GROUP}"
    yield f"GRANT SELECT ON {SCHEMA}.version TO {GROUP}"
    yield f"INSERT INTO {SCHEMA}.version VALUES ({VERSION}, {partitions})"


def _table(table: Table, partitions: int) -> Iterator[str]:
    name = f"{SCHEMA}.{table.name}"
    keys = ", ".join(f'{column} text COLLATE "C" NOT NULL' for column in KEY)
    primary = f"PRIMARY KEY ({', '.join((*KEY, *(_quoted(c) for c in table.key)))})"
    rules = [rule for rule in table.rules if not rule.startswith("FOREIGN")]
    inner = ",\n    ".join((keys, *table.defined, primary, *rules))
    yield f"CREATE TABLE {name} (\n    {inner})" + (" PARTITION BY HASH (tenant)" if partitions > 1 else "")
    for part in range(partitions if partitions > 1 else 0):
        yield f"CREATE TABLE {name}_{part} PARTITION OF {name} FOR VALUES WITH (MODULUS {partitions}, REMAINDER {part})"
    yield f"ALTER TABLE {name} ENABLE ROW LEVEL SECURITY"
    yield f"ALTER TABLE {name} FORCE ROW LEVEL SECURITY"
    own = f"tenant = (SELECT {SCHEMA}.tenant())"
    yield f"CREATE POLICY own ON {name} USING ({own}) WITH CHECK ({own})"
    yield f"GRANT SELECT, INSERT, UPDATE, DELETE ON {name} TO {GROUP}"


def _index(index: Index) -> str:
    unique = "UNIQUE " if index.is_unique else ""
    name = f"{SCHEMA}.{index.table}"
    return f"CREATE {unique}INDEX {index.name} ON {name} ({', '.join(KEY)}, {index.columns}) {index.where}".strip()


def _quoted(column: str) -> str:
    return f'"{column}"' if column == "offset" else column
