"""config.json: checked whole, replaced whole, and a fault in it is named."""

from __future__ import annotations

import json
import multiprocessing
import os
import stat
from concurrent.futures import ProcessPoolExecutor
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobctrl.errors import ConfigurationError, WorkspaceError
from jobctrl.settings.config import change_settings, load_settings
from jobctrl.settings.model import Settings
from tests.settings.changing import change_often, stand_at


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "config.json"


def test_without_a_file_everything_is_at_its_default(path: Path) -> None:
    assert load_settings(path) == Settings()
    assert not path.exists()


def test_a_change_is_kept_and_leaves_the_rest(path: Path) -> None:
    change_settings(path, {"min_fit_score": 8, "daily_budget_usd": "12.50"})
    changed = change_settings(path, {"paper": "letter", "lane_token_limits": {"score": 5000}})

    assert load_settings(path) == changed
    assert (changed.min_fit_score, changed.daily_budget_usd) == (8, Decimal("12.50"))
    assert (changed.paper, changed.lane_token_limits) == ("letter", {"score": 5000})
    assert set(json.loads(path.read_text())) == {"min_fit_score", "daily_budget_usd", "paper", "lane_token_limits"}


def test_none_takes_a_setting_back_to_its_default(path: Path) -> None:
    change_settings(path, {"min_fit_score": 9, "paper": "letter"})

    assert change_settings(path, {"min_fit_score": None}).min_fit_score == 7
    assert "min_fit_score" not in json.loads(path.read_text())


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"min_fit_scor": 8}, ["min_fit_scor", "not permitted"]),
        ({"min_fit_score": 11}, ["min_fit_score", "10"]),
        ({"min_fit_score": -1}, ["min_fit_score", "0"]),
        ({"min_fit_score": "high"}, ["min_fit_score", "integer"]),
        ({"daily_budget_usd": -1}, ["daily_budget_usd", "0"]),
        ({"daily_budget_usd": "NaN"}, ["daily_budget_usd", "finite"]),
        ({"lane_token_limits": {"lunch": 5}}, ["lane_token_limits.lunch", "score"]),
        ({"lane_token_limits": {"score": -5}}, ["lane_token_limits.score", "0"]),
        ({"provider": "oracle"}, ["provider", "anthropic"]),
        ({"worker_activity_slots": 65}, ["worker_activity_slots", "64"]),
        ({"host_interval_seconds": 0}, ["host_interval_seconds", "0.2"]),
        ({"host_interval_seconds": float("nan")}, ["host_interval_seconds"]),
        ({"time_zone": "Europe/Atlantis"}, ["time_zone", "named time zone"]),
        ({"time_zone": "Europe"}, ["time_zone", "named time zone"]),
        ({"time_zone": "x" * 5000}, ["time_zone", "named time zone"]),
        ({"time_zone": "../etc/passwd"}, ["time_zone", "named time zone"]),
        ({"time_zone": ""}, ["time_zone", "named time zone"]),
        ({"crawl_contact": "x" * 241}, ["crawl_contact", "240"]),
        ({"schedule_cron": "0 24 * * *"}, ["schedule_cron", "hour", "23"]),
        ({"schedule_cron": "daily"}, ["schedule_cron", "five fields"]),
        ({"schedule_time_zone": "Mars/Olympus"}, ["schedule_time_zone", "named time zone"]),
        ({"schedule_catchup_hours": 0}, ["schedule_catchup_hours", "1"]),
        ({"scheduling_enabled": "perhaps"}, ["scheduling_enabled", "boolean"]),
    ],
)
def test_a_bad_change_is_named_with_its_limit_and_changes_nothing(
    path: Path, change: dict[str, Any], named: list[str]
) -> None:
    change_settings(path, {"paper": "letter"})
    before = path.read_bytes()

    with pytest.raises(ConfigurationError) as caught:
        change_settings(path, change)

    assert all(word in caught.value.message for word in named)
    assert "jobctrl settings" in (caught.value.hint or "")
    assert path.read_bytes() == before


def test_all_faults_of_a_file_are_named_at_once(path: Path) -> None:
    path.write_text(json.dumps({"min_fit_score": 99, "colour": "red", "paper": "a5"}))

    with pytest.raises(ConfigurationError) as caught:
        load_settings(path)

    assert all(word in caught.value.message for word in ("min_fit_score", "colour", "paper", str(path)))


def test_a_bad_value_in_the_file_can_be_taken_back(path: Path) -> None:
    path.write_text(json.dumps({"min_fit_score": 99, "paper": "letter"}))

    assert change_settings(path, {"min_fit_score": None}).paper == "letter"


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b"null", b'"x"', b"\xff\xfe", b"{'a': 1}"])
def test_a_file_that_holds_no_json_object_is_said_and_kept(path: Path, content: bytes) -> None:
    path.write_bytes(content)

    for attempt in (lambda: load_settings(path), lambda: change_settings(path, {"paper": "a4"})):
        with pytest.raises(ConfigurationError, match=r"config\.json") as caught:
            attempt()
        assert caught.value.hint
    assert path.read_bytes() == content


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(st.sampled_from([*Settings.model_fields, "colour"]), st.text(max_size=6) | st.integers()))
def test_any_values_are_settings_or_a_configuration_error(tmp_path_factory: Any, values: dict[str, Any]) -> None:
    path = tmp_path_factory.mktemp("settings") / "config.json"
    path.write_text(json.dumps(values))

    try:
        found = load_settings(path)
    except ConfigurationError:
        return
    assert found.model_fields_set == set(values)


def test_only_the_owner_may_read_the_file(path: Path) -> None:
    old = os.umask(0)
    try:
        change_settings(path, {"paper": "a4"})
    finally:
        os.umask(old)

    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_draft_that_a_killed_process_left_does_no_harm(path: Path) -> None:
    draft = path.with_suffix(".tmp")
    draft.write_text('{"paper": "let')
    draft.chmod(0o666)

    assert load_settings(path) == Settings()
    change_settings(path, {"paper": "a4"})

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not draft.exists()


def test_a_missing_folder_is_said(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError, match="cannot be used") as caught:
        change_settings(tmp_path / "nowhere" / "config.json", {"paper": "a4"})

    assert caught.value.hint


def test_a_folder_in_place_of_the_file_is_said(path: Path) -> None:
    path.mkdir()

    with pytest.raises(WorkspaceError, match="cannot be used"):
        load_settings(path)


def test_a_disk_that_fails_keeps_the_settings_of_before(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    change_settings(path, {"paper": "letter"})

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(WorkspaceError, match="No space left"):
        change_settings(path, {"paper": "a4"})

    assert load_settings(path).paper == "letter"


def test_processes_that_change_settings_at_once_lose_no_change(path: Path) -> None:
    names = ["min_fit_score", "worker_activity_slots", "pipeline_internal_concurrency", "requests_per_run"]
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(4, context, initializer=stand_at, initargs=(context.Barrier(4),)) as pool:
        seen = list(pool.map(change_often, [path] * 4, names, [10] * 4))

    assert seen == [list(range(1, 11))] * 4
    kept = load_settings(path)
    assert [getattr(kept, name) for name in names] == [10, 10, 10, 10]


def test_every_setting_says_what_it_is_and_when_it_takes_effect() -> None:
    for name, field in Settings.model_fields.items():
        assert field.description, name
        assert isinstance(field.json_schema_extra, dict), name
        assert field.json_schema_extra["takes_effect"] in ("live", "next run", "restart"), name
