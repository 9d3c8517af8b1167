"""A workspace opened for looking only: no Temporal, no models, no web."""

from __future__ import annotations

from jobctrl.materials.files import ArtifactFiles
from jobctrl.operator.reading import Reading
from jobctrl.runtime.tables import open_store
from jobctrl.runtime.workspace import named_workspace


def reading_operator() -> Reading:
    """The looking half of the Operator, on the workspace the environment names. Raises WorkspaceError without one."""
    workspace = named_workspace()
    return Reading(open_store(workspace), ArtifactFiles(workspace.artifacts))
