-- read table: every workflow execution and how it ended
CREATE TABLE workflow_runs (
  workflow_id    TEXT NOT NULL,
  run_id         TEXT NOT NULL,
  workflow_type  TEXT NOT NULL,
  status         TEXT NOT NULL,
  job_id         TEXT,
  input_summary  TEXT NOT NULL,
  summary        TEXT NOT NULL,
  started_at     TEXT,
  finished_at    TEXT,
  duration_ms    INTEGER,
  error_code     TEXT,
  error_message  TEXT,
  retryable      INTEGER,
  cancel_requested_by TEXT,
  late_outcomes  INTEGER NOT NULL,
  PRIMARY KEY (workflow_id, run_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX workflow_runs_by_status ON workflow_runs (status, started_at);
CREATE INDEX workflow_runs_by_job ON workflow_runs (job_id, status) WHERE job_id IS NOT NULL
