-- canonical: how each row of a board looked when it was read last; a row that comes again unchanged is not read again
CREATE TABLE listings_read (
  identity_key  TEXT PRIMARY KEY,
  digest        TEXT NOT NULL
) STRICT, WITHOUT ROWID;
