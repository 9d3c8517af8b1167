"""What a person does with work: start it, look at it, stop it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from jobctrl.errors import InvalidRequest, MissingInput
from jobctrl.operations.board import job_id_of
from jobctrl.operator.dispatch import Dispatch, Started
from jobctrl.pipeline.preselection import preselected
from jobctrl.pipeline.targets import STEPS, derive_targets
from jobctrl.profile.state import Profiles
from jobctrl.settings.config import load_settings
from jobctrl.store import Store
from jobctrl.workflows.discover import DiscoverInput
from jobctrl.workflows.ids import TARGET_VERSION, preparation_key
from jobctrl.workflows.preparation import PreparationInput


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

    def cancel_run(self, workflow_id: str) -> str:
        """Ask a run to stop; what it has finished stays. Raises NotFound when no such run is open."""
        self.dispatch.cancel(workflow_id)
        return f"Asked {workflow_id} to stop."
