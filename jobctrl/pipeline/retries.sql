-- name: failed
SELECT s.job_id, s.stage
FROM job_stage_states AS s
JOIN job_contents AS c USING (job_id)
JOIN json_each(:stages) AS asked ON asked.value = s.stage
WHERE s.state IN ('failed', 'exhausted') AND c.hidden = 0
  -- A failure that would come again is left, unless its cause lies outside the job, where a person can mend it.
  AND (s.retryable = 1 OR s.error_code IN (SELECT value FROM json_each(:mendable)))
ORDER BY s.stage, s.job_id;
