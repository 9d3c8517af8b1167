-- A person's last word on each job, beside the score of ours that it stands in place of.
SELECT job_id, scored_at AS corrected_at, corrected_from AS ours, fit_score AS persons,
       fit_score - corrected_from AS difference,
       CASE WHEN corrected_from >= 9 THEN 'excellent' WHEN corrected_from >= 7 THEN 'strong'
            WHEN corrected_from >= 5 THEN 'plausible' WHEN corrected_from >= 3 THEN 'stretch' ELSE 'poor' END AS band
FROM job_scores
WHERE corrected_from IS NOT NULL
  -- What was taken back is no word any more.
  AND NOT EXISTS (
    SELECT 1 FROM events AS e
    WHERE e.job_id = job_scores.job_id AND e.event_type = 'ScoreCorrectionWithdrawn' AND e.occurred_at >= scored_at
  )
QUALIFY row_number() OVER (PARTITION BY job_id ORDER BY version DESC) = 1
ORDER BY corrected_at, job_id
