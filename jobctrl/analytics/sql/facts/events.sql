SELECT position, event_type, stream, job_id, stage, level, workflow_id, run_id, occurred_at
FROM job_events WHERE position > :after AND position <= :upto ORDER BY position
