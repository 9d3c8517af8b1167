-- read table: where each job was seen, and the merges that can be undone
CREATE TABLE job_details (
  job_id            TEXT PRIMARY KEY,
  description_hash  TEXT,
  facts_hash        TEXT NOT NULL,
  observations      TEXT NOT NULL,
  events            INTEGER NOT NULL,
  last_event_at     TEXT NOT NULL
) STRICT, WITHOUT ROWID
