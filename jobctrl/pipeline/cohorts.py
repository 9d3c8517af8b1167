"""Which jobs a pipeline run is about, decided once and kept: what is found later is the next run's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from temporalio import activity

from jobctrl.pipeline.order import PER_JOB
from jobctrl.pipeline.preselection import preselected
from jobctrl.pipeline.targets import derive_targets
from jobctrl.profile.state import CurrentProfile
from jobctrl.stages.machine import StageMachine
from jobctrl.stages.model import Stage, StageState
from jobctrl.store import Store, statements
from jobctrl.work import Blocking, Pulse

SQL = statements("jobctrl.pipeline", "cohorts.sql")
BATCH = 100
_FIRST_STAGE = {"score_job": "score", "tailor_resume": "tailor", "finish_materials": "cover"}


@dataclass(frozen=True)
class CohortInput:
    workspace: str
    stages: list[str]
    job_ids: list[str] = field(default_factory=list)
    """Empty takes what waits."""
    limit: int = 0
    rescore: bool = False
    retailor: bool = False


@dataclass(frozen=True)
class Cohorts:
    """The jobs that each stage begins with; those that a stage brings on join the next one."""

    jobs: dict[str, list[str]] = field(default_factory=dict)


@dataclass
class CohortActivities:
    store: Store
    blocking: Blocking
    min_score: Callable[[], int]
    profile: Callable[[], CurrentProfile | None]

    @activity.defn
    async def freeze_cohorts(self, cohort: CohortInput) -> Cohorts:
        """The jobs of a run; what is to be done again is opened. A repeat opens nothing twice."""
        return await self.blocking(lambda pulse: self._freeze(cohort, pulse))

    def _freeze(self, cohort: CohortInput, pulse: Pulse) -> Cohorts:
        stages = [stage for stage in PER_JOB if stage in cohort.stages]
        if cohort.rescore and "score" in stages:
            self._open(self._done(Stage.SCORE, cohort), (Stage.SCORE,), "rescore_requested", pulse)
        if cohort.retailor and "tailor" in stages:
            self._open(self._done(Stage.TAILOR, cohort), (Stage.TAILOR, Stage.COVER), "retailor_requested", pulse)
        if cohort.job_ids:
            return Cohorts({stages[0]: list(dict.fromkeys(cohort.job_ids))} if stages else {})
        return Cohorts(self._waiting(stages, cohort.limit))

    def _done(self, stage: Stage, cohort: CohortInput) -> list[str]:
        most = -1 if cohort.job_ids else cohort.limit or -1
        with self.store.reader() as connection:
            done = [row[0] for row in connection.execute(SQL["done"], {"stage": stage.value, "most": most})]
        return [job_id for job_id in done if not cohort.job_ids or job_id in cohort.job_ids]

    def _open(self, job_ids: Sequence[str], stages: Sequence[Stage], reason: str, pulse: Pulse) -> None:
        for first in range(0, len(job_ids), BATCH):
            pulse.beat(reason, first)
            with self.store.writer() as tx:
                for job_id in job_ids[first : first + BATCH]:
                    for stage in stages:
                        machine = StageMachine(tx, job_id, stage)
                        if machine.row.state == StageState.SUCCEEDED:
                            machine.mark_stale(reason)
                            machine.reset(reason=reason, attempts=True)

    def _waiting(self, stages: Sequence[str], limit: int) -> dict[str, list[str]]:
        current = self.profile()
        found = [
            target
            for target in derive_targets(self.store, min_score=self.min_score())
            if _FIRST_STAGE[target.kind] in stages
        ]
        if current is None or not found:
            return {}
        chosen = preselected(self.store, current.profile, found, limit=limit, now=self.store.clock())
        return {
            stage: [str(target.job_id) for target in chosen if _FIRST_STAGE[target.kind] == stage] for stage in stages
        }
