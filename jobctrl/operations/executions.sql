-- name: discover_runs
SELECT workflow_id, run_id, workflow_type, status, job_id, input_summary, summary, started_at, finished_at, duration_ms,
       error_code, error_message, retryable, cancel_requested_by, late_outcomes
FROM workflow_runs WHERE workflow_type = 'DiscoverWorkflow' AND run_id <> '' ORDER BY started_at DESC LIMIT :limit;

-- name: may_move
-- Whether a planned member of an execution may still go on. Cheap: what it passes is looked at member by member.
SELECT EXISTS (
  SELECT 1 FROM discovery_execution_jobs AS m JOIN jobs AS j USING (job_id)
  WHERE m.workflow_id = :workflow_id AND m.run_id = :run_id AND m.work_plan_state = 'planned' AND j.hidden = 0
    AND (j.score_state IN ('pending', 'queued', 'running', 'failed')
         OR j.tailor_state IN ('pending', 'queued', 'running', 'failed')
         OR j.cover_state IN ('pending', 'queued', 'running', 'failed')))
OR EXISTS (
  SELECT 1 FROM pipeline_steps
  WHERE workflow_id = :workflow_id AND run_id = :run_id AND step_kind = 'pdf_render' AND state IN ('queued', 'running'));

-- name: unpriced_runs
-- A scheduled run only waits for the Discover run that it started, and a report touches no job. What is left of a run of
-- automatic preparation is in the stages that are queued in its name.
SELECT COUNT(*) FROM workflow_runs
WHERE status = 'in_progress' AND job_id IS NULL AND workflow_type NOT IN ('ScheduledDiscoverWorkflow', 'WeeklyReportWorkflow')
  AND workflow_id NOT GLOB 'prepare-auto-*' AND (workflow_id, run_id) <> (:workflow_id, :run_id);

-- name: newest_preparation
SELECT error_code, finished_at FROM workflow_runs
WHERE status <> 'in_progress' AND finished_at >= :since AND workflow_type IN ('JobPreparationWorkflow', 'DiscoverWorkflow')
ORDER BY finished_at DESC LIMIT 1;

-- name: has_ended
SELECT 1 FROM workflow_runs WHERE workflow_id = :workflow_id AND run_id = :run_id AND status <> 'in_progress';

-- name: job_of_run
-- A member's job belongs to the execution's work only in the preparation that the execution planned.
SELECT j.job_id, j.title, j.employer, m.cohort_kind
FROM workflow_runs AS r
JOIN jobs AS j USING (job_id)
LEFT JOIN discovery_execution_jobs AS m
  ON m.workflow_id = :discover_id AND m.run_id = :discover_run AND m.job_id = j.job_id
 AND m.preparation_workflow_id = r.workflow_id
WHERE r.workflow_id = :workflow_id AND r.run_id = :run_id;
