-- name: candidates
-- Open executions, and one closed one whose keys have not been read since it ended.
SELECT * FROM (
  SELECT workflow_id, run_id FROM workflow_runs
  WHERE workflow_type = 'DiscoverWorkflow' AND run_id <> '' AND status = 'in_progress'
  ORDER BY started_at DESC LIMIT :most
)
UNION ALL
SELECT * FROM (
  SELECT r.workflow_id, r.run_id
  FROM workflow_runs AS r LEFT JOIN discovery_execution_recoveries AS c USING (workflow_id, run_id)
  WHERE r.workflow_type = 'DiscoverWorkflow' AND r.run_id <> '' AND r.status <> 'in_progress'
    AND (c.state IS NULL OR c.state IN ('recovering', 'retrying') OR c.updated_at <= r.finished_at)
  -- The newest first; one that cannot be read now does not keep older ones waiting.
  ORDER BY c.updated_at IS NOT NULL, c.updated_at, r.finished_at DESC LIMIT 1
);
