"""How old the newest backup is, and when the boards are read next."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from jobctrl.runtime.backup import backup, default_folder
from jobctrl.runtime.due import due
from jobctrl.runtime.last_backup import last_backup
from jobctrl.runtime.workspace import hosting, named_workspace
from jobctrl.settings.model import Settings
from tests.runtime.searching import new_house

MONDAY, TUESDAY = datetime(2026, 3, 9, 12, tzinfo=UTC), datetime(2026, 3, 10, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JOBCTRL_DIR", str(tmp_path / "ws"))
    monkeypatch.delenv("TEMPORAL_ADDRESS", raising=False)
    new_house(tmp_path / "ws", profile=False).close()


def test_without_a_backup_there_is_no_age() -> None:
    assert last_backup() is None


def test_the_newest_backup_counts_and_a_damaged_one_does_not() -> None:
    workspace = named_workspace()
    for at in (MONDAY, TUESDAY):
        backup(workspace, default_folder(workspace, at), at)
    assert last_backup() == TUESDAY

    (default_folder(workspace, TUESDAY) / "manifest.json").write_text("{}")

    assert last_backup() == MONDAY


def test_a_schedule_that_is_off_has_nothing_to_say() -> None:
    assert due(Settings()) == ([], "")


def test_a_schedule_that_nothing_runs_waits_for_up() -> None:
    times, says = due(Settings(scheduling_enabled=True))

    assert times == []
    assert "jobctrl up" in says


async def test_a_server_that_does_not_answer_is_said_also_where_a_loop_runs() -> None:
    workspace = named_workspace()
    with hosting(workspace):
        times, says = due(Settings(scheduling_enabled=True))

    assert times == []
    assert says
