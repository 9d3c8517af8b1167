-- Workflow executions, the newest first, with their steps counted.
WITH steps AS (
  SELECT workflow_id, run_id, count(*) AS steps, count(*) FILTER (state = 'succeeded') AS steps_done,
         count(*) FILTER (state = 'failed') AS steps_failed
  FROM pipeline_steps GROUP BY workflow_id, run_id
)
SELECT r.workflow_type, r.status, r.started_at, r.finished_at, r.duration_ms / 1000.0 AS seconds,
       COALESCE(s.steps, 0) AS steps, COALESCE(s.steps_done, 0) AS steps_done,
       COALESCE(s.steps_failed, 0) AS steps_failed,
       r.error_code, r.error_message, r.retryable, r.cancel_requested_by, r.workflow_id, r.run_id,
       concat_ws('/', r.workflow_id, r.run_id) AS run
FROM workflow_runs AS r LEFT JOIN steps AS s USING (workflow_id, run_id)
WHERE $status = '' OR r.status = $status
ORDER BY r.started_at DESC NULLS LAST, r.workflow_id
LIMIT $limit
