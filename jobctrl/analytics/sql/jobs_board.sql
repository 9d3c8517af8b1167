SELECT job_id, fit_score, fit_band, title, employer, places, mode, pay, language, published, discovered_at,
       active_state, eligibility, corrected, current_stage, current_state, error_code, has_pdf, applied_at, source_id,
       observations, merges, feedback, snoozed_until, simulated, url
FROM board_checked($words, $min_score, $bands, $states, $sources, $countries, $modes, $pays, $ages, $today)
WHERE ok AND ok_band AND ok_state AND ok_source AND ok_country AND ok_mode AND ok_pay AND ok_age
ORDER BY CASE $sort WHEN 'best fit' THEN fit_score END DESC NULLS LAST,
         CASE $sort WHEN 'newest posted' THEN published END DESC NULLS LAST,
         CASE $sort WHEN 'employer' THEN lower(employer) END NULLS LAST,
         discovered_at DESC, job_id
LIMIT $limit
