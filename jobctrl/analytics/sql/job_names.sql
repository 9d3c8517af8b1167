-- What some jobs are called.
SELECT job_id, title, employer FROM jobs WHERE list_contains($jobs::VARCHAR[], job_id)
