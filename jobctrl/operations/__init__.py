"""The read side for people: the job board, one job in full, runs, dashboard, artifacts."""
