-- Each job, and each call that was made for none, with what it cost and how far it came. Calls for work that was thrown
-- away or failed are there too. Of applications, either the made-up ones or the real ones are counted.
WITH spent AS (
  SELECT job_id, call_id, lane, CASE state WHEN 'reserved' THEN reserved_usd_micros ELSE usd_micros END AS usd_micros
  FROM charges
),
by_job AS (
  SELECT job_id, sum(usd_micros)::BIGINT AS usd_micros,
         COALESCE(sum(usd_micros) FILTER (lane IN ('tailor', 'cover')), 0)::BIGINT AS materials_usd_micros
  FROM spent WHERE job_id IS NOT NULL GROUP BY job_id
),
told AS (
  SELECT *, applied_at IS NOT NULL
              AND (simulated OR job_id IN (SELECT job_id FROM outcomes WHERE simulated)) = $made_up AS counts
  FROM jobs
)
SELECT COALESCE(b.usd_micros, 0) AS usd_micros,
       COALESCE(b.materials_usd_micros, 0) AS materials_usd_micros,
       (j.fit_score IS NOT NULL)::INTEGER AS scored,
       j.has_resume::INTEGER AS prepared,
       j.counts::INTEGER AS applied,
       (j.counts AND j.interview_at IS NOT NULL)::INTEGER AS interviews
FROM told AS j LEFT JOIN by_job AS b USING (job_id)
UNION ALL
SELECT s.usd_micros, CASE WHEN s.lane IN ('tailor', 'cover') THEN s.usd_micros ELSE 0 END, 0, 0, 0, 0
FROM spent AS s WHERE s.job_id IS NULL OR s.job_id NOT IN (SELECT job_id FROM jobs)
-- The bootstrap draws by row: the same data in the same order gives the same interval.
ORDER BY ALL
