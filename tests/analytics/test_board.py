"""The lists a person works from hold what they promise."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from msgspec import structs

from jobctrl.analytics.board import (
    BoardFilter,
    facets,
    inbox,
    jobs_board,
    jobs_found,
    run_counts,
    run_steps,
    runs,
    stage_errors,
    standing,
)
from jobctrl.discovery.events import DiscoveryFeedbackRecorded, JobHidden, JobSnoozed, StatedPlace, StatedSalary
from jobctrl.store import moment
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


def test_typing_finds_what_a_scored_posting_asks_for(search):
    wanted, other = search.find("a"), search.find("b")
    with search.store.writer() as tx:
        analysis = tx.put('{"requirements": [{"id": "r1", "text": "You know Kubernetes at Zürich scale"}]}')
        ledger = tx.put('{"ledger": {"items": [{"requirement_id": "r1", "fit": "matched"}]}}')
    search.score(wanted, 8, analysis_ref=analysis, ledger_ref=ledger)
    search.score(other, 8)

    found = jobs_board(asked(search), wanted=BoardFilter(words="kubernetes zurich"))

    assert found["job_id"].to_list() == [wanted]


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


def told_board(search):
    """Three jobs that differ in every facet."""
    search.source("lever:birch")
    a = search.find("a", published=date(2026, 3, 1), mode="remote")
    b = search.find("b", "lever:birch", places=[StatedPlace(city="Berlin", country="DE")], published=date(2025, 9, 1))
    c = search.find("c", places=[], published=date(2026, 3, 2), pay=StatedSalary(state="stated", low=1))
    search.score(a, 9)
    search.score(b, 5)
    search.apply(b, 5)
    return a, b, c


TODAY = date(2026, 3, 2)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (BoardFilter(), "abc"),
        (BoardFilter(min_score=6), "a"),
        (BoardFilter(bands=("excellent", "unscored")), "ac"),
        (BoardFilter(states=("applied",)), "b"),
        (BoardFilter(sources=("lever:birch",)), "b"),
        (BoardFilter(countries=("PL", "unknown")), "ac"),
        (BoardFilter(modes=("remote",)), "a"),
        (BoardFilter(pays=("stated",)), "c"),
        (BoardFilter(ages=("today", "older")), "bc"),
        (BoardFilter(countries=("DE",), bands=("excellent",)), ""),
        (BoardFilter(sort="newest posted"), "cab"),
    ],
)
def test_a_filter_keeps_what_passes_all_its_parts_in_its_order(search, wanted, found):
    jobs = dict(zip("abc", told_board(search), strict=True))
    db = asked(search)

    listed = jobs_board(db, wanted=wanted, today=TODAY)

    assert listed["job_id"].to_list() == [jobs[name] for name in found]
    assert jobs_found(db, wanted=wanted, today=TODAY).row(0) == (len(found), 3)
    assert jobs_board(db, wanted=wanted, today=TODAY, limit=1)["job_id"].to_list() == listed["job_id"].to_list()[:1]


def test_a_facet_counts_what_choosing_a_value_would_show(search):
    told_board(search)
    db = asked(search)
    wanted = BoardFilter(countries=("PL",))

    counts = facets(db, wanted=wanted, today=TODAY)

    # The places are counted beside the choice of one; all else within it.
    assert counts.filter(facet="country").select("value", "jobs").rows() == [("DE", 1), ("PL", 1), ("unknown", 1)]
    assert counts.filter(facet="band").select("value", "jobs").rows() == [("excellent", 1)]
    for facet, part in (("band", "bands"), ("mode", "modes"), ("age", "ages"), ("pay", "pays"), ("state", "states")):
        for value, jobs in counts.filter(facet=facet).select("value", "jobs").rows():
            chosen = structs.replace(wanted, **{part: (value,)})
            assert len(jobs_board(db, wanted=chosen, today=TODAY)) == jobs


def test_bands_and_ages_are_counted_in_their_own_order(search):
    told_board(search)

    counts = facets(asked(search), today=TODAY)

    assert counts.filter(facet="band")["value"].to_list() == ["excellent", "plausible", "unscored"]
    assert counts.filter(facet="age")["value"].to_list() == ["today", "1 to 3 days", "older"]


def test_a_job_that_is_put_off_waits_elsewhere_and_comes_back_by_itself(search):
    job = search.find("a")
    search.score(job, 9)
    search.tell()
    until = search.now + timedelta(days=7)
    with search.store.writer() as tx:
        tx.append(f"job/{job}", JobSnoozed(job_id=job, until=moment(until)))
    db = asked(search)

    before, after = (until + timedelta(minutes=by) for by in (-1, 1))

    assert (len(inbox(db, now=before)), len(inbox(db, now=before, show="snoozed"))) == (0, 1)
    assert (len(inbox(db, now=after)), len(inbox(db, now=after, show="snoozed"))) == (1, 0)


def test_what_was_decided_is_found_by_its_decision(search):
    kept, dismissed = search.find("a"), search.find("b")
    for job in (kept, dismissed):
        search.score(job, 9)
    search.tell()
    with search.store.writer() as tx:
        tx.append(f"job/{kept}", DiscoveryFeedbackRecorded(feedback_id="1", job_id=kept, source_id=None, kind="saved"))
        tx.append(f"job/{dismissed}", JobHidden(job_id=dismissed, reason="far"))
    db = asked(search)

    assert inbox(db, show="kept")["job_id"].to_list() == [kept]
    assert inbox(db, show="dismissed")["job_id"].to_list() == [dismissed]
    assert inbox(db).is_empty()


def test_a_list_among_some_jobs_keeps_its_order_its_limit_and_its_count(search):
    jobs = [search.find(name) for name in ("one", "two", "three")]
    db = asked(search)

    everything = jobs_board(db)["job_id"].to_list()
    some = [job_id for job_id in everything if job_id in jobs[:2]]

    assert jobs_board(db, among=jobs[:2])["job_id"].to_list() == some
    assert jobs_board(db, among=jobs[:2], limit=1)["job_id"].to_list() == some[:1]
    assert jobs_found(db, among=jobs[:2]).row(0, named=True) == {"jobs": 2, "of_all": 3}
    assert jobs_board(db, among=[]).is_empty()
