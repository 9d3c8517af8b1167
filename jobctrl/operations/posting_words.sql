-- name: texts
SELECT e.job_id, t.bytes
FROM job_enrichments AS e
JOIN job_contents AS c USING (job_id)
JOIN contents AS t ON t.sha256 = e.description_hash
WHERE c.hidden = 0;
