"""The lists a person works from hold what they promise."""

from __future__ import annotations

import pytest

from jobctrl.analytics.board import BoardFilter, facets, inbox, jobs_board, run_counts, run_steps, runs, stage_errors, standing
from jobctrl.discovery.events import StatedSalary
from tests.analytics.conftest import asked


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("", {"Data Engineer", "Platform Lead", "Ingénieur données"}),
        ("data", {"Data Engineer"}),
        ("ENGINEER  krakow", {"Data Engineer"}),
        ("ingenieur", {"Ingénieur données"}),
        ("acme lead", {"Platform Lead"}),
        ("%", set()),
    ],
)
def test_typing_finds_all_words_without_regard_to_case_and_accents(search, words, found):
    for name, title in (("a", "Data Engineer"), ("b", "Platform Lead"), ("c", "Ingénieur données")):
        search.find(name, title=title)

    board = jobs_board(asked(search), wanted=BoardFilter(words=words))

    assert set(board["title"]) == found


def test_the_inbox_holds_open_good_jobs_that_nobody_decided_on(search):
    good, weak, closed, applied = (search.find(name) for name in "abcd")
    for job, score in ((good, 8), (weak, 4), (closed, 9), (applied, 9)):
        search.score(job, score)
    search.active(closed, "closed")
    search.apply(applied, 9)

    assert inbox(asked(search))["job_id"].to_list() == [good]


@pytest.mark.parametrize(
    ("low", "high", "period", "words"),
    [
        (60_000, 80_000, "year", "60,000 to 80,000 EUR per year"),
        ("25.50", None, "hour", "25.50 EUR per hour"),
        (4_000, 4_000, "month", "4,000 EUR per month"),
        (None, 90_000, None, "90,000 EUR"),
        (None, None, None, None),
    ],
)
def test_pay_is_shown_as_it_was_stated(search, low, high, period, words):
    search.find("a", pay=StatedSalary(state="stated", currency="EUR", period=period, low=low, high=high))

    assert jobs_board(asked(search))["pay"].to_list() == [words]


def test_every_list_of_an_empty_workspace_is_empty_with_its_columns(search):
    db = asked(search)

    for answer in (jobs_board(db), inbox(db), runs(db), run_counts(db), stage_errors(db)):
        assert answer.is_empty()
        assert answer.columns
    assert standing(db).row(0) == (0, 0, 0, 0, 0, 0, 0, False)


def test_a_run_shows_how_it_ended_and_its_steps(search):
    search.run("discover-1")
    search.later(minutes=1).run("discover-2", ends="failed")
    db = asked(search)

    listed = runs(db)
    steps = run_steps(db, workflow_id="discover-1", run_id="run-1")

    assert listed.select("workflow_id", "status", "steps_done", "error_code").rows() == [
        ("discover-2", "failed", 0, "source_unavailable"),
        ("discover-1", "succeeded", 1, None),
    ]
    assert steps.select("step_kind", "state", "item_count", "seconds").rows() == [
        ("source_family", "succeeded", 12, 0.9)
    ]


def test_what_stands_still_is_counted_by_its_reason(search):
    for name in "abc":
        search.stage(search.find(name), "enrich", fails="source_unavailable")
    search.stage(search.find("d"), "score", fails="llm_transient")

    errors = stage_errors(asked(search)).select("stage", "error_code", "jobs").rows()

    assert errors == [("enrich", "source_unavailable", 3), ("score", "llm_transient", 1)]
