-- name: with_board_text
SELECT c.job_id
FROM job_contents AS c
LEFT JOIN job_enrichments AS e USING (job_id)
WHERE c.description_hash IS NOT NULL AND c.description_hash IS NOT e.description_hash
  AND (e.extraction_tier IS NULL OR e.extraction_tier = 'ats_api')
ORDER BY c.job_id;

-- name: without_text
SELECT c.job_id
FROM job_contents AS c
LEFT JOIN job_enrichments AS e USING (job_id)
LEFT JOIN job_stage_states AS s ON s.job_id = c.job_id AND s.stage = 'enrich'
WHERE c.description_hash IS NULL AND e.description_hash IS NULL
  AND (s.state IS NULL OR s.state = 'pending'
       OR (s.state = 'failed' AND s.retryable = 1)
       OR (s.state = 'blocked' AND s.error_code = 'ENRICH_ROBOTS_DISALLOWED' AND :robots_again))
ORDER BY c.job_id;

-- name: address
SELECT i.observed_url, i.source_id, i.posting FROM job_identities AS i
WHERE i.job_id = :job_id ORDER BY i.link_id IS NOT NULL, i.identity_key LIMIT 1;
