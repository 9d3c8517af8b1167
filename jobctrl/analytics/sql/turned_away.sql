-- Why rows did not become jobs, over the last $runs readings of each source.
WITH latest AS (
  SELECT position, source_id FROM source_runs WHERE status = 'completed'
  QUALIFY row_number() OVER (PARTITION BY source_id ORDER BY position DESC) <= $runs
)
SELECT r.source_id, r.outcome, r.reason, sum(r.count)::BIGINT AS rows
FROM source_reasons AS r SEMI JOIN latest AS l ON r.position = l.position
WHERE r.outcome IN ('filtered', 'rejected')
GROUP BY r.source_id, r.outcome, r.reason
ORDER BY rows DESC, r.source_id, r.reason
