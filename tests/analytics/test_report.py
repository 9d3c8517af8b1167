"""Reports open without network, hold what they say in four formats, and tell nothing personal."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import nbformat
import polars as pl
import pytest

from jobctrl.analytics import reports
from jobctrl.analytics.report import write_report
from jobctrl.analytics.report_cells import shown
from jobctrl.analytics.reports import REPORTS
from jobctrl.errors import InvalidRequest, NotFound, WorkspaceError
from jobctrl.settings.formats import FORMATS as ALL
from tests.analytics.searches import Search


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
    assert {f"{name}.html", f"{name}.ipynb", f"{name}.md", "data/dictionary.md", "data/dictionary.json"} <= names
    dictionary = json.loads((tmp_path / "out/data/dictionary.json").read_text())
    for entry in dictionary["tables"]:
        parquet, csv = (tmp_path / "out" / file for file in entry["files"])
        frame = pl.read_parquet(parquet)
        assert [column["name"] for column in entry["columns"]] == frame.columns
        assert "Columns:" in entry["says"]
        assert entry["table"] in (tmp_path / "out/data/dictionary.md").read_text()
        assert entry["rows"] == len(frame)
        assert len(pl.read_csv(csv)) == len(frame)


@pytest.mark.parametrize("name", ["weekly", "calibration", "sources", "funnel"])
def test_made_up_applications_are_marked_in_the_page_and_in_its_pictures(told, warehouse, tmp_path, name):
    write_report(warehouse, name, tmp_path, ["html"])

    assert "SIMULATED" in (tmp_path / f"{name}.html").read_text()


def test_words_from_outside_stay_words(told, warehouse, tmp_path):
    told.source("greenhouse:evil", name="<script>alert(1)</script>")
    told.reading("greenhouse:evil", returned=4, admitted=0, filtered=4, reasons={"filtered:<img src=x>|`now`": 4})
    told.tell()

    write_report(warehouse, "sources", tmp_path, ["html", "md"])

    page, text = (tmp_path / "sources.html").read_text(), (tmp_path / "sources.md").read_text()
    assert "<img" not in page
    assert "&lt;img src=x&gt;" in page
    assert r"\<img src=x\>\|\`now\`" in text


@pytest.mark.parametrize("name", REPORTS)
def test_no_rate_stands_in_a_report_without_its_interval_and_its_n(told, warehouse, name):
    warehouse.refresh()
    db = warehouse.connect()

    for section in REPORTS[name](db).sections:
        columns = section.frame.columns
        for rate in (column for column in columns if column in ("rate", "probability") or column.endswith("_rate")):
            stem = rate.removesuffix("rate").removesuffix("probability")
            assert {f"{stem}low", f"{stem}high"} <= set(columns), (section.key, rate)
            assert stem or "n" in columns, (section.key, rate)
        headings = [column.heading for column in shown(section).columns]
        assert not {"rate", "probability", "low", "high"} & set(headings), section.key
        assert "rate (95%)" not in headings or "n" in headings, section.key


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


def test_only_what_was_asked_for_is_written(told, warehouse, tmp_path):
    files = write_report(warehouse, "funnel", tmp_path, ["csv"])

    assert {file.suffix for file in files if file.parent.name == "data"} == {".csv", ".md", ".json"}
    assert all(file.parent.name == "data" for file in files)


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


@pytest.mark.parametrize("name", REPORTS)
def test_a_notebook_makes_its_tables_again_and_holds_what_came_of_it(told, warehouse, tmp_path, name):
    write_report(warehouse, name, tmp_path, ["ipynb"])

    notebook = nbformat.read(tmp_path / f"{name}.ipynb", as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert any("assert" in cell.source for cell in code)
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    for cell in code[1:]:
        [output] = cell.outputs
        assert output.data["text/plain"].startswith("shape: (")
        assert "<table" in output.data["text/html"]


def test_a_table_that_does_not_follow_from_its_data_is_no_report(told, warehouse, tmp_path, monkeypatch):
    def wrong(db):
        report = REPORTS["spend"](db)
        doubled = report.sections[0].frame.with_columns(pl.col("total_usd_micros") * 2)
        return replace(report, sections=(replace(report.sections[0], frame=doubled), *report.sections[1:]))

    monkeypatch.setitem(reports.REPORTS, "wrong", wrong)

    with pytest.raises(WorkspaceError, match="does not follow from its data"):
        write_report(warehouse, "wrong", tmp_path, ["ipynb"])


def test_a_report_written_twice_is_the_same_byte_for_byte(told, warehouse, tmp_path):
    first = write_report(warehouse, "weekly", tmp_path / "a", ALL)
    again = write_report(warehouse, "weekly", tmp_path / "b", ALL)

    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in again]
