-- read table: which job each address or native id names
CREATE TABLE job_identities (
  identity_key    TEXT PRIMARY KEY,
  job_id          TEXT NOT NULL,
  source_id       TEXT NOT NULL,
  native_id       TEXT NOT NULL,
  observation_id  TEXT NOT NULL,
  observed_url    TEXT NOT NULL,
  link_id         TEXT,
  link_reason     TEXT,
  posting         TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX job_identities_by_job ON job_identities (job_id)
