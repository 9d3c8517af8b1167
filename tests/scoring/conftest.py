"""An invented person, and the local model."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from jobctrl.llm.local import LocalModel
from jobctrl.profile.model import Profile
from jobctrl.scoring.evidence import ProfileIndex, index_profile
from jobctrl.scoring.local import LOCAL_SKILLS

NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)


def profile(**changes) -> Profile:
    """Mira, who builds data pipelines; any part of her may be changed."""
    parts = {
        "personal": {"full_name": "Mira Example", "country": "DE"},
        "headline": "Data Engineer",
        "work_authorization": {"authorized_countries": ["EU"], "require_sponsorship": True},
        "compensation": {"currency": "EUR", "minimum": "70000", "period": "year"},
        "target": {"roles": ["Data Engineer"], "countries": ["DE"], "work_modes": ["remote", "hybrid"]},
        "resume": {
            "experience": [
                {
                    "id": "e1",
                    "title": "Data Engineer",
                    "company": "Riverbank",
                    "start": "2021-07",
                    "bullets": [
                        {"id": "b1", "text": "Built Airflow pipelines in Python that load PostgreSQL every hour."},
                        {"id": "b2", "text": "Cut the cost of Snowflake by a third with dbt models."},
                        {"id": "b3", "text": "Runs Kafka on Kubernetes.", "confirmed": False},
                    ],
                    "achievement_evidence": [
                        {"id": "a1", "source_text": "Moved nightly jobs to streaming", "tools": ["Spark"]},
                        {"id": "a2", "source_text": "Maybe led a team", "evidence_strength": "draft"},
                    ],
                },
                {
                    "id": "e2",
                    "title": "Backend Developer",
                    "company": "Foxglove",
                    "start": "2018-07",
                    "end": "2021-06",
                    "bullets": [{"id": "b4", "text": "Wrote Django services and their unit tests with pytest."}],
                },
            ],
            "education": [{"id": "d1", "degree": "B.Sc. Computer Science", "institution": "Some University"}],
            "skills": [{"id": "s1", "label": "Skills", "items": ["Python", "SQL", "Docker", "Terraform"]}],
            "languages": [{"name": "en", "level": "C1"}, {"name": "de", "level": "B2"}],
        },
    }
    return Profile.model_validate({**parts, **changes})


@pytest.fixture
def mira() -> Profile:
    return profile()


@pytest.fixture
def index(mira) -> ProfileIndex:
    return index_profile(mira, now=NOW)


@pytest.fixture
def local() -> LocalModel:
    return LocalModel(LOCAL_SKILLS)
