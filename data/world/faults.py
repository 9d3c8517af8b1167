"""Boards that cannot be read, each for another reason. Their names are invented too."""

from __future__ import annotations

from world.compose import employers
from world.wire import Recording, json_bytes

FAULTY = (
    "greenhouse:emptyfold-studio",
    "lever:gatewick-mills",
    "ashby:slowbarge",
    "greenhouse:cutwater-labs",
    "recruitee:stormlatch",
    "lever:crosspatch-foundry",
    "ashby:turncoat-type",
    "greenhouse:nobody-answers",
)
"""Source ids, in the order of the cases B01 to B07 and B11."""


def faulty_boards() -> list[Recording]:
    """An empty board, HTML, a 429, truncated JSON, a 500, another vendor's shape, a renamed field, an unknown board."""
    login = (
        "<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body><h1>Sign in to continue</h1></body></html>\n"
    )
    sample = next(e for e in employers() if e.kind == "lever").rows[0]
    whole = json_bytes({"jobs": [{"id": 4000000001, "title": sample.title, "content": sample.html()}]})
    greenhouse_job = {
        "absolute_url": "https://job-boards.greenhouse.io/crosspatch-foundry/jobs/4000000002",
        "internal_job_id": 3000001,
        "id": 4000000002,
        "title": "Data Engineer",
        "location": {"name": "Porto"},
        "content": "",
    }
    greenhouse = "https://boards-api.greenhouse.io/v1/boards"
    ashby = "https://api.ashbyhq.com/posting-api/job-board"
    lever = "https://api.lever.co/v0/postings"
    return [
        Recording(
            f"{greenhouse}/emptyfold-studio/jobs?content=true",
            "faults/empty.json",
            json_bytes({"jobs": [], "meta": {"total": 0}}),
        ),
        Recording(
            f"{lever}/gatewick-mills?mode=json",
            "faults/html.html",
            login.encode(),
            content_type="text/html; charset=utf-8",
        ),
        Recording(
            f"{ashby}/slowbarge?includeCompensation=true",
            "faults/busy.json",
            json_bytes({"errors": ["Rate limit exceeded"]}),
            status=429,
            headers={"Retry-After": "2"},
        ),
        Recording(
            f"{greenhouse}/cutwater-labs/jobs?content=true", "faults/truncated.json", whole[: len(whole) * 2 // 3]
        ),
        Recording(
            "https://stormlatch.recruitee.com/api/offers/",
            "faults/error.json",
            json_bytes({"error": "Internal server error"}),
            status=500,
        ),
        Recording(
            f"{lever}/crosspatch-foundry?mode=json",
            "faults/other_vendor.json",
            json_bytes({"jobs": [greenhouse_job], "meta": {"total": 1}}),
        ),
        Recording(
            f"{ashby}/turncoat-type?includeCompensation=true",
            "faults/renamed.json",
            json_bytes({"openings": [{"id": "b6a1", "title": "Data Engineer"}], "apiVersion": "2"}),
        ),
        Recording(
            f"{greenhouse}/nobody-answers/jobs?content=true",
            "faults/unknown.json",
            json_bytes({"status": 404, "error": "Job not found"}),
            status=404,
            aliases=(f"{greenhouse}/nobody-answers/jobs",),
        ),
    ]
