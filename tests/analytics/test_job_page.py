"""A job in full has every part, also when little is known of it or a file is gone."""

from __future__ import annotations

from pathlib import Path

import pytest

from jobctrl.analytics.job_page import parts, pdfs, posting, summary
from jobctrl.materials.files import ArtifactFiles
from jobctrl.operations.board import JobView, job_view
from tests.analytics.searches import Search
from tests.analytics.test_pages import made
from tests.notebooks.demo_like import tell_demo

PARTS = ["Posting", "Score", "Resume", "Letter", "PDF", "Stages", "Seen at", "History"]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Search:
    return tell_demo(tmp_path_factory.mktemp("demo") / "workspace", jobs=30)


def views(search: Search) -> list[JobView]:
    with search.store.reader() as connection:
        ids = [row[0] for row in connection.execute("SELECT job_id FROM jobs ORDER BY fit_score DESC NULLS LAST")]
    return [job_view(search.store, job_id) for job_id in ids]


def test_every_job_is_laid_out_whatever_is_known_of_it(told):
    for view in views(told):
        laid_out = parts(view, {}, ArtifactFiles(told.folder / "artifacts"))

        assert list(laid_out) == PARTS
        assert view.job.title in summary(view).text
        assert "posting" in posting(view).text


def test_a_scored_job_says_why_and_a_job_without_a_score_says_so(told):
    first, *_, last = views(told)

    assert "The profile says so." in str(parts(first, {}, ArtifactFiles(told.folder)).get("Score").text)
    assert last.score is None
    assert "Not scored yet." in parts(last, {}, ArtifactFiles(told.folder))["Score"].text


def test_a_pdf_is_shown_page_by_page_and_one_that_is_gone_is_said_in_words(tmp_path: Path):
    files = ArtifactFiles(tmp_path)
    digest = files.keep(made(2))

    shown = pdfs([("resume", digest)], files).text

    assert shown.count("<img") == 2
    assert "resume, page 2" in shown
    assert "cannot be shown" in pdfs([("letter", "0" * 64)], files).text
    assert "No PDF was made" in pdfs([], files).text
