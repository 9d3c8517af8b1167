"""The composition root: wiring, the embedded Temporal server, the worker, the blocking pool."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jobctrl.runtime.session import open_operator, workspace_path

__all__ = ["open_operator", "workspace_path"]


def __getattr__(name: str) -> object:
    # Opening a workspace needs Temporal's client, which takes half a second to import: only who asks pays for it.
    if name in __all__:
        from jobctrl.runtime import session

        return getattr(session, name)
    raise AttributeError(name)
