-- name: beat
INSERT OR REPLACE INTO worker_runtime_heartbeats
  (worker_id, identity, task_queue, started_at, last_seen_at, slots, executor_threads, active_count, active_counts,
   active_details, active_details_total, durations, queue_observation, schema_version)
VALUES
  (:worker_id, :identity, :task_queue, :started_at, :last_seen_at, :slots, :executor_threads, :active_count,
   :active_counts, :active_details, :active_details_total, :durations, :queue_observation, :schema_version);

-- name: leave
DELETE FROM worker_runtime_heartbeats WHERE worker_id = :worker_id;

-- name: forget_beats
DELETE FROM worker_runtime_heartbeats WHERE last_seen_at < :before;

-- name: beats
SELECT worker_id, identity, task_queue, started_at, last_seen_at, slots, executor_threads, active_count, active_counts,
       active_details, active_details_total, durations, queue_observation, schema_version
FROM worker_runtime_heartbeats WHERE identity = :identity ORDER BY last_seen_at DESC, worker_id;

-- name: attempt
INSERT INTO operational_attempt_metrics
  (recorded_at, attempt_kind, activity_type, outcome, duration_ms, workflow_id, run_id)
VALUES (:recorded_at, :attempt_kind, :activity_type, :outcome, :duration_ms, :workflow_id, :run_id);

-- name: forget_attempts
DELETE FROM operational_attempt_metrics WHERE recorded_at < :before;

-- name: abandoned_since
SELECT COUNT(*) FROM operational_attempt_metrics WHERE attempt_kind = 'abandoned_thread' AND recorded_at >= :since;
