-- name: to_score
-- Every job, or only those that are named.
SELECT c.job_id
FROM (SELECT job_id FROM job_contents WHERE :every UNION ALL SELECT value FROM json_each(:job_ids)) AS asked
JOIN job_contents AS c USING (job_id)
JOIN job_enrichments AS e USING (job_id)
LEFT JOIN job_stage_states AS s ON s.job_id = c.job_id AND s.stage = 'score'
WHERE e.description_hash IS NOT NULL AND c.hidden = 0
  AND e.active_state NOT IN ('closed', 'expired', 'removed', 'location_incompatible')
  AND (s.state IS NULL OR s.state = 'pending' OR (s.state = 'failed' AND s.retryable = 1 AND s.attempt_count < 3))
  AND NOT EXISTS (SELECT 1 FROM workflow_runs AS r WHERE r.job_id = c.job_id AND r.status = 'in_progress')
ORDER BY c.job_id;

-- name: to_tailor
SELECT c.job_id
FROM job_contents AS c
JOIN job_enrichments AS e USING (job_id)
JOIN job_scores AS k ON k.job_id = c.job_id
 AND k.version = (SELECT MAX(version) FROM job_scores WHERE job_id = c.job_id)
JOIN job_stage_states AS scored ON scored.job_id = c.job_id AND scored.stage = 'score' AND scored.state = 'succeeded'
LEFT JOIN job_stage_states AS s ON s.job_id = c.job_id AND s.stage = 'tailor'
WHERE c.hidden = 0 AND k.eligibility <> 'blocked'
  AND (k.fit_score >= :threshold OR (k.corrected_from IS NULL AND c.job_id IN (SELECT job_id FROM explorations)))
  AND e.active_state NOT IN ('closed', 'expired', 'removed', 'location_incompatible')
  AND NOT (e.confidence = 'low' AND e.quarantine_reason IS NOT NULL)
  AND (s.state IS NULL OR s.state = 'pending' OR (s.state = 'failed' AND s.retryable = 1 AND s.attempt_count < 5))
  AND NOT EXISTS (SELECT 1 FROM workflow_runs AS r WHERE r.job_id = c.job_id AND r.status = 'in_progress')
ORDER BY k.fit_score DESC, c.job_id;

-- name: to_finish
SELECT m.job_id, s.state IS 'succeeded' AS has_letter
FROM job_materials AS m
JOIN job_contents AS c USING (job_id)
LEFT JOIN job_stage_states AS s ON s.job_id = m.job_id AND s.stage = 'cover'
WHERE c.hidden = 0 AND m.lifecycle <> 'complete'
  AND (s.state IS NULL OR s.state IN ('pending', 'succeeded')
       OR (s.state = 'failed' AND s.retryable = 1 AND s.attempt_count < 5))
  AND NOT EXISTS (SELECT 1 FROM workflow_runs AS r WHERE r.job_id = m.job_id AND r.status = 'in_progress')
ORDER BY m.job_id;

-- name: source_event
SELECT event_id FROM job_events
WHERE job_id = :job_id AND event_type IN
  ('JobDiscovered', 'JobUpdated', 'JobEnriched', 'PostingContentSnapshotCaptured', 'StageCompleted')
ORDER BY position DESC LIMIT 1;

-- name: outdated_scores
SELECT e.job_id
FROM job_enrichments AS e
JOIN job_stage_states AS s ON s.job_id = e.job_id AND s.stage = 'score' AND s.state = 'succeeded'
JOIN job_scores AS k ON k.job_id = e.job_id
 AND k.version = (SELECT MAX(version) FROM job_scores WHERE job_id = e.job_id)
WHERE k.snapshot_hash IS NOT NULL AND k.snapshot_hash <> e.description_hash
ORDER BY e.job_id;
