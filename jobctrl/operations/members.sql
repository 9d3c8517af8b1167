-- name: members
-- The visible members of one execution, with the newest run of the preparation that was planned for each.
SELECT m.job_id, m.cohort_kind, m.work_plan_state, m.required_steps,
       (SELECT r.status FROM workflow_runs AS r WHERE r.workflow_id = m.preparation_workflow_id
        ORDER BY r.started_at DESC LIMIT 1) AS owner,
       p.state AS pdf,
       EXISTS (SELECT 1 FROM job_stage_states AS s
               WHERE s.job_id = m.job_id AND s.stage IN ('tailor', 'cover') AND s.state = 'blocked'
                 AND s.error_code = 'SCORE_ELIGIBILITY_BLOCKED') AS ruled_out,
       j.enrich_state, j.score_state, j.tailor_state, j.cover_state,
       EXISTS (SELECT 1 FROM workflow_runs AS r WHERE r.job_id = m.job_id AND r.status = 'in_progress') AS prepared,
       j.active_state IN (SELECT value FROM json_each(:closed_states)) AS closed,
       k.lifecycle IS 'complete' AS complete,
       (SELECT group_concat(s.stage) FROM job_stage_states AS s
        WHERE s.job_id = m.job_id AND s.state IN ('failed', 'blocked') AND s.retryable = 1) AS retryable
FROM discovery_execution_jobs AS m
JOIN jobs AS j USING (job_id)
LEFT JOIN job_materials AS k USING (job_id)
LEFT JOIN pipeline_steps AS p
  ON p.workflow_id = m.workflow_id AND p.run_id = m.run_id AND p.step_kind = 'pdf_render'
 AND p.item_key = 'job:' || m.job_id
WHERE m.workflow_id = :workflow_id AND m.run_id = :run_id AND j.hidden = 0;

-- name: holds
-- Members whose score still stands as their own preparation left it, and rules out every step planned after it.
SELECT m.job_id
FROM discovery_execution_jobs AS m
JOIN job_stage_states AS scored
  ON scored.job_id = m.job_id AND scored.stage = 'score' AND scored.state = 'succeeded'
 AND scored.owner_workflow = m.preparation_workflow_id
 AND scored.owner_run = (SELECT r.run_id FROM workflow_runs AS r WHERE r.workflow_id = m.preparation_workflow_id
                         ORDER BY r.started_at DESC LIMIT 1)
JOIN job_scores AS k
  ON k.job_id = m.job_id AND k.version = (SELECT MAX(version) FROM job_scores WHERE job_id = m.job_id)
 AND k.version = CAST(COALESCE(scored.baseline, '0') AS INTEGER) + 1 AND k.corrected_from IS NULL
JOIN job_enrichments AS e ON e.job_id = m.job_id AND e.description_hash = k.snapshot_hash
WHERE m.workflow_id = :workflow_id AND m.run_id = :run_id AND m.work_plan_state = 'planned'
  AND k.eligibility = 'blocked' AND json_array_length(k.blockers) > 0
  AND NOT EXISTS (
    SELECT 1 FROM json_each(m.required_steps) AS step
    LEFT JOIN job_stage_states AS s ON s.job_id = m.job_id AND s.stage = step.value
    WHERE step.value IN ('tailor', 'cover')
      AND (s.state IS NOT 'blocked' OR s.retryable <> 0 OR s.error_code IS NOT 'SCORE_ELIGIBILITY_BLOCKED'
           OR s.blocked_by <> '["score"]'));

-- name: others
-- Every visible job that is no member, by how it stands, and the members that the execution leaves alone: what others do
-- for those is no work of it.
WITH members AS (SELECT job_id FROM discovery_execution_jobs
                 WHERE workflow_id = :workflow_id AND run_id = :run_id AND work_plan_state <> 'not_eligible'),
open_jobs AS (SELECT DISTINCT job_id FROM workflow_runs WHERE status = 'in_progress' AND job_id IS NOT NULL)
SELECT j.enrich_state, j.score_state, j.tailor_state, j.cover_state, COUNT(*),
       j.job_id IN (SELECT job_id FROM open_jobs) AS prepared,
       j.active_state IN (SELECT value FROM json_each(:closed_states)) AS closed,
       k.lifecycle IS 'complete' AS complete
FROM jobs AS j LEFT JOIN job_materials AS k USING (job_id)
WHERE j.hidden = 0 AND j.job_id NOT IN (SELECT job_id FROM members)
GROUP BY 1, 2, 3, 4, 6, 7, 8;
