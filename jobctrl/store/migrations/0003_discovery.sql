-- canonical: what became of each row a source returned in one execution; written once, so that a retry counts nothing twice
CREATE TABLE discovery_receipts (
  workflow_id  TEXT NOT NULL,
  run_id       TEXT NOT NULL,
  source_id    TEXT NOT NULL,
  item_key     TEXT NOT NULL,
  outcome      TEXT NOT NULL CHECK (outcome IN ('admitted', 'merged', 'filtered', 'rejected')),
  reason       TEXT NOT NULL,
  job_id       TEXT,
  title        TEXT,
  recorded_at  TEXT NOT NULL,
  PRIMARY KEY (workflow_id, run_id, source_id, item_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX discovery_receipts_by_source ON discovery_receipts (source_id, recorded_at);
