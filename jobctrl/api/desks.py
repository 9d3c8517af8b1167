"""The desks (marimo notebooks) under the API's roof and its guard. marimo is imported when one is first opened."""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.types import ASGIApp, Receive, Scope, Send

from jobctrl.runtime.serving import NOTEBOOKS


class Desks:
    """Every notebook of the folder at `/desk/NAME/`."""

    def __init__(self) -> None:
        self._app: ASGIApp | None = None
        self._desks: list[Any] = []
        self._building = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with self._building:
            if self._app is None:
                self._app = await asyncio.to_thread(self._build)
        await self._app(scope, receive, send)

    async def close(self) -> None:
        """End every open desk; the threads they run in would keep the process alive."""
        for desk in self._desks:
            await desk.state.session_manager.shutdown()

    def _build(self) -> ASGIApp:
        import marimo

        server = marimo.create_asgi_app(quiet=True)
        for notebook in sorted(NOTEBOOKS.glob("*.py")):
            server = server.with_app(path=f"/{notebook.stem}", root=str(notebook), middleware=[self._remember])
        return server.build()

    def _remember(self, app: ASGIApp) -> ASGIApp:
        # marimo ends its sessions in its lifespan, which is not run for an application that is mounted.
        self._desks.append(app)
        return app
