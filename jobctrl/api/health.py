"""Is it there, and does anything run the workspace? The one route that needs no token."""

from __future__ import annotations

from fastapi import APIRouter

from jobctrl import __version__
from jobctrl.api.answers import Acting, Body
from jobctrl.api.hosting import is_served

router = APIRouter()


class Health(Body):
    ok: bool
    version: str
    workspace: str
    """The workspace's own id, which stays when its folder moves."""
    position: int
    """The newest fact of the log."""
    hosted: bool
    """Whether a server and a worker run the workspace, so that work can be started."""


@router.get("/v1/health")
def health(operator: Acting) -> Health:
    """The API answers; what it says gives nothing of the search away."""
    store = operator.store
    return Health(
        ok=True,
        version=__version__,
        workspace=store.workspace_id,
        position=store.position(),
        hosted=is_served(operator),
    )
