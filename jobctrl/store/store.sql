-- name: append
-- In the order of `Recorded`.
INSERT INTO job_events (event_id, stream, stream_version, event_type, schema_version, job_id, stage, workflow_id,
                        run_id, occurred_at, payload, level, idempotency_key)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: head
SELECT COALESCE(MAX(stream_version), 0) FROM job_events WHERE stream = :stream;

-- name: seen
SELECT 1 FROM job_events WHERE idempotency_key = :key;

-- name: last_position
SELECT COALESCE(MAX(position), 0) FROM job_events;

-- name: read_stream
SELECT position, event_id, stream, stream_version, event_type, schema_version, job_id, stage, workflow_id, run_id,
       occurred_at, payload
FROM job_events WHERE stream = :stream ORDER BY stream_version;

-- name: read_job
SELECT position, event_id, stream, stream_version, event_type, schema_version, job_id, stage, workflow_id, run_id,
       occurred_at, payload
FROM job_events WHERE job_id = :job_id ORDER BY position;

-- name: read_since
SELECT position, event_id, stream, stream_version, event_type, schema_version, job_id, stage, workflow_id, run_id,
       occurred_at, payload
FROM job_events WHERE position > :after ORDER BY position LIMIT :limit;

-- name: put_content
INSERT OR IGNORE INTO contents (sha256, media_type, bytes, created_at) VALUES (:sha256, :media_type, :bytes, :at);

-- name: get_content
SELECT bytes FROM contents WHERE sha256 = :sha256;

-- name: positions
SELECT (SELECT position FROM fold_positions WHERE folds = :folds), (SELECT COALESCE(MAX(position), 0) FROM job_events);

-- name: standing
SELECT (SELECT version FROM read_tables WHERE name = :table), (SELECT MAX(position) FROM fold_positions),
       (SELECT COALESCE(MAX(position), 0) FROM job_events);

-- name: set_fold_position
INSERT INTO fold_positions (folds, position) VALUES (:folds, :position)
ON CONFLICT (folds) DO UPDATE SET position = excluded.position;

-- name: advance_fold_position
UPDATE fold_positions SET position = :position WHERE folds = :folds AND position = :before;

-- name: forget_fold_positions
DELETE FROM fold_positions;
