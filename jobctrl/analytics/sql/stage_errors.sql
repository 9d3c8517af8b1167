-- What stages of jobs stand still for.
SELECT stage, state, COALESCE(error_code, 'unknown') AS error_code, count(*) AS jobs, bool_or(retryable) AS retryable,
       max(updated_at) AS latest
FROM job_stage_states WHERE state IN ('failed', 'exhausted', 'blocked')
GROUP BY stage, state, error_code
ORDER BY jobs DESC, stage, error_code
