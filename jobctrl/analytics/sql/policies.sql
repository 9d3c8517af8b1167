-- Every version of the scoring policy; the first was in force before any was adopted.
WITH versions AS (
  SELECT version, min_fit_score, material_floor, reason, adopted_at FROM scoring_policies
  UNION ALL
  SELECT 1, $first_min_score, $first_floor, 'first', NULL WHERE NOT EXISTS (SELECT 1 FROM scoring_policies WHERE version = 1)
),
given AS (SELECT policy_version AS version, count(*) AS scores FROM job_scores WHERE corrected_from IS NULL GROUP BY ALL)
SELECT v.version, v.min_fit_score, v.material_floor, v.reason, v.adopted_at, COALESCE(g.scores, 0) AS scores
FROM versions AS v LEFT JOIN given AS g USING (version)
ORDER BY v.version
