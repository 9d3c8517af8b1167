-- Good jobs nobody has decided on yet, the best first. Closed ones are left out.
SELECT job_id, fit_score, fit_band, title, employer, places, mode, pay_low, pay_high, pay_currency, pay_period,
       published, discovered_at, active_state, eligibility, has_pdf, merges, source_id, url
FROM jobs
WHERE NOT hidden AND feedback IS NULL AND applied_at IS NULL AND fit_score >= $min_score
  AND active_state NOT IN ('closed', 'expired', 'removed', 'location_incompatible')
ORDER BY fit_score DESC, has_pdf DESC, published DESC NULLS LAST, job_id
