"""Every read table, and the store that folds them."""

from __future__ import annotations

from typing import Any

from jobctrl.discovery.registry import SOURCES
from jobctrl.discovery.state import JOB_CONTENTS, JOB_IDENTITIES
from jobctrl.enrichment.state import JOB_ENRICHMENTS
from jobctrl.errors import WorkspaceError
from jobctrl.materials.state import ARTIFACTS, JOB_MATERIALS
from jobctrl.operations.details import JOB_DETAILS
from jobctrl.operations.jobs import JOBS
from jobctrl.pipeline.receipts import PREPARATION_OUTCOMES
from jobctrl.pipeline.runs import WORKFLOW_RUNS
from jobctrl.pipeline.steps import PIPELINE_STEPS
from jobctrl.profile.state import PROFILES
from jobctrl.runtime.workspace import Workspace
from jobctrl.scoring.state import EXPLORATIONS, JOB_SCORES, SCORING_POLICIES
from jobctrl.spend.state import CHARGES
from jobctrl.stages.state import STAGE_STATES
from jobctrl.store import ReadTable, Store

TABLES: tuple[ReadTable[Any], ...] = (
    STAGE_STATES,
    CHARGES,
    SOURCES,
    JOB_IDENTITIES,
    JOB_CONTENTS,
    JOB_ENRICHMENTS,
    PROFILES,
    JOB_SCORES,
    SCORING_POLICIES,
    EXPLORATIONS,
    JOB_MATERIALS,
    ARTIFACTS,
    WORKFLOW_RUNS,
    PIPELINE_STEPS,
    PREPARATION_OUTCOMES,
    JOBS,
    JOB_DETAILS,
)
"""Every read table, in the order of the layers that own them."""


def open_store(workspace: Workspace, *, create: bool = False) -> Store:
    """Open a workspace's log. Raises WorkspaceError when there is none, or none that can be used."""
    if not create and not workspace.exists:
        raise WorkspaceError(
            f"There is no workspace in {workspace.path}.",
            hint="Make one with `jobctrl init`, or see the demo: `make demo`.",
        )
    workspace.create()
    return Store(workspace.database, TABLES)
