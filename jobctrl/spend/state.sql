-- read table: every paid call and what it cost
CREATE TABLE charges (
  call_id        TEXT PRIMARY KEY,
  day            TEXT NOT NULL,
  lane           TEXT NOT NULL,
  provider       TEXT NOT NULL,
  model          TEXT NOT NULL,
  job_id         TEXT,
  state          TEXT NOT NULL,
  reserved_usd_micros INTEGER NOT NULL,
  usd_micros     INTEGER NOT NULL,
  input_tokens   INTEGER,
  output_tokens  INTEGER,
  workflow_id    TEXT,
  run_id         TEXT,
  recorded_at    TEXT NOT NULL,
  settled_at     TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX charges_by_job ON charges (job_id) WHERE job_id IS NOT NULL
