-- Jobs that are not hidden, the best fit first. $search is looked for in the words a person reads in the list.
SELECT job_id, title, employer, places, mode, pay_low, pay_high, pay_currency, pay_period, language, published,
       discovered_at, active_state, fit_score, fit_band, eligibility, corrected, current_stage, current_state,
       error_code, has_pdf, applied_at, source_id, merges, feedback, simulated, url
FROM jobs
WHERE NOT hidden
  AND ($min_score = 0 OR fit_score >= $min_score)
  AND ($search = '' OR contains(
        strip_accents(lower(concat_ws(' ', title, employer, places, department, source_id))),
        strip_accents(lower($search))))
ORDER BY fit_score DESC NULLS LAST, discovered_at DESC, job_id
