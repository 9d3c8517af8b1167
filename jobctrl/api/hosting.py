"""What runs the workspace at this moment. The API outlives many an `up`, so it is asked anew each time."""

from __future__ import annotations

from jobctrl.operator import Dispatch, Operator, Started
from jobctrl.runtime.starting import TemporalDispatch
from jobctrl.runtime.workspace import Workspace, is_hosted, workspace_at
from jobctrl.settings.environment import Environment
from jobctrl.store import Store
from jobctrl.workflows.discover import DiscoverInput
from jobctrl.workflows.preparation import PreparationInput


def is_served(operator: Operator) -> bool:
    """Whether work can be started: a host of this workspace on this machine, or a Temporal server named for it."""
    return _address(workspace_at(operator.store.path.parent), Environment()) is not None


class PresentDispatch(Dispatch):
    """Sends each run to whatever hosts the workspace when it is asked. Raises TransientNetwork when nothing does."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._environment = Environment()

    def discover(self, input: DiscoverInput) -> Started:
        return self._now().discover(input)

    def prepare(self, inputs: list[PreparationInput]) -> list[Started]:
        return self._now().prepare(inputs)

    def cancel(self, workflow_id: str) -> None:
        self._now().cancel(workflow_id)

    def _now(self) -> TemporalDispatch:
        return TemporalDispatch(
            _address(workspace_at(self._store.path.parent), self._environment),
            self._store,
            namespace=self._environment.temporal_namespace,
            task_queue=self._environment.task_queue,
        )


def _address(workspace: Workspace, environment: Environment) -> str | None:
    if environment.temporal_address:
        return environment.temporal_address
    return workspace.server_address() if is_hosted(workspace) else None
