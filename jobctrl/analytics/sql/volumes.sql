-- How many rows a source returned last and how many of them could not be read, beside the $runs readings before.
WITH numbered AS (
  SELECT *, row_number() OVER (PARTITION BY source_id ORDER BY position DESC) AS ago
  FROM source_runs WHERE status = 'completed'
)
SELECT source_id, max(read_at) FILTER (ago = 1) AS read_at,
       median(returned) FILTER (ago > 1) AS rows_before,
       count(*) FILTER (ago > 1) AS readings_before,
       sum(returned) FILTER (ago = 1)::BIGINT AS rows_now,
       sum(rejected) FILTER (ago > 1)::BIGINT AS nulls_before,
       sum(returned) FILTER (ago > 1)::BIGINT AS n_before,
       sum(rejected) FILTER (ago = 1)::BIGINT AS nulls_now,
       sum(returned) FILTER (ago = 1)::BIGINT AS n_now
FROM numbered WHERE ago <= $runs + 1
GROUP BY source_id
HAVING count(*) FILTER (ago > 1) > 0
ORDER BY source_id
