-- read table: the jobs that chance let through below the threshold
CREATE TABLE explorations (
  job_id         TEXT NOT NULL,
  score          INTEGER NOT NULL,
  score_version  INTEGER NOT NULL,
  threshold      INTEGER NOT NULL,
  propensity     REAL NOT NULL,
  policy_version INTEGER NOT NULL,
  chosen_at      TEXT NOT NULL,
  PRIMARY KEY (job_id)
) STRICT, WITHOUT ROWID
