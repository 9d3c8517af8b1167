"""What runs the workspace at this moment. The API outlives many an `up`, so it is asked anew each time."""

from __future__ import annotations

from jobctrl.operator import Operator
from jobctrl.runtime.starting import present_address
from jobctrl.runtime.workspace import workspace_at
from jobctrl.settings.environment import Environment


def is_served(operator: Operator) -> bool:
    """Whether work can be started: a host of this workspace on this machine, or a Temporal server named for it."""
    return present_address(workspace_at(operator.store.path.parent), Environment()) is not None
