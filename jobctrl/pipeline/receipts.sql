-- name: unobserved
-- Planned members whose preparation's newest run succeeded, and of which no receipt tells yet.
SELECT m.workflow_id, m.run_id, m.job_id, r.workflow_id, r.run_id
FROM discovery_execution_jobs AS m
JOIN workflow_runs AS r ON r.workflow_id = m.preparation_workflow_id AND r.status = 'succeeded'
WHERE m.work_plan_state = 'planned'
  AND NOT EXISTS (
    SELECT 1 FROM preparation_outcomes AS o
    WHERE o.workflow_id = m.workflow_id AND o.run_id = m.run_id AND o.job_id = m.job_id
      AND o.preparation_run_id = r.run_id
  )
  AND NOT EXISTS (
    SELECT 1 FROM workflow_runs AS n
    WHERE n.workflow_id = r.workflow_id AND n.run_id <> r.run_id AND n.started_at > r.started_at
  )
-- However many cannot be proven, each is asked for now and then.
ORDER BY RANDOM() LIMIT :most;

-- name: plan
-- What a member's preparation was to do, while this run is its newest and has succeeded.
SELECT m.required_steps
FROM discovery_execution_jobs AS m
JOIN workflow_runs AS r ON r.workflow_id = m.preparation_workflow_id AND r.status = 'succeeded'
WHERE m.workflow_id = :workflow_id AND m.run_id = :run_id AND m.job_id = :job_id AND m.work_plan_state = 'planned'
  AND r.workflow_id = :preparation_workflow_id AND r.run_id = :preparation_run_id
  AND NOT EXISTS (
    SELECT 1 FROM workflow_runs AS n
    WHERE n.workflow_id = r.workflow_id AND n.run_id <> r.run_id AND n.started_at > r.started_at
  );

-- name: outcomes
SELECT o.job_id, o.completed_steps, o.skipped_steps
FROM preparation_outcomes AS o
JOIN discovery_execution_jobs AS m USING (workflow_id, run_id, job_id)
JOIN workflow_runs AS r ON r.workflow_id = o.preparation_workflow_id AND r.run_id = o.preparation_run_id
WHERE o.workflow_id = :workflow_id AND o.run_id = :run_id
  -- A receipt tells of the plan and the run that stand, not of ones that were replaced.
  AND m.work_plan_state = 'planned' AND m.preparation_workflow_id = o.preparation_workflow_id
  AND m.required_steps = o.required_steps AND r.status = 'succeeded'
  AND NOT EXISTS (
    SELECT 1 FROM workflow_runs AS n
    WHERE n.workflow_id = r.workflow_id AND n.run_id <> r.run_id AND n.started_at > r.started_at
  );
