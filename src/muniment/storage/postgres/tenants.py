"""Tenants of a server: a tenant is one login role, or several that are members of it. Whoever owns the tables makes them."""

from __future__ import annotations

import re
from typing import NamedTuple

import psycopg
from psycopg import sql

from muniment.errors import ConflictError, MunimentError, NotFoundError, UsageError
from muniment.storage.postgres.database import failed
from muniment.storage.postgres.schema import GROUP, PARTITIONS, SCHEMA, statements
from muniment.storage.postgres.tables import tables

_NAME = re.compile(r"[a-z][a-z0-9_]{0,62}")


class Member(NamedTuple):
    """A login role, the tenant whose rows it sees, and since when."""

    role: str
    tenant: str
    since: str


class Tenants:
    """The tenants of one database, through a role that may make roles."""

    def __init__(self, url: str, partitions: int = PARTITIONS) -> None:
        try:
            self._db = psycopg.connect(url)
        except psycopg.Error as error:
            raise failed(error, "the server") from error
        self._partitions = partitions

    def close(self) -> None:
        """Let go of the server."""
        self._db.close()

    def add(self, role: str, password: str | None, tenant: str | None = None) -> Member:
        """Make a login role that is a tenant, or a further role (an agent's) of one; the tables too if there are none."""
        if not _NAME.fullmatch(role) or role.startswith("pg_"):
            raise UsageError(f"not a name for a tenant: {role!r}", hint="lower-case letters, digits and _, at most 63")
        try:
            with self._db.transaction():
                self._install()
                return self._made(role, password, tenant or role)
        except psycopg.Error as error:
            raise self._ours(error, role) from error

    def _made(self, role: str, password: str | None, tenant: str) -> Member:
        if tenant != role and not self._known(tenant):
            raise NotFoundError(f"there is no tenant {tenant}", about=tenant)
        name, group = sql.Identifier(role), sql.Identifier(GROUP)
        login = sql.SQL("CREATE ROLE {} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS").format(name)
        self._db.execute(login + sql.SQL(" PASSWORD {}").format(sql.Literal(password)) if password else login)
        self._db.execute(sql.SQL("GRANT {} TO {} WITH SET FALSE").format(group, name))
        self._db.execute(f"INSERT INTO {SCHEMA}.members VALUES (%s, %s, now())", (role, tenant))
        return next(m for m in self._list() if m.role == role)

    def members(self) -> list[Member]:
        """Every role that belongs to a tenant."""
        try:
            with self._db.transaction():
                return self._list() if self._is_installed() else []
        except psycopg.Error as error:
            raise self._ours(error, "") from error

    def remove(self, role: str, *, erase: bool = False) -> int:
        """Take a role away; with `erase` also the rows of its tenant, if it was the last of it. How many rows went."""
        try:
            with self._db.transaction():
                tenant = self._known(role) if self._is_installed() else None
                if tenant is None:
                    raise NotFoundError(f"there is no tenant {role}", about=role)
                self._db.execute(f"DELETE FROM {SCHEMA}.members WHERE role = %s", (role,))
                self._db.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(role)))
                others = self._db.execute(f"SELECT 1 FROM {SCHEMA}.members WHERE tenant = %s", (tenant,)).fetchone()
                return self._erased(tenant) if erase and others is None else 0
        except psycopg.Error as error:
            raise self._ours(error, role) from error

    def _erased(self, tenant: str) -> int:
        """The owner is held by the policies too, so they are lifted for this transaction."""
        gone = 0
        for name in tables():
            self._db.execute(f"ALTER TABLE {SCHEMA}.{name} NO FORCE ROW LEVEL SECURITY")
            gone += self._db.execute(f"DELETE FROM {SCHEMA}.{name} WHERE tenant = %s", (tenant,)).rowcount
            self._db.execute(f"ALTER TABLE {SCHEMA}.{name} FORCE ROW LEVEL SECURITY")
        return gone

    def _list(self) -> list[Member]:
        rows = self._db.execute(f"SELECT role, tenant, since::text FROM {SCHEMA}.members ORDER BY tenant, role")
        return [Member(*row) for row in rows]

    def _known(self, role: str) -> str | None:
        row = self._db.execute(f"SELECT tenant FROM {SCHEMA}.members WHERE role = %s", (role,)).fetchone()
        return str(row[0]) if row else None

    def _is_installed(self) -> bool:
        row = self._db.execute("SELECT to_regclass(%s)", (f"{SCHEMA}.version",)).fetchone()
        return row is not None and row[0] is not None

    def _install(self) -> None:
        self._db.execute("SELECT pg_advisory_xact_lock(hashtextextended('muniment schema', 0))")
        if self._is_installed():
            return
        if self._db.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (GROUP,)).fetchone() is None:
            self._db.execute(sql.SQL("CREATE ROLE {} NOLOGIN").format(sql.Identifier(GROUP)))
        for statement in statements(self._partitions):
            self._db.execute(statement)

    @staticmethod
    def _ours(error: psycopg.Error, role: str) -> MunimentError:
        if isinstance(error, psycopg.errors.DuplicateObject):
            return ConflictError(
                f"there is a role {role} already", hint="roles are the whole server's: choose another name"
            )
        return failed(error, "the server")
