-- read table: every prepared document
CREATE TABLE artifacts (
  artifact_id   TEXT PRIMARY KEY,
  job_id        TEXT NOT NULL,
  kind          TEXT NOT NULL,
  generation    INTEGER NOT NULL,
  content_ref   TEXT NOT NULL,
  pages         INTEGER,
  bytes         INTEGER,
  created_at    TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX artifacts_by_job ON artifacts (job_id, generation)
