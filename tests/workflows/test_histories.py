"""Jobs that are running survive this version of the code: every kept history can be replayed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from temporalio.client import WorkflowHistory
from temporalio.contrib.pydantic import pydantic_data_converter
from temporalio.worker import Replayer
from temporalio.workflow import NondeterminismError

from jobctrl.runtime.worker import runner
from jobctrl.workflows.registry import WORKFLOWS
from tests.workflows.changed import HastyPreparation

HISTORIES = sorted((Path(__file__).parent / "histories").glob("*.json"))
PATHS = {
    *(f"discover-{path}" for path in ("success", "partial-failure", "failure", "retry", "cancel")),
    *(f"prepare-{path}" for path in ("success", "for-discover", "skipped", "failure", "retry", "cancel")),
    *(f"scheduled-{path}" for path in ("success", "failure", "cancel")),
    *(f"report-{path}" for path in ("success", "failure", "cancel")),
    *(f"probe-{path}" for path in ("success", "failure", "cancel")),
    *(f"pipeline-{path}" for path in ("success", "failure", "refused", "cancel", "parts")),
    *(f"pipeline-automatic-{path}" for path in ("success", "texts", "failure", "cancel")),
}


def replayer(workflows: list[type]) -> Replayer:
    return Replayer(workflows=workflows, data_converter=pydantic_data_converter, workflow_runner=runner())


def history(path: Path) -> WorkflowHistory:
    return WorkflowHistory.from_json(path.stem, path.read_text(encoding="utf-8"))


def test_each_path_has_its_history() -> None:
    assert {path.stem for path in HISTORIES} >= PATHS


@pytest.mark.parametrize("path", HISTORIES, ids=lambda path: path.stem)
async def test_running_jobs_survive_this_version_of_the_code(path: Path) -> None:
    await replayer(WORKFLOWS).replay_workflow(history(path))


@pytest.mark.parametrize("path", [path for path in HISTORIES if "prepare" in path.name], ids=lambda path: path.stem)
async def test_a_change_that_would_break_running_jobs_is_caught(path: Path) -> None:
    with pytest.raises(NondeterminismError):
        await replayer([HastyPreparation]).replay_workflow(history(path))


@pytest.mark.parametrize("path", HISTORIES, ids=lambda path: path.stem)
def test_a_history_names_no_machine(path: Path) -> None:
    text = path.read_text(encoding="utf-8")

    assert not re.search(r'\d+@|"/\w|stackTrace', text)
