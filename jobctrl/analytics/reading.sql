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
