"""A fault is a sentence on stderr with what to do next and an exit code, never a traceback."""

from __future__ import annotations

import json
import os
import shutil
import socket
import sqlite3
from pathlib import Path

import pytest

from jobctrl.runtime.workspace import hosting, workspace_at
from tests.cli.conftest import PROFILE, SAMPLE_WEB, Run, Said

NEEDS_A_WORKSPACE = [
    ("jobs",),
    ("show", "abcdef"),
    ("runs",),
    ("spend",),
    ("sources",),
    ("sources", "add", "lever:acme"),
    ("settings",),
    ("discover", "--web", SAMPLE_WEB),
    ("prepare",),
    ("report",),
    ("rebuild",),
    ("up",),
    ("worker",),
    ("api", "--port", "0"),
    ("jobs", "keep", "abcdef"),
]


def is_told(said: Said, code: int, *words: str, hint: bool = True) -> None:
    assert said.code == code, said
    assert said.out == ""
    lines = said.err.splitlines()
    assert lines[0].startswith("error: ")
    assert lines[-1].startswith("hint: ") is hint
    assert "Traceback" not in said.err
    for word in words:
        assert word in said.err


@pytest.mark.parametrize("arguments", NEEDS_A_WORKSPACE, ids=" ".join)
def test_no_workspace_is_told_by_every_command(jobctrl: Run, arguments: tuple[str, ...]) -> None:
    is_told(jobctrl(*arguments), 5, "no workspace", "jobctrl init")


@pytest.mark.parametrize("arguments", [("jobs",), ("spend",), ("discover", "--web", SAMPLE_WEB), ("init",)])
def test_a_workspace_of_a_newer_version_is_left_alone(
    searched: Run, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    database = tmp_path / "workspace" / "jobctrl.db"
    with sqlite3.connect(database) as connection:
        connection.execute("PRAGMA user_version = 999")

    is_told(searched(*arguments), 5, "newer", "999", "--workspace")


@pytest.mark.parametrize("arguments", [("jobs",), ("spend",), ("discover", "--web", SAMPLE_WEB), ("init",)])
def test_a_damaged_database_is_told_and_kept(jobctrl: Run, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    database = tmp_path / "workspace" / "jobctrl.db"
    database.parent.mkdir()
    database.write_bytes(b"this is no database at all, whatever its name says" * 40)
    before = database.read_bytes()

    is_told(jobctrl(*arguments), 5, "damaged", "backup")
    assert database.read_bytes() == before


def test_a_folder_that_cannot_be_written_is_told(jobctrl: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")

    is_told(jobctrl("--workspace", tmp_path / "file" / "workspace", "init"), 5, "cannot be written", "--workspace")


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write everywhere")
def test_a_read_only_folder_is_told(jobctrl: Run, tmp_path: Path) -> None:
    (tmp_path / "shut").mkdir(mode=0o500)

    is_told(jobctrl("--workspace", tmp_path / "shut" / "workspace", "init"), 5, "cannot be written", "write access")


def test_what_names_no_board_is_told_and_the_rest_is_added(jobctrl: Run) -> None:
    jobctrl("init")

    said = jobctrl("sources", "add", "nope:acme", "lever:acme", "https://example.org/jobs")

    assert said.code == 2
    assert said.out == "Added lever:acme.\n"
    assert said.err.count("error: ") == said.err.count("hint: ") == 2
    assert [row["source_id"] for row in jobctrl("sources", "--json").json] == ["lever:acme"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("show", "ffffffff"),
        ("jobs", "keep", "ffffffff"),
        ("jobs", "split", "ffffffff", "--reason", "no"),
        ("sources", "pause", "lever:nobody"),
        ("desk", "kitchen"),
        ("discover", "--web", SAMPLE_WEB, "--source", "lever:nobody"),
    ],
    ids=" ".join,
)
def test_what_is_not_there_is_told_with_how_to_find_it(searched: Run, arguments: tuple[str, ...]) -> None:
    is_told(searched(*arguments), 4)


def test_every_fault_of_a_profile_is_told_at_once_and_nothing_changes(searched: Run, tmp_path: Path) -> None:
    profile = json.loads(PROFILE.read_text(encoding="utf-8"))
    profile["personal"]["full_name"] = ""
    profile["resume"]["experience"][0]["company"] = None
    file = tmp_path / "profile.json"
    file.write_text(json.dumps(profile), encoding="utf-8")

    is_told(searched("init", "--profile", file), 2, "full_name", "company")
    assert searched("init", "--json").json["profile_version"] == 1


@pytest.mark.parametrize("content", ["{", "[]", "", "null"])
def test_a_profile_that_is_no_profile_makes_no_workspace(jobctrl: Run, tmp_path: Path, content: str) -> None:
    file = tmp_path / "profile.json"
    file.write_text(content)

    is_told(jobctrl("init", "--profile", file), 2, "profile.json")
    assert not (tmp_path / "workspace").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("set", "min_fit_scor", "8"), ("min_fit_scor", "min_fit_score?")),
        (("set", "min_fit_score", "11"), ("min_fit_score", "10")),
        (("set", "time_zone", "Mars/Base"), ("time_zone", "Europe/Warsaw")),
        (("set", "provider", "oracle"), ("provider", "local")),
    ],
)
def test_a_setting_that_is_wrong_is_named(searched: Run, arguments: tuple[str, ...], words: tuple[str, ...]) -> None:
    is_told(searched("settings", *arguments), 2, *words)
    assert searched("settings", "--json").json["min_fit_score"] == 7


