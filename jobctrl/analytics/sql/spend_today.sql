-- What a UTC day has cost so far.
SELECT COALESCE(sum(usd_micros) FILTER (state = 'settled'), 0)::BIGINT AS settled_usd_micros,
       COALESCE(sum(reserved_usd_micros) FILTER (state = 'reserved'), 0)::BIGINT AS reserved_usd_micros,
       COALESCE(sum(usd_micros) FILTER (state = 'held'), 0)::BIGINT AS held_usd_micros,
       count(*) AS calls,
       min(recorded_at) AS first_call,
       max(recorded_at) AS last_call
FROM charges WHERE day = $day::DATE
