-- name: candidates
-- Failures on which the stage, its latest fact and the latest attempt to read the page agree, owner by owner.
SELECT s.job_id,
       (SELECT MAX(stream_version) FROM job_events WHERE stream = 'job/' || s.job_id),
       failed.event_id,
       failed.occurred_at,
       s.attempt_count,
       (SELECT observed_url FROM job_identities
        WHERE job_id = s.job_id ORDER BY link_id IS NOT NULL, identity_key LIMIT 1),
       attempt.payload ->> '$.cause',
       attempt.payload ->> '$.host',
       (SELECT COUNT(*) FROM job_events
        WHERE job_id = s.job_id AND event_type = 'EnrichmentFetchRechecked' AND position > failed.position),
       (SELECT payload ->> '$.nextCheckAt' FROM job_events
        WHERE job_id = s.job_id AND event_type = 'EnrichmentFetchRechecked' AND position > failed.position
        ORDER BY position DESC LIMIT 1)
FROM job_stage_states AS s
JOIN job_contents AS c USING (job_id)
LEFT JOIN job_enrichments AS e USING (job_id)
JOIN job_events AS failed ON failed.position = (
  SELECT MAX(position) FROM job_events
  WHERE job_id = s.job_id AND stage = 'enrich' AND event_type LIKE 'Stage%')
JOIN job_events AS attempt ON attempt.position = (
  SELECT MAX(position) FROM job_events
  WHERE job_id = s.job_id
    AND event_type IN ('PostingContentSnapshotFailed', 'PostingContentSnapshotCaptured', 'JobEnriched'))
WHERE s.stage = 'enrich' AND s.state = 'failed' AND s.error_code = 'DETAIL_UNSAFE_URL' AND s.retryable = 0
  AND (:job_id IS NULL OR s.job_id = :job_id)
  AND c.hidden = 0
  AND COALESCE(e.active_state, 'unknown') NOT IN ('closed', 'expired', 'removed', 'location_incompatible')
  AND failed.event_type = 'StageFailed'
  AND failed.payload ->> '$.errorCode' = 'DETAIL_UNSAFE_URL'
  AND failed.payload ->> '$.retryable' = 0
  AND failed.payload ->> '$.attemptNumber' = s.attempt_count
  AND attempt.event_type = 'PostingContentSnapshotFailed'
  AND attempt.payload ->> '$.errorClass' = 'DETAIL_UNSAFE_URL'
  AND attempt.payload ->> '$.cause' = 'dns_non_public'
  AND attempt.payload ->> '$.host' <> ''
  AND (failed.workflow_id, failed.run_id) = (s.owner_workflow, s.owner_run)
  AND (attempt.workflow_id, attempt.run_id) = (s.owner_workflow, s.owner_run)
  -- What a person stopped stays stopped.
  AND NOT EXISTS (
    SELECT 1 FROM workflow_runs AS r
    WHERE r.workflow_id = s.owner_workflow AND r.run_id = s.owner_run
      AND (r.status = 'canceled' OR r.cancel_requested_by IS NOT NULL))
ORDER BY failed.position;
