-- name: save
INSERT INTO saved_filters VALUES (:name, :filter, :at)
ON CONFLICT (name) DO UPDATE SET filter = excluded.filter, saved_at = excluded.saved_at;

-- name: rename
UPDATE OR ABORT saved_filters SET name = :new WHERE name = :name;

-- name: delete
DELETE FROM saved_filters WHERE name = :name;

-- name: list
SELECT name, filter FROM saved_filters ORDER BY name COLLATE NOCASE, name;
