-- How many rows of a source state nothing for a field: its last reading beside the $runs readings before it.
WITH numbered AS (
  SELECT *, row_number() OVER (PARTITION BY source_id, field ORDER BY position DESC) AS ago
  FROM source_fields WHERE returned > 0
)
SELECT source_id, field, max(read_at) FILTER (ago = 1) AS read_at,
       COALESCE(sum(nulls) FILTER (ago > 1), 0)::BIGINT AS nulls_before,
       COALESCE(sum(returned) FILTER (ago > 1), 0)::BIGINT AS n_before,
       sum(nulls) FILTER (ago = 1)::BIGINT AS nulls_now,
       sum(returned) FILTER (ago = 1)::BIGINT AS n_now
FROM numbered WHERE ago <= $runs + 1
GROUP BY source_id, field
ORDER BY source_id, field
