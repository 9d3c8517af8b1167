"""A correction is seen by the calibration desk that stands open, at the place where it was being read."""

from __future__ import annotations

import pytest

from jobctrl.operations.jobs import JOBS
from jobctrl.runtime import open_operator
from tests.notebooks.browser import opened, served

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_corrected_score_moves_the_agreement_when_the_desk_is_read_again(chromium, demo_like, tmp_path):
    with served("calibration", demo_like) as address, opened(chromium, address) as page:
        page.get_by_role("tab", name="Your corrections").click()
        page.get_by_text("Nobody has corrected a score").wait_for()

        operator = open_operator(demo_like)
        with operator.store.reader() as connection:
            job = next(job for job in JOBS.all(connection) if job.fit_score)
        operator.correct_score(job.job_id, 2, "not my field")
        page.get_by_role("button", name="Reload").click()

        page.get_by_text("spearman", exact=True).wait_for()
        page.get_by_text("Nobody has corrected a score").wait_for(state="detached")
        page.get_by_role("tab", name="Who is missing").click()
        page.get_by_text("No job was let through by chance").wait_for()
        page.screenshot(path=tmp_path / "calibration.png", full_page=True)
