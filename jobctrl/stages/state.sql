-- read table: where each stage of each job stands
CREATE TABLE job_stage_states (
  job_id         TEXT NOT NULL,
  stage          TEXT NOT NULL,
  state          TEXT NOT NULL,
  attempt_count  INTEGER NOT NULL,
  error_code     TEXT,
  error_message  TEXT,
  retryable      INTEGER NOT NULL,
  blocked_by     TEXT NOT NULL,
  owner_workflow TEXT,
  owner_run      TEXT,
  owner_attempt  INTEGER,
  baseline       TEXT,
  started_at     TEXT,
  finished_at    TEXT,
  duration_ms    INTEGER,
  updated_at     TEXT NOT NULL,
  PRIMARY KEY (job_id, stage)
) STRICT, WITHOUT ROWID;
CREATE INDEX job_stage_states_by_state ON job_stage_states (stage, state);
