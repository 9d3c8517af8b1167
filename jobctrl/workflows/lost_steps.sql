-- name: left_rendering
-- PDF steps without an end whose preparation has ended, and ones that were given up although it rendered them.
SELECT s.workflow_id, s.run_id, s.item_key, s.attempt, r.status,
  EXISTS (SELECT 1 FROM json_each(r.summary, '$.completed') WHERE value = 'pdf')
    OR EXISTS (SELECT 1 FROM json_each(o.completed_steps) WHERE value = 'pdf') AS is_rendered
FROM pipeline_steps AS s
-- From the few steps outwards: the joins are crossed so that no other order is tried.
CROSS JOIN discovery_execution_jobs AS m
  ON m.workflow_id = s.workflow_id AND m.run_id = s.run_id AND m.job_id = substr(s.item_key, length('job:') + 1)
CROSS JOIN workflow_runs AS r ON r.workflow_id = m.preparation_workflow_id
LEFT JOIN preparation_outcomes AS o
  ON o.workflow_id = m.workflow_id AND o.run_id = m.run_id AND o.job_id = m.job_id AND o.preparation_run_id = r.run_id
WHERE s.step_kind = 'pdf_render' AND r.status <> 'in_progress'
  AND (s.state IN ('queued', 'running') OR s.error_code = :stopped)
  AND (s.state <> 'failed' OR is_rendered)
  AND NOT EXISTS (
    SELECT 1 FROM workflow_runs AS n
    WHERE n.workflow_id = r.workflow_id AND n.run_id <> r.run_id
      AND (n.status = 'in_progress' OR n.started_at > r.started_at)
  );
