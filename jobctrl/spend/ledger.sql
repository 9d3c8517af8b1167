-- name: reserve
INSERT INTO spend_reservations (call_id, day, lane, usd_micros, tokens, state, created_at)
VALUES (:call_id, :day, :lane, :usd_micros, :tokens, 'reserved', :at);

-- name: reservation
SELECT day, lane, usd_micros, state FROM spend_reservations WHERE call_id = :call_id;

-- name: hold
UPDATE spend_reservations SET state = 'held' WHERE call_id = :call_id;

-- name: close
DELETE FROM spend_reservations WHERE call_id = :call_id;

-- name: add
INSERT INTO llm_spend (day, lane, calls, input_tokens, output_tokens, usd_micros)
VALUES (:day, :lane, 1, :input_tokens, :output_tokens, :usd_micros)
ON CONFLICT (day, lane) DO UPDATE SET
  calls = calls + 1,
  input_tokens = input_tokens + excluded.input_tokens,
  output_tokens = output_tokens + excluded.output_tokens,
  usd_micros = usd_micros + excluded.usd_micros;

-- name: settled
SELECT lane, usd_micros, input_tokens + output_tokens FROM llm_spend WHERE day = :day;

-- name: set_aside
SELECT lane, state, SUM(usd_micros), SUM(tokens) FROM spend_reservations WHERE day = :day GROUP BY lane, state;

-- name: abandoned
SELECT call_id FROM spend_reservations WHERE state = 'reserved' AND created_at < :before;
