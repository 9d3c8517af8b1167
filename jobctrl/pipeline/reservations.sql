-- name: open_runs
SELECT r.workflow_id, r.workflow_type, r.job_id, json_extract(r.input_summary, '$.workers'),
       (SELECT COUNT(*) FROM job_stage_states AS s
        WHERE s.stage IN ('enrich', 'score', 'tailor', 'cover') AND s.state IN ('queued', 'running')
          AND s.owner_workflow = r.workflow_id)
FROM workflow_runs AS r
WHERE r.status = 'in_progress';

-- name: is_stopped
-- Whether the newest run over many jobs was stopped by a person. The parts of a run are no runs of their own here.
SELECT cancel_requested_by IS :person FROM workflow_runs
WHERE workflow_type IN ('DiscoverWorkflow', 'JobPipelineWorkflow')
  AND workflow_id NOT GLOB 'prepare-auto-*' AND workflow_id NOT GLOB 'run-*-*'
ORDER BY started_at DESC LIMIT 1;

-- name: unstarted
SELECT s.owner_workflow, s.stage, s.job_id
FROM job_stage_states AS s
WHERE s.stage IN ('enrich', 'score', 'tailor', 'cover') AND s.state = 'queued'
  AND s.owner_workflow GLOB 'prepare-auto-*'
  AND NOT EXISTS (SELECT 1 FROM workflow_runs AS r WHERE r.workflow_id = s.owner_workflow)
ORDER BY s.owner_workflow, s.job_id;

-- name: declined
-- Of what is reserved and was never begun: what a person does not want any more.
SELECT s.job_id, s.stage
FROM job_stage_states AS s
JOIN job_contents AS c USING (job_id)
LEFT JOIN job_stage_states AS a ON a.job_id = s.job_id AND a.stage = 'apply'
WHERE s.stage IN ('enrich', 'score', 'tailor', 'cover') AND s.state = 'queued'
  AND s.owner_workflow GLOB 'prepare-auto-*'
  AND NOT EXISTS (SELECT 1 FROM workflow_runs AS r WHERE r.workflow_id = s.owner_workflow)
  AND (c.hidden = 1
       OR (s.stage IN ('tailor', 'cover') AND a.state = 'skipped' AND a.error_code IS NOT 'MIN_SCORE'));

-- name: left_over
-- What ended runs had reserved and never begun; and what was stopped, when another end of its run has come to light.
SELECT s.job_id, s.stage, r.workflow_id, r.run_id, r.status, r.cancel_requested_by IS NOT NULL
FROM job_stage_states AS s
JOIN workflow_runs AS r ON r.workflow_id = s.owner_workflow
WHERE s.stage IN ('enrich', 'score', 'tailor', 'cover') AND s.owner_workflow GLOB 'prepare-auto-*'
  AND r.status <> 'in_progress'
  AND (s.state = 'queued' OR (s.state = 'blocked' AND s.error_code = :stopped AND r.finished_at > s.updated_at))
ORDER BY s.job_id, s.stage;

-- name: attempted
-- Whether the run has begun any job of the cohort that this one was reserved with.
SELECT EXISTS (
  SELECT 1 FROM job_events
  WHERE position > (SELECT MAX(position) FROM job_events
                    WHERE job_id = :job_id AND stage = :stage AND event_type = 'StageQueued')
    AND event_type = 'StageStarted' AND workflow_id = :workflow_id AND run_id = :run_id
);
