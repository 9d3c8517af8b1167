"""Jobs that stand alike: how far each stage of theirs is, what is left, and whether their execution is done. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from jobctrl.operations.standings import OPEN, OUTCOMES, Counts, Outcome, counts, step_outcome
from jobctrl.pipeline.membership import PlanState

Scope = Literal["current_execution", "execution_sweep", "global_outside_execution"]
SCOPES: tuple[Scope, ...] = ("current_execution", "execution_sweep", "global_outside_execution")
JOB_STAGES = ("enrich", "score", "tailor", "cover", "pdf_render")
AT_REST = ("blocked", "failed", "exhausted", "canceled", "needs_verification", "stale", "skipped")
"""Ends, or waits for a person: what comes after cannot be reached from here."""
STOPPED = ("failed", "canceled", "timed_out", "terminated")
"""How a run ends that has not done what it was started for."""
TROUBLE = ("failed", "exhausted", "canceled", "needs_verification", "unknown")


@dataclass(frozen=True)
class Plan:
    """What an execution decided about its members, and what is proven of them."""

    state: PlanState
    steps: tuple[str, ...] = ()
    """score, tailor, cover, pdf: those that were planned."""
    owner: str | None = None
    """The status of the preparation that was planned; None when no run of it is recorded."""
    pdf: str | None = None
    """The state of the rendering as it was recorded."""
    receipt: Literal["succeeded", "skipped"] | None = None
    """What the exact history of the preparation proves of a rendering that was not recorded."""
    hold: Literal["recorded", "proven"] | None = None
    """Whether the score ruled the job out; proven when this very preparation found that and stopped there."""

    @property
    def is_stopped(self) -> bool:
        return self.owner in STOPPED

    @property
    def required(self) -> tuple[str, ...]:
        """The stages that were planned."""
        return tuple("pdf_render" if step == "pdf" else step for step in self.steps)


@dataclass(frozen=True)
class JobGroup:
    """Jobs that stand alike: how many there are."""

    scope: Scope
    enrich: str
    score: str
    tailor: str
    cover: str
    jobs: int
    prepared: bool = False
    """Whether a run of their own has not ended."""
    closed: bool = False
    """Whether the posting is known to be closed."""
    complete: bool = False
    """Whether the PDFs of the materials that stand are all there."""
    retryable: frozenset[str] = frozenset()
    """The stages that failed or are blocked, and may go on when tried again."""
    plan: Plan | None = None
    """None outside the selected execution."""

    @property
    def taken(self) -> bool:
        """Whether a run has these jobs in hand: one of their own, or one that runs a stage of many jobs."""
        return self.prepared or any(state in ("queued", "running") for state in self._states().values())

    def _states(self) -> dict[str, str]:
        return {"enrich": self.enrich, "score": self.score, "tailor": self.tailor, "cover": self.cover}

    def outcomes(self) -> dict[str, Outcome]:
        """Each stage in a word. A stage that cannot be reached is blocked, whatever its own row says."""
        found: dict[str, Outcome] = {}
        reachable = not self.closed
        for stage, state in self._states().items():
            outcome = OUTCOMES.get(state, "unknown")
            found[stage] = "blocked" if outcome == "waiting" and not reachable else outcome
            # A letter that was left out leaves the resume to be rendered.
            if state in AT_REST and (stage, state) != ("cover", "skipped"):
                reachable = False
        planned = self.plan is not None and "pdf" in self.plan.steps
        found["pdf_render"] = self._planned_pdf(self.plan, found) if planned and self.plan else self._pdf(found)
        return found

    def _pdf(self, found: dict[str, Outcome]) -> Outcome:
        """No plan tells of PDFs; they are there, or they follow what they are made from."""
        if self.complete:
            return "succeeded"
        for stage in ("tailor", "cover"):
            if found[stage] in OPEN:
                return "waiting"
            if found[stage] not in ("succeeded", "skipped"):
                return "blocked"
        if found["tailor"] == "skipped":
            return "skipped"
        return "blocked" if self.closed else "waiting"

    def _planned_pdf(self, plan: Plan, found: dict[str, Outcome]) -> Outcome:
        """What is recorded of it, else what is proven, else what follows from the stages before it; never a guess."""
        ended = plan.owner is not None and plan.owner != "in_progress"
        if plan.pdf is not None:
            return step_outcome(plan.pdf, ended=ended)
        if plan.receipt is not None:
            return plan.receipt
        before = [stage for stage in plan.required if stage != "pdf_render"]
        if not ended:
            return "waiting" if any(found[stage] in OPEN for stage in before) else "unknown"
        if plan.is_stopped:
            if self.closed or any(self._is_final(plan, stage, found[stage]) for stage in before):
                return "blocked"
            if any(found[stage] == "canceled" for stage in before):
                return "canceled"
        return "unknown"

    def _is_final(self, plan: Plan, stage: str, outcome: Outcome) -> bool:
        """Whether the stage has come to its end for good, without a result."""
        if outcome == "blocked":
            return plan.hold is not None and self._states()[stage] == "blocked"
        return outcome == "exhausted" or (outcome == "failed" and stage not in self.retryable)

    def left(self) -> tuple[str, ...]:
        """The stages that are still before these jobs, in order."""
        return tuple(stage for stage, outcome in self.outcomes().items() if outcome in OPEN)

    def wanted(self, *, handing_on: bool) -> tuple[str, ...]:
        """What is left of it for its execution; *handing_on* while that one still takes texts in."""
        if self.plan is None or self.plan.state is PlanState.NOT_ELIGIBLE:
            return ()
        left = self.left()
        if self.plan.state is PlanState.PLANNED:
            return tuple(stage for stage in left if stage in self.plan.required)
        if self.taken:
            return left
        return left[:1] if handing_on and left[:1] == ("enrich",) else ()

    def contends(self) -> tuple[str, ...]:
        """What a run does for these jobs though no execution that is looked at wants it."""
        foreign = self.plan is None or self.plan.state is PlanState.NOT_ELIGIBLE
        return self.left() if foreign and self.taken else ()

    def open_stages(self) -> dict[str, Outcome]:
        """The planned stages of a member that may still go on, or of which nobody knows."""
        if self.plan is None or self.plan.state is not PlanState.PLANNED:
            return {}
        found = self.outcomes()
        return {stage: found[stage] for stage in self.plan.required if self._may_go_on(self.plan, stage, found[stage])}

    def _may_go_on(self, plan: Plan, stage: str, outcome: Outcome) -> bool:
        match outcome:
            case "waiting" | "processing":
                return True
            case "failed":
                return stage in self.retryable and not plan.is_stopped
            case "unknown":
                return not plan.is_stopped
            case "blocked" if self._states().get(stage) == "blocked":
                if plan.hold is not None:
                    return plan.hold == "recorded" and not plan.is_stopped
                # What failed before it explains a block that is for good.
                return stage in self.retryable
            case _:
                return False

    @property
    def moves(self) -> bool:
        """Whether something of these members goes on by itself, or by being tried again."""
        return any(outcome in (*OPEN, "failed") for outcome in self.open_stages().values())

    @property
    def is_done(self) -> bool:
        """Whether the execution has nothing left to do for these members."""
        if self.plan is None or self.plan.state is PlanState.NOT_ELIGIBLE:
            return True
        return self.plan.state is PlanState.PLANNED and not self.open_stages()

    @property
    def is_troubled(self) -> bool:
        """Whether something of these members went wrong, or was never decided."""
        if self.plan is None:
            return False
        found = self.outcomes()
        if self.plan.state is PlanState.NOT_ELIGIBLE:
            return found["enrich"] in ("failed", "exhausted")
        stages = ("enrich", *self.plan.required)
        return (
            self.plan.state is not PlanState.PLANNED
            or not self.plan.steps
            or any(found[stage] in TROUBLE for stage in stages)
        )


def job_counts(groups: Iterable[JobGroup], *, begins: bool) -> dict[str, Counts]:
    """The counts of each stage over *groups*. What an execution decided to leave alone is no work of it.

    *begins* whether the log tells when the rendering of a PDF began; it does for the members of an execution.
    """
    found: dict[str, Counter[Outcome]] = {stage: Counter() for stage in JOB_STAGES}
    for group in groups:
        if group.plan is not None and group.plan.state is PlanState.NOT_ELIGIBLE:
            continue
        for stage, outcome in group.outcomes().items():
            found[stage][outcome] += group.jobs
    return {stage: counts(each, begins=begins or stage != "pdf_render") for stage, each in found.items()}


def demand(ways: Iterable[tuple[tuple[str, ...], int]]) -> Counter[str]:
    """How many jobs still have each stage before them."""
    wanted: Counter[str] = Counter()
    for stages, jobs in ways:
        for stage in stages:
            wanted[stage] += jobs
    return wanted


def paths(ways: Iterable[tuple[tuple[str, ...], int]]) -> Iterator[tuple[str, ...]]:
    """Each way that is left, once."""
    yield from dict.fromkeys(stages for stages, _ in ways if stages)
