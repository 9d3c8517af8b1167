-- read table: the text that is known of each job, and whether the posting is open
CREATE TABLE job_enrichments (
  job_id            TEXT PRIMARY KEY,
  source_id         TEXT NOT NULL,
  snapshot_version  INTEGER NOT NULL,
  description_hash  TEXT,
  page_ref          TEXT,
  facts_hash        TEXT,
  application_url   TEXT,
  extraction_tier   TEXT,
  confidence        TEXT,
  quarantine_reason TEXT,
  language          TEXT,
  chars             INTEGER NOT NULL,
  active_state      TEXT NOT NULL,
  active_evidence   TEXT,
  checked_at        TEXT,
  enriched_at       TEXT
) STRICT, WITHOUT ROWID
