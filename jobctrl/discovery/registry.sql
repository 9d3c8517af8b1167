-- read table: the boards that are read, and how each of them does
CREATE TABLE sources (
  source_id             TEXT PRIMARY KEY,
  kind                  TEXT NOT NULL,
  token                 TEXT NOT NULL,
  display_name          TEXT NOT NULL,
  state                 TEXT NOT NULL,
  created_at            TEXT NOT NULL,
  runs                  INTEGER NOT NULL,
  failed_runs           INTEGER NOT NULL,
  consecutive_failures  INTEGER NOT NULL,
  refused_runs          INTEGER NOT NULL,
  returned              INTEGER NOT NULL,
  admitted              INTEGER NOT NULL,
  merged                INTEGER NOT NULL,
  filtered              INTEGER NOT NULL,
  rejected              INTEGER NOT NULL,
  duplicates            INTEGER NOT NULL,
  last_returned         INTEGER,
  last_run_at           TEXT,
  last_error            TEXT,
  recommended_state     TEXT NOT NULL
) STRICT, WITHOUT ROWID
