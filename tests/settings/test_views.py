"""Settings as a person is asked for them: nothing is listed a second time."""

from __future__ import annotations

from typing import get_args

import pytest

from jobctrl.settings.model import Activation, Settings, Topic
from jobctrl.settings.views import WHEN, changes, setting_views

VIEWS = setting_views(Settings())
BY_PATH = {view.path: view for view in VIEWS}


@pytest.mark.parametrize("name", Settings.model_fields)
def test_every_setting_can_be_filled_in_and_says_what_it_is(name):
    [view, *_] = [view for view in VIEWS if view.name == name]

    assert view.says == Settings.model_fields[name].description
    assert view.takes_effect in WHEN
    assert view.about in get_args(Topic)


def test_when_a_change_counts_has_words_for_each_case():
    assert set(WHEN) == set(get_args(Activation))


@pytest.mark.parametrize(
    ("path", "limits"),
    [
        ("worker_activity_slots", "1 to 64"),
        ("requests_per_run", "1 to 100,000"),
        ("daily_budget_usd", "0 or more"),
        ("lane_token_limits.score", "0 or more"),
        ("provider", "local, anthropic, openai"),
        ("crawl_contact", "up to 240 characters"),
        ("schedule_cron", ""),
    ],
)
def test_limits_are_those_of_the_model(path, limits):
    assert BY_PATH[path].limits == limits


@pytest.mark.parametrize(
    ("typed", "changed"),
    [
        ({}, {}),
        ({view.path: view.value for view in VIEWS}, {}),
        ({"daily_budget_usd": 25.0}, {}),
        ({"daily_budget_usd": 12.5}, {"daily_budget_usd": 12.5}),
        ({"worker_activity_slots": 8.0}, {"worker_activity_slots": 8}),
        ({"min_fit_score": None}, {}),
        ({"schedule_cron": "  0 8 * * * "}, {"schedule_cron": "0 8 * * *"}),
        ({"schedule_time_zone": " "}, {}),
        ({"schedule_time_zone": "Europe/Warsaw"}, {"schedule_time_zone": "Europe/Warsaw"}),
        ({"automatic_preparation": False}, {"automatic_preparation": False}),
        ({"lane_token_limits.score": 900}, {"lane_token_limits": {"score": 900}}),
    ],
)
def test_what_was_typed_is_a_change_where_it_is_another(typed, changed):
    assert changes(VIEWS, typed) == changed


def test_one_lane_of_several_is_changed_and_the_others_stay():
    views = setting_views(Settings(lane_token_limits={"score": 900, "tailor": 50}))

    assert changes(views, {"lane_token_limits.score": 0}) == {"lane_token_limits": {"tailor": 50}}
    assert changes(views, {"lane_token_limits.cover": 7}) == {
        "lane_token_limits": {"score": 900, "tailor": 50, "cover": 7}
    }


def test_an_emptied_number_is_its_default_again():
    views = setting_views(Settings(min_fit_score=3))

    assert changes(views, {"min_fit_score": None}) == {"min_fit_score": 7}
