-- How far the log has come.
SELECT COALESCE(max(position), 0) AS position, max(occurred_at) AS occurred_at FROM events
