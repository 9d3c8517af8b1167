-- name: unlinked
-- Jobs that a source showed in the execution and that are no members of it.
SELECT job_id, source_id FROM discovery_receipts AS s
WHERE workflow_id = :workflow_id AND run_id = :run_id AND job_id IS NOT NULL
  AND NOT EXISTS (
    SELECT 1 FROM discovery_execution_jobs AS m
    WHERE m.workflow_id = s.workflow_id AND m.run_id = s.run_id AND m.job_id = s.job_id
      AND m.cohort_kind = 'observed_this_run'
  )
ORDER BY recorded_at, source_id, item_key;

-- name: handed_on
-- Preparations that the execution started, and what their own start says of them.
SELECT r.workflow_id, r.input_summary
FROM workflow_runs AS r
JOIN job_events AS e ON e.idempotency_key = 'run-dispatched:' || r.workflow_id || ':' || r.run_id
WHERE r.workflow_type = 'JobPreparationWorkflow' AND e.workflow_id = :workflow_id AND e.run_id = :run_id
ORDER BY e.position;

-- name: standing
SELECT COUNT(*), COALESCE(SUM(cohort_kind = 'observed_this_run'), 0), COALESCE(SUM(work_plan_state = 'planned'), 0)
FROM discovery_execution_jobs WHERE workflow_id = :workflow_id AND run_id = :run_id;

-- name: linked_until
SELECT job_id FROM discovery_execution_jobs
WHERE workflow_id = :workflow_id AND run_id = :run_id AND linked_at <= :at;
