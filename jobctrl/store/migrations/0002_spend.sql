-- canonical: what paid calls have cost, by UTC day and lane; the totals a ceiling is checked against
CREATE TABLE llm_spend (
  day            TEXT NOT NULL,
  lane           TEXT NOT NULL,
  calls          INTEGER NOT NULL,
  input_tokens   INTEGER NOT NULL,
  output_tokens  INTEGER NOT NULL,
  usd_micros     INTEGER NOT NULL,
  PRIMARY KEY (day, lane)
) STRICT, WITHOUT ROWID;

-- canonical: money set aside for a call whose cost is not known yet
CREATE TABLE spend_reservations (
  call_id      TEXT PRIMARY KEY,
  day          TEXT NOT NULL,
  lane         TEXT NOT NULL,
  usd_micros   INTEGER NOT NULL,
  tokens       INTEGER NOT NULL,
  state        TEXT NOT NULL CHECK (state IN ('reserved', 'held')),
  created_at   TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX spend_reservations_day ON spend_reservations (day, lane);
