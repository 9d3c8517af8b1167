-- name: made
SELECT (SELECT COUNT(DISTINCT s.job_id) FROM job_scores s JOIN jobs j USING (job_id) WHERE NOT j.hidden) AS scores,
       (SELECT COUNT(*) FROM job_materials m JOIN jobs j USING (job_id)
        WHERE NOT j.hidden AND m.resume_ref IS NOT NULL) AS materials;
