-- Of each posting: until when it was surely open and when it was first seen closed, in days since it was first seen.
WITH open_then AS (
  SELECT job_id, occurred_at AS at FROM events WHERE event_type IN ('JobSourceObserved', 'JobUpdated')
  UNION ALL
  SELECT job_id, recorded_at FROM discovery_receipts WHERE outcome IN ('admitted', 'merged') AND job_id IS NOT NULL
  UNION ALL
  SELECT job_id, checked_at FROM availability WHERE active_state = 'active'
  UNION ALL
  -- A page that was read again and found in the state it was in leaves no other trace.
  SELECT e.job_id, e.occurred_at
  FROM events AS e ASOF JOIN availability AS a ON e.job_id = a.job_id AND e.position >= a.position
  WHERE e.event_type = 'JobEnriched' AND a.active_state = 'active'
),
shut AS (
  SELECT job_id, checked_at AS at FROM availability WHERE active_state IN ('closed', 'expired', 'removed')
),
-- A closing that a later look took back was none; the first one since the posting was last found open counts.
now_shut AS (
  SELECT job_id FROM availability
  QUALIFY row_number() OVER (PARTITION BY job_id ORDER BY position DESC) = 1
    AND active_state IN ('closed', 'expired', 'removed')
),
last_active AS (SELECT job_id, max(checked_at) AS at FROM availability WHERE active_state = 'active' GROUP BY job_id),
closing AS (
  SELECT s.job_id, min(s.at) AS at
  FROM shut AS s SEMI JOIN now_shut USING (job_id) LEFT JOIN last_active AS l USING (job_id)
  WHERE l.at IS NULL OR s.at > l.at
  GROUP BY s.job_id
),
known AS (
  SELECT o.job_id, max(o.at) AS open_at
  FROM open_then AS o LEFT JOIN closing AS c USING (job_id)
  WHERE c.at IS NULL OR o.at < c.at
  GROUP BY o.job_id
)
SELECT j.source_id,
       greatest(0, epoch_ms(COALESCE(k.open_at, j.discovered_at)) - epoch_ms(j.discovered_at)) / 86400000.0 AS open_days,
       (epoch_ms(c.at) - epoch_ms(j.discovered_at)) / 86400000.0 AS closed_days
FROM jobs AS j LEFT JOIN known AS k USING (job_id) LEFT JOIN closing AS c USING (job_id)
WHERE $source_id::TEXT IS NULL OR j.source_id = $source_id
ORDER BY j.source_id, open_days, closed_days
