"""What the doctor sees: each fault with what to do about it, and nothing is changed by looking."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked

from jobctrl.errors import TransientNetwork
from jobctrl.pipeline.runs import Run
from jobctrl.profile.model import Profile
from jobctrl.runtime.doctor import Check, disk_check, examine, probe_check, worker_check
from jobctrl.runtime.house import House
from jobctrl.runtime.probing import Probed
from jobctrl.runtime.workspace import hosting
from jobctrl.settings.config import change_settings
from tests.runtime.searching import new_house, person

NOW = datetime(2026, 3, 9, 12, tzinfo=UTC)


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    monkeypatch.setenv("JOBCTRL_DIR", str(tmp_path / "ws"))
    monkeypatch.delenv("TEMPORAL_ADDRESS", raising=False)
    house = new_house(tmp_path / "ws")
    yield house
    house.close()


def seen(name: str) -> Check:
    [check] = [check for check in examine() if check.name == name]
    return check


def test_a_workspace_that_is_well_has_no_fault(house: House) -> None:
    assert [check.name for check in examine() if check.state == "fault"] == []


def test_every_fault_and_note_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JOBCTRL_DIR", str(tmp_path / "none"))

    checks = examine()

    assert {check.name for check in checks if check.state == "fault"} >= {"workspace", "profile"}
    assert all(check.advice for check in checks if check.state != "ok")
    assert not (tmp_path / "none").exists()


def test_looking_leaves_the_log_as_it_is(house: House) -> None:
    before = house.store.position()
    examine()

    assert house.store.position() == before


def damage(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[5000:9000] = b"\xa5" * 4000
    file.write_bytes(content)


def test_a_damaged_log_is_a_fault(house: House) -> None:
    house.close()
    damage(house.workspace.database)

    check = seen("log")

    assert (check.state, "jobctrl.db" in check.found) == ("fault", True)
    assert "estore" in check.advice


def test_a_damaged_history_is_a_fault(house: House) -> None:
    with closing(sqlite3.connect(house.workspace.temporal_database)) as history:
        history.execute("CREATE TABLE t (x)")
        history.executemany("INSERT INTO t VALUES (zeroblob(900))", [()] * 30)
        history.commit()
    whole = seen("history")
    damage(house.workspace.temporal_database)

    assert whole.state == "ok"
    assert (seen("history").state, "temporal.db" in seen("history").found) == ("fault", True)


def test_read_tables_that_are_behind_the_log_are_told(house: House) -> None:
    house.close()
    with closing(sqlite3.connect(house.workspace.database)) as connection:
        connection.execute("UPDATE fold_positions SET position = position - 1")
        connection.commit()

    check = seen("log")

    assert (check.state, "read tables" in check.found) == ("note", True)
    assert "rebuild" in check.advice


def test_a_name_that_cannot_be_printed_is_a_fault(house: House) -> None:
    profile = person().model_dump()
    profile["personal"]["full_name"] = "Ines \U0001f600"
    house.profiles.save(Profile.model_validate(profile))

    assert seen("profile").state == "fault"


def test_a_server_that_does_not_answer_while_the_workspace_is_hosted_is_a_fault(house: House) -> None:
    house.workspace.server_record.write_text('{"address": "127.0.0.1:1", "pid": 1}')
    with hosting(house.workspace):
        check = seen("temporal")

    assert (check.state, "127.0.0.1:1" in check.found) == ("fault", True)


def test_a_schedule_that_nothing_keeps_is_told(house: House) -> None:
    change_settings(house.workspace.config, {"scheduling_enabled": True, "time_zone": "Europe/Warsaw"})

    check = seen("schedule")

    assert (check.state, "Europe/Warsaw" in check.found) == ("note", True)
    assert "jobctrl up" in check.advice


@pytest.mark.parametrize(
    ("ages", "state", "words"),
    [
        ([3], "ok", "1 at work"),
        ([3, 40], "ok", "2 at work"),
        ([3, 46], "note", "1 silent"),
        ([46, 300], "fault", "46 s ago"),
        ([], "fault", "never"),
    ],
)
def test_a_worker_that_is_silent_for_45_seconds_is_stale(ages: list[int], state: str, words: str) -> None:
    check = worker_check([(NOW - timedelta(seconds=age)).isoformat() for age in ages], NOW)

    assert (check.state, words in check.found) == (state, True)


@pytest.mark.parametrize(("free", "state"), [(50e9, "ok"), (0.9e9, "note"), (0.05e9, "fault"), (0, "fault")])
def test_a_disk_that_fills_is_told_before_it_is_full(free: float, state: str) -> None:
    assert disk_check(int(free)).state == state


class Ring(KeyringBackend):
    """A keyring that notes what it is asked."""

    priority = 1

    def __init__(self, failure: Exception | None = None) -> None:
        super().__init__()
        self.failure = failure
        self.kept: list[str] = []

    def get_password(self, service: str, username: str) -> str | None:
        if self.failure:
            raise self.failure
        return None

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept.append(username)


@pytest.mark.parametrize(("failure", "state"), [(None, "ok"), (KeyringLocked("locked"), "note")])
def test_the_keyring_is_asked_and_nothing_is_put_into_it(
    house: House, monkeypatch: pytest.MonkeyPatch, failure: Exception | None, state: str
) -> None:
    ring = Ring(failure)
    monkeypatch.setattr(keyring, "get_keyring", lambda: ring)
    monkeypatch.setattr(keyring, "get_password", ring.get_password)

    assert seen("keyring").state == state
    assert ring.kept == []


RUN = Run("durability-probe-local-1", "r", "DurabilityProbeWorkflow", status="succeeded")
FAILED = Run("durability-probe-local-1", "r", "DurabilityProbeWorkflow", status="failed", error_message="no")
WELL = Probed(RUN, 1.2, hosted=False, starts=1, ends=1)


@pytest.mark.parametrize(
    ("probed", "state"),
    [
        (WELL, "ok"),
        (replace(WELL, run=FAILED), "fault"),
        (replace(WELL, ends=2), "fault"),
        (replace(WELL, starts=0), "fault"),
        (TransientNetwork("No server.", hint="Start one."), "fault"),
    ],
)
def test_a_probe_is_well_when_it_began_and_ended_once(probed: Probed | TransientNetwork, state: str) -> None:
    check = probe_check(probed)

    assert check.state == state
    assert bool(check.advice) == (state == "fault")
