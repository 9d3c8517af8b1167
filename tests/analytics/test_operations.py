"""The present as frames and sentences, unknown numbers left empty."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from jobctrl.analytics.operations import SCOPES, active, cohorts, figures, operations_now, stages
from jobctrl.errors import WorkspaceError
from jobctrl.materials.files import ArtifactFiles
from jobctrl.operations.capacity import Capacity
from jobctrl.operations.eta import Eta
from jobctrl.operations.telling import coverage, headline, time_left, workers
from jobctrl.operations.views import CoverageView
from jobctrl.operator.reading import Reading
from jobctrl.pipeline.membership import PlanState
from tests.analytics.searches import Search
from tests.operations.telling_runs import RUN, jobs, planned, step
from tests.operations.test_snapshot import FRESH, detail, running, seen

AT = "2026-03-09T12:00:00.000Z"


def test_a_workspace_that_cannot_be_read_is_a_sentence() -> None:
    def missing() -> Reading:
        raise WorkspaceError("There is none.", hint="Make one.")

    assert operations_now(missing).says == "There is none. Make one."


def test_a_search_is_seen_with_its_newest_execution(tmp_path: Path) -> None:
    search = Search(tmp_path / "ws")
    search.run("discover-local")
    search.find("a", "greenhouse:alder")
    search.tell()

    now = operations_now(lambda: Reading(search.store, ArtifactFiles(tmp_path)))

    assert now.seen is not None
    assert now.seen.execution is not None
    assert (now.seen.execution.workflow_status, now.seen.active_items_total) == ("succeeded", None)


GROUPS = [
    planned(2, "succeeded"),
    planned(4, "succeeded", "running", scope="execution_sweep"),
    jobs(3, "succeeded"),
]


@pytest.mark.parametrize("scope", SCOPES.values())
def test_each_scope_has_its_own_numbers_and_unknown_ones_are_empty_cells(scope: str) -> None:
    frame = stages(seen(groups=GROUPS), scope=scope)

    waiting = {"current_execution": 2, "execution_sweep": 4, "global_outside_execution": 3}[scope]
    pdf = frame.filter(frame["stage"] == "Render PDFs").row(0, named=True)
    # Sources and hand-ons belong to the run itself.
    assert frame.height == (8 if scope == "current_execution" else 5)
    assert (pdf["waiting"], pdf["processing"]) == (waiting, None if scope == "global_outside_execution" else 0)


def test_an_empty_row_says_why_it_is_empty() -> None:
    frame = stages(seen(coverage=RESTORED, groups=GROUPS), scope="current_execution")

    assert frame["eligible"].null_count() == 8
    assert set(frame["time_left"]) == {"its history is being restored"}


RESTORED = CoverageView("recovering", "repair_under_way")


def test_the_jobs_of_a_run_are_told_by_why_they_are_its_jobs() -> None:
    frame = cohorts(seen(groups=[*GROUPS, planned(5, "succeeded", state=PlanState.NOT_ELIGIBLE)]))

    assert frame.select("jobs", "members", "not_done", "planned", "nothing_to_do").rows() == [
        ("seen", 7, 2, 2, 5),
        ("older, taken along", 4, 4, 4, 0),
    ]
    assert cohorts(seen(coverage=RESTORED))["members"].null_count() == 2
    assert cohorts(seen(execution=None, coverage=None)).is_empty()


def test_the_first_numbers_are_dashes_when_nobody_knows() -> None:
    steps = [step("source_planning", "plan", "succeeded"), step("source_family", "family:lever", "succeeded")]
    known = seen(execution=RUN, steps=steps, groups=GROUPS)
    unknown = seen(execution=RUN, coverage=RESTORED, runtime=replace(FRESH, total=None))

    assert [value for _, value in figures(known)] == ["1 of 3", "6", "0"]
    assert [value for _, value in figures(unknown)] == ["–", "–", "–"]


def test_what_runs_now_is_a_row_each() -> None:
    found = active(seen(runtime=running(detail(None, None), detail(None, None, "render_pdf"))))

    assert found["activity"].to_list() == ["score_job", "render_pdf"]
    assert found["about"].to_list() == [None, None]
    assert active(seen()).is_empty()


@pytest.mark.parametrize(
    ("capacity", "words"),
    [
        (FRESH.capacity, "1 of 4 slots"),
        (Capacity("stale", AT, "telemetry_stale"), "unknown"),
        (Capacity("unavailable", None, "no_worker"), "jobctrl up"),
    ],
)
def test_the_workers_are_told_of_as_far_as_they_are_known(capacity: Capacity, words: str) -> None:
    assert words in workers(seen(runtime=replace(FRESH, capacity=capacity)))


@pytest.mark.parametrize(
    ("eta", "words"),
    [
        (Eta("unavailable", AT, "no_work"), "nothing is left to do"),
        (Eta("stale", AT, "telemetry_stale"), "unknown: no worker was heard of lately"),
        (
            Eta("available", AT, low_seconds=120, high_seconds=5400, confidence="low"),
            "2 min to 1 h 30 min, low confidence",
        ),
    ],
)
def test_time_left_is_a_range_or_a_reason(eta: Eta, words: str) -> None:
    assert time_left(eta) == words


def test_without_a_run_it_is_said_how_to_start_one() -> None:
    assert "jobctrl discover" in headline(seen(execution=None))


def test_the_headline_names_both_cohorts_and_how_far_collecting_is() -> None:
    steps = [step("source_planning", "plan", "succeeded"), step("source_family", "family:lever", "succeeded")]

    assert headline(seen(execution=RUN, steps=steps, groups=GROUPS)) == (
        "Discover run of 2026-03-09 12:00 (UTC): discovering. 2 jobs seen, 2 not done; 4 older taken along, "
        "4 not done. 1 of 3 steps of collecting are done."
    )


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (None, ""),
        (CoverageView("ready", None), ""),
        (CoverageView("recovering", "not_verified_yet"), "No worker has compared"),
        (RESTORED, "is being restored"),
        (CoverageView("retrying", "pipeline-history-repair-failed"), "tried again by itself"),
        (
            CoverageView(
                "incomplete", "pipeline-history-incomplete", persisted_membership_count=3, persisted_step_count=2
            ),
            "3 jobs and 2 steps are known, and no more will be",
        ),
    ],
)
def test_what_is_proven_of_a_run_is_said_in_words(found: CoverageView | None, words: str) -> None:
    assert words in coverage(found)
    assert bool(words) == bool(coverage(found))
