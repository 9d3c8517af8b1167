"""What was planted as a change of a board shows within one reading, and what only wavers does not."""

from __future__ import annotations

import random

import pytest

from jobctrl.analytics.source_quality import drift_alarms, field_gaps
from tests.analytics.conftest import asked

ACME, BETA, GAMMA = "greenhouse:acme", "lever:beta", "ashby:gamma"
FIELDS = {"company": 0.0, "apply_url": 0.01, "published": 0.05, "employment_type": 0.4, "pay": 0.7, "text": 0.0}


def read(search, source, dice, *, rows=60, **renamed):
    """A reading in which each field is empty as often as FIELDS says, and the *renamed* ones always."""
    nulls = {
        field: rows if field in renamed else sum(dice.random() < share for _ in range(rows))
        for field, share in FIELDS.items()
    }
    search.reading(source, returned=rows, field_nulls=nulls)


@pytest.mark.parametrize("field", ["company", "apply_url", "published", "employment_type", "pay", "text"])
def test_a_renamed_field_shows_within_one_reading_whichever_it_is(search, field):
    dice = random.Random(field)
    search.source(ACME)
    for _ in range(5):
        read(search, ACME, dice)
        search.later(days=1)
    assert drift_alarms(asked(search)).is_empty()

    read(search, ACME, dice, **{field: True})
    alarms = drift_alarms(asked(search))

    assert alarms.select("source_id", "what", "field", "now").rows() == [(ACME, "field", field, 1.0)]
    assert f"{field} is empty in 100% of 60 rows" in alarms["says"][0]


def test_boards_that_only_waver_raise_no_alarm(search):
    dice = random.Random(4)
    sources = [f"lever:board{number}" for number in range(40)]
    for source in sources:
        search.source(source)
    for _ in range(6):
        for source in sources:
            read(search, source, dice, rows=dice.randint(12, 25))
        search.later(days=1)

    assert drift_alarms(asked(search)).is_empty()


def test_rows_that_cannot_be_read_any_more_are_an_alarm_of_their_own(search):
    search.source(ACME)
    for _ in range(4):
        search.reading(ACME, returned=40, admitted=39, rejected=1, field_nulls={"pay": 30})
        search.later(days=1)
    search.reading(ACME, returned=40, admitted=0, rejected=40, field_nulls={"pay": 0})

    alarms = drift_alarms(asked(search))

    assert alarms.select("what", "field", "before", "now", "n_now").rows() == [("unreadable", None, 0.025, 1.0, 40)]
    assert alarms["says"][0] == "nothing could be read in 100% of 40 rows; it was in 2%"


def test_an_alarm_ends_when_the_field_comes_back_or_its_loss_is_no_news_any_more(search):
    dice = random.Random(1)
    search.source(ACME)
    for _ in range(5):
        read(search, ACME, dice)
        search.later(days=1)
    read(search, ACME, dice, published=True)
    assert len(drift_alarms(asked(search))) == 1
    search.later(days=1)
    read(search, ACME, dice)
    assert drift_alarms(asked(search)).is_empty()

    for _ in range(6):
        search.later(days=1)
        read(search, ACME, dice, published=True)

    assert drift_alarms(asked(search)).is_empty()


def test_a_board_that_shrinks_or_swells_is_an_alarm_and_a_small_one_that_wavers_is_not(search):
    counts = {ACME: (60, 62, 61, 12), BETA: (3, 4, 3, 1), GAMMA: (50, 48, 47, 40), "workable:dog": (20, 21, 20, 90)}
    for source, rows in counts.items():
        search.source(source)
        for count in rows:
            search.reading(source, returned=count)
            search.later(days=1)

    alarms = drift_alarms(asked(search))

    assert sorted(alarms.select("source_id", "what", "before", "now").rows()) == [
        (ACME, "volume", 61.0, 12.0),
        ("workable:dog", "volume", 20.0, 90.0),
    ]


def test_few_rows_are_no_ground_for_an_alarm(search):
    search.source(ACME)
    search.reading(ACME, returned=3, field_nulls={"pay": 1})
    search.later(days=1).reading(ACME, returned=3, field_nulls={"pay": 3})
    db = asked(search)

    assert drift_alarms(db).is_empty()
    assert field_gaps(db).select("field", "before", "now").rows() == [("pay", pytest.approx(1 / 3), 1.0)]


def test_a_reading_that_failed_is_no_drift(search):
    search.source(ACME)
    for _ in range(4):
        search.reading(ACME, returned=60, field_nulls={"pay": 3})
        search.later(days=1)
    search.reading_failed(ACME)

    assert drift_alarms(asked(search)).is_empty()
