-- How soon each source showed a posting, and whether before the others that show it. What stood on a board when it was
-- read for the first time is left out: it says how old the board's stock was, not how soon a new posting is seen.
WITH begun AS (SELECT source_id, min(position) AS position FROM source_runs WHERE status = 'completed' GROUP BY source_id),
sight AS MATERIALIZED (
  SELECT i.job_id, s.source_id, min(s.seen_at) AS seen_at, min(s.published) AS published, min(s.position) AS position
  FROM sightings AS s JOIN job_identities AS i USING (identity_key)
  GROUP BY i.job_id, s.source_id
),
fresh AS MATERIALIZED (SELECT s.* FROM sight AS s JOIN begun AS b USING (source_id) WHERE s.position > b.position),
shared AS (
  SELECT a.source_id, (epoch_ms(min(b.seen_at)) - epoch_ms(any_value(a.seen_at))) / 3600000.0 AS lead_hours
  FROM fresh AS a JOIN fresh AS b ON a.job_id = b.job_id AND a.source_id <> b.source_id
  GROUP BY a.source_id, a.job_id
),
by_fresh AS (
  SELECT source_id, count(*) AS new,
         count(published) AS n,
         list(greatest(0, date_diff('day', published, seen_at::DATE))::DOUBLE) FILTER (published IS NOT NULL) AS days
  FROM fresh GROUP BY source_id
),
by_shared AS (
  SELECT source_id, count(*) AS shared, count(*) FILTER (lead_hours > 0) AS ahead, list(lead_hours) AS lead_hours
  FROM shared GROUP BY source_id
),
by_sight AS (SELECT source_id, count(*) AS seen FROM sight GROUP BY source_id)
SELECT s.source_id, s.seen, COALESCE(f.new, 0) AS new, COALESCE(f.n, 0) AS n, f.days,
       COALESCE(h.shared, 0) AS shared, COALESCE(h.ahead, 0) AS ahead, h.lead_hours
FROM by_sight AS s LEFT JOIN by_fresh AS f USING (source_id) LEFT JOIN by_shared AS h USING (source_id)
ORDER BY s.source_id
