"""Serving the API of the named workspace on this machine until Ctrl-C."""

from __future__ import annotations

import contextlib
import errno
import ipaddress
import os
import socket
from collections.abc import Callable

from jobctrl.api.app import create_app
from jobctrl.api.guard import loopback_hosts
from jobctrl.api.token import api_token
from jobctrl.errors import ConfigurationError
from jobctrl.network.open import absolute_web
from jobctrl.runtime import open_operator
from jobctrl.runtime.logs import API_LOG, logging_to
from jobctrl.runtime.workspace import named_workspace
from jobctrl.settings.environment import Environment

STREAMS_MAY_LINGER = 1
"""Seconds that open event streams get at the end; their readers come back by themselves."""


def serve(host: str | None, port: int | None, tell: Callable[[str], None]) -> None:
    """Serve until SIGINT or SIGTERM. Raises ConfigurationError for a host that is not loopback or a taken port."""
    import uvicorn

    environment, workspace = Environment(), named_workspace()
    listening = listen(environment.api_host if host is None else host, environment.api_port if port is None else port)
    with contextlib.closing(listening), contextlib.closing(open_operator()) as operator:
        address, bound = listening.getsockname()[:2]
        name = f"[{address}]" if listening.family == socket.AF_INET6 else address
        app = create_app(
            operator,
            token=api_token(workspace.token),
            host_allow_list=loopback_hosts(bound) | {f"{name}:{bound}"},
            web=absolute_web(environment.web),
        )
        tell(f"The API answers at http://{name}:{bound}/v1/health; its token is in {workspace.token}. Ctrl-C stops it.")
        config = uvicorn.Config(
            app, log_config=None, access_log=False, lifespan="off", timeout_graceful_shutdown=STREAMS_MAY_LINGER
        )
        # The server raises the signal that stopped it once more when it is done; for a person that is no error.
        with contextlib.suppress(KeyboardInterrupt), logging_to(workspace.logs / API_LOG):
            uvicorn.Server(config).run(sockets=[listening])
    if app.state.desks.opened:
        # The kernels of open desks are threads that nothing can stop, and the interpreter's own way out may trip over
        # them. All that was recorded is on the disk by now.
        os._exit(0)


def listen(host: str, port: int) -> socket.socket:
    """A socket on a loopback address. Raises ConfigurationError when *host* is another or *port* cannot be had."""
    address = _loopback(host)
    listening = socket.socket(socket.AF_INET6 if address.version == 6 else socket.AF_INET)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((str(address), port))
        # Only a listening socket keeps a second server from the same port.
        listening.listen(128)
    except (OSError, OverflowError) as error:
        listening.close()
        raise _not_to_be_had(host, port, error) from error
    return listening


def _loopback(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    try:
        address = ipaddress.ip_address("127.0.0.1" if host == "localhost" else host.strip("[]"))
    except ValueError:
        address = None
    if address is None or not address.is_loopback:
        raise ConfigurationError(
            f"The API is served on this machine only, not on {host!r}.", hint="Use 127.0.0.1, or leave --host out."
        )
    return address


def _not_to_be_had(host: str, port: int, error: OSError | OverflowError) -> ConfigurationError:
    if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
        return ConfigurationError(
            f"Port {port} is taken by another program.",
            hint="Is the API running already? Otherwise choose another port with --port (0 takes a free one).",
        )
    return ConfigurationError(f"{host}:{port} cannot be listened on: {error}.", hint="Choose another port with --port.")
