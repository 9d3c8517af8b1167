"""What needs a person's eyes is told, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from jobctrl.analytics.alarms import present_alarms, standing_alarms
from jobctrl.analytics.desk import open_desk
from jobctrl.analytics.today import today
from jobctrl.errors import ConfigurationError, WorkspaceError
from jobctrl.operations.observing import operations_snapshot
from jobctrl.settings.model import Settings
from jobctrl.spend.model import DaySpend

NOW = datetime(2026, 3, 9, 12, tzinfo=UTC)


def spent(usd: str) -> DaySpend:
    return DaySpend("2026-03-09", Decimal(usd), Decimal(0), Decimal(0), {})


def present(**changes):
    calm = {
        "seen": None, "scheduled": False, "spent": spent("0"), "ceiling": Decimal(25), "facts": 9,
        "backup": NOW, "now": NOW,
    }  # fmt: skip
    return present_alarms(**{**calm, **changes})


def test_when_nothing_is_wrong_nothing_is_told():
    assert present().is_empty()


@pytest.mark.parametrize(
    ("changes", "level", "says"),
    [
        ({"spent": spent("24")}, "warn", "96% of the day's $25.00"),
        ({"spent": spent("25")}, "bad", "are used up"),
        ({"backup": None}, "warn", "No backup stands"),
        ({"backup": NOW - timedelta(days=9)}, "warn", "9 days old"),
    ],
)
def test_a_budget_that_runs_out_and_an_old_backup_are_told(changes, level, says):
    [alarm] = present(**changes).rows(named=True)

    assert alarm["level"] == level
    assert says in alarm["says"]


@pytest.mark.parametrize(
    "changes", [{"spent": spent("99"), "ceiling": Decimal(0)}, {"backup": None, "facts": 0}, {"spent": None}]
)
def test_without_a_ceiling_or_anything_to_lose_there_is_no_alarm(changes):
    assert present(**changes).is_empty()


def test_work_without_a_worker_is_told(search):
    search.run("discover-1", ends=None)
    search.tell()
    seen = operations_snapshot(search.store)

    [alarm] = present(seen=seen).rows(named=True)

    assert (alarm["level"], alarm["about"], alarm["desk"]) == ("bad", "no worker", "operations")
    assert present(seen=replace(seen, execution=None)).is_empty()
    assert present(seen=replace(seen, execution=None), scheduled=True)["about"].to_list() == ["no worker"]


def test_boards_that_fail_and_stages_that_gave_up_are_told(search):
    search.source("greenhouse:alder")
    search.source("greenhouse:birch")
    for _ in range(3):
        search.reading_failed("greenhouse:alder")
        search.later(hours=1)
    search.reading("greenhouse:birch", returned=3)
    search.tell()

    found = standing_alarms(open_desk(search.folder).db)

    assert found.rows() == [
        ("bad", "greenhouse:alder", "Failed 3 times in a row: source_unavailable.", "sources"),
    ]


class Looking:
    """An Operator of which one part fails."""

    closed = False

    def operations(self):
        raise WorkspaceError("The log is damaged.")

    def settings(self):
        raise ConfigurationError("config.json is not JSON.", hint="Mend it.")

    def spent_today(self):
        return spent("3")

    def close(self):
        self.closed = True


def test_a_part_that_cannot_be_read_is_an_alarm_and_the_rest_is_shown(search):
    search.find("a")
    search.tell()
    desk, looking = open_desk(search.folder), Looking()

    seen = today(desk.db, lambda: looking, lambda: NOW, facts=desk.position, now=NOW)

    assert seen.counts["jobs"] == 1
    assert seen.spent == spent("3")
    assert (seen.ceiling, seen.share) == (None, None)
    assert dict(zip(seen.wrong["about"], seen.wrong["says"], strict=True)) == {
        "operations": "The log is damaged.",
        "settings": "config.json is not JSON. Mend it.",
    }
    assert looking.closed


def test_the_share_of_the_ceiling_counts_what_is_set_aside(search):
    search.tell()
    desk, looking = open_desk(search.folder), Looking()
    looking.settings = lambda: Settings(daily_budget_usd=Decimal(6))

    assert today(desk.db, lambda: looking, lambda: NOW, facts=0, now=NOW).share == 0.5
