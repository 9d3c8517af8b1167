"""Workable accounts: the careers widget's answer with every posting, else the public list without texts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar
from urllib.parse import quote

import msgspec

from jobctrl.discovery.model import BoardKind, BoardListing, Listing, LocationText, RowProblem, Source
from jobctrl.discovery.sources import wire
from jobctrl.discovery.sources.base import Board
from jobctrl.discovery.sources.words import address, markup, missing, sections, word
from jobctrl.network.model import Purpose, Request

_SITE = "https://apply.workable.com"
# The public list abbreviates what the widget writes out.
_TYPES = {"full": "Full-time", "part": "Part-time", "contract": "Contract", "temporary": "Temporary", "other": "Other"}


class Place(msgspec.Struct, rename="camel"):
    city: str | None = None
    region: str | None = None
    country: str | None = None
    country_code: str | None = None


class WidgetJob(msgspec.Struct):
    title: str | None = None
    shortcode: str | None = None
    code: str | None = None
    url: str | None = None
    application_url: str | None = None
    employment_type: str | None = None
    telecommuting: bool | None = None
    department: str | None = None
    published_on: str | None = None
    city: str | None = None
    state: str | None = None
    country: str | None = None
    locations: list[Place] | None = None
    description: str | None = None


class Widget(msgspec.Struct):
    jobs: list[WidgetJob]
    name: str | None = None


class ListedJob(msgspec.Struct, rename="camel"):
    title: str | None = None
    shortcode: str | None = None
    code: str | None = None
    state: str | None = None
    is_internal: bool | None = None
    remote: bool | None = None
    workplace: str | None = None
    location: Place | None = None
    locations: list[Place] | None = None
    published: str | None = None
    type: str | None = None
    language: str | None = None
    department: Any = None
    description: str | None = None
    requirements: str | None = None
    benefits: str | None = None


class Listed(msgspec.Struct):
    results: list[ListedJob]
    total: int | None = None


_WIDGET = wire.Shape(Widget, WidgetJob, "jobs", frozenset({"shortcode"}))
_LIST = wire.Shape(Listed, ListedJob, "results", frozenset({"shortcode"}))


class Workable(Board):
    kind: ClassVar[BoardKind] = BoardKind.WORKABLE

    def requests(self, source: Source) -> tuple[Request, ...]:
        account = quote(source.token, safe="")
        return (
            Request(f"{_SITE}/api/v1/widget/accounts/{account}?details=true", purpose=Purpose.BOARD_API),
            Request(f"{_SITE}/api/v3/accounts/{account}/jobs", method="POST", json={}, purpose=Purpose.BOARD_API),
        )

    def parse(self, body: bytes, source: Source) -> BoardListing:
        return parse(body, source)

    def parse_detail(self, body: bytes, source: Source) -> Listing:
        return wire.one(body, source, ListedJob, _listed)

    def detail_requests(self, listing: Listing, source: Source) -> tuple[Request, ...]:
        account, code = quote(source.token, safe=""), quote(listing.native_id, safe="")
        return (Request(f"{_SITE}/api/v2/accounts/{account}/jobs/{code}", purpose=Purpose.BOARD_API),)


def parse(body: bytes, source: Source) -> BoardListing:
    """An account's answer in either shape. Raises SourceUnavailable when it is not Workable's."""
    if body[:4000].find(b'"results"') >= 0 and b'"jobs"' not in body[:4000]:
        listed = wire.decode(body, source, _LIST)
        return wire.board(listed, _listed, body, source, _LIST, listed.body.total)
    widget = wire.decode(body, source, _WIDGET)
    company = word(widget.body.name)

    def make(job: WidgetJob, index: int, source: Source) -> Listing | RowProblem:
        return _from_widget(job, index, company)

    return wire.board(widget, make, body, source, _WIDGET)


def _from_widget(job: WidgetJob, index: int, company: str | None) -> Listing | RowProblem:
    native_id, title, url = word(job.shortcode), word(job.title), address(job.url)
    if not (native_id and title and url):
        return missing(index, native_id, title, url)
    places = job.locations or [Place(job.city, job.state, job.country)]
    return Listing(
        native_id=native_id,
        title=title,
        url=url,
        company=company,
        apply_url=address(job.application_url),
        requisition_id=word(job.code),
        locations=tuple(_locations(places)),
        remote_flag=job.telecommuting or None,
        employment_type=word(job.employment_type),
        department=word(job.department),
        description_html=markup(job.description),
        published=word(job.published_on),
    )


def _listed(job: ListedJob, index: int, source: Source) -> Listing | RowProblem:
    native_id, title = word(job.shortcode), word(job.title)
    if not (native_id and title):
        return missing(index, native_id, title, None)
    if job.is_internal or word(job.state) not in (None, "published"):
        return RowProblem(index, "unlisted", native_id, detail=title)
    places = job.locations or ([job.location] if job.location else [])
    kind = word(job.type)
    department = job.department[0] if isinstance(job.department, list) and job.department else job.department
    return Listing(
        native_id=native_id,
        title=title,
        url=f"{_SITE}/{quote(source.token, safe='')}/j/{quote(native_id, safe='')}",
        requisition_id=word(job.code),
        locations=tuple(_locations(places)),
        workplace_type=word(job.workplace),
        remote_flag=job.remote or None,
        employment_type=_TYPES.get(kind, kind) if kind else None,
        department=word(department),
        description_html=sections(
            (
                (None, job.description),
                ("Requirements", markup(job.requirements)),
                ("Benefits", markup(job.benefits)),
            )
        ),
        published=word(job.published),
        language=word(job.language),
    )


def _locations(places: list[Place]) -> Iterator[LocationText]:
    for number, place in enumerate(places):
        city, region, country = word(place.city), word(place.region), word(place.country)
        code = word(place.country_code)
        if text := ", ".join(part for part in (city, region, country) if part):
            yield LocationText(text, f"locations[{number}]", country=code or country, city=city, region=region)
