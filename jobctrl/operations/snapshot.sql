-- name: discover_runs
SELECT workflow_id, run_id, workflow_type, status, job_id, input_summary, summary, started_at, finished_at, duration_ms,
       error_code, error_message, retryable, cancel_requested_by, late_outcomes
FROM workflow_runs WHERE workflow_type = 'DiscoverWorkflow' AND run_id <> '' ORDER BY started_at DESC LIMIT :limit;

-- name: is_prepared
SELECT EXISTS (
  SELECT 1 FROM discovery_receipts AS d
  JOIN workflow_runs AS r ON r.job_id = d.job_id AND r.status = 'in_progress'
  WHERE d.workflow_id = :workflow_id AND d.run_id = :run_id AND d.outcome = 'admitted');

-- name: groups
WITH members AS (
  SELECT DISTINCT job_id FROM discovery_receipts
  WHERE workflow_id = :workflow_id AND run_id = :run_id AND outcome = 'admitted'),
open_jobs AS (SELECT DISTINCT job_id FROM workflow_runs WHERE status = 'in_progress' AND job_id IS NOT NULL)
SELECT j.job_id IN (SELECT job_id FROM members) AS member,
       j.job_id IN (SELECT job_id FROM open_jobs) AS prepared,
       j.active_state IN (SELECT value FROM json_each(:closed_states)) AS closed,
       j.enrich_state, j.score_state, j.tailor_state, j.cover_state, m.lifecycle IS 'complete' AS complete, COUNT(*)
FROM jobs AS j LEFT JOIN job_materials AS m USING (job_id)
WHERE j.hidden = 0
GROUP BY 1, 2, 3, 4, 5, 6, 7, 8;

-- name: held
SELECT d.job_id IS NOT NULL AS member, COUNT(*)
FROM job_stage_states AS s
LEFT JOIN discovery_receipts AS d
  ON d.job_id = s.job_id AND d.workflow_id = :workflow_id AND d.run_id = :run_id AND d.outcome = 'admitted'
WHERE s.stage IN ('enrich', 'score', 'tailor', 'cover') AND s.state = 'blocked' AND s.retryable = 1
GROUP BY 1;

-- name: unpriced_runs
-- A scheduled run only waits for the Discover run that it started.
SELECT COUNT(*) FROM workflow_runs
WHERE status = 'in_progress' AND job_id IS NULL AND workflow_type <> 'ScheduledDiscoverWorkflow'
  AND (workflow_id, run_id) <> (:workflow_id, :run_id);

-- name: newest_preparation
SELECT error_code, finished_at FROM workflow_runs
WHERE status <> 'in_progress' AND finished_at >= :since AND workflow_type IN ('JobPreparationWorkflow', 'DiscoverWorkflow')
ORDER BY finished_at DESC LIMIT 1;

-- name: stage_samples
SELECT duration_ms FROM job_stage_states
WHERE stage = :stage AND state = 'succeeded' AND duration_ms > 0 AND finished_at >= :since
ORDER BY finished_at DESC LIMIT :limit;

-- name: step_samples
SELECT duration_ms FROM pipeline_steps
WHERE step_kind = :stage AND state = 'succeeded' AND duration_ms > 0 AND finished_at >= :since
ORDER BY finished_at DESC LIMIT :limit;

-- name: attempt_samples
SELECT duration_ms FROM operational_attempt_metrics
WHERE activity_type = :activity_type AND outcome = 'succeeded' AND duration_ms > 0 AND recorded_at >= :since
ORDER BY recorded_at DESC LIMIT :limit;

-- name: has_ended
SELECT 1 FROM workflow_runs WHERE workflow_id = :workflow_id AND run_id = :run_id AND status <> 'in_progress';

-- name: job_of_run
SELECT j.job_id, j.title, j.employer,
       EXISTS (SELECT 1 FROM discovery_receipts AS d
               WHERE d.workflow_id = :discover_id AND d.run_id = :discover_run AND d.outcome = 'admitted'
                 AND d.job_id = j.job_id) AS member
FROM workflow_runs AS r JOIN jobs AS j USING (job_id)
WHERE r.workflow_id = :workflow_id AND r.run_id = :run_id;
