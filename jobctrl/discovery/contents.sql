-- read table: what of each job decides whether another posting is the same
CREATE TABLE job_contents (
  job_id            TEXT PRIMARY KEY,
  content_key       TEXT,
  fingerprint       TEXT,
  signature         BLOB NOT NULL,
  title             TEXT NOT NULL,
  employer          TEXT,
  requisition_id    TEXT,
  language          TEXT,
  employment_type   TEXT,
  department        TEXT,
  places            TEXT NOT NULL,
  description_hash  TEXT,
  hidden            INTEGER NOT NULL
) STRICT;
CREATE INDEX job_contents_by_key ON job_contents (content_key) WHERE content_key IS NOT NULL;
CREATE INDEX job_contents_by_fingerprint ON job_contents (fingerprint) WHERE fingerprint IS NOT NULL
