SELECT position,
       payload ->> '$.sourceId' AS source_id,
       payload ->> '$.runId' AS run_id,
       occurred_at AS read_at,
       CASE WHEN event_type = 'DiscoveryRunCompleted' THEN 'completed'
            WHEN payload ->> '$.refused' = 1 THEN 'refused'
            ELSE 'failed' END AS status,
       payload ->> '$.returned' AS returned,
       payload ->> '$.admitted' AS admitted,
       payload ->> '$.merged' AS merged,
       payload ->> '$.seenBefore' AS seen_before,
       payload ->> '$.filtered' AS filtered,
       payload ->> '$.rejected' AS rejected,
       payload ->> '$.reportedTotal' AS reported_total,
       payload ->> '$.durationMs' AS duration_ms,
       payload ->> '$.errorClass' AS error
FROM job_events
WHERE position > :after AND position <= :upto AND event_type IN ('DiscoveryRunCompleted', 'DiscoveryRunFailed')
ORDER BY position
