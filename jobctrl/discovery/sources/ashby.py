"""Ashby job boards: one answer with every posting of the board, pay included when it is asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar
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
from jobctrl.discovery.sources.words import address, amount, markup, missing, period, word
from jobctrl.network.model import Purpose, Request

_ON_TARGET = re.compile(r"\bOTE\b|\bon[- ]target\b|\btotal (?:cash|target|compensation)\b", re.I)
_COMPONENTS = {"salary": "base", "bonus": "bonus", "commission": "bonus"}


class PostalAddress(msgspec.Struct, rename="camel"):
    address_locality: str | None = None
    address_region: str | None = None
    address_country: str | None = None


class Address(msgspec.Struct, rename="camel"):
    postal_address: PostalAddress | None = None


class Secondary(msgspec.Struct):
    location: str | None = None
    address: Address | None = None


class Component(msgspec.Struct, rename="camel"):
    compensation_type: str | None = None
    interval: str | None = None
    currency_code: str | None = None
    min_value: int | float | str | None = None
    max_value: int | float | str | None = None
    summary: str | None = None


class Tier(msgspec.Struct, rename="camel"):
    title: str | None = None
    tier_summary: str | None = None
    components: list[Component] | None = None


class Compensation(msgspec.Struct, rename="camel"):
    compensation_tier_summary: str | None = None
    compensation_tiers: list[Tier] | None = None
    summary_components: list[Component] | None = None


class Job(msgspec.Struct, rename="camel"):
    id: str | None = None
    title: str | None = None
    job_url: str | None = None
    apply_url: str | None = None
    location: str | None = None
    address: Address | None = None
    secondary_locations: list[Secondary] | None = None
    department: str | None = None
    team: str | None = None
    employment_type: str | None = None
    workplace_type: str | None = None
    is_remote: bool | None = None
    is_listed: bool | None = None
    published_at: str | None = None
    updated_at: str | None = None
    description_html: str | None = None
    description_plain: str | None = None
    compensation: Compensation | None = None


class Jobs(msgspec.Struct):
    jobs: list[Job]


_SHAPE = wire.Shape(Jobs, Job, "jobs", frozenset({"jobUrl", "isListed"}))


class Ashby(Board):
    kind: ClassVar[BoardKind] = BoardKind.ASHBY

    def requests(self, source: Source) -> tuple[Request, ...]:
        url = f"https://api.ashbyhq.com/posting-api/job-board/{quote(source.token, safe='')}"
        return (
            Request(f"{url}?includeCompensation=true", purpose=Purpose.BOARD_API),
            Request(url, purpose=Purpose.BOARD_API),
        )

    def parse(self, body: bytes, source: Source) -> BoardListing:
        return parse(body, source)

    def parse_detail(self, body: bytes, source: Source) -> Listing:
        return wire.one(body, source, Job, _listing)

    def detail_requests(self, listing: Listing, source: Source) -> tuple[Request, ...]:
        # The board's answer is all that the posting API tells.
        return ()


def parse(body: bytes, source: Source) -> BoardListing:
    """A board's answer. Raises SourceUnavailable when it is not Ashby's."""
    return wire.board(wire.decode(body, source, _SHAPE), _listing, body, source, _SHAPE)


def _listing(job: Job, index: int, source: Source) -> Listing | RowProblem:
    native_id, title, apply_url = word(job.id), word(job.title), address(job.apply_url)
    url = address(job.job_url) or apply_url
    if not (native_id and title and url):
        return missing(index, native_id, title, url)
    if job.is_listed is False:
        return RowProblem(index, "unlisted", native_id, detail=title)
    return Listing(
        native_id=native_id,
        title=title,
        url=url,
        apply_url=apply_url,
        locations=tuple(_locations(job)),
        workplace_type=word(job.workplace_type),
        remote_flag=job.is_remote,
        employment_type=word(job.employment_type),
        department=word(job.department),
        team=word(job.team),
        description_html=markup(job.description_html),
        description_text=None if markup(job.description_html) else markup(job.description_plain),
        pay=tuple(_pay(job.compensation)) if job.compensation else (),
        published=word(job.published_at),
        updated=word(job.updated_at),
    )


def _locations(job: Job) -> Iterator[LocationText]:
    places = [("location", job.location, job.address)]
    places += [
        (f"secondaryLocations[{place}].location", second.location, second.address)
        for place, second in enumerate(job.secondary_locations or ())
    ]
    for field, text, stands in places:
        postal = (stands.postal_address if stands else None) or PostalAddress()
        city, region, country = (
            word(part) for part in (postal.address_locality, postal.address_region, postal.address_country)
        )
        if (words := word(text)) or city or region or country:
            yield LocationText(words or "", field, country=country, city=city, region=region)


def _pay(compensation: Compensation) -> Iterator[StatedPay]:
    """The summary range first, then each tier when there are several."""
    summary = word(compensation.compensation_tier_summary)
    tiers = compensation.compensation_tiers or []
    on_target = any(_ON_TARGET.search(tier.tier_summary or "") for tier in tiers)
    stated = [
        _component(part, summary, on_target, "compensation.summaryComponents")
        for part in compensation.summary_components or ()
    ]
    found = [pay for pay in stated if pay]
    yield from found
    if len(tiers) > 1 or not found:
        for place, tier in enumerate(tiers):
            text = ": ".join(part for part in (word(tier.title), word(tier.tier_summary)) if part)
            field = f"compensation.compensationTiers[{place}]"
            said = bool(_ON_TARGET.search(tier.tier_summary or ""))
            for part in tier.components or ():
                if pay := _component(part, text or None, said, field):
                    yield pay


def _component(part: Component, text: str | None, on_target: bool, field: str) -> StatedPay | None:
    component = _COMPONENTS.get((part.compensation_type or "").casefold())
    low, high = amount(part.min_value), amount(part.max_value)
    if component is None or not (low or high):
        return None
    return StatedPay(
        low=low,
        high=high,
        currency=word(part.currency_code),
        period=period(part.interval),
        component="total" if on_target and component == "base" else component,
        text=text,
        field=field,
    )
