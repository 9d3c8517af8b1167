-- What the jobs that fit ask for most, and how the person meets it. $of: the skills they name, or their own words.
WITH fitting AS (
  SELECT l.*
  FROM score_lines AS l JOIN jobs AS j ON j.job_id = l.job_id AND j.score_version = l.version
  WHERE j.fit_score >= $min_score
),
asked AS (
  SELECT l.job_id, CASE $of WHEN 'skill' THEN s.skill ELSE lower(trim(l.requirement)) END AS wanted, l.tier, l.fit
  FROM fitting AS l
  LEFT JOIN score_skills AS s
    ON $of = 'skill' AND s.position = l.position AND s.requirement_id = l.requirement_id
),
-- A posting that names a skill twice asks for it once, and the worse line counts.
by_job AS (
  SELECT wanted, job_id, bool_or(tier = 'must_have') AS must,
         CASE WHEN bool_or(fit IN ('missing', 'blocked')) THEN 'missing'
              WHEN bool_or(fit = 'transferable') THEN 'partly'
              WHEN bool_or(fit = 'matched') THEN 'met' ELSE 'not_assessed' END AS fit
  FROM asked WHERE wanted IS NOT NULL GROUP BY wanted, job_id
)
SELECT wanted,
       count(*) AS jobs,
       (SELECT count(DISTINCT job_id) FROM fitting) AS n,
       count(*) FILTER (must) AS must_have,
       count(*) FILTER (fit = 'met') AS met,
       count(*) FILTER (fit = 'partly') AS partly,
       count(*) FILTER (fit = 'missing') AS missing
FROM by_job GROUP BY wanted
ORDER BY jobs DESC, must_have DESC, wanted
LIMIT $most
