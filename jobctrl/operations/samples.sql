-- name: stage_samples
SELECT duration_ms FROM job_stage_states
WHERE stage = :stage AND state = 'succeeded' AND duration_ms > 0 AND finished_at >= :since
ORDER BY finished_at DESC LIMIT :limit;

-- name: step_samples
SELECT duration_ms FROM pipeline_steps
WHERE step_kind = :stage AND state = 'succeeded' AND duration_ms > 0 AND finished_at >= :since
ORDER BY finished_at DESC LIMIT :limit;

-- name: attempt_samples
SELECT duration_ms FROM operational_attempt_metrics
WHERE activity_type = :activity_type AND outcome = 'succeeded' AND duration_ms > 0 AND recorded_at >= :since
ORDER BY recorded_at DESC LIMIT :limit;
