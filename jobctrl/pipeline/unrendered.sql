-- name: unrendered
-- Materials whose words are done and whose PDF is not, with the runs that failed at it since. A canceled one is let be.
SELECT m.job_id, COUNT(r.run_id), MAX(r.finished_at)
FROM job_materials AS m
JOIN job_contents AS c USING (job_id)
JOIN job_stage_states AS s ON s.job_id = m.job_id AND s.stage = 'cover' AND s.state = 'succeeded'
LEFT JOIN workflow_runs AS r ON r.job_id = m.job_id AND r.status <> 'succeeded' AND r.finished_at >= s.finished_at
WHERE c.hidden = 0 AND m.lifecycle <> 'complete'
  AND NOT EXISTS (SELECT 1 FROM workflow_runs AS o WHERE o.job_id = m.job_id AND o.status = 'in_progress')
  -- A member of a run over many jobs is left to it: its PDF may be that run's next step.
  AND NOT EXISTS (
    SELECT 1 FROM workflow_runs AS o
    WHERE o.workflow_id = s.owner_workflow AND o.run_id = s.owner_run AND o.status = 'in_progress'
  )
GROUP BY m.job_id
HAVING COALESCE(SUM(r.status = 'canceled'), 0) = 0
ORDER BY m.job_id;
