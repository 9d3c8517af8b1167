-- name: spent
INSERT INTO llm_spend (day, lane, calls, input_tokens, output_tokens, usd_micros)
SELECT day, lane, count(*), sum(input_tokens), sum(output_tokens), sum(usd_micros)
FROM charges WHERE state = 'settled' GROUP BY day, lane;

-- name: set_aside
INSERT INTO spend_reservations (call_id, day, lane, usd_micros, tokens, state, created_at)
SELECT call_id, day, lane, reserved_usd_micros, 6000, state, recorded_at FROM charges WHERE state IN ('reserved', 'held');

-- name: taken_in
INSERT INTO discovery_receipts (workflow_id, run_id, source_id, item_key, outcome, reason, job_id, title, recorded_at)
SELECT workflow_id, run_id, payload ->> '$.sourceId', payload ->> '$.sourceNativeId',
       iif(payload ->> '$.firstFinder', 'admitted', 'merged'), iif(payload ->> '$.firstFinder', '', 'content_shingle_match'),
       job_id, payload ->> '$.posting.title', occurred_at
FROM job_events WHERE event_type = 'JobSourceObserved';

-- name: turned_away
-- At most five of each reason.
INSERT INTO discovery_receipts (workflow_id, run_id, source_id, item_key, outcome, reason, job_id, title, recorded_at)
SELECT e.workflow_id, e.run_id, e.payload ->> '$.sourceId', 'unwanted-' || r.key || '-' || n.value, 'filtered',
       substr(r.key, instr(r.key, ':') + 1), NULL, 'Account Executive ' || n.value, e.occurred_at
FROM job_events AS e, json_each(e.payload, '$.reasons') AS r, json_each('[1, 2, 3, 4, 5]') AS n
WHERE e.event_type = 'DiscoveryRunCompleted' AND n.value <= r.value;
