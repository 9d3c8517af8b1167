"""Today, the profile and the settings, used in a real browser."""

from __future__ import annotations

import json
import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from jobctrl.profile.state import CurrentProfile, Profiles
from jobctrl.settings.config import load_settings
from tests.analytics.searches import Search
from tests.notebooks.browser import opened, served
from tests.notebooks.test_desks import recorded

pytestmark = [pytest.mark.browser, pytest.mark.slow]
NO_KEYRING = {"PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}


@pytest.fixture
def someone(demo_like: Path, tmp_path: Path) -> Path:
    """A workspace like the demo's for one test alone."""
    return Path(shutil.copytree(demo_like, tmp_path / "workspace"))


def in_force(workspace: Path) -> CurrentProfile:
    with closing(Search(workspace).store) as store:
        return Profiles(store).required()


def type_into(page: Any, label: str, words: str) -> None:
    # The name of a number field is the markup of its label, in marimo 0.25.
    field = page.get_by_label(label).locator("visible=true").first
    field.fill(words)
    field.press("Tab")


def test_home_is_where_the_desks_begin_and_leads_to_each(chromium, demo_like, tmp_path):
    before = recorded(demo_like)
    with served("", demo_like) as address, opened(chromium, address) as page:
        page.get_by_text("wait in the inbox").wait_for()
        page.get_by_text("published is empty in 91%").wait_for()
        page.get_by_text("No backup stands where").wait_for()
        page.screenshot(path=tmp_path / "home.png")
        assert page.url == f"{address}desk/home/"

        page.get_by_role("link", name="Settings").first.click()
        page.get_by_role("heading", name="Settings").wait_for()

    assert recorded(demo_like) == before


def test_a_person_writes_a_report_and_is_told_where_it_lies(chromium, someone):
    before = recorded(someone)
    with served("home", someone) as address, opened(chromium, address) as page:
        page.get_by_label("Report").select_option("funnel")
        page.get_by_role("button", name="Write it").click()
        page.get_by_text("Written:").wait_for()

    assert (someone / "reports" / "funnel" / "funnel.html").exists()
    assert recorded(someone) == before


def test_a_person_sets_a_budget_and_hears_what_is_wrong_with_a_schedule(chromium, someone, tmp_path):
    before = recorded(someone)
    with served("settings", someone, **NO_KEYRING) as address, opened(chromium, address) as page:
        page.get_by_role("tab", name="Money").click()
        type_into(page, "daily budget usd", "30.5")
        page.get_by_text("daily_budget_usd: 25 → 30.5, at once").wait_for()
        # What reads itself again takes nothing from what is typed.
        page.locator("marimo-refresh button").first.click()
        page.get_by_text("the schedule is off").wait_for()
        assert page.get_by_label("daily budget usd").locator("visible=true").first.input_value() == "30.5"
        page.get_by_role("tab", name="Schedule").click()
        type_into(page, "schedule cron", "soon")
        page.get_by_role("button", name="Change 2 settings").click()
        page.get_by_text("needs five fields").wait_for()
        # What was typed stands, and nothing of it was kept.
        assert page.get_by_label("schedule cron", exact=True).first.input_value() == "soon"
        assert load_settings(someone / "config.json").daily_budget_usd == 25

        type_into(page, "schedule cron", "0 7 * * *")
        page.get_by_role("button", name="Change 1 setting").click()
        page.get_by_text("Changed:").wait_for()
        page.get_by_text("Nothing is to be changed.").wait_for()
        assert load_settings(someone / "config.json").daily_budget_usd == 30.5

        page.get_by_placeholder("paste it here").fill("sk-not-a-real-key-1234")
        page.get_by_role("button", name="Store the key").click()
        page.get_by_text("keyring does not work").wait_for()
        assert "sk-not-a-real-key" not in page.content()
        page.screenshot(path=tmp_path / "settings.png")

    assert recorded(someone) == before


def test_a_person_edits_the_profile_and_sees_first_what_it_touches(chromium, someone, tmp_path):
    with served("profile", someone) as address, opened(chromium, address) as page:
        page.get_by_label("Part", exact=True).select_option(label="what you look for")
        page.get_by_label("countries (one a line)", exact=True).first.fill("Poland")
        page.keyboard.press("Tab")
        page.get_by_text("'Poland' is no country code").wait_for()
        assert page.get_by_role("button", name="Save the profile").is_disabled()

        page.get_by_label("countries (one a line)", exact=True).first.fill("PL\nPT")
        page.keyboard.press("Tab")
        page.get_by_text("Saving changes target and schedules nothing.").wait_for()
        page.get_by_text("which may cost money").first.wait_for()
        page.screenshot(path=tmp_path / "profile.png")
        assert in_force(someone).version == 1
        page.get_by_role("button", name="Save the profile").click()
        page.get_by_text("Version 2 is in force; changed: target.").wait_for()
        # One goes on where one was.
        assert page.get_by_label("countries (one a line)", exact=True).first.input_value() == "PL\nPT"

    assert in_force(someone).profile.target.countries == ["PL", "PT"]


def test_a_person_reads_a_resume_and_keeps_the_targets(chromium, someone, tmp_path):
    resume = {
        "basics": {"name": "Ida Invented", "label": "Analyst"},
        "work": [{"name": "Reedmace", "position": "Analyst", "startDate": "2020-01", "highlights": ["Counted reeds."]}],
    }
    file = tmp_path / "resume.json"
    file.write_text(json.dumps(resume))
    before = in_force(someone).profile
    with served("profile", someone) as address, opened(chromium, address) as page:
        page.get_by_role("tab", name="Resume or text").click()
        page.get_by_text("The text says what is in force.").wait_for()
        page.locator("input[type=file]").set_input_files(file)
        page.get_by_text("Look it over below").wait_for()
        assert in_force(someone).version == 1

        page.get_by_role("button", name="Put this text in force").click()
        page.get_by_text("Version 2 is in force").wait_for()
        page.get_by_role("tab", name="Evidence").click()
        page.get_by_text("version 2, read from JSON Resume").wait_for()
        page.screenshot(path=tmp_path / "evidence.png")

    after = in_force(someone).profile
    assert (after.personal.full_name, after.target) == ("Ida Invented", before.target)
