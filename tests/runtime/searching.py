"""A small search of an invented person, for the tests of everything that runs on a workspace."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from jobctrl.discovery.admission import Admission, Batch
from jobctrl.discovery.intake import name_all
from jobctrl.discovery.model import BoardKind, Listing, LocationText, Receipt, RowProblem, SearchPolicy, Source
from jobctrl.enrichment.activities import EnrichInput, EnrichmentActivities
from jobctrl.llm.local import LocalModel
from jobctrl.llm.model import Model
from jobctrl.materials.activities import MaterialsActivities
from jobctrl.materials.local import ANSWERS
from jobctrl.operator import Operator
from jobctrl.pipeline.reconcile import reconcile
from jobctrl.profile.model import Profile
from jobctrl.runtime.house import House, open_house
from jobctrl.runtime.wiring import operator_of
from jobctrl.runtime.workspace import Workspace
from jobctrl.scoring.activities import ScoringActivities
from jobctrl.scoring.local import LOCAL_SKILLS
from jobctrl.scoring.model import ScoringPolicy
from jobctrl.store import Execution, Store, Transaction, acting_for
from jobctrl.testing import Inline, NotedDispatch, SteadyPulse, TableWeb

NOW = datetime(2026, 3, 9, 12, 0, tzinfo=UTC)
TODAY = date(2026, 3, 9)
RUN = Execution("discover-local", "run-1")
BOARD = Source(BoardKind.GREENHOUSE, "northmill")
OTHER_BOARD = Source(BoardKind.LEVER, "northmill")
ALL_WANTED = SearchPolicy()
MIN_SCORE = 1

TEXT = """About the role
You will own the pipelines that feed our grain forecasts at {place}.

What you will do
- Build batch and streaming pipelines in Python and Kafka
- Keep PostgreSQL fast as the data grows

What you bring
- 5+ years of experience in data engineering
- Strong Python and SQL
- Experience with Kafka or a similar log
- Spark is a plus

We pay for your ticket and you work from {place} two days a week.
"""


def listing(number: int | str = 1, title: str = "Data Engineer", **changes: Any) -> Listing:
    """One posting of the board, with a text that can be scored."""
    plain = Listing(
        native_id=str(number),
        title=title,
        url=f"https://boards.greenhouse.io/northmill/jobs/{number}",
        company="Northmill",
        locations=(LocationText("Kraków, Poland", "location.name"),),
        description_text=TEXT.format(place=f"mill {number}"),
    )
    return replace(plain, **changes)


def admit(
    store: Store,
    listings: Iterable[Listing] = (),
    *,
    source: Source = BOARD,
    run: Execution = RUN,
    policy: SearchPolicy = ALL_WANTED,
    problems: tuple[RowProblem, ...] = (),
) -> list[Receipt]:
    """Take a board's rows in, as its reading does."""
    rows = tuple(name_all(listings, source))
    return Admission(store).admit(Batch(source, run, listings=rows, problems=problems), policy, TODAY)


def person() -> Profile:
    return Profile.model_validate(
        {
            "personal": {
                "full_name": "Ines Aaltonen-Çelik",
                "email": "ines@example.org",
                "city": "Kraków",
                "country": "PL",
            },
            "headline": "Data engineer",
            "years_of_experience": 8,
            "work_authorization": {"authorized_countries": ["PL"], "require_sponsorship": False},
            "target": {"roles": ["Data Engineer"]},
            "resume": {
                "summary_sentences": ["Data engineer with eight years of pipelines that people trust."],
                "skills": [{"id": "data", "label": "Data", "items": ["Python", "SQL", "Kafka", "PostgreSQL", "Spark"]}],
                "experience": [
                    {
                        "id": "dock",
                        "title": "Senior Data Engineer",
                        "company": "Dockyard Data",
                        "start": "2020-01",
                        "end": "",
                        "bullets": [
                            {"id": "dock-1", "text": "Built Kafka pipelines in Python that carry 2M events a day."},
                            {"id": "dock-2", "text": "Cut slow PostgreSQL queries from minutes to seconds."},
                            {"id": "dock-3", "text": "Moved the nightly load to Spark, from 9 hours to 70 minutes."},
                        ],
                    }
                ],
                "letter_sentences": [
                    {"id": "o", "role": "opening", "text": "I build data pipelines that people can rely on."},
                    {
                        "id": "b",
                        "role": "body",
                        "text": "I have run Kafka and PostgreSQL in production for years.",
                        "about": ["kafka", "postgresql"],
                    },
                    {
                        "id": "d",
                        "role": "body",
                        "text": "I write Python that other people can change.",
                        "about": ["python"],
                    },
                    {"id": "c", "role": "closing", "text": "I would be glad to talk about your pipelines."},
                ],
            },
        }
    )


def new_house(path: Path, *, profile: bool = True) -> House:
    """A workspace of its own, with the person's profile in force."""
    house = open_house(Workspace(path), create=True)
    if profile:
        house.profiles.save(person())
    return house


def operator_in(house: House, dispatch: NotedDispatch | None = None) -> Operator:
    return operator_of(house, dispatch or NotedDispatch())


def after(tx: Transaction, job_id: str) -> None:
    """What the end of a stage means for the later ones, for a person who wants materials for everything."""
    reconcile(tx, job_id, min_score=MIN_SCORE)


async def job_with_text(house: House, number: int = 1, **changes: Any) -> str:
    """A job that is ready to be scored."""
    [receipt] = admit(house.store, [listing(number, **changes)])
    await take_texts(house)
    assert receipt.job_id is not None
    return receipt.job_id


async def take_texts(house: House, run: Execution = RUN) -> None:
    """Take in the texts that the boards gave."""
    enrichment = EnrichmentActivities(house.store, Inline(), lambda mode: TableWeb({}), lambda: None)
    with acting_for(run):
        await enrichment.discovery_enrichment(EnrichInput("w", "recorded:x"))


def scoring_of(house: House, model: Model | None = None, pulse: SteadyPulse | None = None) -> ScoringActivities:
    return ScoringActivities(
        house.store,
        Inline(pulse or SteadyPulse()),
        house.profiles,
        lambda: model or local_model(),
        lambda: ScoringPolicy(min_fit_score=MIN_SCORE),
        after,
    )


def materials_of(house: House, model: Model | None = None, pulse: SteadyPulse | None = None) -> MaterialsActivities:
    return MaterialsActivities(
        house.store,
        Inline(pulse or SteadyPulse()),
        house.profiles,
        house.files,
        lambda: model or local_model(),
        lambda: "a4",
        lambda: MIN_SCORE,
        after,
    )


def local_model() -> LocalModel:
    return LocalModel({**LOCAL_SKILLS, **ANSWERS})
