"""The store in one SQLite file per workspace, through APSW."""
