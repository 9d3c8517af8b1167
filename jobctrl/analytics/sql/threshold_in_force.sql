-- The score from which the newest scoring policy lets materials be prepared; $otherwise before the first policy.
SELECT COALESCE(max_by(greatest(min_fit_score, material_floor), version), $otherwise) AS threshold FROM scoring_policies
