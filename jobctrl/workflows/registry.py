"""Every workflow that a worker serves."""

from __future__ import annotations

from jobctrl.workflows.discover import DiscoverWorkflow
from jobctrl.workflows.pipeline import JobPipelineWorkflow
from jobctrl.workflows.preparation import JobPreparationWorkflow
from jobctrl.workflows.probe import DurabilityProbeWorkflow
from jobctrl.workflows.reporting import WeeklyReportWorkflow
from jobctrl.workflows.scheduled import ScheduledDiscoverWorkflow

WORKFLOWS: list[type] = [
    DiscoverWorkflow,
    JobPipelineWorkflow,
    JobPreparationWorkflow,
    ScheduledDiscoverWorkflow,
    WeeklyReportWorkflow,
    DurabilityProbeWorkflow,
]
