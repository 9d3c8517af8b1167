-- Each job, and each call that was made for none, with what it cost and how far it came.
WITH spent AS (
  SELECT job_id, call_id, CASE state WHEN 'reserved' THEN reserved_usd_micros ELSE usd_micros END AS usd_micros
  FROM charges
),
by_job AS (SELECT job_id, sum(usd_micros)::BIGINT AS usd_micros FROM spent WHERE job_id IS NOT NULL GROUP BY job_id)
SELECT COALESCE(b.usd_micros, 0) AS usd_micros,
       (j.fit_score IS NOT NULL)::INTEGER AS scored,
       j.has_resume::INTEGER AS prepared,
       (j.applied_at IS NOT NULL)::INTEGER AS applied,
       (j.applied_at IS NOT NULL AND j.interview_at IS NOT NULL)::INTEGER AS interviews,
       j.simulated
FROM jobs AS j LEFT JOIN by_job AS b USING (job_id)
UNION ALL
SELECT s.usd_micros, 0, 0, 0, 0, false
FROM spent AS s WHERE s.job_id IS NULL OR s.job_id NOT IN (SELECT job_id FROM jobs)
