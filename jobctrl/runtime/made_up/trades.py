"""What made-up postings are about: trades with what they ask for, places, boards. Pure, and all of it invented."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Trade:
    title: str
    department: str
    pay: int
    """A middling yearly pay in euros."""
    suits: float
    """How well the person suits it on average, 0 to 1."""
    skills: tuple[str, ...]


TRADES = (
    Trade("Data Engineer", "Data", 78_000, 0.72, ("Python", "SQL", "Spark", "Airflow", "dbt", "Kafka")),
    Trade("Backend Developer", "Engineering", 74_000, 0.66, ("Python", "PostgreSQL", "Docker", "REST", "Redis", "Go")),
    Trade("Platform Engineer", "Engineering", 82_000, 0.58, ("Kubernetes", "Terraform", "Linux", "AWS", "Go", "CI/CD")),
    Trade("Machine Learning Engineer", "Data", 86_000, 0.55, ("Python", "PyTorch", "SQL", "MLOps", "Spark", "NLP")),
    Trade("Analytics Engineer", "Data", 70_000, 0.7, ("SQL", "dbt", "Python", "Tableau", "BigQuery", "Git")),
    Trade("Frontend Developer", "Engineering", 66_000, 0.3, ("TypeScript", "React", "CSS", "HTML", "Vue", "Jest")),
    Trade("Product Manager", "Product", 80_000, 0.25, ("roadmaps", "SQL", "research", "Jira", "A/B tests", "pricing")),
    Trade("Reliability Engineer", "Engineering", 84_000, 0.48, ("Linux", "Grafana", "Go", "AWS", "Ansible", "SQL")),
    Trade("Research Scientist", "Research", 88_000, 0.38, ("Python", "statistics", "PyTorch", "C++", "writing", "JAX")),
    Trade("Support Engineer", "Support", 52_000, 0.4, ("Linux", "SQL", "Zendesk", "scripting", "English", "German")),
)  # fmt: skip
LEVELS = (
    ("Junior ", 0.75, 0.05),
    ("", 1.0, 0.0),
    ("Senior ", 1.25, 0.02),
    ("Staff ", 1.55, -0.1),
    ("Lead ", 1.45, -0.08),
)
"""A word before the title, its factor on the pay, and what it does to how well the person suits it."""
PLACES = (
    ("Kraków", "PL"), ("Warszawa", "PL"), ("Berlin", "DE"), ("München", "DE"), ("Lisboa", "PT"), ("Porto", "PT"),
    ("Amsterdam", "NL"), ("Dublin", "IE"), ("London", "GB"), ("Zürich", "CH"), ("Paris", "FR"), ("Madrid", "ES"),
)  # fmt: skip
CURRENCIES = {"PL": ("PLN", 4.3), "GB": ("GBP", 0.86), "CH": ("CHF", 1.15)}
"""By country, with how many of it a euro is; the others pay in euros."""
MODES = ("remote", "hybrid", "on_site", "unknown")
BOARDS = (
    ("greenhouse", "aldermoor", 20), ("greenhouse", "brackwharf", 12), ("lever", "corvane", 11),
    ("lever", "dunmere", 8), ("ashby", "eskfield", 10), ("ashby", "fennholt", 7), ("workable", "gorsley", 6),
    ("recruitee", "haverlin", 5), ("smartrecruiters", "inglemarsh", 9), ("teamtailor", "jorvane", 5),
    ("personio", "kestrow", 4), ("workday", "larkhall", 3),
)  # fmt: skip
"""Each with its share of the finds."""
GONE_QUIET = "lever:dunmere"
"""A board that states no pay from the middle of the search on, as if a field had been renamed."""
BROKEN = "workday:larkhall"
"""A board that does not answer for some days."""
_BEGINNINGS = (
    "Alder",
    "Brindle",
    "Corvo",
    "Dunmer",
    "Elling",
    "Fenwick",
    "Gorse",
    "Halver",
    "Inglet",
    "Jessop",
    "Kestrel",
)
_ENDINGS = ("works", " Labs", " Systems", "field", " Analytics", "hurst", " Robotics", "mere", " Health", " Freight")
EMPLOYERS = tuple(beginning + ending for beginning in _BEGINNINGS for ending in _ENDINGS)


def posting_text(trade: Trade) -> str:
    """The text of a posting of this trade; each skill stands in a line of its own."""
    asks = "\n".join(f"- {line}" for line in asked_lines(trade))
    return (
        f"About the role\nWe are looking for a {trade.title.lower()} who joins our {trade.department.lower()} team.\n\n"
        f"What you bring\n{asks}\n\nWhat we offer\nTime to do things well, and people to learn from.\n"
    )


def asked_lines(trade: Trade) -> tuple[str, ...]:
    """The requirements in the words of the posting, the first half of them must-haves."""
    half = len(trade.skills) // 2
    return tuple(
        f"Several years of work with {skill}" if place < half else f"{skill} is a plus"
        for place, skill in enumerate(trade.skills)
    )
