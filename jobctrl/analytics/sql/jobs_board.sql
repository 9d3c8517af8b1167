-- Jobs that are not hidden, the best fit first. $words are looked for in what a person reads in the list.
WITH readable AS (
  SELECT *, strip_accents(lower(concat_ws(' ', title, employer, places, department, source_id))) AS text
  FROM jobs WHERE NOT hidden
)
SELECT job_id, fit_score, fit_band, title, employer, places, mode,
       CASE WHEN COALESCE(pay_low, pay_high) IS NOT NULL THEN concat_ws(' ',
         concat_ws(' to ', regexp_replace(format('{:,.2f}', pay_low), '\.00$', ''),
                           regexp_replace(format('{:,.2f}', nullif(pay_high, pay_low)), '\.00$', '')),
         pay_currency, 'per ' || pay_period) END AS pay,
       language, published, discovered_at, active_state, eligibility, corrected, current_stage, current_state,
       error_code, has_pdf, applied_at, source_id, observations, merges, feedback, simulated, url
FROM readable
WHERE ($min_score = 0 OR fit_score >= $min_score)
  AND ($stage = '' OR current_stage = $stage)
  AND ($mode = '' OR mode = $mode)
  AND ($source = '' OR source_id = $source)
  AND len(list_filter(string_split(strip_accents(lower($words)), ' '), lambda word: NOT contains(text, word))) = 0
ORDER BY fit_score DESC NULLS LAST, discovered_at DESC, job_id
