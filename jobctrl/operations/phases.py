"""How far a Discover execution is, its run, its steps and its members taken together. Pure."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence

from jobctrl.operations.groups import JobGroup
from jobctrl.operations.views import CohortView, CoverageView, Phase, Progress
from jobctrl.pipeline.membership import PlanState
from jobctrl.pipeline.runs import Run
from jobctrl.pipeline.steps import Step

TERMINAL = "terminal"
"""The item of the last pass of a kind. What an earlier pass left or lost, this one takes up."""
_ENDED = ("succeeded", "failed")
UNPROVEN = ("recovering", "retrying")
"""States of coverage in which nothing is said about the execution's work: what is missing may still come."""


def phase_of(run: Run, *, steps: Iterable[Step], members: Sequence[JobGroup], proven: bool = True) -> Phase:
    """Where an execution is. Not *proven* is one whose evidence ends before its work does."""
    if run.status == "in_progress":
        return "discovering"
    if run.status == "canceled":
        return "canceled"
    if run.status != "succeeded":
        return "failed"
    if any(group.open_stages() for group in members):
        return "draining"
    steps = list(steps)
    whole = proven and membership_closed(steps) and all(step.state == "succeeded" for step in steps if _matters(step))
    unread = bool(json.loads(run.summary).get("sourcesFailed"))
    troubled = any(group.is_troubled for group in members)
    return "completed" if whole and not unread and not troubled else "completed_with_issues"


def _matters(step: Step) -> bool:
    return step.step_kind in ("source_planning", "source_family") or step.item_key == TERMINAL


def membership_closed(steps: Iterable[Step]) -> bool:
    """Whether the last hand-on has ended: it comes after all observing, and decides about every member."""
    return any(_is(step, "preparation_fanout") and step.state in _ENDED for step in steps)


def plan_is_known(run: Run, steps: Sequence[Step]) -> bool:
    """Whether the source families are known: they are queued together once they are planned."""
    planned = any(step.step_kind == "source_planning" and step.state == "succeeded" for step in steps)
    return planned and (run.status != "in_progress" or any(step.step_kind == "source_family" for step in steps))


def progress_of(run: Run, steps: Sequence[Step]) -> Progress:
    """One for each source family, one for the last texts, one for the last hand-on."""
    if not plan_is_known(run, steps):
        return Progress(None, None, "plan_not_recorded")
    families = [step for step in steps if step.step_kind == "source_family"]
    passes = [step for step in steps if _is(step, "enrichment_pass") or _is(step, "preparation_fanout")]
    return Progress(sum(step.state in _ENDED for step in (*families, *passes)), len(families) + 2)


def _is(step: Step, kind: str) -> bool:
    return (step.step_kind, step.item_key) == (kind, TERMINAL)


def cohort(members: Iterable[JobGroup], withheld: str | None) -> CohortView:
    """The members in numbers; without any when they are *withheld*."""
    if withheld is not None:
        return CohortView(reason=withheld)
    plans: Counter[PlanState] = Counter()
    done = 0
    for group in members:
        if group.plan is not None:
            plans[group.plan.state] += group.jobs
            done += group.jobs if group.is_done else 0
    return CohortView(
        members=plans.total(),
        terminal=done,
        remaining=plans.total() - done,
        planned=plans[PlanState.PLANNED],
        not_eligible=plans[PlanState.NOT_ELIGIBLE],
        pending=plans[PlanState.PENDING],
        failed_plan=plans[PlanState.FAILED],
    )


def withheld(coverage: CoverageView | None) -> str | None:
    """Why the numbers of the selected execution are not told; None when they are."""
    return f"coverage_{coverage.state}" if coverage is not None and coverage.state in UNPROVEN else None
