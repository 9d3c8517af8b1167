-- canonical: what each worker of this workspace is doing, written over at every heartbeat; counts and safe references alone
CREATE TABLE worker_runtime_heartbeats (
  worker_id              TEXT PRIMARY KEY,
  identity               TEXT NOT NULL,
  task_queue             TEXT NOT NULL,
  started_at             TEXT NOT NULL,
  last_seen_at           TEXT NOT NULL,
  slots                  INTEGER NOT NULL,
  executor_threads       INTEGER NOT NULL,
  active_count           INTEGER NOT NULL,
  active_counts          TEXT NOT NULL CHECK (json_valid(active_counts)),
  active_details         TEXT NOT NULL CHECK (json_valid(active_details)),
  active_details_total   INTEGER NOT NULL,
  durations              TEXT NOT NULL CHECK (json_valid(durations)),
  queue_observation      TEXT NOT NULL CHECK (json_valid(queue_observation)),
  schema_version         INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- canonical: how attempts of activities went, as their worker saw it: how long they took, and threads that would not stop
CREATE TABLE operational_attempt_metrics (
  id             INTEGER PRIMARY KEY,
  recorded_at    TEXT NOT NULL,
  attempt_kind   TEXT NOT NULL CHECK (attempt_kind IN ('activity', 'abandoned_thread')),
  activity_type  TEXT NOT NULL,
  outcome        TEXT NOT NULL CHECK (outcome IN ('succeeded', 'failed', 'canceled', 'abandoned')),
  duration_ms    INTEGER,
  workflow_id    TEXT,
  run_id         TEXT
) STRICT;
CREATE INDEX operational_attempt_metrics_by_type ON operational_attempt_metrics (activity_type, outcome, recorded_at);
