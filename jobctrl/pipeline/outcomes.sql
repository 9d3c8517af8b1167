-- read table: which steps a preparation run took for a member of a Discover execution, as its history proves
CREATE TABLE preparation_outcomes (
  workflow_id              TEXT NOT NULL,
  run_id                   TEXT NOT NULL,
  job_id                   TEXT NOT NULL,
  preparation_workflow_id  TEXT NOT NULL,
  preparation_run_id       TEXT NOT NULL,
  required_steps           TEXT NOT NULL,
  completed_steps          TEXT NOT NULL,
  skipped_steps            TEXT NOT NULL,
  decoder_version          INTEGER NOT NULL,
  PRIMARY KEY (workflow_id, run_id, job_id)
) STRICT, WITHOUT ROWID
