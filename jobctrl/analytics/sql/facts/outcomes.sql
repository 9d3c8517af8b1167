SELECT position,
       payload ->> '$.jobId' AS job_id,
       payload ->> '$.kind' AS kind,
       strftime('%Y-%m-%dT%H:%M:%fZ', payload ->> '$.happenedAt') AS happened_at,
       occurred_at AS recorded_at,
       payload ->> '$.simulated' AS simulated
FROM job_events
WHERE position > :after AND position <= :upto AND event_type = 'ApplicationOutcomeRecorded'
ORDER BY position
