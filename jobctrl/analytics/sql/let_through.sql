-- Every scored job that nothing rules out, and how likely it was to be let through to its materials: for sure from the
-- threshold of its policy on, by the chance that the log names below it; null where neither let it through.
-- The score is the one a person applied with, else the current one.
WITH told AS (
  SELECT s.*, j.applied_score
  FROM job_scores AS s JOIN jobs AS j USING (job_id)
  QUALIFY row_number() OVER (
    PARTITION BY s.job_id ORDER BY COALESCE(s.scored_at <= j.applied_at, true) DESC, s.version DESC) = 1
), scored AS (
  SELECT t.job_id, COALESCE(t.applied_score, t.fit_score) AS score, t.corrected_from,
         COALESCE(greatest(p.min_fit_score, p.material_floor), $default_threshold) AS threshold
  FROM told AS t LEFT JOIN scoring_policies AS p ON p.version = t.policy_version
  WHERE t.eligibility <> 'blocked'
)
SELECT s.job_id, s.score, s.threshold, s.score < s.threshold AS below,
       CASE WHEN s.score >= s.threshold THEN 1.0 WHEN s.corrected_from IS NULL THEN x.propensity END AS propensity
FROM scored AS s LEFT JOIN explorations AS x USING (job_id)
ORDER BY s.job_id
