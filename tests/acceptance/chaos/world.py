"""An invented web of boards, drawn from a seed: as many distinct postings as are asked for, no two alike."""

from __future__ import annotations

import html
import itertools
import json
import random
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parents[3] / "data"
ROLES = {
    "data_engineer": "Data Engineer",
    "analytics_engineer": "Analytics Engineer",
    "platform_engineer": "Data Platform Engineer",
    "data_scientist": "Data Scientist",
    "data_analyst": "Data Analyst",
}
LEVELS = ("", "Senior ", "Lead ", "Staff ")
FIELDS = (
    "Tides",
    "Freight",
    "Claims",
    "Orchards",
    "Signalling",
    "Harbours",
    "Forecasts",
    "Ledgers",
    "Timetables",
    "Vaccines",
    "Turbines",
    "Archives",
    "Reservoirs",
    "Glaciers",
    "Auctions",
    "Looms",
    "Ferries",
    "Pharmacies",
    "Quarries",
    "Beehives",
)
PLACES = (
    "Kraków, Poland",
    "Berlin, Germany",
    "Lisbon, Portugal",
    "Vienna, Austria",
    "Dublin, Ireland",
    "Remote, Poland",
)
TOOLS = {
    "lang": ("Python", "Scala", "Go"),
    "warehouse": ("Snowflake", "BigQuery", "Redshift", "ClickHouse"),
    "orchestrator": ("Airflow", "Dagster", "Prefect"),
    "stream": ("Kafka", "Kinesis", "Pulsar"),
    "cloud": ("AWS", "Google Cloud", "Azure"),
}
FIRST = ("Brack", "Ostle", "Quen", "Ferrow", "Lind", "Marrow", "Thistle", "Umber", "Vell", "Wick")
SECOND = ("mere", "holt", "garth", "wold", "fell", "combe", "thorpe", "lode", "stead", "wharf")


@dataclass(frozen=True)
class Web:
    """A folder that `recorded:` can name, and what is in it."""

    folder: Path
    sources: tuple[str, ...]
    postings: int

    @property
    def mode(self) -> str:
        return f"recorded:{self.folder}"


def build_web(folder: Path, *, seed: int, boards: int, each: int, pages: int = 0) -> Web:
    """*boards* boards with *each* postings; *pages* of each board leave their text to a page of their own."""
    draw = random.Random(seed)
    roles = tomllib.loads((DATA / "world" / "roles.toml").read_text(encoding="utf-8"))
    names = [first + second for first, second in itertools.product(FIRST, SECOND)]
    draw.shuffle(names)
    folder.mkdir(parents=True)
    index: list[dict[str, Any]] = []
    for number, name in enumerate(names[:boards]):
        token = name.lower()
        jobs = []
        for count, title in enumerate(itertools.islice(_titles(draw), each)):
            job, text, address = _job(draw, roles, name, token, number * 10_000 + count, title)
            if count < pages:
                job["content"] = ""
                file = f"{token}-{job['id']}.html"
                (folder / file).write_text(_page(name, title, text), encoding="utf-8")
                index.append(_recording(address, file, "text/html; charset=utf-8"))
            jobs.append(job)
        file = f"{token}.json"
        board = json.dumps({"jobs": jobs, "meta": {"total": len(jobs)}}, ensure_ascii=False)
        (folder / file).write_text(board, encoding="utf-8")
        listing = f"https://boards-api.greenhouse.io/v1/boards/{token}/jobs?content=true"
        index.append(_recording(listing, file, "application/json"))
    lines = [json.dumps(line, ensure_ascii=False) for line in index]
    (folder / "index.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return Web(folder, tuple(f"greenhouse:{name.lower()}" for name in names[:boards]), boards * each)


def _titles(draw: random.Random) -> Iterator[tuple[str, str]]:
    """Roles with titles, none of them twice."""
    parts = [(role, level, field) for role in ROLES for level in LEVELS for field in FIELDS]
    draw.shuffle(parts)
    for role, level, field in parts:
        yield role, f"{level}{ROLES[role]}, {field}"


def _job(
    draw: random.Random, roles: dict[str, Any], name: str, token: str, number: int, named: tuple[str, str]
) -> tuple[dict[str, Any], str, str]:
    role, title = named
    field = title.rpartition(", ")[2].lower()
    words = {tool: draw.choice(choices) for tool, choices in TOOLS.items()}
    words |= {"domain": f"{field} records", "users": f"the {field} desk", "product": f"our {field} service"}
    text = _text(draw, roles[role], words, name, field)
    place = draw.choice(PLACES)
    address = f"https://job-boards.greenhouse.io/{token}/jobs/{5_000_000_000 + number}"
    published = datetime.now(UTC) - timedelta(days=draw.randint(1, 60), minutes=draw.randint(0, 1400))
    stamp = published.strftime("%Y-%m-%dT%H:%M:%SZ")
    job = {
        "absolute_url": address,
        "internal_job_id": 7_000_000 + number,
        "location": {"name": place},
        "metadata": [],
        "id": 5_000_000_000 + number,
        "updated_at": stamp,
        "requisition_id": f"R-{number}",
        "title": title,
        "company_name": f"{name} Works",
        "first_published": stamp,
        "language": "en",
        "content": html.escape(text),
        "departments": [{"id": 1, "name": "Data", "child_ids": [], "parent_id": None}],
        "offices": [],
    }
    return job, text, address


def _text(draw: random.Random, role: dict[str, Any], words: dict[str, str], name: str, field: str) -> str:
    """A posting's words: what is done, asked for and paid differ from one to the next."""

    def some(part: str, least: int, most: int) -> str:
        chosen = draw.sample(role[part], k=min(len(role[part]), draw.randint(least, most)))
        return "".join(f"<li>{html.escape(line.format_map(words), quote=False)}</li>" for line in chosen)

    low = draw.randrange(52, 96) * 1000
    pay = draw.choice(
        (
            f"The salary is {low:,} to {low + 18_000:,} EUR a year.",
            f"We pay PLN {low // 4:,} - {low // 4 + 4_000:,} a month, gross.",
            f"Between €{low // 1000}k and €{low // 1000 + 15}k a year, depending on experience.",
            "",
        )
    )
    intro = draw.choice(role["intro"]).format_map(words)
    return (
        f"<h3>About {name} Works</h3><p>{name} Works counts {field} for {draw.randint(12, 900)} towns, with"
        f" {draw.randint(20, 4000)} colleagues. {html.escape(intro, quote=False)}</p>"
        f"<h3>What you will do</h3><ul>{some('do', 3, 6)}</ul>"
        f"<h3>Requirements</h3><ul><li>{draw.randint(2, 8)} years of comparable work</li>{some('must', 3, 7)}</ul>"
        f"<h3>Nice to have</h3><ul>{some('nice', 1, 3)}</ul><p>{pay}</p>"
    )


def _page(name: str, title: tuple[str, str], text: str) -> str:
    said = html.escape(title[1])
    posting = {
        "@context": "https://schema.org/",
        "@type": "JobPosting",
        "title": title[1],
        "description": text,
        "hiringOrganization": {"@type": "Organization", "name": f"{name} Works"},
    }
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{said}</title>'
        f'<script type="application/ld+json">{_inside_a_script(posting)}</script></head>'
        f"<body><main><h1>{said}</h1>{text}</main></body></html>"
    )


def _recording(url: str, file: str, kind: str) -> dict[str, Any]:
    return {"method": "GET", "url": url, "status": 200, "content_type": kind, "file": file}


def _inside_a_script(value: dict[str, Any]) -> str:
    return json.dumps(value).replace("</", "<\\/")
