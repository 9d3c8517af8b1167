SELECT DISTINCT e.position,
       e.payload ->> '$.jobId' AS job_id,
       e.payload ->> '$.version' AS version,
       k.value ->> '$.requirement_id' AS requirement_id,
       k.value ->> '$.keyword' AS skill
FROM job_events AS e
JOIN contents AS a ON a.sha256 = e.payload ->> '$.analysisRef'
JOIN json_each(CAST(a.bytes AS TEXT), '$.keywords') AS k
WHERE e.position > :after AND e.position <= :upto AND e.event_type = 'JobScored'
ORDER BY e.position, skill, requirement_id
