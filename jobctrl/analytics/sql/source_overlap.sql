-- How many jobs two sources both show.
WITH shown AS (SELECT DISTINCT source_id, job_id FROM job_identities),
total AS (SELECT source_id, count(*) AS jobs FROM shown GROUP BY source_id)
SELECT a.source_id AS source_a, b.source_id AS source_b, count(*) AS shared,
       any_value(ta.jobs) AS jobs_a, any_value(tb.jobs) AS jobs_b
FROM shown AS a
JOIN shown AS b ON a.job_id = b.job_id AND a.source_id < b.source_id
JOIN total AS ta ON ta.source_id = a.source_id
JOIN total AS tb ON tb.source_id = b.source_id
GROUP BY a.source_id, b.source_id
ORDER BY shared DESC, source_a, source_b
