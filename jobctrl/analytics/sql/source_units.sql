-- What the jobs each source showed first cost and came to, thrown together by chance into at most 200 blocks.
WITH spent AS (
  SELECT job_id, sum(CASE state WHEN 'reserved' THEN reserved_usd_micros ELSE usd_micros END) AS usd_micros
  FROM charges WHERE job_id IS NOT NULL GROUP BY job_id
),
told AS (
  SELECT j.*, COALESCE(s.usd_micros, 0) AS usd_micros,
         j.applied_at IS NOT NULL
           AND (j.simulated OR j.job_id IN (SELECT job_id FROM outcomes WHERE simulated)) = $made_up AS counts
  FROM jobs AS j LEFT JOIN spent AS s USING (job_id)
)
SELECT source_id, md5_number_lower(job_id) % 200 AS block,
       sum(usd_micros)::BIGINT AS usd_micros,
       count(fit_score) AS scored,
       count(*) FILTER (fit_score >= $min_score) AS good,
       count(*) FILTER (counts) AS applied,
       count(interview_at) FILTER (counts) AS interviews
FROM told
GROUP BY source_id, block
ORDER BY source_id, block
