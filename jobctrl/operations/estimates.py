"""What each estimate is asked: the work that is left, what wants the same slots, and what forbids a number. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from jobctrl.operations.active_items import stage_counts
from jobctrl.operations.eta import Demand, Eta, estimate
from jobctrl.operations.groups import SCOPES, JobGroup, Scope, demand, paths
from jobctrl.operations.observed import MEMBERS, Observed
from jobctrl.operations.phases import plan_is_known
from jobctrl.operations.standings import step_outcome

Way = tuple[tuple[str, ...], int]
"""Stages one after the other, and how many jobs have them before them."""
SOURCE_CAVEAT = "Sources differ: a family may take longer than those that were read lately."


class Estimates:
    def __init__(self, seen: Observed) -> None:
        self._seen = seen

    def overall(self) -> Eta:
        """How long until everything of the execution is done; without an execution there is nothing to be done with."""
        seen = self._seen
        members = seen.of(*MEMBERS)
        ways = self._ways(members)
        wanted = demand(ways)
        if families := sum(self._families()):
            wanted["source_family"] += families
        open_stages = [outcome for group in members for outcome in group.open_stages().values()]
        elsewhere = demand(self._contention(seen.groups))
        live = self._live(MEMBERS)
        base = self._base()
        return self._estimate(
            replace(
                base,
                remaining=wanted,
                paths=list(paths(ways)),
                elsewhere=elsewhere,
                live=live,
                known=seen.is_proven if seen.execution is not None else live == 0 and not elsewhere,
                closed=seen.is_closed,
                bounded=base.bounded and "failed" not in open_stages,
                held="blocked" in open_stages and not wanted,
                unsettled=bool(open_stages),
            )
        )

    def stage(self, stage: str, scope: Scope) -> Eta:
        """What is known to be left of one stage in one scope, when nothing else wants the slots."""
        seen = self._seen
        groups = seen.of(scope)
        here = demand(self._wanted_in(scope))
        wanted = {stage: here[stage]} if here[stage] else {}
        others = [way for other in SCOPES if other != scope for way in self._wanted_in(other)]
        alone = not any(count for each, count in here.items() if each != stage) and not demand(others)
        going_on = any(group.taken for group in groups) or (scope == "current_execution" and seen.is_open)
        base = self._base()
        return self._estimate(
            replace(
                base,
                remaining=wanted,
                paths=[(stage,)] if wanted else [],
                live=self._live((scope,), stage) if going_on else 0,
                known=seen.is_proven or scope not in MEMBERS,
                closed=bool(wanted) or scope not in MEMBERS or seen.is_closed,
                bounded=base.bounded and alone,
                unsettled=any(stage in group.open_stages() for group in groups),
            ),
            basis="stage_throughput",
        )

    def families(self) -> Eta:
        """How long the families that are known to be left may take, at the pace they are read now."""
        seen = self._seen
        waiting, processing = self._families()
        left = waiting + processing
        running = (seen.runtime.counts or {}).get("discovery_source_family", 0)
        free = seen.runtime.capacity.available_slots or 0
        base = self._base()
        return self._estimate(
            replace(
                base,
                remaining={"source_family": left} if left else {},
                paths=[("source_family",)] if left else [],
                live=self._live(MEMBERS[:1], "source_family") if seen.is_open else 0,
                known=seen.is_proven and seen.execution is not None and plan_is_known(seen.execution, seen.steps),
                closed=bool(left) or seen.is_closed,
                # Each preparation of the sweep that has not begun will want a slot, and one only at a time.
                bounded=base.bounded and self._unstarted_sweep() <= free,
            ),
            slots=min(processing, running),
            basis="source_rate",
            caveat=SOURCE_CAVEAT,
        )

    def _families(self) -> tuple[int, int]:
        """Those that wait, and those that are being read."""
        outcomes = [step_outcome(step.state, ended=self._seen.ended) for step in self._seen.steps_of("source_family")]
        return outcomes.count("waiting"), outcomes.count("processing")

    def _unstarted_sweep(self) -> int:
        return sum(
            group.jobs
            for group in self._seen.of("execution_sweep")
            if group.wanted(handing_on=False) and "processing" not in group.outcomes().values()
        )

    def _wanted_in(self, scope: Scope) -> list[Way]:
        groups = self._seen.of(scope)
        return self._ways(groups) if scope in MEMBERS else self._contention(groups)

    def _ways(self, members: Iterable[JobGroup]) -> list[Way]:
        return [(group.wanted(handing_on=self._seen.is_open), group.jobs) for group in members]

    def _contention(self, groups: Iterable[JobGroup]) -> list[Way]:
        return [(group.contends(), group.jobs) for group in groups]

    def _live(self, scopes: Collection[Scope], stage: str | None = None) -> int | None:
        """Activities of the scopes; None when one cannot be told from others, or is not listed."""
        seen = self._seen
        if not seen.is_open and not any(group.taken for group in seen.of(*scopes)):
            # No run of theirs is open, and an activity lives no longer than its run.
            return 0
        counts = stage_counts(seen.runtime.counts)
        if stage is not None and counts is not None and not counts.get(stage):
            return 0
        if seen.runtime.total is None or seen.runtime.truncated:
            return None
        items = [item for item in seen.items if stage in (None, item.stage)]
        return None if any(item.scope is None for item in items) else sum(item.scope in scopes for item in items)

    def _base(self) -> Demand:
        """What holds of every estimate."""
        seen = self._seen
        retried = any(group.contends() and "failed" in group.outcomes().values() for group in seen.groups)
        queue = seen.runtime.capacity.approximate_task_queue
        return Demand(
            remaining={},
            paths=[],
            elsewhere={},
            live=None,
            bounded=not (retried or seen.unpriced_runs or seen.runtime.truncated or queue.status != "available"),
            budget_used_up=seen.budget_used_up,
        )

    def _estimate(self, wanted: Demand, **how: object) -> Eta:
        seen = self._seen
        return estimate(wanted, seen.samples, seen.runtime.capacity, seen.at, **how)  # type: ignore[arg-type]
