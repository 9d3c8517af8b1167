SELECT e.position,
       e.payload ->> '$.sourceId' AS source_id,
       e.occurred_at AS read_at,
       substr(r.key, 1, instr(r.key, ':') - 1) AS outcome,
       substr(r.key, instr(r.key, ':') + 1) AS reason,
       r.value AS count
FROM job_events AS e, json_each(e.payload, '$.reasons') AS r
WHERE e.position > :after AND e.position <= :upto AND e.event_type = 'DiscoveryRunCompleted'
ORDER BY e.position, r.key
