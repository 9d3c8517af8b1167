"""Every workflow that a worker serves."""

from __future__ import annotations

from jobctrl.workflows.discover import DiscoverWorkflow
from jobctrl.workflows.preparation import JobPreparationWorkflow

WORKFLOWS: list[type] = [DiscoverWorkflow, JobPreparationWorkflow]
