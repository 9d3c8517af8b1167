"""The job list without the fold behind it."""

from __future__ import annotations

import subprocess
import sys

from jobctrl.operations.job_list import JOB_LIST
from jobctrl.operations.jobs import _STATE_OF, JOBS
from jobctrl.stages.events import STAGE_EVENTS
from jobctrl.stages.model import StageState


def test_the_list_and_the_fold_are_of_one_table() -> None:
    assert (JOBS.name, JOBS.version, JOBS.row, JOBS.key) == (
        JOB_LIST.name,
        JOB_LIST.version,
        JOB_LIST.row,
        JOB_LIST.key,
    )


def test_listing_jobs_imports_no_facts_of_any_context() -> None:
    code = "import sys, jobctrl.runtime.listing; print([n for n in sys.modules if n.endswith(('.events', '.state'))])"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "['jobctrl.events']"


def test_every_move_of_a_stage_is_told_in_the_list() -> None:
    assert {event.__name__ for event in STAGE_EVENTS} == set(_STATE_OF)
    assert set(_STATE_OF.values()) == {state.value for state in StageState}
