-- Good jobs nobody has decided on yet, the best first. Closed ones are left out.
SELECT job_id, fit_score, fit_band, title, employer, places, mode,
       CASE WHEN COALESCE(pay_low, pay_high) IS NOT NULL THEN concat_ws(' ',
         concat_ws(' to ', regexp_replace(format('{:,.2f}', pay_low), '\.00$', ''),
                           regexp_replace(format('{:,.2f}', nullif(pay_high, pay_low)), '\.00$', '')),
         pay_currency, 'per ' || pay_period) END AS pay,
       published, discovered_at, active_state, eligibility, has_pdf, merges, source_id, url
FROM jobs
WHERE NOT hidden AND feedback IS NULL AND applied_at IS NULL AND fit_score >= $min_score
  AND active_state NOT IN ('closed', 'expired', 'removed', 'location_incompatible')
ORDER BY fit_score DESC, has_pdf DESC, published DESC NULLS LAST, job_id
