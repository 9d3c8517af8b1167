"""Reports from the command line: where they lie, in which formats, and with whose names."""

from __future__ import annotations

from pathlib import Path

import pytest

from jobctrl.analytics.reports import REPORTS
from jobctrl.settings.formats import FORMATS
from tests.cli.conftest import Run


def test_a_report_is_the_weekly_one_in_every_format_unless_something_else_is_said(
    searched: Run, tmp_path: Path
) -> None:
    files = [Path(file) for file in searched("report", "--json").json["files"]]

    folder = tmp_path / "workspace" / "reports" / "weekly"
    assert {file.suffix.removeprefix(".") for file in files} >= set(FORMATS)
    assert {file.name for file in files if file.parent == folder} == {"weekly.html", "weekly.ipynb", "weekly.md"}
    assert all(file.exists() for file in files)


def test_the_named_formats_go_to_the_named_folder(searched: Run, tmp_path: Path) -> None:
    said = searched("report", "funnel", "--format", "md, csv", "--to", tmp_path / "out")

    assert (said.code, said.err) == (0, "")
    written = {str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*") if path.is_file()}
    assert written >= {"funnel.md", "data/funnel.csv", "data/dictionary.md"}
    assert not any(name.endswith((".html", ".ipynb", ".parquet")) for name in written)
    assert str(tmp_path / "out" / "funnel.md") in said.out


def test_names_are_told_on_request_alone_and_in_a_folder_of_their_own(searched: Run, tmp_path: Path) -> None:
    job = searched("jobs", "--limit", "1", "--json").json[0]

    searched("report", "weekly", "--format", "csv,md")
    searched("report", "weekly", "--format", "csv,md", "--with-personal")

    reports = tmp_path / "workspace" / "reports"
    plain = " ".join(path.read_text() for path in (reports / "weekly").rglob("*.*"))
    named = " ".join(path.read_text() for path in (reports / "weekly-with-personal").rglob("*.*"))
    assert (job["title"] in plain, job["title"] in named) == (False, True)
    assert (job["employer"] in plain, job["employer"] in named) == (False, True)
    assert ("PERSONAL" in plain, "PERSONAL" in named) == (False, True)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(("monthly",), tuple(REPORTS)), (("weekly", "--format", "docx"), ("docx", *FORMATS))],
)
def test_what_there_is_not_is_said_with_what_there_is(
    searched: Run, arguments: tuple[str, ...], words: tuple[str, ...]
) -> None:
    said = searched("report", *arguments)

    assert (said.code, said.out) == (2, "")
    assert all(word in said.err for word in words)
