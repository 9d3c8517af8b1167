-- Jobs by the source that alone shows them and by their score, beside all jobs that any source shows.
WITH shown AS (SELECT DISTINCT source_id, job_id FROM job_identities),
alone AS (SELECT job_id, any_value(source_id) AS source_id FROM shown GROUP BY job_id HAVING count(*) = 1)
SELECT a.source_id, j.fit_score AS score, count(*) AS jobs,
       count(*) FILTER (j.applied_at IS NOT NULL AND j.interview_at IS NOT NULL
         AND (j.simulated OR j.job_id IN (SELECT job_id FROM outcomes WHERE simulated)) = $made_up) AS interviews
FROM jobs AS j LEFT JOIN alone AS a USING (job_id)
WHERE j.job_id IN (SELECT job_id FROM shown)
GROUP BY a.source_id, j.fit_score
ORDER BY a.source_id, j.fit_score
