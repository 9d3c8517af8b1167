"""The job list on its own: it waits neither for the folds of all contexts nor for what acts."""

from __future__ import annotations

from jobctrl.operations.job_list import JOB_LIST, Job, JobFilter, find_jobs
from jobctrl.runtime.workspace import named_workspace
from jobctrl.store.looking import look


def list_jobs(wanted: JobFilter) -> list[Job]:
    """The jobs that *wanted* keeps, in the workspace the environment names. Raises WorkspaceError without one."""
    with look(named_workspace().database, JOB_LIST) as connection:
        if connection is not None:
            return find_jobs(connection, wanted)
    # Something is to be done first, or to be said: the store knows what.
    from jobctrl.runtime.reading import reading_operator

    return reading_operator().jobs(wanted)
