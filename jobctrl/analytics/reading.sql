-- name: folded
SELECT COALESCE(MAX(position), 0) FROM fold_positions;

-- name: event_at
SELECT event_id FROM job_events WHERE position = :position;

-- name: versions
SELECT name, version FROM read_tables ORDER BY name;

-- name: touched_job_id
-- The unary plus keeps SQLite to the range of positions; the index on job_id would walk the whole log.
SELECT DISTINCT +job_id FROM job_events WHERE position > :after AND position <= :upto AND job_id IS NOT NULL;

-- name: touched_call_id
SELECT DISTINCT payload ->> '$.callId' FROM job_events
WHERE position > :after AND position <= :upto AND stream LIKE 'spend/%' AND payload ->> '$.callId' IS NOT NULL;

-- name: touched_workflow_id
-- A run's own facts name it; what a source returned is told by the execution that read it.
SELECT DISTINCT COALESCE(payload ->> '$.workflowId', payload ->> '$.execution.workflowId', workflow_id) AS touched
FROM job_events
WHERE position > :after AND position <= :upto AND touched IS NOT NULL
  AND (event_type LIKE 'Workflow%' OR event_type LIKE 'PipelineStep%' OR event_type LIKE 'DiscoveryRun%');

-- name: last_position
SELECT COALESCE(MAX(position), 0) FROM job_events;

-- name: position_before
-- From the newest fact backwards, as far as the moment.
SELECT COALESCE((SELECT position FROM job_events WHERE occurred_at < :moment ORDER BY position DESC LIMIT 1), 0);

-- name: fact_at
SELECT event_id, occurred_at FROM job_events WHERE position = :position;

-- name: facts
-- In the order of `Recorded`.
SELECT position, event_id, stream, stream_version, event_type, schema_version, job_id, stage, workflow_id, run_id,
       occurred_at, payload
FROM job_events WHERE position > :after AND position <= :upto ORDER BY position;
