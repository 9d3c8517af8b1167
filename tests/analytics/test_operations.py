"""The present as frames and sentences, unknown numbers left empty."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from jobctrl.analytics.operations import SCOPES, active, operations_now, stages
from jobctrl.errors import WorkspaceError
from jobctrl.materials.files import ArtifactFiles
from jobctrl.operations.capacity import Capacity
from jobctrl.operations.eta import Eta
from jobctrl.operations.telling import headline, time_left, workers
from jobctrl.operator.reading import Reading
from tests.analytics.searches import Search
from tests.operations.test_snapshot import FRESH, detail, jobs, running, seen

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


@pytest.mark.parametrize("scope", SCOPES.values())
def test_unknown_counts_are_empty_cells(scope: str) -> None:
    frame = stages(seen(groups=[jobs(2, "succeeded"), jobs(3, member=False)]), scope=scope)

    assert frame.height == 8
    pdf = frame.filter(frame["stage"] == "Render PDFs").row(0, named=True)
    assert (pdf["processing"], pdf["waiting"]) == (None, 2 if scope == "current_execution" else 3)


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
        (Eta("stale", AT, "telemetry_stale"), "unknown: telemetry stale"),
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
