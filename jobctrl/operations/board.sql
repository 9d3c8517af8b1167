-- name: runs
SELECT workflow_id, run_id, workflow_type, status, job_id, input_summary, summary, started_at, finished_at, duration_ms,
       error_code, error_message, retryable, cancel_requested_by, late_outcomes
FROM workflow_runs ORDER BY started_at DESC LIMIT :limit;

-- name: open_runs
SELECT COUNT(*) FROM workflow_runs WHERE status = 'in_progress' AND workflow_type = :workflow_type;

-- name: find
SELECT job_id FROM jobs WHERE job_id = :key OR url = :key OR native_id = :key
UNION
SELECT job_id FROM job_identities WHERE identity_key = :key OR observed_url = :key
UNION
SELECT job_id FROM jobs WHERE :prefix <> '' AND job_id >= :prefix AND job_id < :prefix || '~'
LIMIT 3;

-- name: by_observation
SELECT job_id FROM job_identities WHERE source_id = :source_id AND native_id = :native_id;

-- name: tallies
SELECT name, value FROM tallies ORDER BY name;

-- name: turned_away
SELECT r.source_id, r.item_key, r.outcome, r.reason, r.title, r.recorded_at
FROM discovery_receipts AS r
JOIN (SELECT workflow_id, run_id FROM workflow_runs WHERE workflow_type = 'DiscoverWorkflow'
      ORDER BY started_at DESC LIMIT 1) AS newest USING (workflow_id, run_id)
WHERE r.outcome IN ('filtered', 'rejected')
ORDER BY r.source_id, r.reason, r.title LIMIT :limit;
