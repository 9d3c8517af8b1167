-- The steps of one execution, in the order they began.
SELECT step_kind, item_key, attempt, state, item_count, error_code, retryable, started_at, finished_at,
       duration_ms / 1000.0 AS seconds
FROM pipeline_steps WHERE workflow_id = $workflow_id AND run_id = $run_id
ORDER BY COALESCE(started_at, queued_at), step_kind, item_key
