"""Reports open without network, hold what they say in four formats, and tell nothing personal."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import nbformat
import polars as pl
import pytest

from jobctrl.analytics.report import write_report
from jobctrl.analytics.reports import REPORTS
from jobctrl.errors import InvalidRequest, NotFound, WorkspaceError
from tests.analytics.searches import Search

ALL = ("html", "ipynb", "parquet", "csv")


@pytest.fixture
def told(search: Search) -> Search:
    """A small search with everything a report speaks of."""
    for source in ("greenhouse:acme", "lever:beta", "ashby:never-read"):
        search.source(source)
    for day in range(3):
        search.reading(
            "greenhouse:acme", returned=40, admitted=15, filtered=25, reasons={"filtered:title_mismatch": 25}
        )
        search.later(days=1)
        for number in range(15):
            job = search.find(f"d{day}n{number}", employer="Przykład <b>Sp.</b>")
            if number % 4 == 0:
                search.also_shown(job, f"b{day}n{number}", "lever:beta")
            search.stage(job, "enrich", takes=1)
            score = 3 + number % 8
            search.score(job, score)
            search.call("score", 12_345, job_id=job)
            search.apply(job, score, days_ago=30, simulated=True)
            if score > 6:
                search.answer(job, "interview", simulated=True)
    search.tell()
    return search


@pytest.mark.parametrize("name", REPORTS)
def test_every_report_is_written_in_every_format_with_its_dictionary(told, warehouse, tmp_path, name):
    files = write_report(warehouse, name, tmp_path / "out", ALL)

    names = {str(file.relative_to(tmp_path / "out")) for file in files}
    assert {f"{name}.html", f"{name}.ipynb", "data/dictionary.md", "data/dictionary.json"} <= names
    dictionary = json.loads((tmp_path / "out/data/dictionary.json").read_text())
    for entry in dictionary:
        frame = pl.read_parquet(tmp_path / "out" / entry["file"])
        assert [column["name"] for column in entry["columns"]] == frame.columns
        assert "Columns:" in entry["says"]
        assert len(pl.read_csv(tmp_path / "out" / entry["file"].replace("parquet", "csv"))) == len(frame)


@pytest.mark.parametrize("name", REPORTS)
def test_the_page_refers_to_nothing_outside_itself(told, warehouse, tmp_path, name):
    write_report(warehouse, name, tmp_path, ["html"])

    page = (tmp_path / f"{name}.html").read_text()

    assert not re.search(r"<script|<link|<iframe|@import|(src|href)\s*=\s*[\"']?\s*(https?:)?//", page, re.I)
    addresses = set(re.findall(r"https?://[^\s\"'<>)]+", page))
    assert addresses <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert "default-src 'none'" in page


@pytest.mark.parametrize("name", ["weekly", "calibration", "sources", "funnel"])
def test_made_up_applications_are_marked_in_the_page_and_in_its_pictures(told, warehouse, tmp_path, name):
    write_report(warehouse, name, tmp_path, ["html"])

    assert "SIMULATED" in (tmp_path / f"{name}.html").read_text()


def test_words_from_outside_stay_words(told, warehouse, tmp_path):
    told.source("greenhouse:evil", name="<script>alert(1)</script>")
    told.reading("greenhouse:evil", returned=4, admitted=0, filtered=4, reasons={"filtered:<img src=x>": 4})
    told.tell()

    write_report(warehouse, "sources", tmp_path, ["html"])

    page = (tmp_path / "sources.html").read_text()
    assert "<img" not in page
    assert "&lt;img src=x&gt;" in page


@pytest.mark.parametrize("name", REPORTS)
def test_a_workspace_without_a_fact_still_gives_a_report_that_says_so(search, warehouse, tmp_path, name):
    write_report(warehouse, name, tmp_path, ALL)

    page = (tmp_path / f"{name}.html").read_text()
    assert "nothing is recorded yet" in page
    assert "NaN" not in page


def test_csv_writes_moments_in_iso_8601(told, warehouse, tmp_path):
    write_report(warehouse, "calibration", tmp_path, ["csv"])

    first = pl.read_csv(tmp_path / "data/applications.csv")["applied_at"][0]

    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", first)


def test_no_title_name_or_address_of_a_job_leaves_with_a_report(told, warehouse, tmp_path):
    for name in REPORTS:
        for file in write_report(warehouse, name, tmp_path, ["html", "ipynb", "csv"]):
            if file.suffix != ".parquet":
                text = file.read_text()
                assert "Engineer d" not in text, file
                assert "Przykład" not in text, file
                assert "jobs.example.org" not in text, file


def test_only_what_was_asked_for_is_written(told, warehouse, tmp_path):
    files = write_report(warehouse, "funnel", tmp_path, ["csv"])

    assert {file.suffix for file in files} == {".csv", ".md", ".json"}


def test_what_cannot_be_written_is_said(told, warehouse, tmp_path):
    with pytest.raises(InvalidRequest, match="no report 'monthly'"):
        write_report(warehouse, "monthly", tmp_path, ALL)
    with pytest.raises(InvalidRequest, match="docx"):
        write_report(warehouse, "weekly", tmp_path, ["docx"])
    (tmp_path / "file").write_text("")
    with pytest.raises(WorkspaceError, match="cannot be written"):
        write_report(warehouse, "weekly", tmp_path / "file", ALL)
    with pytest.raises(NotFound, match="no workspace"):
        write_report(type(warehouse)(tmp_path / "nowhere"), "weekly", tmp_path, ALL)


def test_the_notebooks_make_their_tables_again(told, warehouse, tmp_path):
    for name in REPORTS:
        write_report(warehouse, name, tmp_path / name, ["ipynb"])
        notebook = nbformat.read(tmp_path / name / f"{name}.ipynb", as_version=4)
        nbformat.validate(notebook)
        redone = [cell.source for cell in notebook.cells if "assert" in cell.source]
        assert redone or name == "latency"

    checked = subprocess.run(
        [sys.executable, "-m", "pytest", "--nbval-lax", "-q", "-p", "no:cacheprovider", "--rootdir", str(tmp_path)]
        + [str(tmp_path / name / f"{name}.ipynb") for name in ("calibration", "spend")],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=180,
    )

    assert checked.returncode == 0, checked.stdout[-3000:]
