-- The calls of the UTC days before $day, at most $days of them, with the second of the day at which each was made.
SELECT day, date_diff('second', day::TIMESTAMP, recorded_at AT TIME ZONE 'UTC') AS second,
       CASE state WHEN 'reserved' THEN reserved_usd_micros ELSE usd_micros END AS usd_micros
FROM charges
WHERE day < $day::DATE AND day >= $day::DATE - $days::INTEGER
ORDER BY recorded_at, call_id
