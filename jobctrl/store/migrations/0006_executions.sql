-- canonical: the jobs that each Discover execution is about, why each of them is, and what was decided to do for it
CREATE TABLE discovery_execution_jobs (
  workflow_id              TEXT NOT NULL,
  run_id                   TEXT NOT NULL,
  job_id                   TEXT NOT NULL,
  cohort_kind              TEXT NOT NULL CHECK (cohort_kind IN ('observed_this_run', 'existing_backlog')),
  source_id                TEXT,
  work_plan_state          TEXT NOT NULL DEFAULT 'pending'
                           CHECK (work_plan_state IN ('pending', 'planned', 'not_eligible', 'failed')),
  required_steps           TEXT CHECK (required_steps IS NULL OR json_valid(required_steps)),
  work_plan_reason         TEXT,
  preparation_workflow_id  TEXT,
  linked_at                TEXT NOT NULL,
  PRIMARY KEY (workflow_id, run_id, job_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX discovery_execution_jobs_by_plan ON discovery_execution_jobs (workflow_id, run_id, work_plan_state);
CREATE INDEX discovery_execution_jobs_by_job ON discovery_execution_jobs (job_id, linked_at);

-- canonical: how far the members and the steps of an execution are proven by its exact Temporal history
CREATE TABLE discovery_execution_recoveries (
  workflow_id                TEXT NOT NULL,
  run_id                     TEXT NOT NULL,
  state                      TEXT NOT NULL CHECK (state IN ('recovering', 'ready', 'retrying', 'incomplete')),
  mode                       TEXT NOT NULL CHECK (mode IN ('native', 'reconstructed')),
  decoder_version            INTEGER NOT NULL,
  history_event_id           INTEGER NOT NULL,
  expected_membership_count  INTEGER NOT NULL,
  persisted_membership_count INTEGER NOT NULL,
  expected_step_count        INTEGER NOT NULL,
  persisted_step_count       INTEGER NOT NULL,
  key_digest                 TEXT NOT NULL,
  last_error_code            TEXT,
  updated_at                 TEXT NOT NULL,
  PRIMARY KEY (workflow_id, run_id)
) STRICT, WITHOUT ROWID;
