"""On a server the engine alone keeps tenants apart: with our own filter off, by raw SQL, whatever a role says to the server.

Both tenants hold the same project, the same sessions and the same ids, so that nothing could tell their rows apart but the
policies; what only one of them said carries a word that must never be seen by the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from tests import server
from tests.support import Clock, archive, counting_names, said, state

from muniment.engine.asking import query
from muniment.engine.core import Engine, Settings
from muniment.engine.searching import search
from muniment.errors import MunimentError, ScopeError
from muniment.model.scope import MARKER, workspace_of
from muniment.storage.postgres.dialect import Dialect
from muniment.storage.postgres.tables import tables
from muniment.storage.postgres.tenants import Tenants

SECRET = "heron-quartz-7731"
Make = Callable[[str], Engine]


def role(address: str) -> str:
    """The role of an address."""
    return urlsplit(address).username or ""


@pytest.fixture(scope="module")
def addresses() -> tuple[str, str]:
    """Two tenants: who attacks, and whose rows are not to be seen."""
    return server.tenant("mallory"), server.tenant("alice")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One project for both, so that workspace, sessions and ids are the same."""
    place = tmp_path_factory.mktemp("shared")
    (place / MARKER).touch()
    return place


@pytest.fixture(scope="module")
def make(folder: Path) -> Iterator[Make]:
    """Engines over the project, by the address that logs in."""
    made: list[Engine] = []

    def engine(address: str) -> Engine:
        settings = Settings(home=folder / "home", clock=Clock(), new_name=counting_names(), server=address)
        made.append(Engine(workspace_of(folder), settings))
        return made[-1]

    yield engine
    for each in made:
        each.close()


@pytest.fixture(scope="module")
def filled(addresses: tuple[str, str], make: Make) -> tuple[str, str]:
    """The same words for both, and a secret of the second."""
    for address in addresses:
        engine = make(address)
        archive(engine, [said("s1", 0, "2026-03-05 09:00", "We keep the retry policy in gateway.toml")])
        state(engine, "postgres", topic="database")
    owner = make(addresses[1])
    archive(owner, [said(SECRET, 0, "2026-03-05 10:00", f"The key of the vault is {SECRET}")])
    state(owner, SECRET, topic="vault")
    return addresses


@pytest.fixture
def raw(filled: tuple[str, str]) -> Iterator[psycopg.Connection[tuple[object, ...]]]:
    """The attacker's own connection."""
    with psycopg.connect(filled[0], autocommit=True) as connection:
        yield connection


def everything(connection: psycopg.Connection[tuple[object, ...]]) -> list[object]:
    """Every row of every table that a connection can see, and how many there are of each."""
    found: list[object] = []
    for name in tables():
        rows = connection.execute(f"SELECT * FROM muniment.{name}").fetchall()
        count = connection.execute(f"SELECT count(*) FROM muniment.{name}").fetchone()
        assert count == (len(rows),), name
        found += rows
    return found


def told(connection: psycopg.Connection[tuple[object, ...]], statement: str) -> list[tuple[object, ...]] | str:
    """What the server gives, or says instead."""
    try:
        cursor = connection.execute(statement)
        return cursor.fetchall() if cursor.description else []
    except psycopg.Error as error:
        return str(error)


def is_clean(found: object, filled: tuple[str, str]) -> bool:
    """Is nothing in it of the other tenant?"""
    return SECRET not in repr(found) and f"'{role(filled[1])}'" not in repr(found)


def test_raw_sql_sees_the_rows_of_its_own_tenant_alone(
    raw: psycopg.Connection[tuple[object, ...]], filled: tuple[str, str]
) -> None:
    found = everything(raw)
    assert found
    assert is_clean(found, filled)
    with psycopg.connect(filled[1], autocommit=True) as other:
        assert not is_clean(everything(other), filled)


