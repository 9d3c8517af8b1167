-- read table: the profile that is current
CREATE TABLE profiles (
  name         TEXT PRIMARY KEY,
  version      INTEGER NOT NULL,
  profile_ref  TEXT NOT NULL,
  updated_at   TEXT NOT NULL
) STRICT, WITHOUT ROWID
