-- How many jobs there are, by what a person asks first.
SELECT count(*) FILTER (NOT hidden) AS jobs,
       count(fit_score) FILTER (NOT hidden) AS scored,
       count(*) FILTER (NOT hidden AND fit_score >= $min_score) AS good,
       count(*) FILTER (NOT hidden AND has_pdf AND applied_at IS NULL) AS ready,
       count(applied_at) AS applied,
       count(interview_at) FILTER (applied_at IS NOT NULL) AS interviews,
       count(*) FILTER (hidden) AS hidden,
       COALESCE(bool_or(simulated), false) AS simulated
FROM jobs