VALUES = {"INTEGER": "7", "TEXT": "'x'", "BLOB": "'\\\\x00'", "int[]": "'{}'"}
SETTINGS = [
    "SET app.tenant = '{other}'",
    "SET muniment.tenant = '{other}'",
    "SELECT set_config('muniment.tenant', '{other}', false)",
    "SET search_path = pg_temp, muniment",
    "SET row_security = off",
    "SET ROLE {other}",
    "SET ROLE muniment_tenants",
    "SET ROLE postgres",
    "SET SESSION AUTHORIZATION {other}",
    "SET SESSION AUTHORIZATION postgres",
    "SET LOCAL ROLE NONE",
    "CREATE FUNCTION pg_temp.tenant() RETURNS text LANGUAGE sql AS $$ SELECT '{other}'::text $$",
    "CREATE OR REPLACE FUNCTION muniment.tenant() RETURNS text LANGUAGE sql AS $$ SELECT '{other}'::text $$",
    "ALTER TABLE muniment.facts DISABLE ROW LEVEL SECURITY",
    "ALTER TABLE muniment.facts NO FORCE ROW LEVEL SECURITY",
    "DROP POLICY own ON muniment.facts",
    "CREATE POLICY mine ON muniment.facts USING (true)",
    "ALTER ROLE {own} BYPASSRLS",
    "GRANT {other} TO {own}",
    "INSERT INTO muniment.members VALUES ('{own}', '{other}', now())",
    "UPDATE muniment.members SET tenant = '{other}'",
    "DELETE FROM muniment.members",
]


@pytest.mark.parametrize("attack", SETTINGS)
def test_nothing_that_a_role_sets_or_makes_opens_the_wall(
    attack: str, raw: psycopg.Connection[tuple[object, ...]], filled: tuple[str, str]
) -> None:
    said = told(raw, attack.format(own=role(filled[0]), other=role(filled[1])))
    assert SECRET not in repr(said)
    try:
        found = everything(raw)
    except psycopg.errors.InsufficientPrivilege:
        return  # `row_security = off` turns a filtered answer into a refusal
    assert is_clean(found, filled)


READS = [
    "SELECT * FROM muniment.members",
    "TABLE muniment.facts_0",
    "SELECT pg_read_file('postgresql.conf')",
    "COPY muniment.facts TO PROGRAM 'cat'",
    "COPY (SELECT 1) TO '/tmp/out'",
    "SELECT lo_import('/etc/passwd')",
    "SELECT * FROM pg_authid",
    "SELECT * FROM dblink('', 'SELECT 1') AS t(a int)",
]


@pytest.mark.parametrize("attack", READS)
def test_what_stands_beside_the_policies_is_refused(attack: str, raw: psycopg.Connection[tuple[object, ...]]) -> None:
    with raw.cursor() as cursor:
        try:
            cursor.execute(attack)
        except psycopg.Error:
            return
        assert cursor.description is None or cursor.fetchall() == [], attack


LEAKS = [
    "SELECT literal FROM muniment.facts WHERE literal LIKE '{secret}%'",
    "SELECT count(*) FROM muniment.facts WHERE tenant = '{other}'",
    "SELECT 1 / (CASE WHEN literal = '{secret}' THEN 0 ELSE 1 END) FROM muniment.facts WHERE literal IS NOT NULL",
    "SELECT literal::int FROM muniment.facts WHERE literal LIKE '{secret}%'",
    "SELECT most_common_vals::text FROM pg_stats WHERE schemaname = 'muniment'",
    "SELECT query FROM pg_stat_activity WHERE usename = '{other}' AND query NOT LIKE '<insufficient%'",
    "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF, BUFFERS OFF) SELECT * FROM muniment.facts WHERE literal = '{secret}'",
]


@pytest.mark.parametrize("attack", LEAKS)
def test_neither_counts_nor_errors_nor_statistics_tell_of_the_other(
    attack: str, raw: psycopg.Connection[tuple[object, ...]], filled: tuple[str, str]
) -> None:
    statement = attack.format(secret=SECRET, other=role(filled[1]))
    found = told(raw, statement)
    if isinstance(found, str):
        assert "division by zero" not in found
        assert SECRET not in found
    elif attack.startswith("EXPLAIN"):
        lines = [str(row[0]) for row in found]
        assert all("rows=0" in line for line in lines if "Scan" in line and "actual" in line and "members" not in line)
    else:
        assert [row for row in found if row not in ((0,), (1,))] == []


