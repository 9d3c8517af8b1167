-- Whether only made-up applications exist, so that they are the ones to count.
SELECT count(*) > 0 AND bool_and(simulated OR job_id IN (SELECT job_id FROM outcomes WHERE simulated)) AS made_up
FROM jobs WHERE applied_at IS NOT NULL
