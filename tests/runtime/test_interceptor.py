"""Around every activity: the workspace guard, the stamp of the execution, and errors in Temporal's words."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from temporalio.exceptions import ApplicationError
from temporalio.testing import ActivityEnvironment
from temporalio.worker import ActivityInboundInterceptor, ExecuteActivityInput

from jobctrl import errors
from jobctrl.errors import JobCtrlError, LlmTransient
from jobctrl.runtime.interceptor import ActivityRules, application_error
from jobctrl.store import Execution, current_execution

CLASSES = [
    cls
    for cls in vars(errors).values()
    if isinstance(cls, type) and issubclass(cls, JobCtrlError) and cls.code != JobCtrlError.code
]


@dataclass(frozen=True)
class Work:
    workspace: str


class Doing(ActivityInboundInterceptor):
    """The activity itself: it raises, or tells for which execution it acts."""

    def __init__(self, error: BaseException | None = None) -> None:
        self.error = error
        self.done = 0

    async def execute_activity(self, input: ExecuteActivityInput) -> Any:
        self.done += 1
        if self.error is not None:
            raise self.error
        return current_execution()


async def run(doing: Doing, *arguments: object) -> Any:
    rules = ActivityRules("here").intercept_activity(doing)
    input = ExecuteActivityInput(fn=lambda: None, args=arguments, executor=None, headers={})

    async def activity() -> Any:
        return await rules.execute_activity(input)

    return await ActivityEnvironment().run(activity)


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
async def test_an_error_of_ours_keeps_its_code_and_says_whether_trying_again_helps(cls: type[JobCtrlError]) -> None:
    with pytest.raises(ApplicationError) as caught:
        await run(Doing(cls("Said for a person.")))

    assert caught.value.type == cls.code
    assert caught.value.non_retryable is not cls.retryable
    assert caught.value.message == "Said for a person."
    assert caught.value.__cause__ is None


async def test_the_words_of_an_unknown_error_reach_neither_history_nor_log(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(ApplicationError) as caught:
        await run(Doing(ValueError("<html>what a page said</html>")))

    assert (caught.value.type, caught.value.non_retryable) == ("unclassified", False)
    assert caught.value.message == "An unexpected ValueError was raised."
    assert "page" not in repr(caught.value)
    assert "ValueError" in caplog.text
    assert "what a page said" not in caplog.text
    assert caught.value.__cause__ is None


async def test_an_error_that_is_temporals_already_passes_through() -> None:
    error = ApplicationError("as it is", type="own", non_retryable=True)

    with pytest.raises(ApplicationError) as caught:
        await run(Doing(error))

    assert caught.value is error


async def test_cancellation_passes_through() -> None:
    with pytest.raises(asyncio.CancelledError):
        await run(Doing(asyncio.CancelledError()))


async def test_work_for_another_workspace_is_refused_before_it_is_done() -> None:
    doing = Doing()

    with pytest.raises(ApplicationError) as caught:
        await run(doing, Work("there"))

    assert (caught.value.type, caught.value.non_retryable) == ("RuntimeIdentityMismatch", True)
    assert doing.done == 0


@pytest.mark.parametrize("argument", [Work("here"), "no input of ours"])
async def test_work_for_this_workspace_is_done_in_the_name_of_its_execution(argument: object) -> None:
    info = ActivityEnvironment.default_info()

    assert await run(Doing(), argument) == Execution(info.workflow_id or "", info.workflow_run_id or "")
    assert current_execution() is None


@pytest.mark.parametrize(("asked", "waits"), [(None, None), (7.5, 7.5), (4000.0, 300.0)])
def test_the_wait_a_provider_asks_for_is_kept_up_to_a_limit(asked: float | None, waits: float | None) -> None:
    error = application_error(LlmTransient("Too many.", retry_after=asked))

    assert error.next_retry_delay == (None if waits is None else timedelta(seconds=waits))
