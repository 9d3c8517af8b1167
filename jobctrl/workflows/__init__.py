"""Temporal: the envelope, one file a workflow, ids, deadlines and retries."""
