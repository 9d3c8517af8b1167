"""Running stages and trying again, from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from jobctrl.materials.state import JOB_MATERIALS, Materials
from jobctrl.runtime.tables import open_store
from jobctrl.runtime.workspace import workspace_at
from jobctrl.stages.machine import StageMachine
from jobctrl.stages.model import Stage
from tests.cli.conftest import Run

pytestmark = pytest.mark.temporal


def test_stages_are_run_and_counted(searched: Run) -> None:
    done = searched("run", "tailor", "score", "--limit", "2", "--json").json

    assert done["run"]["status"] == "succeeded"
    assert list(done["counts"]) == ["score", "tailor"]
    assert done["counts"]["score"]["done"] + done["counts"]["tailor"]["done"] >= 2


def test_a_named_job_is_scored_again(searched: Run) -> None:
    job_id = searched("jobs", "--limit", "1", "--json").json[0]["job_id"]

    said = searched("run", "score", "--job", job_id, "--rescore")

    assert (said.code, said.err) == (0, "")
    assert "The run succeeded." in said.out
    history = searched("show", job_id, "--json").json["history"]
    assert [each["event"] for each in history].count("JobScored") == 2


def materials(workspace: Path, job_id: str) -> Materials:
    store = open_store(workspace_at(workspace))
    with store.reader() as connection:
        found = JOB_MATERIALS.get(connection, job_id)
    store.close()
    assert found is not None
    return found


def test_tailoring_again_makes_the_whole_set_anew(searched: Run, tmp_path: Path) -> None:
    job_id = searched("jobs", "--limit", "1", "--json").json[0]["job_id"]
    before = materials(tmp_path / "workspace", job_id)

    said = searched("run", "tailor", "cover", "--job", job_id, "--retailor")

    after = materials(tmp_path / "workspace", job_id)
    assert (said.code, said.err) == (0, "")
    assert (before.lifecycle, after.lifecycle) == ("complete", "complete")
    assert after.generation == before.generation + 1


def test_what_failed_is_run_again_to_its_end(searched: Run, tmp_path: Path) -> None:
    job_id = searched("jobs", "--limit", "1", "--json").json[0]["job_id"]
    store = open_store(workspace_at(tmp_path / "workspace"))
    with store.writer() as tx:
        machine = StageMachine(tx, job_id, Stage.SCORE)
        machine.mark_stale("test")
        machine.reset(reason="test", attempts=True)
        for _ in range(3):
            machine.start()
            machine.fail("llm_transient", "No answer.", retryable=True)
    store.close()
    assert searched("run", "score", "--job", job_id).code == 2

    done = searched("retry", "all", "--failed", "--run", "--json").json

    assert done["retried"]["reset"] == [{"job_id": job_id, "stage": "score"}]
    [ran] = done["ran"]
    assert {stage: count["done"] for stage, count in ran["counts"].items()} == {"score": 1, "tailor": 1, "cover": 1}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("run", "apply"), "approval"),
        (("run", "score", "apply"), "approval"),
        (("run", "polish"), "polish"),
        (("run", "discover", "--job", "x"), "whole boards"),
        (("retry", "score"), "--failed"),
        (("retry", "score", "abcdef", "--failed"), "--failed"),
        (("retry", "apply", "abcdef"), "apply"),
        (("retry", "score", "--failed", "--reset-attempts"), "--reset-attempts"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_what_cannot_be_done_is_refused_with_its_reason(searched: Run, arguments: tuple[str, ...], words: str) -> None:
    said = searched(*arguments)

    assert (said.code, said.out) == (2, "")
    assert words in said.err


def test_a_stage_that_has_its_result_is_not_opened(searched: Run) -> None:
    job_id = searched("jobs", "--limit", "1", "--json").json[0]["job_id"]

    said = searched("retry", "score", job_id)

    assert (said.code, said.out) == (2, "")
    assert "--rescore" in said.err


def test_where_nothing_failed_nothing_is_opened(searched: Run) -> None:
    said = searched("retry", "all", "--failed")

    assert (said.code, said.out.strip(), said.err) == (0, "Nothing to open.", "")
    assert searched("retry", "tailor", "--failed", "--run", "--json").json == {
        "retried": {"reset": [], "runs": []},
        "ran": [],
    }
