"""An invented person for the tests of this folder."""

from __future__ import annotations

from datetime import UTC, datetime

from jobctrl.materials.model import Need, Tier
from jobctrl.profile.model import Profile

NOW = datetime(2026, 3, 9, 12, 0, tzinfo=UTC)


def person(**changes: object) -> Profile:
    """A data engineer with two positions, letter sentences and evidence."""
    raw = {
        "personal": {
            "full_name": "Zoë Łukasiewicz-Yıldırım",
            "email": "zoe@example.org",
            "phone": "+48 22 555 01 23",
            "city": "Kraków",
            "country": "PL",
            "linkedin_url": "https://www.linkedin.com/in/zoe-example",
        },
        "headline": "Data engineer",
        "years_of_experience": 9,
        "target": {"roles": ["Data Engineer"]},
        "resume": {
            "summary_sentences": [
                "Data engineer with nine years of pipelines that people trust.",
                "Happiest in small teams that own what they run.",
                "Kafka and PostgreSQL are home.",
                "Speaks at meetups in Kraków.",
            ],
            "experience": [
                {
                    "id": "gok",
                    "title": "Senior Data Engineer",
                    "company": "Göksu Analytics GmbH",
                    "start": "2021-03",
                    "end": "",
                    "location": "Kraków",
                    "bullets": [
                        {"id": "gok-1", "text": "Wrote internal guides read by 40 colleagues."},
                        {"id": "gok-2", "text": "Cut the nightly load from 9 hours to 70 minutes with Spark."},
                        {"id": "gok-3", "text": "Contributed to the move of 12 services to Kubernetes."},
                        {"id": "gok-4", "text": "Built a Kafka ingestion that carries 2M events a day."},
                        {"id": "gok-5", "text": "Organised the office library."},
                        {"id": "gok-6", "text": "Ran Terraform for everything.", "confirmed": False},
                    ],
                    "achievement_evidence": [
                        {
                            "id": "ev-spark",
                            "source_text": "Cut the nightly Spark load from 9 hours to 70 minutes, worth €18k.",
                            "metrics": ["€18k"],
                            "tools": ["Spark"],
                            "user_confirmed": True,
                        }
                    ],
                },
                {
                    "id": "kow",
                    "title": "Data Analyst",
                    "company": "Kowalczyk & Synowie",
                    "start": "2014-06",
                    "end": "2015-02",
                    "bullets": [
                        {"id": "kow-1", "text": "Reported sales to the board every month."},
                        {"id": "kow-2", "text": "Automated invoices in PostgreSQL and Python."},
                        {"id": "kow-3", "text": "Cleaned addresses of 30,000 customers."},
                    ],
                },
            ],
            "education": [
                {"id": "agh", "degree": "M.Sc. Computer Science", "institution": "AGH University", "date": "2014"}
            ],
            "skills": [
                {"id": "lang", "label": "Languages", "items": ["SQL", "Python"]},
                {"id": "plat", "label": "Platforms", "items": ["Airflow", "Spark", "Kafka"]},
            ],
            "languages": [{"name": "pl", "level": "native"}, {"name": "en", "level": "C1"}],
            "letter_sentences": [
                {"id": "open-1", "role": "opening", "text": "I build data pipelines that other people can rely on."},
                {
                    "id": "body-1",
                    "role": "body",
                    "text": "Kafka has been my daily tool since 2021.",
                    "about": ["Kafka"],
                },
                {"id": "body-2", "role": "body", "text": "I enjoy teaching what I know.", "about": ["mentoring"]},
                {"id": "body-3", "role": "body", "text": "I care about tests.", "about": ["testing"]},
                {"id": "close-1", "role": "closing", "text": "I would be glad to talk."},
            ],
        },
    }
    return Profile.model_validate({**raw, **changes})


KAFKA = Need("r-kafka", "Streaming with Kafka", Tier.MUST_HAVE, 0.9, ("Kafka",))
KUBERNETES = Need("r-k8s", "Kubernetes in production", Tier.NICE_TO_HAVE, 0.6, ("Kubernetes",))
TERRAFORM = Need("r-tf", "Terraform", Tier.NICE_TO_HAVE, 0.3, ("Terraform",))
COBOL = Need("r-cobol", "COBOL", Tier.MUST_HAVE, 0.5, ("COBOL",))
AIRFLOW = Need("r-air", "Airflow", Tier.NICE_TO_HAVE, 0.4, ("Airflow",))
NEEDS = (KUBERNETES, KAFKA, TERRAFORM, COBOL, AIRFLOW)
