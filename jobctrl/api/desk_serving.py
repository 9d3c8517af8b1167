"""`jobctrl desk`: the desks alone, on this machine, until Ctrl-C."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route

from jobctrl.api.desks import Desks
from jobctrl.api.guard import DESK, Guard, loopback_hosts
from jobctrl.api.serving import listen
from jobctrl.errors import NotFound
from jobctrl.runtime.desks import HOME, desks
from jobctrl.runtime.logs import DESK_LOG, logging_to
from jobctrl.runtime.workspace import named_workspace


def serve_desks(name: str, port: int, tell: Callable[[str], None]) -> None:
    """Serve every desk, beginning at *name*; port 0 takes a free one. Raises NotFound for an unknown desk,
    ConfigurationError when the port is taken."""
    import uvicorn

    known = [desk.name for desk in desks()]
    if name and name not in known:
        raise NotFound(f"There is no desk {name!r}.", hint=f"These are: {', '.join(known)}.")
    workspace = named_workspace()
    with contextlib.closing(listen("127.0.0.1", port)) as listening:
        address = f"127.0.0.1:{listening.getsockname()[1]}"
        serving = Desks()
        app = desk_app(serving, name or HOME, port=listening.getsockname()[1])
        tell(f"The desk opens at http://{address}/. Ctrl-C stops it.")
        config = uvicorn.Config(app, log_config=None, access_log=False, lifespan="off", timeout_graceful_shutdown=1)
        # A workspace that is not there yet is said at every desk; there is no folder for a log then.
        logging = logging_to(workspace.logs / DESK_LOG) if workspace.logs.is_dir() else contextlib.nullcontext()
        with contextlib.suppress(KeyboardInterrupt), logging:
            uvicorn.Server(config).run(sockets=[listening])
    if serving.opened:
        # As in `jobctrl.api.serving`: the kernels of open desks are threads that nothing can stop.
        os._exit(0)


def desk_app(serving: Desks, first: str, *, port: int) -> Starlette:
    """The desks at `/desk/NAME/`, for whoever sits at this machine; `/` leads to *first*."""

    def begin(request: Request) -> Response:
        return RedirectResponse(f"{DESK}/{first}/", status_code=303)

    def health(request: Request) -> Response:
        return PlainTextResponse("ok")

    return Starlette(
        routes=[Route("/", begin), Route("/health", health), Mount(DESK, serving)],
        middleware=[Middleware(Guard, token=None, hosts=loopback_hosts(port))],
    )
