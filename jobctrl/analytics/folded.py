"""The folds behind the tables of the warehouse, to fold a part of the log without the workspace's own tables."""

from __future__ import annotations

from typing import Any

from jobctrl.analytics.tables import tables
from jobctrl.discovery.registry import SOURCES
from jobctrl.discovery.state import JOB_IDENTITIES
from jobctrl.enrichment.state import JOB_ENRICHMENTS
from jobctrl.materials.state import ARTIFACTS, JOB_MATERIALS
from jobctrl.operations.jobs import JOBS
from jobctrl.pipeline.receipts import PREPARATION_OUTCOMES
from jobctrl.pipeline.runs import WORKFLOW_RUNS
from jobctrl.pipeline.steps import PIPELINE_STEPS
from jobctrl.profile.state import PROFILES
from jobctrl.scoring.state import EXPLORATIONS, JOB_SCORES, SCORING_POLICIES
from jobctrl.spend.state import CHARGES
from jobctrl.stages.state import STAGE_STATES
from jobctrl.store import ReadTable

_KNOWN: tuple[ReadTable[Any], ...] = (
    STAGE_STATES,
    CHARGES,
    SOURCES,
    JOB_IDENTITIES,
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
)
FOLDED = tuple(each for each in _KNOWN if each.name in {table.name for table in tables()})
"""Those of them that the warehouse has a table of."""
