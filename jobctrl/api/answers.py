"""How rows leave the house: the log's camelCase names; stored documents as they were kept."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from typing import Annotated, Any

from fastapi import Depends, Request
from msgspec.structs import asdict
from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

from jobctrl.operations.jobs import Job
from jobctrl.operator import Operator
from jobctrl.store import Row


def _operator(request: Request) -> Operator:
    found: Operator = request.app.state.operator
    return found


Acting = Annotated[Operator, Depends(_operator)]


class Body(BaseModel):
    """What a caller sends or gets: camelCase outside, snake_case inside; an unknown key is refused."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid", frozen=True)


def camel(value: Any) -> Any:
    """A row with camelCase names. Keys of stored documents are data and stay."""
    if isinstance(value, Row):
        return {to_camel(name): each for name, each in asdict(value).items()}
    if is_dataclass(value) and not isinstance(value, type):
        return {to_camel(each.name): camel(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, list | tuple):
        return [camel(each) for each in value]
    return value


class Pay(Body):
    state: str
    """stated, not_stated, ambiguous or unparseable."""
    currency: str | None
    period: str | None
    low: float | None
    high: float | None


class JobSummary(Body):
    """One row of the job list."""

    job_id: str
    title: str
    employer: str | None
    url: str
    apply_url: str | None
    source_id: str
    native_id: str
    places: list[str]
    countries: list[str]
    mode: str
    mode_conflict: bool
    pay: Pay
    employment_type: str | None
    department: str | None
    language: str | None
    published: str | None
    closes: str | None
    discovered_at: str
    updated_at: str
    active_state: str
    hidden: bool
    feedback: str | None
    current_stage: str
    current_state: str
    error_code: str | None
    fit_score: int | None
    fit_band: str | None
    score_confidence: str | None
    eligibility: str | None
    corrected: bool
    has_resume: bool
    has_letter: bool
    has_pdf: bool
    applied_at: str | None
    replied_at: str | None
    interview_at: str | None
    offer_at: str | None
    rejected_at: str | None
    simulated: bool


_READ_APART = ("places", "countries", "pay")


def summary(job: Job) -> JobSummary:
    """The row as a document: lists as lists, yes and no as such, pay in one piece."""
    alike: dict[str, Any] = {name: getattr(job, name) for name in JobSummary.model_fields if name not in _READ_APART}
    return JobSummary(
        **alike,
        places=[place for place in job.places.split("; ") if place],
        countries=[code for code in job.countries.split(",") if code],
        pay=Pay(
            state=job.pay_state, currency=job.pay_currency, period=job.pay_period, low=job.pay_low, high=job.pay_high
        ),
    )


def document(text: str) -> Any:
    """A JSON text of a row, as JSON."""
    return json.loads(text)
