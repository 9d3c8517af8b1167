"""The desks (marimo notebooks) under the API's roof and its guard. marimo is imported when one is first opened."""

from __future__ import annotations

import asyncio

from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from jobctrl.runtime.desks import HOME, desks


class Desks:
    """Every notebook of the folder at `/desk/NAME/`; `/desk/` leads to the one that a person begins at."""

    def __init__(self) -> None:
        self._app: ASGIApp | None = None
        self._building = asyncio.Lock()

    @property
    def opened(self) -> bool:
        """Whether any desk was opened: from then on threads of marimo run until the process ends."""
        return self._app is not None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        root = scope.get("root_path", "")
        if scope["type"] == "http" and scope["path"].removeprefix(root) in ("", "/"):
            await RedirectResponse(f"{root}/{HOME}/", status_code=303)(scope, receive, send)
            return
        async with self._building:
            if self._app is None:
                self._app = await asyncio.to_thread(_build)
        await self._app(scope, receive, send)


def _build() -> ASGIApp:
    import marimo

    server = marimo.create_asgi_app(quiet=True)
    for desk in desks():
        server = server.with_app(path=f"/{desk.name}", root=str(desk.path))
    return server.build()
