"""The desks (marimo notebooks) under the API's roof and its guard. marimo is imported when one is first opened."""

from __future__ import annotations

import asyncio

from starlette.types import ASGIApp, Receive, Scope, Send

from jobctrl.runtime.serving import NOTEBOOKS


class Desks:
    """Every notebook of the folder at `/desk/NAME/`."""

    def __init__(self) -> None:
        self._app: ASGIApp | None = None
        self._building = asyncio.Lock()

    @property
    def opened(self) -> bool:
        """Whether any desk was opened: from then on threads of marimo run until the process ends."""
        return self._app is not None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with self._building:
            if self._app is None:
                self._app = await asyncio.to_thread(_build)
        await self._app(scope, receive, send)


def _build() -> ASGIApp:
    import marimo

    server = marimo.create_asgi_app(quiet=True)
    for notebook in sorted(NOTEBOOKS.glob("*.py")):
        server = server.with_app(path=f"/{notebook.stem}", root=str(notebook))
    return server.build()
