"""The application: routers, one guard around them, one answer to errors."""

from __future__ import annotations

from collections.abc import Iterable

from fastapi import FastAPI

from jobctrl import __version__
from jobctrl.api import health, jobs, operations, pipeline, runs, stream
from jobctrl.api.desks import Desks
from jobctrl.api.failures import add_failures
from jobctrl.api.guard import DESK, Guard
from jobctrl.operator import Operator


def create_app(operator: Operator, *, token: str, host_allow_list: Iterable[str], web: str = "live") -> FastAPI:
    """The API over *operator*. *web* is what a started Discover reads: `live`, `recorded:DIR` or `record:DIR`."""
    # The pages that FastAPI serves about itself load from other hosts; openapi.json is enough for tools.
    app = FastAPI(title="JobCtrl", version=__version__, docs_url=None, redoc_url=None)
    app.state.operator = operator
    app.state.web = web
    for part in (health, jobs, operations, pipeline, runs, stream):
        app.include_router(part.router)
    app.state.desks = Desks()
    app.mount(DESK, app.state.desks)
    add_failures(app)
    app.add_middleware(Guard, token=token, hosts=frozenset(host_allow_list))
    return app
