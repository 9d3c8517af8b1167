"""What a report gives away: nothing of the person, and no job by name unless that was asked for."""

from __future__ import annotations

import asyncio
from pathlib import Path

import nbformat
import polars as pl
import pytest

from jobctrl.analytics.report import write_report
from jobctrl.analytics.reports import REPORTS
from jobctrl.analytics.warehouse import Warehouse
from jobctrl.runtime.house import open_house
from jobctrl.runtime.workspace import Workspace
from jobctrl.scoring.activities import ScoreInput
from jobctrl.settings.formats import FORMATS
from jobctrl.store import acting_for
from tests.notebooks import demo_like
from tests.notebooks.demo_like import tell_demo
from tests.runtime.searching import RUN, TEXT, job_with_text, person, scoring_of

TITLE, EMPLOYER = "Zwiebelmarker Engineer", "Quittenmarker GmbH"
POSTING = "Rhabarbermarker pipelines in Python and SQL. Pastinakmarker in production."
MARKS = ("zwiebelmarker", "quittenmarker", "rhabarbermarker", "pastinakmarker", "melonenmarker", "bergamottmarker")
ADDRESSES = ("jobs.example.org", "boards.greenhouse.io")
PROFILE = ("Aaltonen", "ines@example.org", "Dockyard", "people can rely on", "nightly load")
NAMES = ("zwiebelmarker", "quittenmarker")
NAMED = {"employer": EMPLOYER}


@pytest.fixture(scope="module")
def marked(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """A search whose postings, ledgers, documents and person all carry words that nothing else has."""
    folder = tmp_path_factory.mktemp("marked") / "workspace"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(demo_like, "TITLES", (TITLE,))
        patch.setattr(demo_like, "TEXT", f"{demo_like.TEXT} {POSTING}")
        patch.setattr(demo_like, "LINES", (("experience", "Melonenmarker, led for years.", "bullet-1"),))
        # Employers are made of the boards in the demo's world; here they have words of their own.
        find = demo_like.Search.find
        patch.setattr(
            demo_like.Search, "find", lambda self, name, board, **says: find(self, name, board, **{**says, **NAMED})
        )
        search = tell_demo(folder, jobs=60)
    search.close()
    asyncio.run(scored(folder))
    return Warehouse(folder)


async def scored(folder: Path) -> None:
    """A job that is read and scored as a worker does it: its ledger speaks in the words of the posting."""
    house = open_house(Workspace(folder))
    house.profiles.save(person())
    text = f"{TEXT.format(place='Bergamottmarker')}\nWhat you need\n- {POSTING}\n- Kubernetes and Terraform in anger"
    job_id = await job_with_text(house, title=TITLE, company=EMPLOYER, description_text=text)
    with acting_for(RUN):
        assert (await scoring_of(house).score_job(ScoreInput("w", job_id))).status == "ok"
    house.close()


def told_by(file: Path) -> str:
    """All that a file says, compressed or not."""
    if file.suffix == ".parquet":
        frame = pl.read_parquet(file)
        return frame.write_json() + " ".join(frame.columns)
    if file.suffix == ".ipynb":
        nbformat.validate(nbformat.read(file, as_version=4))
    return file.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", REPORTS)
def test_no_word_of_a_job_or_of_the_person_is_in_any_file(marked: Warehouse, tmp_path: Path, name: str) -> None:
    files = write_report(marked, name, tmp_path, FORMATS)

    assert {file.suffix for file in files} == {".html", ".ipynb", ".parquet", ".csv", ".md", ".json"}
    for file in files:
        text = told_by(file).lower()
        assert [word for word in (*MARKS, *ADDRESSES, *PROFILE) if word.lower() in text] == [], file.name
        assert "personal:" not in text


@pytest.mark.parametrize("name", REPORTS)
def test_titles_and_employers_are_there_when_asked_for_and_every_text_says_so(
    marked: Warehouse, tmp_path: Path, name: str
) -> None:
    files = write_report(marked, name, tmp_path, FORMATS, personal=True)

    by_name = {file.name: told_by(file).lower() for file in files}
    for said in (f"{name}.html", f"{name}.ipynb", f"{name}.md", "dictionary.md", "dictionary.json"):
        assert "personal: titles and employers" in by_name[said], said
    for shown in (f"{name}.html", f"{name}.md", "named_jobs.parquet", "named_jobs.csv"):
        assert all(word in by_name[shown] for word in NAMES), shown
    private = [word for word in (*MARKS, *ADDRESSES, *PROFILE) if word not in NAMES]
    for file, text in by_name.items():
        assert [word for word in private if word.lower() in text] == [], file


def test_rows_about_a_job_say_which(marked: Warehouse, tmp_path: Path) -> None:
    write_report(marked, "calibration", tmp_path, ["parquet"], personal=True)

    applications = pl.read_parquet(tmp_path / "data/applications.parquet")
    assert applications.columns[:3] == ["job_id", "title", "employer"]
    assert applications["employer"].unique().to_list() == [EMPLOYER]
    assert applications["applied_at"].is_sorted()


def test_the_words_that_requirements_were_read_from_are_counted_and_not_told(marked: Warehouse, tmp_path: Path) -> None:
    write_report(marked, "market", tmp_path, ["parquet"])

    lacking = pl.read_parquet(tmp_path / "data/gaps.parquet")
    assert "kubernetes" in [skill.lower() for skill in lacking["skill"]]
