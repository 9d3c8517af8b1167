SELECT position,
       payload ->> '$.jobId' AS job_id,
       payload ->> '$.sourceId' AS source_id,
       occurred_at AS checked_at,
       payload ->> '$.activeState' AS active_state,
       payload ->> '$.previousState' AS previous_state,
       payload ->> '$.verificationMethod' AS evidence
FROM job_events
WHERE position > :after AND position <= :upto AND event_type = 'JobActiveStateChanged'
ORDER BY position
