-- name: doubtful
SELECT workflow_id, run_id FROM workflow_runs
WHERE run_id <> '' AND (status = 'in_progress' OR (status = 'terminated' AND error_code = :not_found))
-- However many there are, each is asked for now and then.
ORDER BY RANDOM() LIMIT :most;

-- name: left_running
SELECT s.job_id, s.stage, s.owner_workflow, s.owner_run, r.status
FROM job_stage_states AS s
JOIN workflow_runs AS r ON r.workflow_id = s.owner_workflow AND r.run_id = s.owner_run
WHERE s.stage IN ('enrich', 'score', 'tailor', 'cover', 'apply') AND s.state = 'running' AND r.status <> 'in_progress';

-- name: unexplained
SELECT r.workflow_id, r.run_id FROM workflow_runs AS r
WHERE r.status = 'canceled' AND r.run_id <> '' AND r.finished_at > :since
  AND NOT EXISTS (
    SELECT 1 FROM job_events AS e
    WHERE e.idempotency_key = 'cancel-history:' || r.workflow_id || ':' || r.run_id
  )
ORDER BY RANDOM() LIMIT :most;
