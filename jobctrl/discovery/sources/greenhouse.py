"""Greenhouse job boards: one answer with every posting of the board."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, ClassVar
from urllib.parse import quote

import msgspec

from jobctrl.discovery.model import (
    BoardKind,
    BoardListing,
    Listing,
    LocationText,
    RowProblem,
    Source,
    StatedPay,
)
from jobctrl.discovery.sources import wire
from jobctrl.discovery.sources.base import Board
from jobctrl.discovery.sources.words import address, amount, markup, missing, names_pay, period, word
from jobctrl.network.model import Purpose, Request

_API = "https://boards-api.greenhouse.io/v1/boards"
# Employers name their own fields; these are the usual names for how and on what terms one works.
_WORKPLACE = re.compile(
    r"\b(?:location|work ?place|working) type\b|\bwork(?:ing)? (?:model|mode|style|arrangement|policy|setup|location)\b"
    r"|\bremote\b|\bhybrid\b|\bworkplace\b",
    re.I,
)
_EMPLOYMENT = re.compile(r"^(?:employment|time|job|position|worker) type\b|^commitment$|^schedule$", re.I)


class Named(msgspec.Struct):
    name: str | None = None
    location: str | None = None


class Field(msgspec.Struct):
    name: str | None = None
    value: Any = None


class PayRange(msgspec.Struct):
    min_cents: int | float | None = None
    max_cents: int | float | None = None
    currency_type: str | None = None
    title: str | None = None
    blurb: str | None = None


class Job(msgspec.Struct):
    id: int | str | None = None
    title: str | None = None
    absolute_url: str | None = None
    internal_job_id: int | str | None = None
    requisition_id: int | str | None = None
    location: Named | None = None
    offices: list[Named] | None = None
    departments: list[Named] | None = None
    company_name: str | None = None
    content: str | None = None
    metadata: list[Field] | None = None
    pay_input_ranges: list[PayRange] | None = None
    first_published: str | None = None
    updated_at: str | None = None
    application_deadline: str | None = None
    language: str | None = None


class Meta(msgspec.Struct):
    total: int | None = None


class Jobs(msgspec.Struct):
    jobs: list[Job]
    meta: Meta | None = None


_SHAPE = wire.Shape(Jobs, Job, "jobs", frozenset({"absolute_url", "internal_job_id"}))


class Greenhouse(Board):
    kind: ClassVar[BoardKind] = BoardKind.GREENHOUSE

    def requests(self, source: Source) -> tuple[Request, ...]:
        # A board too big for one answer with its texts still answers without them.
        url = f"{_API}/{quote(source.token, safe='')}/jobs"
        return (
            Request(f"{url}?content=true", purpose=Purpose.BOARD_API),
            Request(url, purpose=Purpose.BOARD_API),
        )

    def parse(self, body: bytes, source: Source) -> BoardListing:
        return parse(body, source)

    def parse_detail(self, body: bytes, source: Source) -> Listing:
        return parse_detail(body, source)

    def detail_requests(self, listing: Listing, source: Source) -> tuple[Request, ...]:
        url = f"{_API}/{quote(source.token, safe='')}/jobs/{quote(listing.native_id, safe='')}"
        return (
            Request(f"{url}?pay_transparency=true", purpose=Purpose.BOARD_API),
            Request(url, purpose=Purpose.BOARD_API),
        )


def parse(body: bytes, source: Source) -> BoardListing:
    """A board's answer. Raises SourceUnavailable when it is not Greenhouse's."""
    decoded = wire.decode(body, source, _SHAPE)
    total = decoded.body.meta.total if decoded.body.meta else None
    return wire.board(decoded, _listing, body, source, _SHAPE, total)


def parse_detail(body: bytes, source: Source) -> Listing:
    """The answer about one posting. Raises SourceUnavailable when it is none."""
    return wire.one(body, source, Job, _listing)


def _listing(job: Job, index: int, source: Source) -> Listing | RowProblem:
    native_id, title, url = word(job.id), word(job.title), address(job.absolute_url)
    if not (native_id and title and url):
        return missing(index, native_id, title, url)
    named = dict(_fields(job.metadata))
    departments = [word(department.name) for department in job.departments or ()]
    metadata: dict[str, Any] = dict(named)
    if job.internal_job_id is not None:
        metadata["internal_job_id"] = str(job.internal_job_id)
    return Listing(
        native_id=native_id,
        title=title,
        url=url,
        company=word(job.company_name),
        requisition_id=word(job.requisition_id),
        locations=tuple(_locations(job)),
        workplace_type=_stated(named, _WORKPLACE),
        employment_type=_stated(named, _EMPLOYMENT),
        department=next((name for name in departments if name), None),
        description_html=_unescaped(job.content),
        pay=(*_pay(job.pay_input_ranges or ()), *_pay_in_fields(named)),
        published=word(job.first_published),
        updated=word(job.updated_at),
        closes=word(job.application_deadline),
        language=word(job.language),
        metadata=metadata,
    )


def _locations(job: Job) -> Iterator[LocationText]:
    """The posting's own words first, then the offices it is filed under: their names, and where they stand."""
    own = word(job.location.name) if job.location else None
    if own:
        yield LocationText(own, "location.name")
    for place, office in enumerate(job.offices or ()):
        if name := word(office.name):
            yield LocationText(name, f"offices[{place}].name")
        if stands := word(office.location):
            yield LocationText(stands, f"offices[{place}].location")


def _fields(metadata: list[Field] | None) -> Iterator[tuple[str, Any]]:
    for field in metadata or ():
        name = word(field.name)
        if name and field.value not in (None, "", []):
            yield name, field.value


def _stated(named: dict[str, Any], name_like: re.Pattern[str]) -> str | None:
    for name, value in named.items():
        if name_like.search(name):
            # A yes-or-no field says what it is asked in its name.
            said = name if value is True else word(value[0] if isinstance(value, list) else value)
            if said:
                return said
    return None


def _pay(ranges: list[PayRange] | tuple[()]) -> Iterator[StatedPay]:
    for place, stated in enumerate(ranges):
        low, high = amount(stated.min_cents), amount(stated.max_cents)
        if low or high:
            words = [word(stated.title), word(stated.blurb)]
            yield StatedPay(
                low=low / Decimal(100) if low else None,
                high=high / Decimal(100) if high else None,
                currency=word(stated.currency_type),
                text=". ".join(text for text in words if text) or None,
                field=f"pay_input_ranges[{place}]",
            )


def _pay_in_fields(named: dict[str, Any]) -> Iterator[StatedPay]:
    """Pay in a field of the employer's own: an amount, a range of amounts, or words."""
    for name, value in named.items():
        if not names_pay(name):
            continue
        field = f"metadata.{name}"
        if isinstance(value, dict):
            one = amount(value.get("amount"))
            low, high = amount(value.get("min_value")) or one, amount(value.get("max_value")) or one
            if low or high:
                yield StatedPay(low, high, word(value.get("unit")), period(name), field=field)
        elif (words := word(value)) and any(letter.isdigit() for letter in words):
            yield StatedPay(text=f"{name}: {words}", field=field)


def _unescaped(content: str | None) -> str | None:
    """The HTML that Greenhouse sends escaped once; what was escaped inside it stays escaped."""
    if content is None or "<" in content:
        return markup(content)
    for entity, character in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&#39;", "'"), ("&amp;", "&")):
        content = content.replace(entity, character)
    return markup(content)
