-- Every paid call, without the job it was made for.
SELECT day, lane, provider, model, state,
       CASE state WHEN 'reserved' THEN reserved_usd_micros ELSE usd_micros END AS total_usd_micros,
       input_tokens, output_tokens, job_id IS NOT NULL AS for_a_job
FROM charges ORDER BY recorded_at, call_id
