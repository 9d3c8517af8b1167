"""Around every activity: the workspace guard, the stamp of its execution, and errors in Temporal's words."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Any

from temporalio import activity
from temporalio.exceptions import ApplicationError
from temporalio.worker import ActivityInboundInterceptor, ExecuteActivityInput, Interceptor

from jobctrl.errors import JobCtrlError, LlmTransient, RuntimeMismatch, where
from jobctrl.store import Execution, acting_for

log = logging.getLogger(__name__)


class ActivityRules(Interceptor):
    """One interceptor for all activities of a worker that serves one workspace."""

    def __init__(self, workspace: str) -> None:
        self._workspace = workspace

    def intercept_activity(self, next: ActivityInboundInterceptor) -> ActivityInboundInterceptor:
        return _Rules(next, self._workspace)


class _Rules(ActivityInboundInterceptor):
    def __init__(self, next: ActivityInboundInterceptor, workspace: str) -> None:
        super().__init__(next)
        self._workspace = workspace

    async def execute_activity(self, input: ExecuteActivityInput) -> Any:
        info = activity.info()
        execution = Execution(info.workflow_id or "", info.workflow_run_id or "")
        try:
            for argument in input.args:
                expected = getattr(argument, "workspace", self._workspace)
                if expected != self._workspace:
                    raise RuntimeMismatch(
                        "This work was meant for another workspace.", hint="Start its worker on its own workspace."
                    )
            with acting_for(execution):
                return await super().execute_activity(input)
        except JobCtrlError as error:
            raise application_error(error) from None
        except ApplicationError:
            raise
        except Exception as error:
            # The words of an unknown error may quote fetched text: neither the history nor a log gets them.
            log.error("An activity of type %s failed\n%s", info.activity_type, where(error))
            raise ApplicationError(
                f"An unexpected {type(error).__name__} was raised.", type="unclassified", non_retryable=False
            ) from None


def application_error(error: JobCtrlError) -> ApplicationError:
    """The error with its code as the type, and with the wait that a provider asked for."""
    delay = error.retry_after if isinstance(error, LlmTransient) else None
    return ApplicationError(
        error.message,
        type=error.code,
        non_retryable=not error.retryable,
        next_retry_delay=timedelta(seconds=min(delay, 300)) if delay else None,
    )