@pytest.mark.parametrize(
    ("web", "word"), [("recorded:/no/such/folder", "/no/such/folder"), ("tape:x", "tape:x"), ("recorded:", "recorded")]
)
def test_a_web_that_is_not_there_is_told_before_anything_runs(searched: Run, web: str, word: str) -> None:
    is_told(searched("discover", "--web", web), 2, word)


def test_a_workspace_without_boards_says_how_to_add_one(jobctrl: Run) -> None:
    jobctrl("init")

    is_told(jobctrl("discover"), 2, "no boards", "sources add")


def test_a_recording_with_a_missing_file_costs_that_board_alone(searched: Run, tmp_path: Path) -> None:
    web = Path(shutil.copytree(SAMPLE_WEB.removeprefix("recorded:"), tmp_path / "web"))
    (web / "greenhouse" / "quorlmere.json").unlink()

    said = searched("discover", "--web", f"recorded:{web}", "--no-prepare")

    assert said.code == 0
    assert "! greenhouse:quorlmere: " in said.out
    assert "the recorded web in" in said.out
    assert "The run succeeded" in said.out


def test_preparing_without_a_profile_says_so(jobctrl: Run) -> None:
    jobctrl("init")

    is_told(jobctrl("prepare"), 2, "profile")


def test_a_second_host_is_told_of_the_first(searched: Run, tmp_path: Path) -> None:
    with hosting(workspace_at(tmp_path / "workspace")):
        is_told(searched("up"), 6, "Another")


def test_a_taken_port_is_told(searched: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        is_told(searched("api", "--port", port), 2, port, "--port")


def test_the_api_listens_on_this_machine_only(searched: Run) -> None:
    is_told(searched("api", "--host", "0.0.0.0"), 2, "this machine")


@pytest.mark.parametrize("arguments", [("jobz",), ("jobs", "--colour"), ("show",), ("jobs", "--limit", "many")])
def test_a_slip_of_the_pen_is_a_usage_error(searched: Run, arguments: tuple[str, ...]) -> None:
    is_told(searched(*arguments), 2, "--help")


def test_with_json_a_fault_is_json_on_stderr(jobctrl: Run) -> None:
    said = jobctrl("jobs", "--json")

    assert (said.code, said.out) == (5, "")
    assert json.loads(said.err)["error"]["code"] == "workspace"


def test_a_fault_of_ours_is_kept_in_a_file_by_its_place_and_its_words_are_nowhere(
    searched: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = "a line of somebody's resume"

    def fail(wanted: object) -> None:
        raise RuntimeError(words)

    monkeypatch.setattr("jobctrl.runtime.listing.list_jobs", fail)

    said = searched("jobs")

    is_told(said, 70, "RuntimeError", "unexpected.log")
    assert "resume" not in said.err
    kept = (tmp_path / "workspace" / "logs" / "unexpected.log").read_text()
    assert "RuntimeError" in kept
    assert "in fail" in kept
    assert words not in kept


def test_doctor_ends_with_1_when_there_is_a_fault(jobctrl: Run) -> None:
    said = jobctrl("doctor")

    assert said.code == 1
    assert "fault" in said.out
