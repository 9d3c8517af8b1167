-- Jobs that have no materials and that nothing but their score keeps from them, by score: all, and those that were
-- found in the $days days before the newest fact, with the days the search has lasted (at most $days).
WITH clock AS (SELECT max(occurred_at) AS now FROM events),
found AS (SELECT min(discovered_at) AS first FROM jobs)
SELECT j.fit_score AS score, count(*) FILTER (NOT j.has_resume AND open) AS jobs,
       count(*) FILTER (j.discovered_at > clock.now - to_days($days::INTEGER)) AS lately,
       any_value(least($days, greatest(1, epoch_ms(clock.now) - epoch_ms(found.first)) / 86400000.0)) AS days
FROM (
  SELECT *, NOT hidden AND feedback IS DISTINCT FROM 'dismissed' AND applied_at IS NULL
              AND active_state NOT IN ('closed', 'expired', 'removed', 'location_incompatible') AS open
  FROM jobs
) AS j, clock, found
WHERE j.fit_score IS NOT NULL AND j.eligibility IS DISTINCT FROM 'blocked'
GROUP BY j.fit_score
ORDER BY j.fit_score
