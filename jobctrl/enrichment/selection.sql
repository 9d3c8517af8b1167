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
  -- Within one run a page is asked for once. What an attempt of this very run had taken when it died is its own.
  AND CASE
    WHEN s.state IS NULL OR s.state IN ('pending', 'queued') THEN 1
    WHEN s.owner_workflow = :workflow_id AND s.owner_run = :run_id THEN s.state = 'running'
    WHEN s.state = 'failed' THEN s.retryable
    ELSE s.state = 'blocked' AND s.error_code = 'ENRICH_ROBOTS_DISALLOWED'
  END
ORDER BY c.job_id;

-- name: texts_of_run
SELECT COUNT(*) FROM job_stage_states
WHERE stage = 'enrich' AND state = 'succeeded' AND owner_workflow = :workflow_id AND owner_run = :run_id;

-- name: address
SELECT i.observed_url, i.source_id, i.posting FROM job_identities AS i
WHERE i.job_id = :job_id ORDER BY i.link_id IS NOT NULL, i.identity_key LIMIT 1;
