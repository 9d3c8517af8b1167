-- Jobs by what a person has decided on them. Those that wait are good, open and undecided; the best first.
SELECT job_id, fit_score, fit_band, title, employer, places, mode,
       CASE WHEN COALESCE(pay_low, pay_high) IS NOT NULL THEN concat_ws(' ',
         concat_ws(' to ', regexp_replace(format('{:,.2f}', pay_low), '\.00$', ''),
                           regexp_replace(format('{:,.2f}', nullif(pay_high, pay_low)), '\.00$', '')),
         pay_currency, 'per ' || pay_period) END AS pay,
       published, discovered_at, active_state, eligibility, has_pdf, merges, source_id, snoozed_until, corrected, url
FROM jobs
WHERE CASE $show
  WHEN 'waiting' THEN NOT hidden AND feedback IS NULL AND applied_at IS NULL AND fit_score >= $min_score
    AND COALESCE(snoozed_until <= CAST($now AS TIMESTAMPTZ), true)
    AND active_state NOT IN ('closed', 'expired', 'removed', 'location_incompatible')
  WHEN 'snoozed' THEN NOT hidden AND snoozed_until > CAST($now AS TIMESTAMPTZ)
  WHEN 'kept' THEN NOT hidden AND feedback = 'saved' AND applied_at IS NULL
  WHEN 'dismissed' THEN hidden END
ORDER BY fit_score DESC NULLS LAST, has_pdf DESC, published DESC NULLS LAST, job_id
