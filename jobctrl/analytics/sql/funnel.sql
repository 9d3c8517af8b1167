-- How many of the jobs first seen since $since came how far.
WITH of_interest AS (SELECT * FROM jobs WHERE $since::TIMESTAMPTZ IS NULL OR discovered_at >= $since::TIMESTAMPTZ)
SELECT count(*) AS found,
       count(*) FILTER (enrich_state = 'succeeded') AS enriched,
       count(fit_score) AS scored,
       count(*) FILTER (fit_score >= $min_score) AS good,
       count(*) FILTER (fit_score >= $min_score AND has_resume) AS prepared,
       count(*) FILTER (fit_score >= $min_score AND has_resume AND applied_at IS NOT NULL) AS applied_prepared,
       count(applied_at) AS applied,
       count(replied_at) FILTER (applied_at IS NOT NULL) AS replied,
       count(interview_at) FILTER (applied_at IS NOT NULL) AS interview,
       count(offer_at) FILTER (applied_at IS NOT NULL) AS offer,
       COALESCE(bool_or(simulated), false) AS simulated
FROM of_interest
