"""Settings, and what a change of them may cost, in the words of a desk."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from jobctrl.analytics.setting_up import about, may_cost, next_times, told, topics
from jobctrl.settings.credentials import Credential
from jobctrl.settings.model import Settings
from jobctrl.settings.views import setting_views

VIEWS = setting_views(Settings())
KEYS = [Credential("anthropic", "keyring", "…1234"), Credential("openai", "absent")]


def test_every_setting_stands_under_one_topic():
    assert sum(map(len, topics(VIEWS).values())) == len(VIEWS)


def test_a_setting_says_its_limits_its_default_and_when_a_change_counts():
    [slots] = [view for view in VIEWS if view.name == "worker_activity_slots"]

    said = about(slots)

    assert "Limits: 1 to 64. Default: 4." in said
    assert said.endswith("when `jobctrl up` is started the next time.")


@pytest.mark.parametrize(
    ("wanted", "line"),
    [
        ({"daily_budget_usd": 30}, "- `daily_budget_usd`: 25 → **30**, at once"),
        ({"model": "large"}, "- `model`: none → **`large`**, from the next run on"),
        ({"automatic_preparation": False}, "- `automatic_preparation`: on → **off**, at once"),
        ({"lane_token_limits": {"score": 9000}}, "- `lane_token_limits`: none → **score 9,000**, at once"),
    ],
)
def test_a_change_is_told_from_what_to_what_and_from_when(wanted, line):
    assert told(VIEWS, wanted) == line


@pytest.mark.parametrize(
    ("wanted", "says"),
    [
        ({}, "cost nothing"),
        ({"provider": "anthropic"}, "25.00 a UTC day"),
        ({"provider": "anthropic", "daily_budget_usd": 0}, "without a ceiling"),
        ({"provider": "openai"}, "There is no key for openai yet"),
    ],
)
def test_what_calls_may_cost_is_said_before_the_press(wanted, says):
    assert says in may_cost(VIEWS, wanted, KEYS)


def test_the_next_times_are_told_or_why_there_are_none():
    at = datetime(2026, 3, 10, 7, tzinfo=UTC)

    assert "Tue 2026-03-10 07:00 UTC" in next_times([at], "", enabled=True, zone="UTC")
    assert "Nothing runs it" in next_times([], "Nothing runs it.", enabled=True, zone="UTC")
    assert "off" in next_times([], "", enabled=False, zone="UTC")
