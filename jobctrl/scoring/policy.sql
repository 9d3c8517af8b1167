-- read table: every version of the policy that turns scores into decisions
CREATE TABLE scoring_policies (
  version         INTEGER PRIMARY KEY,
  min_fit_score   INTEGER NOT NULL,
  material_floor  INTEGER NOT NULL,
  reason          TEXT NOT NULL,
  anchors_ref     TEXT NOT NULL,
  adopted_at      TEXT NOT NULL
) STRICT
