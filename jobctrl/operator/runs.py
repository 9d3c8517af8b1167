"""What a person does with work: start it, try it again, stop it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jobctrl.errors import InvalidRequest, MissingInput, NotFound
from jobctrl.operations.board import job_id_of
from jobctrl.operator.dispatch import Dispatch, Started
from jobctrl.pipeline.eligibility import PREPARATION, WORDS, Known, first_undone, why_not
from jobctrl.pipeline.order import PER_JOB, continuation, in_order
from jobctrl.pipeline.preselection import preselected
from jobctrl.pipeline.retries import Reset, failed_stages, known_of, reset_stage, stage_to_retry
from jobctrl.pipeline.runs import WORKFLOW_RUNS, Run
from jobctrl.pipeline.targets import STEPS, derive_targets
from jobctrl.profile.state import Profiles
from jobctrl.settings.config import load_settings
from jobctrl.stages.model import Stage
from jobctrl.store import Store
from jobctrl.workflows.discover import DiscoverInput
from jobctrl.workflows.ids import TARGET_VERSION, preparation_key
from jobctrl.workflows.pipeline import PipelineInput
from jobctrl.workflows.preparation import PreparationInput

MOST_AT_ONCE = 16


@dataclass(frozen=True)
class Retried:
    """What was opened again, and the runs that take it up, if that was asked for."""

    reset: list[Reset] = field(default_factory=list)
    runs: list[Started] = field(default_factory=list)


@dataclass(frozen=True)
class JobsRun:
    """Which of the named jobs go on, by the stage they go on with, the runs that do it, and why the others do not."""

    stages: dict[str, list[str]] = field(default_factory=dict)
    runs: list[Started] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)
    """The reason code of each job that is left: a key of `jobctrl.pipeline.eligibility.WORDS`."""


class RunActions:
    store: Store
    dispatch: Dispatch
    profiles: Profiles
    config: Path
    min_score: Callable[[], int]

    def start_discover(
        self, *, web: str = "live", source_ids: tuple[str, ...] = (), limit: int = 0, prepare: bool = True
    ) -> Started:
        """Start reading the boards, or join the run that does. Without a profile nothing can be prepared."""
        ready = prepare and self.profiles.current() is not None
        return self.dispatch.discover(
            DiscoverInput(
                self.store.workspace_id,
                web,
                list(source_ids),
                workers=load_settings(self.config).pipeline_internal_concurrency,
                limit=limit,
                prepare=ready,
            )
        )

    def start_preparation(
        self, *, keys: tuple[str, ...] = (), steps: tuple[str, ...] = STEPS, limit: int = 0
    ) -> list[Started]:
        """Prepare the jobs named by *keys*, or every job that can go a step further."""
        profile = self.profiles.required().profile
        unknown = [step for step in steps if step not in STEPS]
        if unknown:
            raise InvalidRequest(f"There are no such steps: {', '.join(unknown)}; these are: {', '.join(STEPS)}.")
        found = derive_targets(self.store, min_score=self.min_score())
        if keys:
            with self.store.reader() as connection:
                wanted = {job_id_of(connection, key) for key in keys}
            found = [target for target in found if target.job_id in wanted]
            if not found:
                raise MissingInput(
                    "There is nothing to prepare for these jobs.", hint="`jobctrl show JOB` says where each stands."
                )
        wanted_steps = [target for target in found if set(target.steps) & set(steps)]
        chosen = preselected(self.store, profile, wanted_steps, limit=limit, now=self.store.clock())
        return self.dispatch.prepare(
            [
                PreparationInput(
                    workspace=self.store.workspace_id,
                    job_id=target.job_id,
                    steps=[step for step in target.steps if step in steps],
                    key=preparation_key(
                        target.job_id, f"{target.kind}:{','.join(steps)}", TARGET_VERSION, target.source_event_id
                    ),
                )
                for target in chosen
            ]
        )

    def run_stages(
        self,
        stages: Sequence[str],
        *,
        keys: tuple[str, ...] = (),
        web: str = "live",
        limit: int = 0,
        workers: int = 0,
        rescore: bool = False,
        retailor: bool = False,
    ) -> Started:
        """Run *stages* one after the other, over the jobs named by *keys* or all that wait; 0 workers is the setting.

        Raises InvalidRequest for what cannot be run, MissingInput when nothing is to be done for the named jobs.
        """
        asked = in_order(stages)
        _check_choices(asked, keys, limit, workers, rescore=rescore, retailor=retailor)
        if asked == ["discover"]:
            return self.start_discover(web=web, limit=limit, prepare=False)
        if any(stage in PER_JOB for stage in asked):
            self.profiles.required()
        again = frozenset({Stage.SCORE} if rescore else ()) | frozenset({Stage.TAILOR} if retailor else ())
        return self._run(
            asked,
            self._runnable(asked, keys, again) if keys else [],
            web=web,
            limit=limit,
            workers=workers,
            rescore=rescore,
            retailor=retailor,
        )

    def retry(
        self, stage: str, key: str, *, reset_attempts: bool = False, run_after: bool = False, web: str = "live"
    ) -> Retried:
        """Open one stage of a job again; *run_after* also runs it and what follows.

        Raises NotFound, InvalidRequest for a stage that may not be reset, and, with *run_after*, TransientNetwork
        when no worker serves the workspace: then nothing has changed.
        """
        which = stage_to_retry(stage)
        if run_after:
            self._check_can_run(which)
        with self.store.writer() as tx:
            job_id = job_id_of(tx.connection, key)
            changed = reset_stage(tx, job_id, which, attempts=reset_attempts, min_score=self.min_score())
        reset = [Reset(job_id, stage)] if changed else []
        return Retried(reset, [self._continue(stage, [job_id], web)] if run_after else [])

    def retry_failed(self, stage: str | None = None, *, run_after: bool = False, web: str = "live") -> Retried:
        """Open every failed stage that is worth another try, or only those of *stage*; *run_after* as in `retry`."""
        asked = PREPARATION if stage is None else (stage_to_retry(stage),)
        if run_after:
            self._check_can_run(asked[-1])
        with self.store.writer() as tx:
            failed = failed_stages(tx.connection, asked)
            for each in failed:
                reset_stage(tx, each.job_id, Stage(each.stage), attempts=False, min_score=self.min_score())
        if not run_after:
            return Retried(failed)
        by_stage = {which.value: [each.job_id for each in failed if each.stage == which] for which in asked}
        return Retried(failed, [self._continue(name, job_ids, web) for name, job_ids in by_stage.items() if job_ids])

    def run_job_stage(self, stage: str, key: str, *, web: str = "live") -> JobsRun:
        """Run one stage of a job, and what follows, if it waits and has what it needs.

        Raises NotFound, InvalidRequest for a stage that is not run job by job, and TransientNetwork without a worker.
        """
        which = stage_to_retry(stage)
        return self._run_eligible((key,), lambda known: which, web)

    def run_pending(self, keys: Sequence[str], *, web: str = "live") -> JobsRun:
        """Run, for each named job, the first stage that it is without, and what follows; a run for each such stage."""
        return self._run_eligible(keys, lambda known: first_undone(PREPARATION, known), web)

    def _run_eligible(self, keys: Sequence[str], stage_for: Callable[[Known], Stage | None], web: str) -> JobsRun:
        chosen: dict[str, list[str]] = {}
        refused: dict[str, str] = {}
        with self.store.reader() as connection:
            for job_id in dict.fromkeys(job_id_of(connection, key) for key in keys):
                known = known_of(connection, job_id)
                stage = stage_for(known)
                reason = why_not([stage] if stage else PREPARATION, known, min_score=self.min_score())
                if reason or stage is None:
                    refused[job_id] = reason
                else:
                    chosen.setdefault(stage.value, []).append(job_id)
        for name in chosen:
            self._check_can_run(Stage(name))
        return JobsRun(chosen, [self._continue(name, job_ids, web) for name, job_ids in chosen.items()], refused)

    def _check_can_run(self, stage: Stage) -> None:
        """All that a start needs, asked before anything is changed for it."""
        self.dispatch.check_ready()
        if any(each in PER_JOB for each in continuation(stage.value)):
            self.profiles.required()

    def _continue(self, stage: str, job_ids: list[str], web: str) -> Started:
        # A run that was asked for before the reset may be past these jobs: it does not stand in for this one.
        return self._run(continuation(stage), job_ids, web=web, after=self.store.position())

    def _run(
        self,
        stages: list[str],
        job_ids: list[str],
        *,
        web: str,
        limit: int = 0,
        workers: int = 0,
        rescore: bool = False,
        retailor: bool = False,
        after: int = 0,
    ) -> Started:
        return self.dispatch.pipeline(
            PipelineInput(
                self.store.workspace_id,
                stages,
                web,
                job_ids,
                limit,
                workers or load_settings(self.config).pipeline_internal_concurrency,
                rescore,
                retailor,
                after,
            )
        )

    def _runnable(self, stages: list[str], keys: tuple[str, ...], again: frozenset[Stage]) -> list[str]:
        """Those of the named jobs that a stage can be run for. Raises MissingInput when there is none."""
        with self.store.reader() as connection:
            named = {job_id_of(connection, key): key for key in keys}
            reasons = {
                job_id: why_not(
                    [Stage(stage) for stage in stages],
                    known_of(connection, job_id),
                    min_score=self.min_score(),
                    again=again,
                )
                for job_id in named
            }
        runnable = [job_id for job_id, reason in reasons.items() if not reason]
        if not runnable:
            told = "; ".join(f"{named[job_id]}: {WORDS[reason]}" for job_id, reason in list(reasons.items())[:5])
            raise MissingInput(f"There is nothing to run for these jobs: {told}.")
        return runnable

    def newest_run(self, workflow_id: str) -> Run:
        """The newest run of that id. Raises NotFound."""
        with self.store.reader() as connection:
            found = WORKFLOW_RUNS.all(connection, "workflow_id = ? ORDER BY started_at DESC LIMIT 1", (workflow_id,))
        if not found:
            raise NotFound(f"There is no run {workflow_id}.", hint="`jobctrl runs` lists them.")
        return found[0]

    def cancel_run(self, workflow_id: str) -> str:
        """Ask a run to stop; what it has finished stays. Raises NotFound when no such run is open."""
        self.dispatch.cancel(workflow_id)
        return f"Asked {workflow_id} to stop."


def _check_choices(
    stages: list[str], keys: tuple[str, ...], limit: int, workers: int, *, rescore: bool, retailor: bool
) -> None:
    """Raises InvalidRequest for choices that do not go together."""
    if keys and "discover" in stages:
        raise InvalidRequest("Discover reads whole boards; ask for the stages of these jobs without it.")
    if rescore and "score" not in stages:
        raise InvalidRequest("Scoring again needs the stage score.")
    if retailor and "tailor" not in stages:
        raise InvalidRequest("Tailoring again needs the stage tailor.")
    if limit < 0 or not 0 <= workers <= MOST_AT_ONCE:
        raise InvalidRequest(f"The limit is 0 or more, and there are 1 to {MOST_AT_ONCE} workers.")
