"""The verbs of whoever runs a server: which roles are tenants of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from muniment.engine.core import missing_server_extra

if TYPE_CHECKING:
    from muniment.storage.postgres.tenants import Tenants


@contextmanager
def tenants(url: str) -> Iterator[Tenants]:
    """The tenants of a database, through a role that owns the tables (or is to own them) and may make roles."""
    try:
        from muniment.storage.postgres.tenants import Tenants
    except ModuleNotFoundError as error:
        raise missing_server_extra() from error
    found = Tenants(url)
    try:
        yield found
    finally:
        found.close()


def statements(partitions: int | None = None) -> list[str]:
    """The SQL that makes the tables, for whoever wants to read it or to run it by other means."""
    from muniment.storage.postgres import schema

    return list(schema.statements(schema.PARTITIONS if partitions is None else partitions))
