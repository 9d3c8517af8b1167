"""Starting runs on Temporal, each under its own id, and leaving the mark of the dispatch in the log."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict
from datetime import timedelta
from typing import Any, TypeVar

from temporalio.api.enums.v1 import TaskQueueType
from temporalio.api.taskqueue.v1 import TaskQueue
from temporalio.api.workflowservice.v1 import DescribeTaskQueueRequest
from temporalio.client import Client, WorkflowHandle
from temporalio.common import WorkflowIDConflictPolicy, WorkflowIDReusePolicy
from temporalio.exceptions import WorkflowAlreadyStartedError
from temporalio.service import RPCError, RPCStatusCode

from jobctrl.errors import NotFound, TransientNetwork
from jobctrl.operations.heartbeats import STALE_AFTER_SECONDS, heartbeats
from jobctrl.operator.dispatch import Started
from jobctrl.pipeline.events import WorkflowCancellationRequested, WorkflowStarted
from jobctrl.pipeline.reservations import PERSON
from jobctrl.runtime.loops import in_a_loop
from jobctrl.runtime.temporal_server import connect
from jobctrl.runtime.workspace import Workspace, is_hosted
from jobctrl.settings.environment import Environment
from jobctrl.store import Store, moment
from jobctrl.workflows.discover import DiscoverInput, DiscoverWorkflow
from jobctrl.workflows.fanout import BATCH
from jobctrl.workflows.ids import DISCOVER, pipeline_id, preparation_id
from jobctrl.workflows.marks import run_stream
from jobctrl.workflows.pipeline import JobPipelineWorkflow, PipelineInput
from jobctrl.workflows.preparation import JobPreparationWorkflow, PreparationInput

T = TypeVar("T")
READY_SECONDS = 3.0
"""How long a worker that is just starting may take until the server knows it."""


class Starter:
    """Starts or joins runs through a connected client."""

    def __init__(self, client: Client, store: Store, task_queue: str) -> None:
        self._client = client
        self._store = store
        self._queue = task_queue

    async def discover(self, input: DiscoverInput) -> Started:
        handle = await self._start(DiscoverWorkflow.run, input, DISCOVER)
        return await self._dispatched(handle, "DiscoverWorkflow", {"sourceIds": input.source_ids})

    async def prepare(self, inputs: Sequence[PreparationInput]) -> list[Started]:
        """Start or join a run a job. They are in the log before this returns, so that who waits for them sees them."""
        started: list[Started] = []
        for first in range(0, len(inputs), BATCH):
            batch = inputs[first : first + BATCH]
            handles = await asyncio.gather(
                *(self._start(JobPreparationWorkflow.run, each, preparation_id(each.key)) for each in batch)
            )
            begun = [Started(handle.id, handle.first_execution_run_id or "") for handle in handles]
            await asyncio.to_thread(self._record_preparations, batch, begun)
            started += begun
        return started

    def _record_preparations(self, inputs: Sequence[PreparationInput], started: Sequence[Started]) -> None:
        with self._store.writer() as tx:
            for input, run in zip(inputs, started, strict=True):
                event = WorkflowStarted(
                    workflow_id=run.workflow_id,
                    workflow_type="JobPreparationWorkflow",
                    temporal_run_id=run.run_id,
                    input_summary={"jobId": input.job_id},
                    dispatched_by="discover" if input.discovery else PERSON,
                )
                name = f"{run.workflow_id}:{run.run_id}"
                tx.append(run_stream(run.workflow_id, run.run_id), event, key=f"run-dispatched:{name}")

    async def pipeline(self, input: PipelineInput) -> Started:
        handle = await self._start(JobPipelineWorkflow.run, input, pipeline_id(asdict(input)))
        summary = {"stages": input.stages, "jobs": len(input.job_ids)}
        return await self._dispatched(handle, "JobPipelineWorkflow", summary)

    async def automatic(self, input: PipelineInput, workflow_id: str) -> Started:
        """The one run of a reservation: it is started once, joined while it runs, and told of when it has ended."""
        try:
            reuse = WorkflowIDReusePolicy.REJECT_DUPLICATE
            handle = await self._start(JobPipelineWorkflow.run, input, workflow_id, reuse=reuse)
        except WorkflowAlreadyStartedError as ended:
            handle = self._client.get_workflow_handle(workflow_id, first_execution_run_id=ended.run_id)
        summary = {"stages": input.stages, "jobs": len(input.job_ids), "workers": input.workers, "automatic": True}
        return await self._dispatched(handle, "JobPipelineWorkflow", summary, by="automatic_preparation")

    async def check_ready(self) -> None:
        """Raises TransientNetwork unless a worker of this workspace lives, and asks the server for its work."""
        deadline = time.monotonic() + READY_SECONDS
        while not (await asyncio.to_thread(self._beats) and await self._polls()):
            if time.monotonic() > deadline:
                raise TransientNetwork(
                    "No worker serves this workspace now.", hint="Start one with `jobctrl up` or `jobctrl worker`."
                )
            await asyncio.sleep(0.1)

    def _beats(self) -> bool:
        """Whether a worker has beaten lately: the server knows one that was killed for minutes after its death."""
        since = moment(self._store.clock() - timedelta(seconds=STALE_AFTER_SECONDS))
        with self._store.reader() as connection:
            beats = heartbeats(connection, self._store.workspace_id)
        return any(
            beat.valid and beat.task_queue == self._queue and beat.last_seen_at >= since for beat in beats if beat
        )

    async def _polls(self) -> bool:
        queue = DescribeTaskQueueRequest(
            namespace=self._client.namespace,
            task_queue=TaskQueue(name=self._queue),
            task_queue_type=TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
        )
        try:
            return bool((await self._client.workflow_service.describe_task_queue(queue)).pollers)
        except RPCError as error:
            raise TransientNetwork("The Temporal server did not say who serves this workspace.") from error

    async def cancel(self, workflow_id: str) -> None:
        handle = self._client.get_workflow_handle(workflow_id)
        try:
            description = await handle.describe()
            if description.close_time is not None:
                raise NotFound(f"The run {workflow_id} has ended already.")
            await handle.cancel()
        except RPCError as error:
            if error.status == RPCStatusCode.NOT_FOUND:
                raise NotFound(f"There is no run {workflow_id}.", hint="`jobctrl runs` lists them.") from error
            raise TransientNetwork("The Temporal server did not take the request.") from error
        run_id = description.run_id
        event = WorkflowCancellationRequested(
            workflow_id=workflow_id,
            workflow_type=description.workflow_type,
            temporal_run_id=run_id,
            requested_by=PERSON,
            source="jobctrl",
            evidence_kind="request_intent",
        )
        # Recorded only after the server has taken the request.
        await asyncio.to_thread(
            self._record, event, run_stream(workflow_id, run_id), f"cancel-intent:{workflow_id}:{run_id}"
        )

    async def _start(
        self,
        run: Any,
        input: DiscoverInput | PipelineInput | PreparationInput,
        name: str,
        *,
        reuse: WorkflowIDReusePolicy = WorkflowIDReusePolicy.ALLOW_DUPLICATE,
    ) -> WorkflowHandle[Any, Any]:
        """Start the run, or join the one that has its id. Raises TransientNetwork."""
        try:
            handle: WorkflowHandle[Any, Any] = await self._client.start_workflow(
                run,
                input,
                id=name,
                task_queue=self._queue,
                id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
                id_reuse_policy=reuse,
            )
        except RPCError as error:
            raise TransientNetwork("The Temporal server did not take the run.") from error
        return handle

    async def _dispatched(
        self, handle: WorkflowHandle[Any, Any], kind: str, summary: dict[str, Any], *, by: str = PERSON
    ) -> Started:
        run_id = handle.first_execution_run_id or (await handle.describe()).run_id
        event = WorkflowStarted(
            workflow_id=handle.id,
            workflow_type=kind,
            temporal_run_id=run_id,
            input_summary=summary,
            dispatched_by=by,
        )
        await asyncio.to_thread(
            self._record, event, run_stream(handle.id, run_id), f"run-dispatched:{handle.id}:{run_id}"
        )
        return Started(handle.id, run_id)

    def _record(self, event: WorkflowStarted | WorkflowCancellationRequested, stream: str, key: str) -> None:
        with self._store.writer() as tx:
            tx.append(stream, event, key=key)


class TemporalDispatch:
    """The Operator's way to Temporal, from any thread, to whatever runs the workspace when it is called.

    A desk or the API outlives many an `up`. Raises TransientNetwork when nothing runs the workspace.
    """

    def __init__(self, workspace: Workspace, store: Store, environment: Environment) -> None:
        self._workspace = workspace
        self._store = store
        self._environment = environment

    def discover(self, input: DiscoverInput) -> Started:
        return in_a_loop(self._call(lambda starter: starter.discover(input)))

    def prepare(self, inputs: list[PreparationInput]) -> list[Started]:
        return in_a_loop(self._call(lambda starter: starter.prepare(inputs)))

    def pipeline(self, input: PipelineInput) -> Started:
        return in_a_loop(self._call(lambda starter: starter.pipeline(input)))

    def check_ready(self) -> None:
        in_a_loop(self._call(lambda starter: starter.check_ready()))

    def cancel(self, workflow_id: str) -> None:
        in_a_loop(self._call(lambda starter: starter.cancel(workflow_id)))

    async def _call(self, action: Callable[[Starter], Awaitable[T]]) -> T:
        address = present_address(self._workspace, self._environment)
        if address is None:
            raise TransientNetwork(
                "Nothing runs this workspace now.", hint="Start it with `jobctrl up` in another terminal."
            )
        client = await connect(address, self._environment.temporal_namespace)
        try:
            return await action(Starter(client, self._store, self._environment.task_queue))
        finally:
            # A client that is dropped while its last answer is being delivered can bring the interpreter down at exit.
            await asyncio.sleep(0.05)


def present_address(workspace: Workspace, environment: Environment) -> str | None:
    """Where Temporal answers for this workspace now: the server that is named for it, or its host's own; else None."""
    if environment.temporal_address:
        return environment.temporal_address
    return workspace.server_address() if is_hosted(workspace) else None
