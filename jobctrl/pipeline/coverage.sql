-- name: member_keys
SELECT job_id FROM discovery_execution_jobs WHERE workflow_id = :workflow_id AND run_id = :run_id;

-- name: step_keys
SELECT step_kind, item_key FROM pipeline_steps WHERE workflow_id = :workflow_id AND run_id = :run_id;

-- name: is_member
SELECT 1 FROM discovery_execution_jobs WHERE workflow_id = :workflow_id AND run_id = :run_id AND job_id = :job_id;

-- name: publish
INSERT INTO discovery_execution_recoveries (
  workflow_id, run_id, state, mode, decoder_version, history_event_id, expected_membership_count,
  persisted_membership_count, expected_step_count, persisted_step_count, key_digest, last_error_code, updated_at
) VALUES (
  :workflow_id, :run_id, :state, :mode, :decoder_version, :history_event_id, :expected_members,
  :members, :expected_steps, :steps, :digest, :error_code, :updated_at
)
ON CONFLICT (workflow_id, run_id) DO UPDATE SET
  state = excluded.state, mode = excluded.mode, decoder_version = excluded.decoder_version,
  history_event_id = excluded.history_event_id, expected_membership_count = excluded.expected_membership_count,
  persisted_membership_count = excluded.persisted_membership_count, expected_step_count = excluded.expected_step_count,
  persisted_step_count = excluded.persisted_step_count, key_digest = excluded.key_digest,
  last_error_code = excluded.last_error_code, updated_at = excluded.updated_at;

-- name: checkpoint
SELECT state, mode, decoder_version, history_event_id, expected_membership_count, persisted_membership_count,
  expected_step_count, persisted_step_count, key_digest, last_error_code, updated_at
FROM discovery_execution_recoveries WHERE workflow_id = :workflow_id AND run_id = :run_id;
