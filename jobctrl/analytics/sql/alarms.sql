-- Boards that fail, and stages of jobs that used up their attempts.
SELECT CASE WHEN consecutive_failures >= 3 THEN 'bad' ELSE 'warn' END AS level, source_id AS about,
       'Failed ' || consecutive_failures || CASE WHEN consecutive_failures = 1 THEN ' time' ELSE ' times in a row' END
           || COALESCE(': ' || last_error, '') || '.' AS says,
       'sources' AS desk
FROM sources WHERE consecutive_failures > 0 AND state <> 'disabled'
UNION ALL
SELECT 'bad', stage, count(*) || CASE WHEN count(*) = 1 THEN ' job' ELSE ' jobs' END || ' used up all attempts ('
           || COALESCE(error_code, 'unknown') || ').',
       'runs'
FROM job_stage_states WHERE state = 'exhausted'
GROUP BY stage, error_code
ORDER BY level, about, says
