"""The market and the what-if desk, used in a real browser."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from jobctrl.settings.config import load_settings
from tests.notebooks.browser import opened, served
from tests.notebooks.test_desks import recorded

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_person_looks_at_pay_by_country_and_at_the_jobs_a_gap_keeps_away(chromium, demo_like, tmp_path):
    before = recorded(demo_like)
    with served("market", demo_like) as address, opened(chromium, address) as page:
        # The sample person asks in PLN, and these postings pay in EUR: nothing is converted.
        page.get_by_text("No posting can be held against what you ask").wait_for()
        page.get_by_role("button", name="Every band in figures").click()
        page.get_by_text("data engineering").first.wait_for()
        page.get_by_label("Group by").select_option(label="country")
        page.get_by_text("PT", exact=True).first.wait_for()

        page.get_by_label("Show").select_option(label="requirements in their words")
        page.get_by_text("you have run pipelines in production.").first.wait_for()
        page.get_by_role("row").filter(has_text="you have run pipelines").get_by_role("checkbox").click()
        page.get_by_role("heading", name="Jobs that would cross").wait_for()
        page.screenshot(path=tmp_path / "market.png", full_page=True)

    assert recorded(demo_like) == before


def test_a_person_tries_a_threshold_sees_what_it_changes_and_adopts_it(chromium, demo_like, tmp_path):
    workspace = Path(shutil.copytree(demo_like, tmp_path / "workspace"))
    before = recorded(workspace)
    with served("what_if", workspace) as address, opened(chromium, address) as page:
        page.get_by_role("heading", name="Jobs that change side: 0").wait_for()
        page.get_by_role("button", name="This threshold is in force").wait_for()

        page.get_by_role("slider").first.press("ArrowRight")
        page.get_by_role("heading", name="Jobs that change side").filter(has_not_text=": 0").wait_for()
        page.get_by_text("dropped", exact=True).first.wait_for()
        assert recorded(workspace) == before
        assert load_settings(workspace / "config.json").min_fit_score == 7

        page.get_by_role("button", name="Adopt a threshold of 8").click()
        page.get_by_text("Materials are prepared from a score of 8 on.").wait_for()
        page.screenshot(path=tmp_path / "what_if.png", full_page=True)

    assert load_settings(workspace / "config.json").min_fit_score == 8
    assert recorded(workspace) == before
