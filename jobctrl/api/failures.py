"""What becomes of an error: one shape, `{error: {code, message, hint}}`, and one place that knows the status."""

from __future__ import annotations

import logging
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from jobctrl import errors
from jobctrl.errors import JobCtrlError, Permanent, TransientNetwork

log = logging.getLogger(__name__)

STATUS: dict[type[JobCtrlError], int] = {
    errors.InvalidRequest: 400,
    errors.UnsafeUrl: 400,
    errors.NotFound: 404,
    errors.WorkspaceError: 503,
    errors.LlmTransient: 502,
    errors.BrowserTransient: 502,
    errors.SourceUnavailable: 502,
    errors.Conflict: 409,
}
"""The rest by kind: 409 when something has to change first, 503 when waiting may help."""


class WorkerRuntimeUnavailable(TransientNetwork):
    """Nothing runs this workspace now, so no work can be started."""

    code = "worker_runtime_unavailable"


def status_of(error: JobCtrlError) -> int:
    for kind, status in STATUS.items():
        if isinstance(error, kind):
            return status
    return 409 if isinstance(error, Permanent) else 503


def failure(status: int, code: str, message: str, hint: str | None = None) -> JSONResponse:
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else None
    body = {"error": {"code": code, "message": message, "hint": hint}}
    return JSONResponse(body, status_code=status, headers=headers)


def add_failures(app: FastAPI) -> None:
    """Teach *app* what becomes of each kind of error."""

    @app.exception_handler(JobCtrlError)
    async def known(request: Request, error: JobCtrlError) -> JSONResponse:
        return failure(status_of(error), error.code, error.message, error.hint)

    @app.exception_handler(RequestValidationError)
    async def malformed(request: Request, error: RequestValidationError) -> JSONResponse:
        return failure(400, "invalid_request", "; ".join(_fault(each) for each in error.errors()) + ".")

    @app.exception_handler(HTTPException)
    async def unrouted(request: Request, error: HTTPException) -> JSONResponse:
        if error.status_code == 404:
            return failure(404, "not_found", f"There is no {request.url.path}.", "docs/api.md lists the routes.")
        if error.status_code == 405:
            message = f"{request.url.path} does not answer to {request.method}."
            return failure(405, "method_not_allowed", message, "docs/api.md lists the routes.")
        return failure(error.status_code, "invalid_request", str(error.detail))

    @app.exception_handler(Exception)
    async def unexpected(request: Request, error: Exception) -> JSONResponse:
        # The server logs the details; they may quote posting text, so only the kind leaves the process.
        return failure(
            500,
            "unexpected",
            f"Something unexpected happened ({type(error).__name__}).",
            "Its details are in logs/api.log of the workspace.",
        )


def _fault(fault: dict[str, Any]) -> str:
    place = ".".join(str(part) for part in fault["loc"] if part not in ("body", "query"))
    return f"{place}: {fault['msg']}" if place else str(fault["msg"])
