"""The PostgreSQL store as one object: what the engine is handed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from muniment.storage.postgres.database import Database
from muniment.storage.postgres.search import PostingReads
from muniment.storage.postgres.text import PostingRows
from muniment.storage.sqlite.whole import DecodeParts, SqliteStore

if TYPE_CHECKING:
    from muniment.model.ports import Store
    from muniment.storage.sqlite.inspection import Inspection
    from muniment.storage.sqlite.store import Pack, Unpack


class PostgresStore(SqliteStore):
    """All tables of one workspace of one tenant, over a pool of connections."""

    def __init__(self, db: Database, pack: Pack, unpack: Unpack, decode_parts: DecodeParts) -> None:
        self._database = db
        super().__init__(db, pack, unpack, decode_parts, PostingRows(db), PostingReads(db))

    @classmethod
    def at(
        cls, url: str, workspace: str, pack: Pack, unpack: Unpack, decode_parts: DecodeParts, *, lock_timeout: float
    ) -> PostgresStore:
        """Open a workspace on a server. The role that logs in decides whose it is; there is nothing to be made first."""
        return cls(Database(url, workspace, lock_timeout=lock_timeout), pack, unpack, decode_parts)

    def is_written(self) -> bool:
        """Was anything ever written to this workspace?"""
        return self.db.version()[0] > 0

    def inspection(self) -> Inspection:
        """Looks for what does not fit together; loaded when asked for."""
        from muniment.storage.postgres.inspection import PostgresInspection

        return PostgresInspection(self)

    def second(self) -> Store:
        """A second reader of the same store, which does not see what this one has not yet committed."""
        db = Database(self._database.url, self._database.workspace)
        return PostgresStore(db, self.events.pack, self.events.unpack, self._decode)
