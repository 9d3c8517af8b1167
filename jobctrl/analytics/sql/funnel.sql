-- How many of the jobs first seen since $since came how far. Of applications, either the made-up ones or the real ones.
WITH of_interest AS (
  SELECT *, applied_at IS NOT NULL
              AND (simulated OR job_id IN (SELECT job_id FROM outcomes WHERE simulated)) = $made_up AS counts
  FROM jobs WHERE $since::TIMESTAMPTZ IS NULL OR discovered_at >= $since::TIMESTAMPTZ
)
SELECT count(*) AS found,
       count(*) FILTER (enrich_state = 'succeeded') AS enriched,
       count(fit_score) AS scored,
       count(*) FILTER (fit_score >= $min_score) AS good,
       count(*) FILTER (fit_score >= $min_score AND has_resume) AS prepared,
       count(*) FILTER (fit_score >= $min_score AND has_resume AND counts) AS applied_prepared,
       count(*) FILTER (counts) AS applied,
       count(replied_at) FILTER (counts) AS replied,
       count(interview_at) FILTER (counts) AS interview,
       count(offer_at) FILTER (counts) AS offer
FROM of_interest
