-- read table: the steps of each Discover execution
CREATE TABLE pipeline_steps (
  workflow_id  TEXT NOT NULL,
  run_id       TEXT NOT NULL,
  step_kind    TEXT NOT NULL,
  item_key     TEXT NOT NULL,
  attempt      INTEGER NOT NULL,
  state        TEXT NOT NULL,
  item_count   INTEGER,
  error_code   TEXT,
  retryable    INTEGER,
  queued_at    TEXT,
  started_at   TEXT,
  finished_at  TEXT,
  duration_ms  INTEGER,
  PRIMARY KEY (workflow_id, run_id, step_kind, item_key)
) STRICT, WITHOUT ROWID
