-- What calls cost by the day and the lane together: a picture of both.
SELECT day, lane, count(*) AS calls,
       sum(CASE state WHEN 'reserved' THEN reserved_usd_micros ELSE usd_micros END)::BIGINT AS usd_micros
FROM charges
WHERE $since::DATE IS NULL OR day >= $since::DATE
GROUP BY day, lane
ORDER BY day, lane
