-- What each job that anybody found states about its pay; with $min_score only those that fit.
SELECT title, countries, mode, pay_state, pay_currency, pay_period, pay_low, pay_high
FROM jobs
WHERE $min_score::INTEGER IS NULL OR fit_score >= $min_score::INTEGER
ORDER BY discovered_at, job_id
