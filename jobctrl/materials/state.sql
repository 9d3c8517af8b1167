-- read table: the materials that stand for each job
CREATE TABLE job_materials (
  job_id            TEXT PRIMARY KEY,
  generation        INTEGER NOT NULL,
  lifecycle         TEXT NOT NULL,
  resume_ref        TEXT,
  provenance_ref    TEXT,
  resume_pdf_ref    TEXT,
  letter_ref        TEXT,
  letter_pdf_ref    TEXT,
  score_version     INTEGER NOT NULL,
  profile_version   INTEGER NOT NULL,
  must_have_coverage REAL NOT NULL,
  updated_at        TEXT NOT NULL
) STRICT, WITHOUT ROWID
