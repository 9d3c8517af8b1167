-- Applications and whether $outcome came of them. An application younger than $wait_days is still waiting.
-- Made-up ones and real ones are never mixed: $simulated says which are meant.
WITH clock AS (SELECT COALESCE($now::TIMESTAMPTZ, max(occurred_at)) AS now FROM events),
told AS (
  SELECT j.job_id, j.applied_at, j.applied_score AS score, j.replied_at, j.interview_at, j.offer_at,
         j.simulated OR EXISTS (SELECT 1 FROM outcomes AS o WHERE o.job_id = j.job_id AND o.simulated) AS simulated
  FROM jobs AS j WHERE j.applied_at IS NOT NULL
)
SELECT job_id, applied_at, score,
       CASE WHEN score >= 9 THEN 'excellent' WHEN score >= 7 THEN 'strong' WHEN score >= 5 THEN 'plausible'
            WHEN score >= 3 THEN 'stretch' WHEN score >= 1 THEN 'poor' END AS band,
       CASE $outcome WHEN 'reply' THEN replied_at IS NOT NULL
                     WHEN 'interview' THEN interview_at IS NOT NULL
                     WHEN 'offer' THEN offer_at IS NOT NULL END AS success,
       applied_at > clock.now - to_days($wait_days::INTEGER) AS waiting,
       simulated
FROM told, clock
WHERE simulated = COALESCE($simulated::BOOLEAN, NOT EXISTS (SELECT 1 FROM told WHERE NOT simulated))
ORDER BY applied_at, job_id
