"""The PostgreSQL store: the same tables, every row under its tenant and workspace."""
