-- How long each application has waited for $outcome, or waits still, in days. Made-up ones and real ones are never mixed.
WITH clock AS (SELECT COALESCE($now::TIMESTAMPTZ, max(occurred_at)) AS now FROM events),
told AS (
  SELECT applied_at, clock.now,
         CASE $outcome WHEN 'reply' THEN replied_at WHEN 'interview' THEN interview_at ELSE offer_at END AS answered_at
  FROM jobs, clock
  WHERE applied_at IS NOT NULL AND applied_at <= clock.now
    AND (simulated OR job_id IN (SELECT job_id FROM outcomes WHERE simulated)) = $made_up
)
SELECT greatest(0, epoch_ms(COALESCE(answered_at, now)) - epoch_ms(applied_at)) / 86400000.0 AS days,
       answered_at IS NULL AS waiting
FROM told
ORDER BY days, waiting
