-- What calls cost, by day, lane, model, provider or job. What is open counts as reserved until it is settled.
SELECT CASE $by WHEN 'day' THEN strftime(day, '%Y-%m-%d') WHEN 'lane' THEN lane WHEN 'model' THEN model
                WHEN 'provider' THEN provider WHEN 'job' THEN job_id END AS key,
       count(*) AS calls,
       COALESCE(sum(usd_micros) FILTER (state = 'settled'), 0)::BIGINT AS settled_usd_micros,
       COALESCE(sum(reserved_usd_micros) FILTER (state = 'reserved'), 0)::BIGINT AS reserved_usd_micros,
       COALESCE(sum(usd_micros) FILTER (state = 'held'), 0)::BIGINT AS held_usd_micros,
       COALESCE(sum(input_tokens), 0)::BIGINT AS input_tokens,
       COALESCE(sum(output_tokens), 0)::BIGINT AS output_tokens
FROM charges
WHERE $since::DATE IS NULL OR day >= $since::DATE
GROUP BY key
ORDER BY key
