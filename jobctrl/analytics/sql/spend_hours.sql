-- What each whole hour since the first call of a UTC day has cost, hours without a call included, up to $now.
WITH made AS (
  SELECT recorded_at, CASE state WHEN 'reserved' THEN reserved_usd_micros ELSE usd_micros END AS usd_micros
  FROM charges WHERE day = $day::DATE AND recorded_at <= $now::TIMESTAMPTZ
),
began AS (SELECT min(recorded_at) AS first FROM made),
hours AS (
  SELECT unnest(range(date_diff('second', first, $now::TIMESTAMPTZ) // 3600)) AS hour
  FROM began WHERE first IS NOT NULL
)
SELECT h.hour, COALESCE(sum(m.usd_micros), 0)::BIGINT AS usd_micros
FROM hours AS h LEFT JOIN (
  SELECT date_diff('second', began.first, recorded_at) // 3600 AS hour, usd_micros FROM made, began
) AS m USING (hour)
GROUP BY h.hour
ORDER BY h.hour
