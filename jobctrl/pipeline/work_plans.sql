-- name: standing
SELECT c.hidden, e.active_state,
       EXISTS (SELECT 1 FROM workflow_runs AS r WHERE r.job_id = c.job_id AND r.status = 'in_progress') AS under_way
FROM job_contents AS c LEFT JOIN job_enrichments AS e USING (job_id)
WHERE c.job_id = :job_id;

-- name: plan
SELECT work_plan_state, required_steps, preparation_workflow_id FROM discovery_execution_jobs
WHERE workflow_id = :workflow_id AND run_id = :run_id AND job_id = :job_id;

-- name: has_ended
-- Whether the run that this execution planned has ended, and none of its name goes on.
SELECT COUNT(*) > 0 AND SUM(r.status = 'in_progress') = 0
FROM discovery_execution_jobs AS m
JOIN workflow_runs AS r ON r.workflow_id = m.preparation_workflow_id AND r.finished_at >= m.linked_at
WHERE m.workflow_id = :workflow_id AND m.run_id = :run_id AND m.job_id = :job_id;
