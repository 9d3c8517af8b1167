-- Every job that a source which is not in $sources_off shows, with what its score and its gates say, and what it cost.
-- An uncapped score is the ledger's own where a conflict held it down.
WITH shown AS (
  SELECT job_id, bool_or(NOT list_contains($sources_off::VARCHAR[], source_id)) AS kept
  FROM job_identities GROUP BY job_id
),
capped AS (
  SELECT job_id, version,
         least(10, greatest(1, 1 + floor(9 * sum(awarded) / sum(max_points) + 0.5)))::BIGINT AS uncapped
  FROM score_lines WHERE formula = $formula
  GROUP BY job_id, version HAVING bool_or(fit = 'blocked') AND sum(max_points) > 0
),
spent AS (
  SELECT job_id,
         sum(usd_micros + CASE WHEN state = 'reserved' THEN reserved_usd_micros ELSE 0 END)
           FILTER (lane IN ('tailor', 'cover')) AS preparing,
         sum(usd_micros + CASE WHEN state = 'reserved' THEN reserved_usd_micros ELSE 0 END)
           FILTER (lane NOT IN ('tailor', 'cover')) AS reading
  FROM charges WHERE job_id IS NOT NULL GROUP BY job_id
)
SELECT j.job_id, j.title, j.employer, j.fit_score, COALESCE(c.uncapped, j.fit_score) AS uncapped, j.eligibility,
       COALESCE(from_json(s.blockers, '["VARCHAR"]'), []) AS blockers,
       COALESCE(from_json(s.warnings, '["VARCHAR"]'), []) AS warnings,
       s.policy_version, COALESCE(j.has_resume, false) AS has_resume,
       COALESCE(p.reading, 0)::BIGINT AS reading, COALESCE(p.preparing, 0)::BIGINT AS preparing
FROM jobs AS j
LEFT JOIN shown USING (job_id)
LEFT JOIN job_scores AS s ON s.job_id = j.job_id AND s.version = j.score_version
LEFT JOIN capped AS c ON c.job_id = j.job_id AND c.version = j.score_version
LEFT JOIN spent AS p ON p.job_id = j.job_id
WHERE COALESCE(shown.kept, NOT list_contains($sources_off::VARCHAR[], j.source_id))
ORDER BY j.discovered_at, j.job_id
