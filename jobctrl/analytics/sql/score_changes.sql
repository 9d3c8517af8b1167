-- Each time a job was scored again on the same text: by how much the score moved, and what had changed meanwhile.
WITH ours AS (
  SELECT job_id, version, scored_at, fit_score,
         lag(fit_score) OVER same_text AS before,
         profile_version <> lag(profile_version) OVER same_text AS profile,
         policy_version <> lag(policy_version) OVER same_text AS policy,
         provider <> lag(provider) OVER same_text OR model <> lag(model) OVER same_text AS model
  FROM job_scores
  WHERE corrected_from IS NULL AND snapshot_hash IS NOT NULL
    -- Our own score that a taken back correction gave room again was not made a second time.
    AND NOT EXISTS (
      SELECT 1 FROM events AS e
      WHERE e.job_id = job_scores.job_id AND e.event_type = 'ScoreCorrectionWithdrawn' AND e.occurred_at = scored_at
    )
  WINDOW same_text AS (PARTITION BY job_id, snapshot_hash ORDER BY version)
)
SELECT job_id, version, scored_at, before, fit_score AS after, fit_score - before AS difference,
       CASE WHEN profile::INTEGER + policy::INTEGER + model::INTEGER > 1 THEN 'several'
            WHEN profile THEN 'profile' WHEN policy THEN 'policy' WHEN model THEN 'model' ELSE 'nothing' END AS changed
FROM ours WHERE before IS NOT NULL
ORDER BY scored_at, job_id, version
