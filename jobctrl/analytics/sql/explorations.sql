-- The jobs that chance let through below the threshold, the newest first, and how far each has come.
SELECT x.job_id, j.title, j.employer, j.url, x.score, x.threshold, x.propensity, x.chosen_at,
       j.tailor_state, j.cover_state, j.has_pdf, j.applied_at, j.replied_at, j.interview_at, j.offer_at, j.active_state,
       j.simulated OR j.job_id IN (SELECT job_id FROM outcomes WHERE simulated) AS simulated
FROM explorations AS x JOIN jobs AS j USING (job_id)
ORDER BY x.chosen_at DESC, x.job_id
