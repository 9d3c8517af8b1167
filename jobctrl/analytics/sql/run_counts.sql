-- How many executions ended how, by workflow.
SELECT workflow_type, status, count(*) AS runs, median(duration_ms) / 1000.0 AS p50_seconds
FROM workflow_runs GROUP BY workflow_type, status ORDER BY workflow_type, status
