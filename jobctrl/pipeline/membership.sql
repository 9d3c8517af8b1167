-- name: link
INSERT INTO discovery_execution_jobs (workflow_id, run_id, job_id, cohort_kind, source_id, linked_at)
VALUES (:workflow_id, :run_id, :job_id, :cohort, :source_id, :at)
-- What was swept and is then seen is seen: one membership, promoted, and never put back.
ON CONFLICT (workflow_id, run_id, job_id) DO UPDATE
SET cohort_kind = excluded.cohort_kind, source_id = excluded.source_id
WHERE cohort_kind = 'existing_backlog' AND excluded.cohort_kind = 'observed_this_run';

-- name: plan
-- A plan is decided once; only one that could not be made is made again.
UPDATE discovery_execution_jobs
SET work_plan_state = :state, required_steps = :steps, work_plan_reason = :reason, preparation_workflow_id = :preparation
WHERE workflow_id = :workflow_id AND run_id = :run_id AND job_id = :job_id AND work_plan_state IN ('pending', 'failed');

-- name: members
SELECT job_id, cohort_kind, work_plan_state, required_steps, work_plan_reason, preparation_workflow_id
FROM discovery_execution_jobs WHERE workflow_id = :workflow_id AND run_id = :run_id ORDER BY job_id;

-- name: unplanned
SELECT job_id FROM discovery_execution_jobs
WHERE workflow_id = :workflow_id AND run_id = :run_id AND work_plan_state IN ('pending', 'failed') ORDER BY job_id;

-- name: planned
SELECT job_id FROM discovery_execution_jobs
WHERE workflow_id = :workflow_id AND run_id = :run_id AND work_plan_state = 'planned';
