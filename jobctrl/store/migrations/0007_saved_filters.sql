-- canonical: the filters of the job list that a person gave a name
CREATE TABLE saved_filters (
  name      TEXT PRIMARY KEY,
  filter    TEXT NOT NULL CHECK (json_valid(filter)),
  saved_at  TEXT NOT NULL
) STRICT, WITHOUT ROWID;
