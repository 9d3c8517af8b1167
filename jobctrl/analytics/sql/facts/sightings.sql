SELECT position,
       payload ->> '$.identityKey' AS identity_key,
       payload ->> '$.jobId' AS job_id,
       payload ->> '$.sourceId' AS source_id,
       occurred_at AS seen_at,
       payload ->> '$.posting.published' AS published,
       payload ->> '$.firstFinder' AS first_finder
FROM job_events
WHERE position > :after AND position <= :upto AND event_type = 'JobSourceObserved'
ORDER BY position
