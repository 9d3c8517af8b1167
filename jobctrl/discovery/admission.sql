-- name: known_receipts
SELECT item_key FROM discovery_receipts
WHERE workflow_id = :workflow_id AND run_id = :run_id AND source_id = :source_id;

-- name: add_receipt
INSERT INTO discovery_receipts (workflow_id, run_id, source_id, item_key, outcome, reason, job_id, title, recorded_at)
VALUES (:workflow_id, :run_id, :source_id, :item_key, :outcome, :reason, :job_id, :title, :at);

-- name: counts
SELECT outcome, reason, COUNT(*) FROM discovery_receipts
WHERE workflow_id = :workflow_id AND run_id = :run_id AND source_id = :source_id GROUP BY outcome, reason;

-- name: by_content
SELECT job_id, signature, description_hash FROM job_contents WHERE content_key = :content_key;

-- name: contents_held
SELECT DISTINCT content_key FROM job_contents WHERE content_key IN (SELECT value FROM json_each(:content_keys));

-- name: by_fingerprint
SELECT job_id FROM job_contents WHERE fingerprint = :fingerprint;

-- name: link
SELECT identity_key, job_id, source_id, native_id, observed_url, posting FROM job_identities WHERE link_id = :link_id;

-- name: read_before
SELECT digest FROM listings_read WHERE identity_key = :identity_key;

-- name: remember_reading
INSERT INTO listings_read (identity_key, digest) VALUES (:identity_key, :digest)
ON CONFLICT (identity_key) DO UPDATE SET digest = excluded.digest;
