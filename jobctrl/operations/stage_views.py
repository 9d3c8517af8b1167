"""Each stage in each scope, and the steps of the selected execution. Pure."""

from __future__ import annotations

from jobctrl.operations.estimates import Estimates
from jobctrl.operations.eta import Eta
from jobctrl.operations.groups import JOB_STAGES, SCOPES, Scope, job_counts
from jobctrl.operations.observed import MEMBERS, Observed
from jobctrl.operations.phases import plan_is_known
from jobctrl.operations.standings import Counts, step_counts
from jobctrl.operations.views import STAGES, Reconciliation, StageView, StepsView

_STEPS_OF = {
    "source_planning": ("source_planning",),
    "source_family": ("source_family",),
    "reconciliation": ("enrichment_pass", "preparation_fanout", "existing_backlog_sweep"),
}
_NOT_SEPARATE = {
    "execution_sweep": "no_separate_sweep_queue",
    "global_outside_execution": "no_global_domain_queue",
}
"""Steps belong to an execution and not to jobs: these scopes have none of their own."""


def stage_views(seen: Observed, estimates: Estimates) -> tuple[StageView, ...]:
    """The stages in the order of the work; without an execution for all jobs together."""
    scopes = SCOPES if seen.execution is not None else SCOPES[2:]
    jobs = {scope: job_counts(seen.of(scope), begins=scope in MEMBERS) for scope in scopes}
    return tuple(_view(seen, estimates, stage, scope, jobs[scope]) for stage in STAGES for scope in scopes)


def _view(seen: Observed, estimates: Estimates, stage: str, scope: Scope, jobs: dict[str, Counts]) -> StageView:
    label = STAGES[stage]
    unknown = Eta("unavailable", seen.at, "unknown_scope")
    if stage not in JOB_STAGES and scope in _NOT_SEPARATE:
        return StageView(stage, label, scope, None, _NOT_SEPARATE[scope], unknown)
    if scope in MEMBERS and seen.withheld is not None:
        return StageView(stage, label, scope, None, seen.withheld, unknown)
    if stage in JOB_STAGES:
        return StageView(stage, label, scope, jobs[stage], None, estimates.stage(stage, scope))
    eta = estimates.families() if stage == "source_family" else unknown
    return StageView(stage, label, scope, _steps(seen, *_STEPS_OF[stage]), None, eta)


def families(seen: Observed) -> StepsView | None:
    """The source families of the execution. Those that were planned and never begun wait while its run is open."""
    if seen.execution is None:
        return None
    if seen.withheld is not None:
        return StepsView(None, None, seen.withheld)
    found = _steps(seen, "source_family")
    if not plan_is_known(seen.execution, seen.steps):
        return StepsView(None, found, "plan_not_recorded")
    return StepsView(found.eligible, found)


def reconciliation(seen: Observed) -> Reconciliation | None:
    """The passes that take texts in and hand jobs on."""
    if seen.execution is None:
        return None
    if seen.withheld is not None:
        return Reconciliation(None, None, None, seen.withheld)
    return Reconciliation(
        _steps(seen, "enrichment_pass"), _steps(seen, "preparation_fanout"), _steps(seen, "existing_backlog_sweep")
    )


def _steps(seen: Observed, *kinds: str) -> Counts:
    return step_counts(seen.steps_of(*kinds), ended=seen.ended)