def test_nothing_can_be_written_changed_or_deleted_under_the_other_tenant(
    raw: psycopg.Connection[tuple[object, ...]], filled: tuple[str, str]
) -> None:
    other = role(filled[1])
    for name, table in tables().items():
        assert raw.execute(f"UPDATE muniment.{name} SET workspace = workspace WHERE tenant = '{other}'").rowcount == 0
        assert raw.execute(f"DELETE FROM muniment.{name} WHERE tenant = '{other}'").rowcount == 0
        columns = ", ".join(f'"{c}"' for c in table.columns)
        values = ", ".join(VALUES[table.types[c]] for c in table.columns)
        with pytest.raises(psycopg.Error) as refused:
            raw.execute(f"INSERT INTO muniment.{name} (tenant, workspace, {columns}) VALUES ('{other}', 'x', {values})")
        assert isinstance(refused.value, psycopg.errors.InsufficientPrivilege | psycopg.errors.CheckViolation), name


def test_a_key_that_the_other_has_is_free(raw: psycopg.Connection[tuple[object, ...]], filled: tuple[str, str]) -> None:
    """A unique violation would tell that the key exists."""
    with psycopg.connect(filled[1], autocommit=True) as other:
        workspace, session = other.execute(
            "SELECT workspace, id FROM muniment.sessions WHERE id = %s", (SECRET,)
        ).fetchone() or ("", "")
    values = f"('{role(filled[0])}', '{workspace}', 900, '{session}', 'x', 'live')"
    columns = "(tenant, workspace, n, id, harness, source_state)"
    assert raw.execute(f"INSERT INTO muniment.sessions {columns} VALUES {values}").rowcount == 1
    assert raw.execute("DELETE FROM muniment.sessions WHERE n = 900").rowcount == 1


def test_every_verb_holds_with_our_own_filter_taken_out(
    filled: tuple[str, str], make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Dialect, "_where", lambda _: "")
    engine = make(filled[0])
    for selector in ("", "p:uses", "topic:vault", f"o:{SECRET}", f"session:{SECRET}", "s:*", "standing:superseded"):
        assert SECRET not in query(engine, selector, 100_000).text, selector
    for words in ("vault", SECRET, "key of the vault", "retry policy"):
        assert SECRET not in repr(search(engine, words)), words
    counts = engine.store().transfer.counts()
    with psycopg.connect(filled[0]) as own:
        assert own.execute("SELECT count(*) FROM muniment.events").fetchone() == (counts["events"],)
    assert not [uid for uid, _ in _events(make(filled[1])) if (uid, SECRET) in _events(engine)]


def _events(engine: Engine) -> set[tuple[bytes, str]]:
    store = engine.store()
    return {(r[0], store.events.text(r[1])) for r in store.db.rows("SELECT uid, text_blob FROM events")}


@pytest.mark.parametrize("scope", ["unknown", "", "*", "%", "..", "'; --"])
def test_a_role_without_a_tenant_is_refused_whatever_it_is_called(scope: str, folder: Path) -> None:
    at = urlsplit(server.owner())
    with psycopg.connect(server.owner(), autocommit=True) as owner:
        owner.execute("DROP ROLE IF EXISTS nobody_here")
        owner.execute("CREATE ROLE nobody_here LOGIN PASSWORD 'secret'")
    url = f"postgresql://nobody_here:secret@{at.hostname}:{at.port}{at.path}"
    engine = Engine(workspace_of(folder), Settings(home=folder / "home", server=url))
    with pytest.raises(ScopeError, match="belongs to no tenant"):
        query(engine, f"session:{scope}" if scope.isalpha() else "", 1000)
    engine.close()


def test_an_agents_role_sees_its_tenant_and_a_removed_one_sees_nothing(filled: tuple[str, str], make: Make) -> None:
    agent = role(filled[1]) + "_agent"
    server.tenants().add(agent, "secret", tenant=role(filled[1]))
    engine = make(server.address(agent))
    assert SECRET in query(engine, "topic:vault", 4096).text
    engine.close()
    server.tenants().remove(agent)
    with pytest.raises(MunimentError):
        query(make(server.address(agent)), "topic:vault", 4096)


def test_a_tenant_that_is_erased_leaves_no_row(folder: Path, make: Make) -> None:
    address = server.tenant("gone")
    state(make(address), SECRET, topic="vault")
    tenants = Tenants(server.owner())
    assert tenants.remove(role(address), erase=True) > 0
    tenants.close()
    with psycopg.connect(server.owner()) as owner:  # a superuser is held by no policy
        for name in tables():
            assert owner.execute(
                f"SELECT count(*) FROM muniment.{name} WHERE tenant = %s", (role(address),)
            ).fetchone() == (0,)
