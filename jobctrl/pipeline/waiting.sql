-- name: waiting
-- A stage's work that needs nobody: its job is wanted, its posting open, what it builds on is there, and no run,
-- reservation or unknown owner is at the job.
SELECT c.job_id, COALESCE(s.attempt_count, 0), CASE s.state WHEN 'failed' THEN s.finished_at END
FROM job_contents AS c
LEFT JOIN job_enrichments AS e USING (job_id)
LEFT JOIN job_stage_states AS s ON s.job_id = c.job_id AND s.stage = :stage
LEFT JOIN job_scores AS k ON k.job_id = c.job_id
 AND k.version = (SELECT MAX(version) FROM job_scores WHERE job_id = c.job_id)
WHERE (:every OR c.job_id IN (SELECT value FROM json_each(:job_ids)))
  AND c.hidden = 0
  AND COALESCE(e.active_state, 'unknown') NOT IN ('closed', 'expired', 'removed', 'location_incompatible')
  AND (s.state IS NULL OR s.state = 'pending' OR (s.state = 'failed' AND s.retryable = 1))
  AND CASE :stage
    WHEN 'enrich' THEN e.description_hash IS NULL
    WHEN 'score' THEN e.description_hash IS NOT NULL
    ELSE k.eligibility <> 'blocked'
      -- Chance lets some jobs through below the threshold, but never against a person's own score.
      AND (k.fit_score >= :threshold
           OR (k.corrected_from IS NULL AND c.job_id IN (SELECT job_id FROM explorations)))
      AND (k.snapshot_hash IS NULL OR k.snapshot_hash = e.description_hash)
      AND NOT (e.confidence = 'low' AND e.quarantine_reason IS NOT NULL)
      AND EXISTS (SELECT 1 FROM job_stage_states AS d
                  WHERE d.job_id = c.job_id AND d.stage = 'score' AND d.state = 'succeeded')
      -- A person has declined it or has applied: neither wants new materials.
      AND NOT EXISTS (SELECT 1 FROM job_stage_states AS a
                      WHERE a.job_id = c.job_id AND a.stage = 'apply'
                        AND (a.state IN ('succeeded', 'needs_verification', 'canceled')
                             OR (a.state = 'skipped' AND a.error_code IS NOT 'MIN_SCORE')))
      AND (:stage = 'tailor'
           OR EXISTS (SELECT 1 FROM job_materials AS m
                      JOIN job_stage_states AS t ON t.job_id = m.job_id AND t.stage = 'tailor' AND t.state = 'succeeded'
                      WHERE m.job_id = c.job_id AND m.lifecycle <> 'complete'))
  END
  AND NOT EXISTS (SELECT 1 FROM workflow_runs AS r WHERE r.job_id = c.job_id AND r.status = 'in_progress')
  AND NOT EXISTS (
    SELECT 1 FROM job_stage_states AS b
    LEFT JOIN workflow_runs AS r ON r.workflow_id = b.owner_workflow AND r.run_id = b.owner_run
    -- A member of a run that goes on is left to it, also between two of its activities.
    WHERE b.job_id = c.job_id AND (b.state IN ('queued', 'running') OR r.status = 'in_progress')
  )
ORDER BY k.fit_score DESC, e.enriched_at DESC, c.job_id;
