"""Questions over the read side: a warehouse in step with the log, functions that answer with frames, and reports."""
