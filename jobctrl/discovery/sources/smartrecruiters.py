"""SmartRecruiters postings: a paged list, and the text and pay of each posting on its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
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
    SourceRefused,
    StatedPay,
)
from jobctrl.discovery.sources import wire
from jobctrl.discovery.sources.base import Board
from jobctrl.discovery.sources.paging import read_pages
from jobctrl.discovery.sources.words import address, amount, markup, missing, names_pay, period, sections, word
from jobctrl.network.model import Purpose, Request, Web

PAGE_SIZE = 100
MOST_PAGES = 25
_SECTIONS = ("companyDescription", "jobDescription", "qualifications", "additionalInformation")


class Label(msgspec.Struct):
    id: str | int | None = None
    label: str | None = None
    code: str | None = None


class Company(msgspec.Struct):
    identifier: str | None = None
    name: str | None = None


class Location(msgspec.Struct, rename="camel"):
    city: str | None = None
    region: str | None = None
    country: str | None = None
    remote: bool | None = None
    hybrid: bool | None = None
    full_location: str | None = None


class CustomField(msgspec.Struct, rename="camel"):
    field_label: str | None = None
    value_label: str | None = None


class Section(msgspec.Struct):
    title: str | None = None
    text: str | None = None


class JobAd(msgspec.Struct):
    sections: dict[str, Section | None] | None = None


class Compensation(msgspec.Struct):
    min: int | float | str | None = None
    max: int | float | str | None = None
    currency: str | None = None
    period: str | None = None


class Posting(msgspec.Struct, rename="camel"):
    id: str | int | None = None
    name: str | None = None
    ref_number: str | None = None
    company: Company | None = None
    location: Location | None = None
    department: Label | None = None
    function: Label | None = None
    type_of_employment: Label | None = None
    language: Label | None = None
    custom_field: list[CustomField] | None = None
    released_date: str | None = None
    visibility: str | None = None
    active: bool | None = None
    posting_url: str | None = None
    apply_url: str | None = None
    job_ad: JobAd | None = None
    compensation: Compensation | None = None


class Page(msgspec.Struct, rename="camel"):
    content: list[Posting]
    total_found: int | None = None


_SHAPE = wire.Shape(Page, Posting, "content", frozenset({"releasedDate", "refNumber", "jobAdId"}))


class SmartRecruiters(Board):
    kind: ClassVar[BoardKind] = BoardKind.SMARTRECRUITERS

    def requests(self, source: Source) -> tuple[Request, ...]:
        return _page_at(source, 0), Request(_api(source), purpose=Purpose.BOARD_API)

    def parse(self, body: bytes, source: Source) -> BoardListing:
        return parse(body, source)

    def parse_detail(self, body: bytes, source: Source) -> Listing:
        return parse_detail(body, source)

    def pages(
        self, source: Source, web: Web, *, heartbeat: Callable[[], None], cancelled: Callable[[], bool]
    ) -> BoardListing | SourceRefused:
        return read_pages(
            source,
            web,
            first=self.requests(source),
            page_at=lambda offset: _page_at(source, offset),
            parse=parse,
            size=PAGE_SIZE,
            most=MOST_PAGES,
            heartbeat=heartbeat,
            cancelled=cancelled,
        )

    def detail_requests(self, listing: Listing, source: Source) -> tuple[Request, ...]:
        return (Request(f"{_api(source)}/{quote(listing.native_id, safe='')}", purpose=Purpose.BOARD_API),)


def parse(body: bytes, source: Source) -> BoardListing:
    """One page of the list. Raises SourceUnavailable when it is not SmartRecruiters'."""
    decoded = wire.decode(body, source, _SHAPE)
    return wire.board(decoded, _listing, body, source, _SHAPE, decoded.body.total_found)


def parse_detail(body: bytes, source: Source) -> Listing:
    """The answer about one posting. Raises SourceUnavailable when it is none."""
    return wire.one(body, source, Posting, _listing)


def _api(source: Source) -> str:
    return f"https://api.smartrecruiters.com/v1/companies/{quote(source.token, safe='')}/postings"


def _page_at(source: Source, offset: int) -> Request:
    return Request(f"{_api(source)}?limit={PAGE_SIZE}&offset={offset}", purpose=Purpose.BOARD_API)


def _listing(posting: Posting, index: int, source: Source) -> Listing | RowProblem:
    native_id, title = word(posting.id), word(posting.name)
    company = posting.company or Company()
    identifier = word(company.identifier) or source.token
    url = address(posting.posting_url) or (
        f"https://jobs.smartrecruiters.com/{quote(identifier, safe='')}/{quote(native_id, safe='')}"
        if native_id
        else None
    )
    if not (native_id and title and url):
        return missing(index, native_id, title, url)
    if word(posting.visibility) not in (None, "PUBLIC"):
        return RowProblem(index, "unlisted", native_id, detail=title)
    location = posting.location or Location()
    country = word(location.country)
    return Listing(
        native_id=native_id,
        title=title,
        url=url,
        company=word(company.name),
        apply_url=address(posting.apply_url),
        requisition_id=word(posting.ref_number),
        locations=tuple(_locations(location)),
        country=country.upper() if country else None,
        workplace_type="hybrid" if location.hybrid else None,
        remote_flag=location.remote or None,
        employment_type=_label(posting.type_of_employment),
        department=_label(posting.department) or _label(posting.function),
        description_html=_description(posting.job_ad),
        pay=tuple(_pay(posting)),
        published=word(posting.released_date),
        language=word(posting.language.code) if posting.language else None,
        listed=posting.active is not False,
    )


def _label(label: Label | None) -> str | None:
    return word(label.label) if label else None


def _locations(location: Location) -> Iterator[LocationText]:
    city, region, country = word(location.city), word(location.region), word(location.country)
    text = word(location.full_location) or ", ".join(part for part in (city, region, country) if part)
    if text:
        yield LocationText(text, "location", country=country.upper() if country else None, city=city, region=region)


def _description(ad: JobAd | None) -> str | None:
    said = (ad.sections if ad else None) or {}
    order = [*_SECTIONS, *(name for name in said if name not in _SECTIONS)]
    found = [part for name in order if (part := said.get(name))]
    return sections((word(part.title), markup(part.text)) for part in found)


def _pay(posting: Posting) -> Iterator[StatedPay]:
    stated = posting.compensation
    low, high = (amount(stated.min), amount(stated.max)) if stated else (None, None)
    if stated and (low or high):
        yield StatedPay(low, high, word(stated.currency), period(stated.period), field="compensation")
    for place, custom in enumerate(posting.custom_field or ()):
        label, value = word(custom.field_label), word(custom.value_label)
        if label and value and names_pay(label) and any(letter.isdigit() for letter in value):
            yield StatedPay(text=f"{label}: {value}", field=f"customField[{place}]")
