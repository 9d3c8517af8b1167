-- How long each stage works: from a start to the end of the same attempt, as the log tells it.
WITH moves AS (
  SELECT job_id, stage, event_type, occurred_at,
         lead(event_type) OVER w AS next_type, lead(occurred_at) OVER w AS next_at
  FROM events
  WHERE event_type IN ('StageStarted', 'StageCompleted', 'StageFailed') AND job_id IS NOT NULL
    AND ($since::TIMESTAMPTZ IS NULL OR occurred_at >= $since::TIMESTAMPTZ)
  WINDOW w AS (PARTITION BY job_id, stage ORDER BY position)
)
SELECT stage, next_type = 'StageCompleted' AS succeeded, count(*) AS n,
       list((epoch_ms(next_at) - epoch_ms(occurred_at)) / 1000.0) AS seconds
FROM moves
WHERE event_type = 'StageStarted' AND next_type IN ('StageCompleted', 'StageFailed')
GROUP BY stage, succeeded
ORDER BY CASE stage WHEN 'discover' THEN 1 WHEN 'enrich' THEN 2 WHEN 'score' THEN 3 WHEN 'tailor' THEN 4
                    WHEN 'cover' THEN 5 ELSE 6 END, succeeded DESC
