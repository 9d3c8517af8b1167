-- The jobs that are not hidden, as they are searched, with a value for each facet. Made once a snapshot, asked often.
CREATE TABLE IF NOT EXISTS board AS
SELECT job_id, fit_score, fit_band, title, employer, places, mode,
       CASE WHEN COALESCE(pay_low, pay_high) IS NOT NULL THEN concat_ws(' ',
         concat_ws(' to ', regexp_replace(format('{:,.2f}', pay_low), '\.00$', ''),
                           regexp_replace(format('{:,.2f}', nullif(pay_high, pay_low)), '\.00$', '')),
         pay_currency, 'per ' || pay_period) END AS pay,
       language, published, discovered_at, active_state, eligibility, corrected, current_stage, current_state,
       error_code, has_pdf, applied_at, source_id, observations, merges, feedback, snoozed_until, simulated, url,
       strip_accents(lower(concat_ws(' ', title, employer, places, department, source_id, asked.words))) AS text,
       COALESCE(published, CAST(discovered_at AS DATE)) AS since,
       COALESCE(fit_band, 'unscored') AS band,
       CASE WHEN offer_at IS NOT NULL THEN 'offer'
            WHEN rejected_at IS NOT NULL THEN 'rejected'
            WHEN interview_at IS NOT NULL THEN 'interview'
            WHEN applied_at IS NOT NULL THEN 'applied'
            WHEN active_state IN ('closed', 'expired', 'removed', 'location_incompatible') THEN 'closed'
            ELSE concat_ws(' ', current_stage, current_state) END AS state,
       CASE WHEN trim(countries, ',') = '' THEN ['unknown'] ELSE string_split(trim(countries, ','), ',') END AS countries,
       replace(pay_state, '_', ' ') AS pay_stated
FROM jobs
-- What a posting asks for, in its own words, is known of scored jobs.
LEFT JOIN (SELECT job_id, string_agg(DISTINCT requirement, ' ') AS words FROM score_lines GROUP BY job_id) AS asked
  USING (job_id)
WHERE NOT hidden;

CREATE OR REPLACE MACRO age_of(since, today) AS
  CASE WHEN today - since < 1 THEN 'today' WHEN today - since <= 3 THEN '1 to 3 days'
       WHEN today - since <= 7 THEN '4 to 7 days' WHEN today - since <= 30 THEN '8 to 30 days'
       WHEN today - since <= 90 THEN '31 to 90 days' ELSE 'older' END;

-- Each job with whether it passes each part of a filter.
CREATE OR REPLACE MACRO board_checked(words, min_score, bands, states, sources, wanted, modes, pays, ages, today) AS TABLE
SELECT *, age_of(since, today) AS age,
       (min_score = 0 OR COALESCE(fit_score, 0) >= min_score)
         AND len(list_filter(string_split(strip_accents(lower(words)), ' '), lambda word: NOT contains(text, word))) = 0
         AS ok,
       len(bands) = 0 OR list_contains(bands, band) AS ok_band,
       len(states) = 0 OR list_contains(states, state) AS ok_state,
       len(sources) = 0 OR list_contains(sources, source_id) AS ok_source,
       len(wanted) = 0 OR list_has_any(wanted, countries) AS ok_country,
       len(modes) = 0 OR list_contains(modes, mode) AS ok_mode,
       len(pays) = 0 OR list_contains(pays, pay_stated) AS ok_pay,
       len(ages) = 0 OR list_contains(ages, age_of(since, today)) AS ok_age
FROM board;
