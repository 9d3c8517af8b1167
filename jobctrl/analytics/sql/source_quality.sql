-- What each source brings: what it returned, what only it shows, and what came of the jobs it showed first.
-- Of applications, either the made-up ones or the real ones are counted.
WITH shown AS (SELECT DISTINCT i.source_id, i.job_id FROM job_identities AS i),
known AS (SELECT job_id, count(*) AS sources FROM shown GROUP BY job_id),
by_shown AS (
  SELECT s.source_id,
         count(*) AS jobs,
         count(*) FILTER (known.sources = 1) AS unique_jobs,
         count(*) FILTER (known.sources = 1 AND j.fit_score >= $min_score) AS good_lost_without,
         count(*) FILTER (j.source_id = s.source_id) AS first_found,
         count(*) FILTER (j.active_state = 'active') AS active,
         count(*) FILTER (j.active_state IN ('closed', 'expired', 'removed')) AS expired,
         count(*) FILTER (j.active_state IN ('active', 'closed', 'expired', 'removed')) AS checked,
         count(*) FILTER (j.enrich_state = 'succeeded') AS detail_read,
         count(*) FILTER (j.enrich_state IN ('succeeded', 'failed', 'exhausted')) AS detail_tried
  FROM shown AS s JOIN known USING (job_id) JOIN jobs AS j USING (job_id)
  GROUP BY s.source_id
),
spent AS (
  SELECT job_id, sum(usd_micros + CASE WHEN state = 'reserved' THEN reserved_usd_micros ELSE 0 END) AS usd_micros
  FROM charges WHERE job_id IS NOT NULL GROUP BY job_id
),
told AS (
  SELECT *, applied_at IS NOT NULL
              AND (simulated OR job_id IN (SELECT job_id FROM outcomes WHERE simulated)) = $made_up AS counts
  FROM jobs
),
by_first AS (
  SELECT j.source_id,
         count(*) FILTER (j.fit_score >= $min_score) AS good,
         count(*) FILTER (j.counts) AS applied,
         count(j.replied_at) FILTER (j.counts) AS replied,
         count(j.interview_at) FILTER (j.counts) AS interviews,
         COALESCE(sum(spent.usd_micros), 0)::BIGINT AS usd_micros
  FROM told AS j LEFT JOIN spent USING (job_id)
  GROUP BY j.source_id
),
readings AS (SELECT source_id, sum(seen_before)::BIGINT AS seen_before FROM source_runs GROUP BY source_id)
SELECT s.source_id, s.display_name, s.kind, s.state, s.recommended_state,
       s.runs, s.failed_runs, s.consecutive_failures, s.refused_runs, s.last_run_at, s.last_error,
       s.returned, s.admitted, s.merged, s.filtered, s.rejected,
       COALESCE(r.seen_before, 0) AS seen_before,
       s.duplicates,
       s.admitted + s.duplicates AS found,
       COALESCE(b.jobs, 0) AS jobs,
       COALESCE(b.unique_jobs, 0) AS unique_jobs,
       COALESCE(b.first_found, 0) AS first_found,
       COALESCE(b.good_lost_without, 0) AS good_lost_without,
       COALESCE(f.good, 0) AS good,
       COALESCE(b.active, 0) AS active,
       COALESCE(b.expired, 0) AS expired,
       COALESCE(b.checked, 0) AS checked,
       COALESCE(b.detail_read, 0) AS detail_read,
       COALESCE(b.detail_tried, 0) AS detail_tried,
       COALESCE(f.applied, 0) AS applied,
       COALESCE(f.replied, 0) AS replied,
       COALESCE(f.interviews, 0) AS interviews,
       COALESCE(f.usd_micros, 0) AS usd_micros,
       $made_up AND COALESCE(f.applied, 0) > 0 AS simulated
FROM sources AS s
LEFT JOIN readings AS r USING (source_id)
LEFT JOIN by_shown AS b USING (source_id)
LEFT JOIN by_first AS f USING (source_id)
ORDER BY unique_jobs DESC, s.source_id
