WITH scored AS MATERIALIZED (
  SELECT e.position,
         e.payload ->> '$.jobId' AS job_id,
         e.payload ->> '$.version' AS version,
         e.payload ->> '$.formulaVersion' AS formula,
         CAST(l.bytes AS TEXT) AS ledger,
         CAST(a.bytes AS TEXT) AS analysis
  FROM job_events AS e
  JOIN contents AS l ON l.sha256 = e.payload ->> '$.ledgerRef'
  JOIN contents AS a ON a.sha256 = e.payload ->> '$.analysisRef'
  WHERE e.position > :after AND e.position <= :upto AND e.event_type = 'JobScored'
),
-- Each content is taken apart once: a join inside would do it again for every line.
lines AS MATERIALIZED (
  SELECT s.position, s.job_id, s.version, s.formula, i.value AS line
  FROM scored AS s, json_each(s.ledger, '$.ledger.items') AS i
),
asked AS MATERIALIZED (
  SELECT s.position, r.value ->> '$.id' AS requirement_id, r.value ->> '$.text' AS requirement
  FROM scored AS s, json_each(s.analysis, '$.requirements') AS r
)
SELECT l.position,
       l.job_id,
       l.version,
       l.formula,
       l.line ->> '$.requirement_id' AS requirement_id,
       a.requirement,
       l.line ->> '$.tier' AS tier,
       l.line ->> '$.fit' AS fit,
       CAST(l.line ->> '$.max_points' AS REAL) AS max_points,
       CAST(l.line ->> '$.awarded' AS REAL) AS awarded
FROM lines AS l
LEFT JOIN asked AS a ON a.position = l.position AND a.requirement_id = l.line ->> '$.requirement_id'
ORDER BY l.position, l.line ->> '$.requirement_id'
