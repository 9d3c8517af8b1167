"""A newcomer's first hour: profile, boards, Discover, and looking at what came of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import BOARDS, SAMPLE_WEB, Journey, Run, program

pytestmark = pytest.mark.temporal


def test_the_first_commands_say_what_they_did_and_what_comes_next(journey: Journey) -> None:
    assert (journey.init.code, journey.init.err) == (0, "")
    assert "Łucja Doğan-Frémont is in force" in journey.init.out
    assert "sources add" in journey.init.out
    assert journey.added.out.splitlines() == [f"Added {board}." for board in BOARDS]


def test_discover_says_what_each_board_gave_and_keeps_noise_off_the_terminal(journey: Journey) -> None:
    said = journey.discovered

    assert (said.code, said.err) == (0, "")
    assert "! lever:gatewick-mills: expected JSON, got a page of markup" in said.out
    assert "jobctrl jobs" in said.out
    assert max(len(line) for line in said.out.splitlines() if "!" not in line) <= 120


def test_the_counts_add_up_and_a_second_run_admits_nothing(journey: Journey) -> None:
    found = journey.again.json

    assert journey.again.err == ""
    assert found["run"]["status"] == "succeeded"
    assert [each["source_id"] for each in found["sources"]] == sorted(BOARDS)
    for each in [*found["sources"], found["total"]]:
        assert each["returned"] == each["admitted"] + each["merged"] + each["filtered"] + each["rejected"]
    assert found["total"]["returned"] > 20
    assert found["total"]["admitted"] == 0
    assert found["total"]["merged"] == found["total"]["seen_before"] > 0


@pytest.mark.parametrize(
    "arguments",
    [
        ("jobs",),
        ("jobs", "--min-score", "7"),
        ("sources",),
        ("runs",),
        ("ops",),
        ("runs", "--turned-away"),
        ("spend",),
        ("settings",),
        ("credentials",),
        ("doctor",),
        ("rebuild",),
        ("init",),
    ],
    ids=" ".join,
)
def test_what_can_be_looked_at_is_a_table_of_120_columns_and_json(searched: Run, arguments: tuple[str, ...]) -> None:
    said, data = searched(*arguments), searched(*arguments, "--json")

    assert (said.code, said.err) == (0, "")
    assert said.out.strip()
    assert max(len(line) for line in said.out.splitlines() if "/" not in line) <= 120
    assert (data.code, data.err) == (0, "")
    assert data.json


def best(run: Run) -> str:
    return str(run("jobs", "--limit", "1", "--json").json[0]["job_id"])


def test_a_job_is_shown_with_its_score_its_evidence_and_its_files(searched: Run) -> None:
    job = best(searched)

    said, data = searched("show", job[:8]), searched("show", job, "--json").json

    assert "score " in said.out
    assert "the posting asks" in said.out
    stages = [line.split()[0] for line in said.out.splitlines() if line.split()[1:2] == ["succeeded"]]
    assert stages == ["discover", "enrich", "score", "tailor", "cover"]
    assert data["job"]["job_id"] == job
    assert data["requirements"]
    # The artifacts of this copy lie in its own folder.
    assert all(Path(path).read_bytes().startswith(b"%PDF") for path in data["files"].values())
    assert set(data["files"]) == {"resume", "letter"}


def test_a_person_can_dismiss_restore_correct_and_follow_a_job(searched: Run) -> None:
    job = best(searched)

    assert searched("jobs", "dismiss", job, "--reason", "too far").code == 0
    assert job not in {row["job_id"] for row in searched("jobs", "--limit", "0", "--json").json}
    assert searched("jobs", "restore", job).code == 0
    assert searched("jobs", "keep", job).code == 0
    assert searched("jobs", "correct", job, "4", "--reason", "needs a clearance").code == 0
    assert searched("jobs", "applied", job, "--on", "2026-03-02").code == 0
    assert searched("jobs", "outcome", job, "interview", "--on", "2026-03-12").code == 0

    row = searched("show", job, "--json").json["job"]
    assert (row["fit_score"], row["corrected"], row["feedback"]) == (4, 1, "saved")
    assert row["applied_at"].startswith("2026-03-0")
    assert row["interview_at"]


def test_a_merge_can_be_undone_by_the_id_that_show_lists(searched: Run) -> None:
    rows = searched("jobs", "--limit", "0", "--json").json
    job = next(row["job_id"] for row in rows if row["merges"])
    seen = searched("show", job, "--json").json["observations"]
    link = next(each["linkId"] for each in seen if each.get("linkId"))
    assert link in searched("show", job).out

    split = searched("jobs", "split", link, "--reason", "another team", "--json").json["jobId"]

    assert split != job
    assert searched("show", split, "--json").json["job"]["title"]
    assert len(searched("jobs", "--limit", "0", "--json").json) == len(rows) + 1


def test_a_changed_setting_says_when_it_counts(searched: Run) -> None:
    said = searched("settings", "set", "min_fit_score", "8")

    assert said.out == "min_fit_score is 8 (default: 7); this counts from the next run on.\n"
    assert searched("settings", "unset", "min_fit_score").out.startswith("min_fit_score is 7; ")


def test_preparing_goes_on_where_discover_stopped_and_ends(searched: Run) -> None:
    scored = len(searched("jobs", "--min-score", "1", "--limit", "0", "--json").json)

    said = searched("prepare", "--step", "score", "--limit", "2", "--json")

    assert said.json["started"] == 2
    assert said.json["succeeded"] + said.json["failed"] == 2
    after = len(searched("jobs", "--min-score", "1", "--limit", "0", "--json").json)
    assert after == scored + said.json["succeeded"]
    assert said.err == ""


def test_nothing_to_prepare_is_said_in_words(jobctrl: Run, journey: Journey) -> None:
    from tests.cli.conftest import PROFILE

    jobctrl("init", "--profile", PROFILE)

    said = jobctrl("prepare")

    assert (said.code, said.out.startswith("There is nothing to prepare")) == (0, True)


def test_a_recording_brings_its_boards_to_an_empty_workspace(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    program("init", workspace=workspace)

    said = program("discover", "--web", SAMPLE_WEB, "--json", workspace=workspace)

    assert (said.code, said.err) == (0, "")
    assert len(said.json["sources"]) >= 16
    assert "boards of this recording were added" in " ".join(said.json["notes"])


@pytest.mark.slow
def test_the_recorded_boards_of_the_corpus_are_read_and_a_second_run_admits_nothing(
    corpus: Path, tmp_path: Path
) -> None:
    workspace = tmp_path / "workspace"
    program("init", workspace=workspace)

    first = program("discover", "--web", f"recorded:{corpus}", "--json", workspace=workspace)
    second = program("discover", "--web", f"recorded:{corpus}", "--json", workspace=workspace)

    for said in (first, second):
        assert (said.code, said.err) == (0, "")
        assert said.json["run"]["status"] == "succeeded"
        for each in [*said.json["sources"], said.json["total"]]:
            assert each["returned"] == each["admitted"] + each["merged"] + each["filtered"] + each["rejected"]
    assert {each["source_id"].split(":")[0] for each in first.json["sources"] if each["returned"]} >= {
        "greenhouse",
        "lever",
        "ashby",
        "workday",
    }
    assert first.json["total"]["admitted"] > 500
    assert second.json["total"]["admitted"] == 0
    assert json.loads(program("jobs", "--json", "--limit", "0", workspace=workspace).out)
