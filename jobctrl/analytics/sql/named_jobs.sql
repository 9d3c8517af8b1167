-- Every job by name, the newest first.
SELECT job_id, title, employer, source_id, discovered_at, fit_score AS score, fit_band AS band, current_stage,
       current_state, applied_at, replied_at, interview_at, offer_at, simulated
FROM jobs ORDER BY discovered_at DESC, job_id
