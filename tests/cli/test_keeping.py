"""Keeping a workspace well from the command line: backup, restore, the doctor's probe, the schedule's next times."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from jobctrl.errors import WorkspaceError
from tests.cli.conftest import PROFILE, Run, program
from tests.runtime.processes import until, up


@pytest.fixture
def made(jobctrl: Run, tmp_path: Path) -> Path:
    assert jobctrl("init", "--profile", PROFILE).code == 0
    return tmp_path / "workspace"


def test_a_backup_says_how_it_is_brought_back_and_that_works(jobctrl: Run, made: Path, tmp_path: Path) -> None:
    said = jobctrl("backup")
    [folder] = (tmp_path / "workspace-backups").iterdir()
    restored = jobctrl("restore", folder, "--to", tmp_path / "elsewhere")
    shown = jobctrl("--workspace", tmp_path / "elsewhere", "profile")

    assert (said.code, said.err) == (0, "")
    assert f"jobctrl restore {folder}" in said.out
    assert (restored.code, restored.err) == (0, "")
    assert str(tmp_path / "elsewhere") in restored.out
    assert shown.out == jobctrl("profile").out


def test_backup_and_restore_speak_json(jobctrl: Run, made: Path, tmp_path: Path) -> None:
    saved = jobctrl("backup", "--to", tmp_path / "kept", "--json").json
    restored = jobctrl("restore", tmp_path / "kept", "--replace", "--json").json

    assert saved["folder"] == str(tmp_path / "kept")
    assert restored["manifest"] == saved["manifest"]
    assert Path(restored["movedAside"]).is_dir()
    assert restored["workspace"] == str(made)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("backup", "--to", "."), "not empty"),
        (("restore", "kept"), "not empty"),
        (("restore", "nowhere", "--to", "elsewhere"), "no backup"),
    ],
    ids=" ".join,
)
def test_what_is_refused_is_said_with_what_to_do(
    jobctrl: Run, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    jobctrl("backup", "--to", "kept")

    said = jobctrl(*arguments)

    assert (said.code, said.out) == (WorkspaceError.exit_code, "")
    assert words in said.err
    assert "hint:" in said.err


@pytest.mark.temporal
def test_the_doctor_probes_a_workspace_from_end_to_end(made: Path) -> None:
    said = program("doctor", "--probe", "--hold", "0", "--json", workspace=made)

    [probe] = [check for check in said.json if check["name"] == "probe"]
    assert (said.code, probe["state"], "once" in probe["found"]) == (0, "ok", True)


def test_a_probe_that_would_hold_too_long_is_a_fault(jobctrl: Run, made: Path) -> None:
    said = jobctrl("doctor", "--probe", "--hold", "3601")

    assert (said.code, "3600" in said.out) == (1, True)


@pytest.mark.temporal
def test_settings_show_when_the_boards_are_read_and_the_report_is_written_next(jobctrl: Run, made: Path) -> None:
    jobctrl("settings", "set", "time_zone", "Europe/Warsaw")
    jobctrl("settings", "set", "schedule_cron", "30 6 * * MON")
    waiting = jobctrl("settings", "set", "scheduling_enabled", "true"), jobctrl("settings")
    jobctrl("settings", "set", "weekly_report_cron", "15 8 * * sun")
    jobctrl("settings", "set", "weekly_report_enabled", "true")
    with up(made) as host:
        until(lambda: bool(jobctrl("settings", "--json").json["next_reports"]))
        shown = jobctrl("settings")
        reports = [datetime.fromisoformat(at) for at in jobctrl("settings", "--json").json["next_reports"]]
        times = [datetime.fromisoformat(at) for at in jobctrl("settings", "--json").json["next_discoveries"]]
        well = [check["state"] for check in jobctrl("doctor", "--json").json if check["name"] == "schedule"]
        assert host.stop() == 0

    assert "this counts at once" in waiting[0].out
    assert "The schedule waits" in waiting[1].out
    assert {(at.weekday(), at.hour, at.minute) for at in times} == {(0, 6, 30)}
    assert {(at.weekday(), at.hour, at.minute) for at in reports} == {(6, 8, 15)}
    assert f"read next at {times[0]:%a %Y-%m-%d 06:30}" in shown.out
    assert f"written next at {reports[0]:%a %Y-%m-%d 08:15}" in shown.out
    assert "(Europe/Warsaw)" in shown.out
    assert well == ["ok"]


def test_a_schedule_that_is_off_is_not_mentioned(jobctrl: Run, made: Path) -> None:
    assert " next at " not in jobctrl("settings").out
    assert not {"next_discoveries", "next_reports"} & set(jobctrl("settings", "--json").json)
