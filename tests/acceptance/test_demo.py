"""`make demo`, as a newcomer meets it: the whole search, twice, and every desk opened on what it left."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from tests.notebooks.conftest import DESKS, desk

pytestmark = pytest.mark.slow
JOBCTRL = Path(sys.executable).parent / "jobctrl"


@dataclass
class Played:
    workspace: Path
    first: subprocess.CompletedProcess[str]
    again: subprocess.CompletedProcess[str]
    jobs: list[dict[str, Any]]
    jobs_again: list[dict[str, Any]]


def run(workspace: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [JOBCTRL, "--workspace", workspace, *arguments], capture_output=True, text=True, timeout=300, check=False
    )


def jobs_of(workspace: Path) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = json.loads(run(workspace, "jobs", "--limit", "0", "--closed", "--json").stdout)
    return listed


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    workspace = tmp_path_factory.mktemp("demo") / "workspace"
    first = run(workspace, "demo")
    jobs = jobs_of(workspace)
    return Played(workspace, first, run(workspace, "demo"), jobs, jobs_of(workspace))


@contextmanager
def log(played: Played) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(played.workspace / "jobctrl.db")) as connection:
        yield connection


def test_it_succeeds_and_says_what_to_open_next(played: Played) -> None:
    assert played.first.returncode == 0, played.first.stderr
    assert "The run succeeded" in played.first.stdout
    assert "What to open next" in played.first.stdout
    assert "Traceback" not in played.first.stdout + played.first.stderr


def test_a_second_run_changes_nothing_a_person_sees(played: Played) -> None:
    assert played.again.returncode == 0
    assert "no new jobs" in played.again.stdout
    assert played.jobs_again == played.jobs


def test_every_row_the_boards_returned_is_accounted_for(played: Played) -> None:
    with log(played) as connection:
        rows = connection.execute(
            "SELECT payload FROM job_events WHERE event_type = 'DiscoveryRunCompleted'"
        ).fetchall()

    read = [json.loads(payload) for (payload,) in rows]
    assert len(read) > 30
    for counts in read:
        assert counts["returned"] == sum(counts[name] for name in ("admitted", "merged", "filtered", "rejected"))


def test_scores_spread_and_materials_are_prepared_for_the_good_ones_alone(played: Played) -> None:
    scored = [job for job in played.jobs if job["fit_score"] is not None]

    assert len(scored) > 80
    assert {job["fit_band"] for job in scored} >= {"excellent", "strong", "plausible", "stretch"}
    assert all(job["fit_score"] >= 7 for job in scored if job["has_resume"])
    assert sum(job["has_pdf"] and job["has_letter"] for job in scored) > 40


def test_no_run_is_left_open_and_each_ended_once(played: Played) -> None:
    ended = ("WorkflowCompleted", "WorkflowFailed", "WorkflowCanceled", "WorkflowTimedOut", "WorkflowTerminated")
    with log(played) as connection:
        open_runs = connection.execute("SELECT COUNT(*) FROM workflow_runs WHERE status = 'in_progress'").fetchone()[0]
        twice = connection.execute(
            "SELECT stream FROM job_events WHERE event_type IN (?, ?, ?, ?, ?) GROUP BY stream HAVING COUNT(*) > 1",
            ended,
        ).fetchall()

    assert open_runs == 0
    assert twice == []


def test_resumes_say_the_name_whole_on_one_or_two_pages(played: Played) -> None:
    with log(played) as connection:
        refs = connection.execute("SELECT content_ref FROM artifacts WHERE kind = 'resume_pdf' LIMIT 2").fetchall()

    assert len(refs) == 2
    for (ref,) in refs:
        pages = PdfReader(played.workspace / "artifacts" / ref[:2] / f"{ref}.pdf").pages
        text = "\n".join(page.extract_text() for page in pages)
        assert 1 <= len(pages) <= 2
        assert "Łucja Doğan-Frémont" in text
        assert "\x00" not in text
        assert text.index("Summary") < text.index("Experience") < text.index("Skills")


@pytest.mark.parametrize("name", DESKS)
def test_opening_a_desk_on_it_records_nothing(played: Played, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JOBCTRL_DIR", str(played.workspace))
    with log(played) as connection:
        before = connection.execute("SELECT MAX(position) FROM job_events").fetchone()

    outputs, _ = desk(name).app.run()

    with log(played) as connection:
        after = connection.execute("SELECT MAX(position) FROM job_events").fetchone()
    assert after == before
    assert sum(output is not None for output in outputs) >= 3


def test_the_report_is_one_page_that_asks_nothing_of_the_network(played: Played) -> None:
    page = (played.workspace / "reports" / "calibration" / "calibration.html").read_text(encoding="utf-8")

    assert "simulated" in page.lower()
    assert "<script src" not in page
    assert "https://cdn" not in page
    assert os.path.getsize(played.workspace / "reports" / "calibration" / "calibration.ipynb") > 0
