-- read table: every score version of every job
CREATE TABLE job_scores (
  job_id             TEXT NOT NULL,
  version            INTEGER NOT NULL,
  fit_score          INTEGER NOT NULL,
  fit_band           TEXT NOT NULL,
  confidence         TEXT NOT NULL,
  weighted_fit       REAL NOT NULL,
  must_have_coverage REAL NOT NULL,
  eligibility        TEXT NOT NULL,
  blockers           TEXT NOT NULL,
  warnings           TEXT NOT NULL,
  profile_version    INTEGER NOT NULL,
  policy_version     INTEGER NOT NULL,
  analysis_ref       TEXT NOT NULL,
  ledger_ref         TEXT NOT NULL,
  snapshot_hash      TEXT,
  provider           TEXT NOT NULL,
  model              TEXT NOT NULL,
  corrected_from     INTEGER,
  reason_ref         TEXT,
  scored_at          TEXT NOT NULL,
  PRIMARY KEY (job_id, version)
) STRICT, WITHOUT ROWID
