-- log: every fact, append-only
CREATE TABLE job_events (
  position        INTEGER PRIMARY KEY,
  event_id        TEXT NOT NULL UNIQUE,
  tenant_id       TEXT NOT NULL DEFAULT 'local',
  stream          TEXT NOT NULL,
  stream_version  INTEGER NOT NULL,
  event_type      TEXT NOT NULL,
  schema_version  INTEGER NOT NULL,
  job_id          TEXT,
  stage           TEXT,
  level           TEXT NOT NULL CHECK (level IN ('info', 'warn', 'error')),
  workflow_id     TEXT,
  run_id          TEXT,
  occurred_at     TEXT NOT NULL,
  payload         TEXT NOT NULL CHECK (json_valid(payload)),
  idempotency_key TEXT,
  UNIQUE (stream, stream_version)
) STRICT;

CREATE UNIQUE INDEX job_events_idempotency ON job_events (idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX job_events_job ON job_events (job_id, position) WHERE job_id IS NOT NULL;

CREATE TRIGGER job_events_are_never_changed BEFORE UPDATE ON job_events
BEGIN SELECT RAISE(ABORT, 'job_events is append-only'); END;

CREATE TRIGGER job_events_are_never_deleted BEFORE DELETE ON job_events
BEGIN SELECT RAISE(ABORT, 'job_events is append-only'); END;

-- INSERT OR REPLACE would delete what it replaces without the trigger above being asked.
CREATE TRIGGER job_events_are_never_replaced BEFORE INSERT ON job_events
WHEN EXISTS (SELECT 1 FROM job_events WHERE position = NEW.position)
  OR EXISTS (SELECT 1 FROM job_events WHERE event_id = NEW.event_id)
  OR EXISTS (SELECT 1 FROM job_events WHERE stream = NEW.stream AND stream_version = NEW.stream_version)
  OR EXISTS (SELECT 1 FROM job_events WHERE idempotency_key = NEW.idempotency_key)
BEGIN SELECT RAISE(ABORT, 'job_events is append-only: the row is there already'); END;

-- canonical: texts, pages and drafts by sha256, kept apart from the log so that personal text can be erased
CREATE TABLE contents (
  sha256      TEXT PRIMARY KEY,
  media_type  TEXT NOT NULL,
  bytes       BLOB NOT NULL,
  created_at  TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- canonical: how far each set of folds has come, and which version each read table was folded with
CREATE TABLE fold_positions (
  folds     TEXT PRIMARY KEY,
  position  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE read_tables (
  name     TEXT PRIMARY KEY,
  version  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- canonical: which workspace this is; work that was meant for another one is refused
CREATE TABLE workspace (id TEXT PRIMARY KEY) STRICT;
INSERT INTO workspace VALUES (lower(hex(randomblob(16))));
