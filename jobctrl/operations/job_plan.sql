-- name: newest
SELECT m.workflow_id, m.run_id, m.cohort_kind, m.work_plan_state, m.required_steps, m.work_plan_reason,
       m.preparation_workflow_id, m.linked_at, r.status
FROM discovery_execution_jobs AS m
LEFT JOIN workflow_runs AS r ON r.workflow_id = m.workflow_id AND r.run_id = m.run_id
WHERE m.job_id = :job_id ORDER BY m.linked_at DESC, m.workflow_id DESC LIMIT 1;
