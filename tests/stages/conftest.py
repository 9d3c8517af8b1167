"""A workspace whose only read table is the stages of jobs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from jobctrl.stages.machine import StageMachine
from jobctrl.stages.model import Stage
from jobctrl.stages.state import STAGE_STATES
from jobctrl.store import Execution, Store, acting_for
from tests.store.workspace import open_workspace

Machine = Callable[..., AbstractContextManager[StageMachine]]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = open_workspace(tmp_path / "workspace.db", (STAGE_STATES,))
    yield store
    store.close()


@pytest.fixture
def machine(store: Store) -> Machine:
    """`with machine(stage, run="r1") as m:` is one transaction of one execution on job j1."""

    @contextmanager
    def one_transaction(stage: Stage = Stage.SCORE, run: str | None = "r1") -> Iterator[StageMachine]:
        execution = None if run is None else Execution("prepare/j1", run)
        with acting_for(execution), store.writer() as tx:
            yield StageMachine(tx, "j1", stage)

    return one_transaction
