SELECT e.position,
       e.payload ->> '$.sourceId' AS source_id,
       e.occurred_at AS read_at,
       n.key AS field,
       n.value AS nulls,
       e.payload ->> '$.returned' AS returned
FROM job_events AS e, json_each(e.payload, '$.fieldNulls') AS n
WHERE e.position > :after AND e.position <= :upto AND e.event_type = 'DiscoveryRunCompleted'
ORDER BY e.position, n.key
