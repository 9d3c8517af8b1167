-- name: done
SELECT s.job_id
FROM job_stage_states AS s
JOIN job_contents AS c USING (job_id)
JOIN job_enrichments AS e USING (job_id)
WHERE s.stage = :stage AND s.state = 'succeeded' AND c.hidden = 0
  AND e.active_state NOT IN ('closed', 'expired', 'removed', 'location_incompatible')
ORDER BY s.job_id LIMIT :most;
