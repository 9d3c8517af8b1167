"""A person's own data from the command line: SQL, exports, and reports as they were."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from tests.analytics.searches import Search
from tests.cli.conftest import Run


@pytest.fixture
def told(tmp_path: Path) -> Path:
    """A workspace with three scored jobs; the third came after position 6."""
    search = Search(tmp_path / "workspace")
    for number in range(3):
        search.score(search.find(f"j{number}", title=f"Engineer [bold]{number}[/bold]"), 6 + number)
    search.close()
    return search.folder


def test_sql_is_shown_as_a_table_with_data_as_it_is(jobctrl: Run, told: Path):
    said = jobctrl("sql", "SELECT title, fit_score FROM jobs ORDER BY 2")

    assert said.code == 0
    assert "Engineer [bold]0[/bold]" in said.out
    assert said.err == ""


def test_a_long_answer_is_cut_on_the_screen_and_says_so(jobctrl: Run, told: Path):
    said = jobctrl("sql", "SELECT range AS n FROM range(60)")

    assert "10 more rows" in said.err
    assert " 49" in said.out
    assert " 50" not in said.out


@pytest.mark.parametrize("form", ["csv", "json"])
def test_another_program_reads_csv_and_json_from_stdout(jobctrl: Run, told: Path, form):
    said = jobctrl("sql", "SELECT fit_score FROM jobs ORDER BY 1", "--format", form)

    scores = [int(n) for n in said.out.split()[1:]] if form == "csv" else [row["fit_score"] for row in said.json]
    assert scores == [6, 7, 8]


@pytest.mark.parametrize("ending", ["csv", "json", "parquet"])
def test_the_ending_of_a_file_says_its_format(jobctrl: Run, told: Path, tmp_path: Path, ending):
    file = tmp_path / f"scores.{ending}"

    said = jobctrl("sql", "SELECT fit_score FROM jobs ORDER BY 1", "--to", file)

    read = {"csv": pl.read_csv, "json": pl.read_json, "parquet": pl.read_parquet}[ending]
    assert read(file)["fit_score"].to_list() == [6, 7, 8]
    assert said.out == ""


def test_json_for_short_and_errors_as_json_with_it(jobctrl: Run, told: Path):
    right, wrong = jobctrl("sql", "SELECT 1 AS one", "--json"), jobctrl("sql", "SELECT one", "--json")

    assert right.json == [{"one": 1}]
    assert json.loads(wrong.err)["error"]["code"] == "invalid_request"


def test_sql_asks_an_earlier_state(jobctrl: Run, told: Path):
    said = jobctrl("sql", "SELECT count(*) AS n FROM jobs", "--as-of", "6", "--format", "json")

    assert said.json == [{"n": 2}]


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("sql", "SELECT nope FROM jobs"), 2, "line 1, column 8"),
        (("sql", "DELETE FROM jobs"), 2, "One SELECT"),
        (("sql", "SELECT 1", "--format", "xml"), 2, "no format 'xml'"),
        (("sql", "SELECT 1", "--format", "parquet"), 2, "--to FILE"),
        (("sql", "SELECT 1", "--to", "answer"), 2, "no format"),
        (("sql", "SELECT 1", "--to", "nowhere/x.csv"), 5, "cannot be written"),
        (("sql", "SELECT 1", "--as-of", "99"), 2, "newest fact is 9"),
        (("sql", "SELECT 1", "--as-of", "soon"), 2, "no position, day or moment"),
        (("report", "spend", "--as-of", "99"), 2, "newest fact is 9"),
    ],
)
def test_what_is_wrong_is_a_sentence_with_an_exit_code(jobctrl: Run, told: Path, arguments, code, says):
    said = jobctrl(*arguments)

    assert said.code == code
    assert says in said.err
    assert "Traceback" not in said.err
    assert said.out == ""


@pytest.mark.parametrize("arguments", [("sql", "SELECT 1"), ("export", "--parquet", "out")])
def test_without_a_workspace_it_says_so(jobctrl: Run, arguments):
    said = jobctrl(*arguments)

    assert said.code == 4
    assert "no workspace" in said.err


def test_an_export_is_written_once_and_again_only_when_asked(jobctrl: Run, told: Path, tmp_path: Path):
    first = jobctrl("export", "--parquet", tmp_path / "out", "--json")
    second = jobctrl("export", "--parquet", tmp_path / "out")
    third = jobctrl("export", "--parquet", tmp_path / "out", "--replace", "--as-of", "6")

    assert first.json["rows"]["jobs"] == 3
    assert (second.code, third.code) == (2, 0)
    assert "--replace" in second.err
    assert "as of fact 6" in third.out
    assert len(pl.read_parquet(tmp_path / "out" / "jobs.parquet")) == 2


def test_a_report_as_of_an_earlier_position_lies_beside_the_present_one(jobctrl: Run, told: Path):
    said = jobctrl("report", "spend", "--as-of", "6", "--format", "parquet", "--json")

    files = json.loads(said.out)["files"]
    assert all("spend-as-of-6" in file for file in files)
