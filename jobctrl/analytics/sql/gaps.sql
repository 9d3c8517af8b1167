-- What the person lacks most dearly: what each thing that jobs ask for costs where it is missing, and which jobs would
-- reach $min_score with it. Only jobs whose score their lines decided: not those that a person corrected.
WITH lines AS (
  SELECT l.*, j.fit_score, j.eligibility
  FROM score_lines AS l JOIN jobs AS j ON j.job_id = l.job_id AND j.score_version = l.version
  WHERE l.formula = $formula
),
whole AS (
  SELECT job_id, sum(max_points) AS of_all, sum(awarded) AS awarded, bool_or(fit = 'blocked') AS capped
  FROM lines GROUP BY job_id
),
asked AS (
  SELECT l.*, CASE $of WHEN 'skill' THEN s.skill ELSE lower(trim(l.requirement)) END AS wanted
  FROM lines AS l
  LEFT JOIN score_skills AS s
    ON $of = 'skill' AND s.position = l.position AND s.requirement_id = l.requirement_id
),
by_job AS (
  SELECT wanted, job_id, any_value(fit_score) AS score, any_value(eligibility) AS eligibility,
         bool_or(fit = 'missing') AS missing,
         bool_or(fit = 'transferable') AS partly,
         COALESCE(sum(max_points - awarded) FILTER (fit IN ('missing', 'transferable')), 0) AS lost,
         COALESCE(sum(round(max_points * $met, 4) - awarded)
                  FILTER (fit IN ('missing', 'transferable') AND max_points * $met > awarded), 0) AS gained
  FROM asked WHERE wanted IS NOT NULL AND ($wanted::VARCHAR IS NULL OR wanted = $wanted::VARCHAR)
  GROUP BY wanted, job_id
),
weighed AS (
  SELECT b.wanted, b.job_id, b.score, b.missing, b.partly, b.lost,
         9 * b.lost / w.of_all AS score_lost,
         least(10, greatest(1, 1 + floor(9 * (w.awarded + b.gained) / w.of_all + 0.5)))::BIGINT AS would_be,
         b.eligibility = 'blocked' OR w.capped AS blocked
  FROM by_job AS b JOIN whole AS w USING (job_id)
  WHERE w.of_all > 0
)
SELECT wanted,
       count(*) AS n,
       count(*) FILTER (missing) AS missing,
       count(*) FILTER (partly AND NOT missing) AS partly,
       sum(lost) AS points_lost,
       sum(score_lost) AS score_lost,
       count(*) FILTER (score_lost > 0) AS losing,
       avg(score_lost) FILTER (score_lost > 0) AS mean_lost,
       stddev_samp(score_lost) FILTER (score_lost > 0) AS spread,
       count(*) FILTER (score_lost > 0 AND score < $min_score AND NOT blocked) AS below,
       count(*) FILTER (score < $min_score AND NOT blocked AND would_be >= $min_score) AS would_cross,
       -- Which they are is asked of one thing at a time.
       list({'job_id': job_id, 'score': score, 'would_be': would_be} ORDER BY would_be DESC, job_id)
         FILTER (score < $min_score AND NOT blocked AND would_be >= $min_score AND $wanted::VARCHAR IS NOT NULL)
         AS crossing
FROM weighed
GROUP BY wanted HAVING sum(score_lost) > 0
ORDER BY score_lost DESC, wanted
LIMIT $most
